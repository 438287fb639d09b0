//! The counting filter: counters instead of bits, so that items can be removed.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use crate::error::ShapeError;
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Bloom, Combine, Compare, Fixed, Kind, Pair, Raw, Table, Writable};
#[cfg(feature = "alloc")]
use crate::filter::{CopyOf, Heap};
use crate::hash::FixedState;
#[cfg(feature = "alloc")]
use crate::hash::HashQuality;
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::kind::Counting;
use crate::math::{self, Estimate, PairEstimate};
use crate::memory::{Memory, Owned};
use crate::persist::kind::FilterKind;
use crate::probe::{Mixed, Positions};
use crate::shape::Shape;
#[cfg(feature = "alloc")]
use crate::storage::Bits;
use crate::storage::{
    CounterBits, Counters, Hashes, OwnedWords, Store, StoreMut, Word, in_order, words_of_counters,
};
#[cfg(feature = "alloc")]
use crate::{BloomFilter, bit_table::BitTable};

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
/// A counter that reaches its highest value (15 or 255) is *saturated*: its true count is lost, so
/// it stays there, whatever is removed. Overflow therefore never causes a false negative, but
/// leaves the position set permanently. [`saturated`](Bloom::saturated) returns the number of
/// saturated counters, and [`math::counter_overflow`] computes how likely they are: at the usual
/// sizes, 4-bit counters hardly ever saturate. Two things cause saturation: inserting the same item
/// again and again, because every insert counts, and inserting far more items than expected. A
/// filter sized for a million items at 1 % has an expected 0.000 000 03 saturated counters when it
/// holds them, 0.12 with three times as many items and 67 with five times as many:
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
/// The rate of a [`BloomFilter`](crate::BloomFilter) of the same shape, where m is the number of
/// counters: [exact](math::exact) for the items it currently holds. It takes 4 or 8 times the
/// memory.
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
/// // Certainly absent, so it is refused.
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
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn with_counter_bits(shape: Shape, counter_bits: CounterBits) -> Result<Self, BuildError> {
        let table = CounterTable::new(shape, counter_bits)?;
        Ok(Self::of(table, FixedState::new(), FixedState::QUALITY))
    }
}

#[cfg(feature = "alloc")]
impl<T: ?Sized, S> CountingBloomFilter<T, S> {
    /// Creates an empty filter of this shape with counters of this width that hashes with
    /// `hash_builder`, as for [`with_hasher`](Self::with_hasher).
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_counter_bits_and_hasher(
        shape: Shape,
        counter_bits: CounterBits,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        let table = CounterTable::new(shape, counter_bits)?;
        Ok(Self::of(table, hash_builder, HashQuality::Any))
    }
}

impl<T: ?Sized, S, B> CountingBloomFilter<T, S, B>
where
    Counting: Kind<B, Table = CounterTable<B::Store>>,
    B: Memory<u64, Store: Store<Item: Word>>,
{
    /// Returns the width of a counter.
    #[must_use]
    pub fn counter_bits(&self) -> CounterBits {
        self.table.counters.width()
    }

    /// Returns the counter of each position, from 0 to m - 1.
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
        let counters = &self.table.counters;
        (0..counters.len()).map(|position| counters.get(position))
    }

    /// Returns the number of saturated counters, which removals no longer lower. O(m).
    #[must_use]
    pub fn saturated(&self) -> u64 {
        let highest = self.table.counters.width().saturated();
        self.table.counters.count(|count| count == highest)
    }

    /// Converts the filter to a plain one: a bit is set where the counter is not 0.
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
        let (shape, counters) = (self.shape(), &self.table.counters);
        let mut bits = Bits::new(shape.bits())?;
        for position in (0..shape.bits()).filter(|at| counters.get(*at) > 0) {
            bits.set(position);
        }
        let table = BitTable::of(shape, bits.into_store());
        let hash_builder = self.hash_builder.clone();
        Ok(Bloom::of(table, hash_builder, self.quality).marked(self.intersected.clone()))
    }
}

impl<T: ?Sized, S, B> CountingBloomFilter<T, S, B>
where
    Counting: Kind<B, Table = CounterTable<B::Store>>,
    B: Memory<u64, Store: StoreMut + Store<Item = u64>>,
{
    /// Removes one copy of an item and returns `true`; if the item is certainly absent, changes
    /// nothing and returns `false`.
    ///
    /// For a false positive, an item that was never inserted, it returns `true` and may cause false
    /// negatives; see [Removing](crate::CountingBloomFilter#removing).
    pub fn remove<Q>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
        S: BuildHasher,
    {
        self.remove_hash(self.hash_builder.hash_one(item))
    }

    /// Removes an item by its hash, unless it is certainly absent; see [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> bool {
        let positions = self.table.positions(self.mix(hash));
        self.table.counters.remove(positions)
    }
}

impl<B: Memory<u64, Store: Store<Item: Word>>> Kind<B> for Counting {
    type Table = CounterTable<B::Store>;
}

/// The counters of a counting filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterTable<W: Store<Item: Word> = OwnedWords> {
    counters: Counters<W>,
    hashes: u8,
}

#[cfg(feature = "alloc")]
impl CounterTable {
    pub(crate) fn new(shape: Shape, width: CounterBits) -> Result<Self, BuildError> {
        Ok(Self {
            counters: Counters::new(shape.bits(), width)?,
            hashes: shape.hashes(),
        })
    }
}

