//! The counting filter: counters instead of bits, so that items can be removed.

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

#[cfg(feature = "alloc")]
use crate::BloomFilter;
use crate::cell_table::{CellKind, CellTable};
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Bloom, Kind};
use crate::hash::FixedState;
use crate::kind::Counting;
use crate::memory::{Memory, Owned};
use crate::persist::kind::FilterKind;
#[cfg(feature = "alloc")]
use crate::quality::HashQuality;
#[cfg(feature = "alloc")]
use crate::shape::Shape;
#[cfg(feature = "alloc")]
use crate::storage::Cells;
use crate::storage::{Counted, CounterBits, Store, StoreMut, Word};

/// A filter that supports removal: a [`BloomFilter`](crate::BloomFilter) with a small counter in
/// place of each bit.
///
/// # Removing
///
/// [`remove`](Bloom::remove) refuses an item that is certainly absent and then changes nothing. It
/// cannot refuse a false positive: **removing a false positive, an item that was never inserted,
/// may cause false negatives** for items that share its counters. Remove an item only if it was
/// inserted, and at most as often as it was inserted.
///
/// # Overflow
///
/// A counter that reaches its highest value (15 or 255) is *saturated*: its true count is lost, so no removal lowers
/// it. Saturation therefore never causes a false negative, but the counter stays above 0 until the filter is cleared.
/// [`saturated`](Bloom::saturated) returns the number of saturated counters, and
/// [`math::counter_overflow`](crate::math::counter_overflow) computes how many are to be expected. At the usual sizes,
/// 4-bit counters hardly ever saturate. Two things cause saturation: inserting the same item again and again, because
/// every insert counts, and inserting far more items than expected. A filter with 4-bit counters that is sized for a
/// million items at 1 % has on average 0.000 000 03 saturated counters with a million items, 0.12 with three million
/// and 67 with five million:
///
/// ```
/// use bloom_core::{Shape, math::counter_overflow};
///
/// let shape = Shape::for_rate(1_000_000, 0.01)?;
/// let saturated = |items| counter_overflow(items, shape.bits(), shape.hashes(), 15);
/// assert_eq!(format!("{:.0e}", saturated(1_000_000)?.expected), "3e-8");
/// assert_eq!(format!("{:.2}", saturated(3_000_000)?.expected), "0.12");
/// assert_eq!(format!("{:.0}", saturated(5_000_000)?.expected), "67");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The rate
///
/// The rate is that of a [`BloomFilter`](crate::BloomFilter) with one bit for each counter and with
/// the same number of hashes. Its mean is given by the [exact model](crate::math::exact) for the
/// number of items that the filter currently holds. A counting filter takes 4 or 8 times the memory
/// of that `BloomFilter`.
///
/// # Adversaries
///
/// An attacker who chooses the items and knows the hasher can fill or saturate counters at will,
/// and find false positives, whose removal causes false negatives. Use a keyed hasher, see the
/// [crate page](crate#hashers-seeds-and-adversaries).
///
/// # Examples
///
/// ```
/// use bloom_core::CountingBloomFilter;
///
/// let mut cart = CountingBloomFilter::<str>::with_rate(1_000, 0.01)?;
/// cart.insert("apple");
/// cart.insert("pear");
/// assert!(cart.remove("apple"));
/// assert!(!cart.contains("apple"));
/// assert!(cart.contains("pear"));
/// // The apple is certainly absent now, so it cannot be removed again.
/// assert!(!cart.remove("apple"));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub type CountingBloomFilter<T, S = FixedState, B = Owned> = Bloom<Counting, T, S, B>;

#[cfg(feature = "alloc")]
impl<T: ?Sized> CountingBloomFilter<T> {
    /// Creates an empty filter of this shape with counters of this width and the default hasher.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{CounterBits, CountingBloomFilter, Shape};
    ///
    /// let shape = Shape::for_rate(1_000, 0.01)?;
    /// let mut visits = CountingBloomFilter::<str>::with_counter_bits(shape, CounterBits::Eight)?;
    /// (0..200).for_each(|_| _ = visits.insert("ant"));
    /// (0..200).for_each(|_| _ = visits.remove("ant"));
    /// assert!(visits.is_empty()); // a 4-bit counter would have stuck at 15
    /// let width = visits.counter_bits();
    /// assert_eq!((width.bits(), width.saturated()), (8, 255));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn with_counter_bits(shape: Shape, counter_bits: CounterBits) -> Result<Self, BuildError> {
        let table = CellTable::with_width(shape, counter_bits.bits() as u8)?;
        Ok(Self::of(table, FixedState::new(), FixedState::QUALITY))
    }
}

