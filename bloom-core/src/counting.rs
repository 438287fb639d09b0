//! The counting filter: counters instead of bits, so that items can be removed.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;

use crate::basic::BloomFilter;
use crate::error::MemoryError;
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::math::{self, Estimate, PairEstimate};
use crate::methods::{impl_constructors, impl_copies, impl_inserts, impl_queries};
use crate::probe::Positions;
use crate::shape::Shape;
use crate::storage::{CounterBits, Counters, Hashes, in_order};

/// A filter that supports removal: a [`BloomFilter`](crate::BloomFilter) with a small counter in
/// place of each bit.
///
/// # Removing
///
/// [`remove`](Self::remove) refuses an item that is certainly absent and then changes nothing. It
/// cannot refuse a false positive: **removing a false positive, an item that was never inserted,
/// may cause false negatives** for items that share its counters. Remove an item only if it was
/// inserted, and at most as often as it was inserted.
///
/// # Overflow
///
/// A counter that reaches its highest value (15 or 255) is *saturated*: its true count is lost, so
/// it stays there, whatever is removed. Overflow therefore never causes a false negative, but
/// leaves the position set permanently. [`saturated`](Self::saturated) returns the number of
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
pub struct CountingBloomFilter<T: ?Sized, S = FixedState> {
    shape: Shape,
    counters: Counters,
    hash_builder: S,
    // The filter takes `T`s and owns none: it is `Send` and `Sync` whatever `T` is.
    items: PhantomData<fn(&T)>,
}

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
    pub fn with_counter_bits(shape: Shape, counter_bits: CounterBits) -> Result<Self, MemoryError> {
        Self::with_counter_bits_and_hasher(shape, counter_bits, FixedState::new())
    }
}

impl<T: ?Sized, S> CountingBloomFilter<T, S> {
    /// Creates an empty filter of this shape with 4-bit counters that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_hasher(shape: Shape, hash_builder: S) -> Result<Self, MemoryError> {
        Self::with_counter_bits_and_hasher(shape, CounterBits::Four, hash_builder)
    }

    /// Creates an empty filter of this shape with counters of this width that hashes with
    /// `hash_builder`.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_counter_bits_and_hasher(
        shape: Shape,
        counter_bits: CounterBits,
        hash_builder: S,
    ) -> Result<Self, MemoryError> {
        Ok(Self {
            shape,
            counters: Counters::new(shape.bits(), counter_bits)?,
            hash_builder,
            items: PhantomData,
        })
    }

    /// Returns the shape, with the counters as its bits.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the width of a counter.
    #[must_use]
    pub fn counter_bits(&self) -> CounterBits {
        self.counters.width()
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn counters_mut(&mut self) -> &mut Counters {
        &mut self.counters
    }

    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let positions = self.positions(hash);
        self.counters.insert(positions)
    }

    /// Returns whether an item with this hash may be in the filter; `false` is certain.
    #[must_use]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.counters.contains(self.positions(hash))
    }

    /// Removes an item by its hash, unless it is certainly absent; see [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> bool {
        let positions = self.positions(hash);
        self.counters.remove(positions)
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        self.counters
            .contains_each(hashes, positions_in(self.shape), in_order(answers));
    }

    /// Returns the bytes of memory that hold the counters.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.counters.memory_bytes()
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.counters.clear();
    }

    /// Returns whether every counter is 0, so that every query returns `false`. O(m) at worst.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// Returns the share of counters that are not 0, from 0 to 1. O(m).
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.ones() as f64 / self.shape.bits() as f64
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
        (0..self.shape.bits()).map(|position| self.counters.get(position))
    }

    /// Returns the number of saturated counters, which removals no longer lower. O(m).
    #[must_use]
    pub fn saturated(&self) -> u64 {
        let highest = self.counters.width().saturated();
        self.counters.count(|count| count == highest)
    }

    /// Estimates the number of distinct items from the nonzero counters, with its standard
    /// deviation; `None` if no counter is 0. O(m).
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        math::estimate_items(self.shape.bits(), self.shape.hashes(), self.ones())
            .expect("a shape is valid and has no more set counters than counters")
    }

    /// Returns the false-positive rate of this filter at its current fill: fill^k. O(m).
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        math::rate_at_fill(self.fill(), self.shape.hashes())
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items in them,
    /// under the exact model.
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        self.shape.expected_false_positive_rate(items)
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
    pub fn to_bloom_filter(&self) -> Result<BloomFilter<T, S>, MemoryError>
    where
        S: Clone,
    {
        let positions = (0..self.shape.bits()).filter(|at| self.counters.get(*at) > 0);
        BloomFilter::from_positions(self.shape, positions, self.hash_builder.clone())
    }

    fn positions(&self, hash: u64) -> Positions {
        positions_in(self.shape)(hash)
    }

    fn ones(&self) -> u64 {
        self.counters.count(|count| count > 0)
    }
}