impl<W: Store<Item: Word>> CounterTable<W> {
    /// Wraps words that suffice for the shape and the width.
    pub(crate) fn of(shape: Shape, width: CounterBits, words: W) -> Self {
        Self {
            counters: Counters::of(words, shape.bits(), width),
            hashes: shape.hashes(),
        }
    }

    pub(crate) fn counters(&self) -> &Counters<W> {
        &self.counters
    }

    pub(crate) fn counters_mut(&mut self) -> &mut Counters<W> {
        &mut self.counters
    }

    #[inline]
    fn positions(&self, hash: Mixed) -> Positions {
        Positions::new(hash, self.counters.len(), self.hashes)
    }

    /// Returns the function from a hash to its positions.
    #[inline]
    fn positions_in(&self) -> impl Fn(Mixed) -> Positions + Copy + use<W> {
        let (counters, hashes) = (self.counters.len(), self.hashes);
        move |hash| Positions::new(hash, counters, hashes)
    }

    fn ones(&self) -> u64 {
        self.counters.count(|count| count > 0)
    }
}

impl<W: Store<Item: Word>> Table for CounterTable<W> {
    const KIND: FilterKind = FilterKind::Counting;

    /// The counters are its bits.
    type Shape = Shape;

    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        Shape::for_rate(items, rate)
    }

    fn shape(&self) -> Shape {
        Shape::of_parts(self.counters.len(), self.hashes)
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        self.counters.contains(self.positions(hash))
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        self.counters
            .contains_each(hashes, self.positions_in(), in_order(answers));
    }

    fn memory_bytes(&self) -> u64 {
        self.counters.memory_bytes()
    }

    fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    fn false_positive_rate(&self) -> f64 {
        math::rate_at_fill(self.fill(), self.hashes)
    }

    fn estimate(&self) -> Option<Estimate> {
        math::estimate_items(self.counters.len(), self.hashes, self.ones())
            .expect("a shape is valid and has no more set counters than counters")
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        let width = self.counters.width().bits();
        fields.field("counters", &self.counters.len());
        fields
            .field("counter_bits", &width)
            .field("hashes", &self.hashes);
    }
}

impl<W: Store<Item: Word>> Fixed for CounterTable<W> {
    fn fill(&self) -> f64 {
        self.ones() as f64 / self.counters.len() as f64
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64 {
        self.shape().expected_false_positive_rate(items)
    }
}

impl<W: StoreMut + Store<Item = u64>> Writable for CounterTable<W> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        let positions = self.positions(hash);
        self.counters.insert(positions)
    }

    #[inline]
    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let positions = self.positions_in();
        self.counters.insert_each(hashes, positions)
    }

    fn clear(&mut self) {
        self.counters.clear();
    }
}

impl<W: Store<Item: Word>, O: Store<Item: Word>> Compare<CounterTable<O>> for CounterTable<W> {
    fn check_shape(&self, other: &CounterTable<O>) -> Result<(), IncompatibleError> {
        check_shapes(self.shape(), other.shape())?;
        let (ours, theirs) = (self.counters.width(), other.counters.width());
        if ours == theirs {
            return Ok(());
        }
        Err(IncompatibleError::CounterBits { ours, theirs })
    }
}

impl<W: Store<Item: Word>, O: Store<Item: Word>> Pair<CounterTable<O>> for CounterTable<W> {
    fn estimate_pair(&self, other: &CounterTable<O>) -> Option<PairEstimate> {
        let either = self.counters.ones_in_either(&other.counters);
        let (counters, hashes) = (self.counters.len(), self.hashes);
        math::estimate_pair(counters, hashes, self.ones(), other.ones(), either)
            .expect("a shape is valid and has no more set counters than counters")
    }
}

impl<W, O> Combine<CounterTable<O>> for CounterTable<W>
where
    W: StoreMut + Store<Item = u64>,
    O: Store<Item: Word>,
{
    fn union_with(&mut self, other: &CounterTable<O>) {
        self.counters.combine(&other.counters, u8::saturating_add);
    }

    fn intersect_with(&mut self, other: &CounterTable<O>) {
        self.counters.combine(&other.counters, u8::min);
    }
}

#[cfg(feature = "alloc")]
impl Heap for CounterTable {
    fn new(shape: Shape) -> Result<Self, BuildError> {
        Self::new(shape, CounterBits::Four)
    }
}

#[cfg(feature = "alloc")]
impl<O: Store<Item: Word>> CopyOf<CounterTable<O>> for CounterTable {
    fn copy_of(other: &CounterTable<O>) -> Result<Self, MemoryError> {
        let (counters, hashes) = (Counters::copy_of(&other.counters)?, other.hashes);
        Ok(Self { counters, hashes })
    }
}

impl<W: StoreMut + Store<Item = u64>> Raw for CounterTable<W> {
    type Store = W;

    fn units(shape: Shape) -> u64 {
        words_of_counters(shape.bits(), CounterBits::Four)
    }

    fn with_store(shape: Shape, store: W) -> Result<Self, ShapeError> {
        Ok(Self::of(shape, CounterBits::Four, store))
    }

    fn words(&self) -> &[u64] {
        self.counters.words()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.counters.words_mut()
    }

    fn used_bits(&self) -> u64 {
        let width = u64::from(self.counters.width().bits());
        // They are in memory, so their bits are few enough.
        self.counters.len().saturating_mul(width)
    }

    fn into_store(self) -> W {
        self.counters.into_store()
    }
}
