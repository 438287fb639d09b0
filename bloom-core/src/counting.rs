//! The counting filter: counters in place of bits, so that items can be removed.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;

use crate::basic::BloomFilter;
use crate::error::{BuildError, MemoryError};
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::math::{self, Estimate, PairEstimate};
use crate::probe::Positions;
use crate::shape::Shape;
use crate::storage::{CounterBits, Counters, Pending, answers_to, hashes_of, prehashed};

/// A filter from which items can be removed: a [`BloomFilter`](crate::BloomFilter) with a small
/// counter in place of each bit.
///
/// # Removing
///
/// [`remove`](Self::remove) refuses an item that is certainly absent and then changes nothing. It
/// cannot refuse a false positive: **removing an item that was never inserted, but is found by
/// mistake, may make false negatives** of items that share its counters. Remove only what you know
/// was inserted, and as often as it was inserted.
///
/// # Overflow
///
/// A counter that reaches its highest value (15 or 255) is *saturated*: its true count is lost, so
/// it stays there, whatever is removed. So overflow never makes a false negative; it leaves a
/// position set for ever. [`saturated`](Self::saturated) counts these, and
/// [`math::counter_overflow`] says how likely they are: at the usual sizes, 4 bits hardly ever
/// saturate. Two ways lead there: to insert the same item again and again, for every insert counts;
/// and to insert far more items than expected. Sized for a million items at 1 %, the filter is
/// expected to have 0.000 000 03 saturated counters with them, 0.12 with three times as many and 67 with
/// five times:
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
/// That of a [`BloomFilter`](crate::BloomFilter) of the same shape, where m is the number of
/// counters: [exact](math::exact) for the items it holds now. It takes 4 or 8 times the memory.
///
/// # Adversaries
///
/// Who can choose the items and knows the hasher can fill or saturate counters at will, and find
/// items that are found by mistake, whose removal makes false negatives: take a keyed hasher, see
/// the [crate page](crate#hashers-seeds-and-adversaries).
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
/// // Certainly absent: refused.
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
    /// Creates an empty filter of this shape with 4-bit counters and the default hasher.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn new(shape: Shape) -> Result<Self, MemoryError> {
        Self::with_hasher(shape, FixedState::new())
    }

    /// Creates the smallest empty filter that keeps `items` expected items within the
    /// false-positive rate `rate`, with 4-bit counters and the default hasher.
    ///
    /// # Errors
    ///
    /// As [`Shape::for_rate`]; and the counters must fit in memory.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        Self::with_rate_and_hasher(items, rate, FixedState::new())
    }
}