impl<T: ?Sized, S: BuildHasher> CountingBloomFilter<T, S> {
    /// Removes one copy of an item and returns `true`; if the item is certainly absent, changes
    /// nothing and returns `false`.
    ///
    /// For a false positive, an item that was never inserted, it returns `true` and may cause false
    /// negatives; see [Removing](Self#removing).
    pub fn remove<Q>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.remove_hash(self.hash_builder.hash_one(item))
    }

    /// Adds every item of `other` with its multiplicity: counters are added, and saturate.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape, counter width and hasher; otherwise nothing changes.
    pub fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.counters.combine(&other.counters, u8::saturating_add);
        Ok(())
    }

    /// Sets each counter to the lower of the two filters' values.
    ///
    /// Items inserted in both are still found and can be removed. As with
    /// [`BloomFilter::intersect_with`](crate::BloomFilter::intersect_with), counters may be higher
    /// than in a filter of the common items alone.
    ///
    /// # Errors
    ///
    /// As for [`union_with`](Self::union_with).
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.counters.combine(&other.counters, u8::min);
        Ok(())
    }

    /// Estimates the sizes of the union and the intersection of two filters' sets; `None` if no
    /// counter is 0 in both. O(m). See
    /// [`BloomFilter::estimated_pair`](crate::BloomFilter::estimated_pair).
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape, counter width and hasher.
    pub fn estimated_pair(&self, other: &Self) -> Result<Option<PairEstimate>, IncompatibleError> {
        self.check_compatible(other)?;
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let either = self.counters.ones_in_either(&other.counters);
        let pair = math::estimate_pair(bits, hashes, self.ones(), other.ones(), either);
        Ok(pair.expect("a shape is valid and has no more set counters than counters"))
    }

    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape, width of counters and hasher.
    pub fn check_compatible(&self, other: &Self) -> Result<(), IncompatibleError> {
        check_shapes(self.shape, other.shape)?;
        if self.counter_bits() != other.counter_bits() {
            return Err(IncompatibleError::CounterBits {
                ours: self.counter_bits(),
                theirs: other.counter_bits(),
            });
        }
        check_hashers(&self.hash_builder, &other.hash_builder)
    }
}

/// Returns the function from a hash to its positions in a filter of this shape.
fn positions_in(shape: Shape) -> impl Fn(u64) -> Positions + Copy {
    move |hash| Positions::new(hash, shape.bits(), shape.hashes())
}

impl_constructors!(
    CountingBloomFilter,
    Shape,
    MemoryError,
    Shape::for_rate,
    "[`Shape::for_rate`]",
    "an empty filter of this shape and 4-bit counters",
    "the smallest empty filter of 4-bit counters that keeps `items` expected items within the \
    false-positive rate `rate`,"
);
impl_queries!(
    CountingBloomFilter,
    "use bloom_core::CountingBloomFilter;

let mut filter = CountingBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    CountingBloomFilter,
    (&mut self), |self, hashes| self.counters.insert_each(hashes, positions_in(self.shape)),
    /// Every insert counts, even of an item already in the filter, which must then be removed as
    /// often.
);
impl_copies!(CountingBloomFilter, counters, shape);

/// Prints the shape and the counter width, never the counters: O(1).
impl<T: ?Sized, S> fmt::Debug for CountingBloomFilter<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingBloomFilter")
            .field("counters", &self.shape.bits())
            .field("counter_bits", &self.counter_bits().bits())
            .field("hashes", &self.shape.hashes())
            .finish_non_exhaustive()
    }
}