#[cfg(feature = "alloc")]
impl<T: ?Sized, S> CountingBloomFilter<T, S> {
    /// Creates an empty filter of this shape, with counters of this width, that hashes with
    /// `hash_builder`; see [`with_hasher`](Self::with_hasher).
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_counter_bits_and_hasher(
        shape: Shape,
        counter_bits: CounterBits,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        let table = CellTable::with_width(shape, counter_bits.bits() as u8)?;
        Ok(Self::of(table, hash_builder, HashQuality::Any))
    }
}

impl<T: ?Sized, S, B> CountingBloomFilter<T, S, B>
where
    Counting: Kind<B, Table = CellTable<Counting, B::Store>>,
    B: Memory<u64, Store: Store<Item: Word>>,
{
    /// Returns the width of a counter; see [`with_counter_bits`](Self::with_counter_bits).
    #[must_use]
    pub fn counter_bits(&self) -> CounterBits {
        CounterBits::of_width(self.table.cells.width())
    }

    /// Returns the values of all counters, in the order of their positions.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{CountingBloomFilter, Shape};
    ///
    /// let mut filter = CountingBloomFilter::<str>::new(Shape::new(64, 3)?)?;
    /// filter.insert("ant");
    /// filter.insert("ant");
    /// assert_eq!(filter.counts().filter(|count| *count == 2).count(), 3);
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn counts(&self) -> impl Iterator<Item = u8> + '_ {
        let counters = &self.table.cells;
        (0..counters.shape().bits()).map(|position| counters.get(position))
    }

    /// Returns the number of saturated counters, which removals no longer lower. O(m) for m
    /// counters.
    #[must_use]
    pub fn saturated(&self) -> u64 {
        let highest = self.counter_bits().saturated();
        self.counts().filter(|count| *count == highest).count() as u64
    }

    /// Makes a `BloomFilter` in which a bit is set where the counter is not 0.
    ///
    /// # Errors
    ///
    /// The bits must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::CountingBloomFilter;
    ///
    /// let mut counting = CountingBloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// counting.insert("apple");
    /// let plain = counting.to_bloom_filter()?;
    /// assert!(plain.contains("apple"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_bloom_filter(&self) -> Result<BloomFilter<T, S>, MemoryError>
    where
        S: Clone,
    {
        let mut table = CellTable {
            cells: Cells::new(self.shape(), 1)?,
        };
        for (position, _) in (0..).zip(self.counts()).filter(|(_, count)| *count > 0) {
            table.cells.set(position);
        }
        let hash_builder = self.hash_builder.clone();
        Ok(Bloom::of(table, hash_builder, self.quality).marked(self.intersected.clone()))
    }
}

impl<T: ?Sized, S, B> CountingBloomFilter<T, S, B>
where
    Counting: Kind<B, Table = CellTable<Counting, B::Store>>,
    B: Memory<u64, Store: StoreMut + Store<Item = u64>>,
{
    /// Undoes one insert of an item and returns `true`; if the item is certainly absent, changes
    /// nothing and returns `false`.
    ///
    /// If the item is a false positive (it was never inserted), the method still returns `true`, and may cause false
    /// negatives of other items; see [Removing](crate::CountingBloomFilter#removing).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::CountingBloomFilter;
    ///
    /// let mut open = CountingBloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// open.insert("ant");
    /// assert!(open.remove("ant"));
    /// assert!(!open.remove("ant"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn remove<Q>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
        S: BuildHasher,
    {
        self.remove_hash(self.hash_builder.hash_one(item))
    }

    /// Undoes one insert of an item, given by its hash, unless the item is certainly absent; see
    /// [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> bool {
        let hash = self.mix(hash);
        self.table.cells.remove(hash)
    }
}

impl CellKind for Counting {
    const KIND: FilterKind = FilterKind::Counting;
    const WIDTH: u8 = 4;

    type Layout = Counted;
}