impl<T: ?Sized, S> CountingBloomFilter<T, S> {
    /// Creates an empty filter of this shape with 4-bit counters that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_hasher(shape: Shape, hash_builder: S) -> Result<Self, MemoryError> {
        Self::with_counter_bits(shape, CounterBits::Four, hash_builder)
    }

    /// Creates the smallest empty filter that keeps `items` expected items within the
    /// false-positive rate `rate`, with 4-bit counters, and hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// As [`Shape::for_rate`]; and the counters must fit in memory.
    pub fn with_rate_and_hasher(
        items: u64,
        rate: f64,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        Ok(Self::with_hasher(
            Shape::for_rate(items, rate)?,
            hash_builder,
        )?)
    }

    /// Creates an empty filter of this shape with counters of this width that hashes with
    /// `hash_builder`.
    ///
    /// # Errors
    ///
    /// The counters must fit in memory.
    pub fn with_counter_bits(
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

    /// Returns the counters (as bits) and hashes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the width of a counter.
    pub fn counter_bits(&self) -> CounterBits {
        self.counters.width()
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn counters_mut(&mut self) -> &mut Counters {
        &mut self.counters
    }

    /// Returns the hasher's builder.
    pub fn hasher(&self) -> &S {
        &self.hash_builder
    }

    /// Inserts an item by a hash of your own and returns whether it is certainly new.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let positions = self.positions(hash);
        self.counters.insert(positions)
    }

    /// Returns whether an item of this hash may be in; `false` is certain.
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.counters.contains(self.positions(hash))
    }

    /// Removes an item by its hash, unless it is certainly absent; see [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> bool {
        let positions = self.positions(hash);
        self.counters.remove(positions)
    }

    /// [`insert_hash`](Self::insert_hash) for every hash in turn; returns how many were certainly
    /// new.
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> u64 {
        self.counters
            .insert_each(prehashed(hashes), positions_in(self.shape))
    }

    /// [`contains_hash`](Self::contains_hash) for every hash in turn; `answers` becomes the answers.
    pub fn contains_hashes(&self, hashes: &[u64], answers: &mut Vec<bool>) {
        let answers = answers_to(hashes.len(), answers);
        let positions = positions_in(self.shape);
        self.counters
            .contains_each(prehashed(hashes), positions, answers);
    }

    /// Returns the bytes of memory that hold the counters.
    pub fn memory_bytes(&self) -> u64 {
        self.counters.memory_bytes()
    }

    /// Forgets every item.
    pub fn clear(&mut self) {
        self.counters.clear();
    }

    /// Returns whether every counter is 0: nothing is found. O(m) at worst.
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// Returns the share of counters that are not 0, from 0 to 1. O(m).
    pub fn fill(&self) -> f64 {
        self.ones() as f64 / self.shape.bits() as f64
    }

    /// Returns the number of saturated counters, which no removal lowers any more. O(m).
    pub fn saturated(&self) -> u64 {
        let highest = self.counters.width().saturated();
        self.counters.count(|count| count == highest)
    }

    /// Returns the number of distinct items that explains the counters that are not 0, with its
    /// standard deviation; `None` if none is 0. O(m).
    pub fn estimated_items(&self) -> Option<Estimate> {
        math::estimate_items(self.shape.bits(), self.shape.hashes(), self.ones())
            .expect("a shape is valid and has no more set counters than counters")
    }

    /// Returns this filter's own false-positive rate at its present fill: fill^k. O(m).
    pub fn false_positive_rate(&self) -> f64 {
        math::rate_at_fill(self.fill(), self.shape.hashes())
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items in them,
    /// by the exact model.
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        self.shape.expected_false_positive_rate(items)
    }

    /// Returns the filter without its counts: a bit is set where a counter is not 0.
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

    /// Copies the filter, or returns an error where `clone` would abort.
    ///
    /// # Errors
    ///
    /// The copy must fit in memory.
    pub fn try_clone(&self) -> Result<Self, MemoryError>
    where
        S: Clone,
    {
        Ok(Self {
            shape: self.shape,
            counters: self.counters.try_clone()?,
            hash_builder: self.hash_builder.clone(),
            items: PhantomData,
        })
    }

    fn positions(&self, hash: u64) -> Positions {
        positions_in(self.shape)(hash)
    }

    fn ones(&self) -> u64 {
        self.counters.count(|count| count > 0)
    }
}

impl<T: ?Sized, S: BuildHasher> CountingBloomFilter<T, S> {
    /// Inserts an item and returns whether it is certainly new.
    ///
    /// Every insert counts, also of an item that is in: it must be removed as often.
    pub fn insert(&mut self, item: &T) -> bool
    where
        T: Hash,
    {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Returns whether an item may be in; `false` is certain.
    pub fn contains<Q>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.contains_hash(self.hash_builder.hash_one(item))
    }

    /// Removes an item once and returns `true`, or returns `false` and changes nothing if it is
    /// certainly absent.
    ///
    /// Removing an item that was never inserted but is found by mistake returns `true` and may
    /// make false negatives; see [Removing](Self#removing).
    pub fn remove<Q>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.remove_hash(self.hash_builder.hash_one(item))
    }

    /// Adds every item of `other`, as often as it is in there: counters are added, and saturate.
    ///
    /// # Errors
    ///
    /// Shape, width of the counters and hasher of both filters must agree; nothing is changed if
    /// they do not.
    pub fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.counters.combine(&other.counters, u8::saturating_add);
        Ok(())
    }

    /// Keeps of each counter the lower of both filters'.
    ///
    /// Items inserted in both are still found and can be removed. As with
    /// [`BloomFilter::intersect_with`](crate::BloomFilter::intersect_with), counters may be higher
    /// than the common items alone would make them.
    ///
    /// # Errors
    ///
    /// As [`union_with`](Self::union_with).
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.counters.combine(&other.counters, u8::min);
        Ok(())
    }

    /// Inserts every item in turn and returns how many were certainly new; see
    /// [`BloomFilter::insert_many`](crate::BloomFilter::insert_many).
    pub fn insert_many<Q>(&mut self, items: &[Q]) -> u64
    where
        T: Hash,
        Q: Borrow<T>,
    {
        let hashes = hashes_of(items, |item| self.hash_builder.hash_one(item.borrow()));
        self.counters.insert_each(hashes, positions_in(self.shape))
    }

    /// Asks for every item in turn; `answers` becomes the answers, one for each; see
    /// [`BloomFilter::contains_many`](crate::BloomFilter::contains_many).
    pub fn contains_many<Q>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        T: Hash,
        Q: Borrow<T>,
    {
        let hashes = hashes_of(items, |item| self.hash_builder.hash_one(item.borrow()));
        let answers = answers_to(items.len(), answers);
        let positions = positions_in(self.shape);
        self.counters.contains_each(hashes, positions, answers);
    }

    /// Returns how many items are in either and in both of two filters' sets; `None` where no
    /// counter of both is 0.
    /// O(m). See [`BloomFilter::estimated_pair`](crate::BloomFilter::estimated_pair).
    ///
    /// # Errors
    ///
    /// Shape, counters and hasher of both filters must agree.
    pub fn estimated_pair(&self, other: &Self) -> Result<Option<PairEstimate>, IncompatibleError> {
        self.check_compatible(other)?;
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let either = self.counters.ones_in_either(&other.counters);
        let pair = math::estimate_pair(bits, hashes, self.ones(), other.ones(), either);
        Ok(pair.expect("a shape is valid and has no more set counters than counters"))
    }

    fn check_compatible(&self, other: &Self) -> Result<(), IncompatibleError> {
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

/// From a hash to its positions in a filter of this shape.
fn positions_in(shape: Shape) -> impl Fn(u64) -> Positions + Copy {
    move |hash| Positions::new(hash, shape.bits(), shape.hashes())
}

/// Inserts every item; see `Extend` of [`BloomFilter`](crate::BloomFilter) for
/// what an item may be.
impl<T, S, Q> Extend<Q> for CountingBloomFilter<T, S>
where
    T: Hash + ?Sized,
    S: BuildHasher,
    Q: Borrow<T>,
{
    fn extend<I: IntoIterator<Item = Q>>(&mut self, items: I) {
        let (counters, shape) = (&mut self.counters, self.shape);
        let mut pending = Pending::new(|group: &[u64]| {
            counters.insert_each(prehashed(group), positions_in(shape));
        });
        for item in items {
            pending.push(self.hash_builder.hash_one(item.borrow()));
        }
    }
}

impl<T: ?Sized, S: Clone> Clone for CountingBloomFilter<T, S> {
    fn clone(&self) -> Self {
        Self {
            shape: self.shape,
            counters: self.counters.clone(),
            hash_builder: self.hash_builder.clone(),
            items: PhantomData,
        }
    }
}

/// Filters are equal if shape, hasher and every counter are.
impl<T: ?Sized, S: BuildHasher> PartialEq for CountingBloomFilter<T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.check_compatible(other).is_ok() && self.counters == other.counters
    }
}

/// Shape and width, never the counters: O(1).
impl<T: ?Sized, S> fmt::Debug for CountingBloomFilter<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingBloomFilter")
            .field("counters", &self.shape.bits())
            .field("counter_bits", &self.counter_bits().bits())
            .field("hashes", &self.shape.hashes())
            .finish_non_exhaustive()
    }
}
