//! The textbook Bloom filter: k bits per item, anywhere among m.

use core::hash::BuildHasher;
use core::marker::PhantomData;

use crate::error::MemoryError;
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::math::{self, PairEstimate};
use crate::methods::{
    impl_constructors, impl_copies, impl_inserts, impl_queries, impl_readings, impl_words,
};
use crate::shape::Shape;
use crate::storage::Bits;

/// A set that stores only a few bits per item.
///
/// [`contains`](Self::contains) returns `true` for every inserted item, and for other items at the
/// false-positive rate; `false` means that the item was never inserted. Items cannot be removed.
///
/// The filter has an item type but stores no items: `BloomFilter<str>` takes `&str`,
/// `BloomFilter<[u8]>` takes `&[u8]`, `BloomFilter<u64>` takes `&u64`, and items of another type do
/// not compile.
///
/// # The rate
///
/// For a shape of 64 bits or more, the mean rate over filters (over seeds, or over sets of items)
/// is within 1 % of the [exact model](math::exact). The rate of a *single* filter scatters around
/// the mean ([`math::spread`]); [`false_positive_rate`](Self::false_positive_rate) computes it from
/// the bits of the filter.
///
/// # Memory
///
/// m bits, rounded up to 8 bytes. If the allocator refuses the memory, the constructor returns an
/// error; a system that overcommits memory may still stop the process later. [`Clone`] aborts on
/// refusal, as `Vec` does; [`try_clone`](Self::try_clone) returns an error.
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.001)?;
/// filter.extend(["ant", "bee"]);
/// assert!(filter.contains("ant"));
/// assert!(!filter.contains("cat"));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
///
/// A key of another type does not compile:
///
/// ```compile_fail
/// # use bloom_core::BloomFilter;
/// let mut filter = BloomFilter::<u64>::with_rate(1_000, 0.001).unwrap();
/// filter.insert(&7_u32);
/// ```
pub struct BloomFilter<T: ?Sized, S = FixedState> {
    pub(crate) shape: Shape,
    pub(crate) bits: Bits,
    pub(crate) hash_builder: S,
    // The filter takes `T`s and owns none: it is `Send` and `Sync` whatever `T` is.
    pub(crate) items: PhantomData<fn(&T)>,
}

impl<T: ?Sized, S> BloomFilter<T, S> {
    /// Creates an empty filter of this shape that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// The bits must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, BuildError, Shape};
    /// use std::hash::RandomState;
    ///
    /// let shape = Shape::new(10_000, 7)?;
    /// // A new key in every process: safe with hostile items, but a saved filter cannot be loaded.
    /// let mut filter = BloomFilter::<str, _>::with_hasher(shape, RandomState::new())?;
    /// assert!(filter.insert("ant"));
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn with_hasher(shape: Shape, hash_builder: S) -> Result<Self, MemoryError> {
        Ok(Self {
            shape,
            bits: Bits::new(shape.bits())?,
            hash_builder,
            items: PhantomData,
        })
    }

    /// Creates a filter with these bits set.
    pub(crate) fn from_positions(
        shape: Shape,
        positions: impl Iterator<Item = u64>,
        hash_builder: S,
    ) -> Result<Self, MemoryError> {
        let mut filter = Self::with_hasher(shape, hash_builder)?;
        for position in positions {
            filter.bits.set(position);
        }
        Ok(filter)
    }

    pub(crate) fn bits(&self) -> &Bits {
        &self.bits
    }

    pub(crate) fn bits_mut(&mut self) -> &mut Bits {
        &mut self.bits
    }

    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new.
    ///
    /// The hash may be poorly distributed, but the filter cannot distinguish items with equal
    /// hashes.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.bits.insert(hash, self.shape.hashes())
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Prefetches the memory of a later query.
    pub(crate) fn prefetch(&self, hash: u64) {
        self.bits.prefetch(hash, self.shape.hashes());
    }

    /// Returns whether the same bits are set in `other`, a filter of the same shape.
    pub(crate) fn has_bits_of(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T: ?Sized, S: BuildHasher> BloomFilter<T, S> {
    /// Adds every item of `other`: the result is the filter of the union, bit for bit.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher; otherwise nothing changes. Two hashers
    /// count as the same if they give equal hashes for four fixed integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut birds = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// let mut fish = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// birds.insert("wren");
    /// fish.insert("carp");
    /// birds.union_with(&fish)?;
    /// assert!(birds.contains("wren") && birds.contains("carp"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.bits.union_with(&other.bits);
        Ok(())
    }

    /// Estimates the sizes of the union and the intersection of two filters' sets; `None` if the
    /// union of the filters has every bit set. O(m).
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut one = BloomFilter::<u64>::with_rate(2_000, 0.001)?;
    /// let mut other = BloomFilter::<u64>::with_rate(2_000, 0.001)?;
    /// one.extend(0..1_000);
    /// other.extend(500..1_500);
    /// let both = one.estimated_pair(&other)?.expect("not every bit is set");
    /// // Standard deviations of 3 and 5 %: fails by chance 0.6 times in 10^9 runs. That of the
    /// // similarity is 0.0035.
    /// assert!((both.union.items - 1_500.0).abs() < 6.2 * both.union.standard_deviation);
    /// assert!((both.intersection.items - 500.0).abs() < 6.2 * both.intersection.standard_deviation);
    /// assert!((both.jaccard() - 1.0 / 3.0).abs() < 0.022);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimated_pair(&self, other: &Self) -> Result<Option<PairEstimate>, IncompatibleError> {
        self.check_compatible(other)?;
        let (one, two) = (self.bits.ones(), other.bits.ones());
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let either = self.bits.ones_in_either(&other.bits, 0, bits);
        let pair = math::estimate_pair(bits, hashes, one, two, either);
        Ok(pair.expect("a shape is valid and has no more set bits than bits"))
    }

    /// Keeps the bits that are set in both filters.
    ///
    /// Items inserted in both are always found. The result is *not* the filter of the intersection:
    /// it may have more bits set, because different items may have set the same bit in the two
    /// filters, and so a higher false-positive rate.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher; otherwise nothing changes.
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.bits.intersect_with(&other.bits);
        Ok(())
    }

    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let ours = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// let theirs = BloomFilter::<str>::with_rate(200, 0.01)?;
    /// let error = ours.check_compatible(&theirs).unwrap_err();
    /// assert!(error.to_string().starts_with("shapes of both filters must agree"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn check_compatible(&self, other: &Self) -> Result<(), IncompatibleError> {
        check_shapes(self.shape, other.shape)?;
        check_hashers(&self.hash_builder, &other.hash_builder)
    }
}

impl_constructors!(
    BloomFilter,
    Shape,
    MemoryError,
    Shape::for_rate,
    "[`Shape::for_rate`]",
    "an empty filter of this shape",
    "the smallest empty filter that keeps `items` expected items within the false-positive rate `rate`,"
);
impl_readings!(
    BloomFilter,
    "use bloom_core::BloomFilter;

let mut filter = BloomFilter::<u64>::with_rate(1_000, 0.01)?;
filter.extend(0..1_000);"
);
impl_queries!(
    BloomFilter,
    "use bloom_core::BloomFilter;

let mut filter = BloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    BloomFilter,
    (&mut self), |self, hashes| self.bits.insert_each(hashes, self.shape.hashes()),
    /// `true`: the item was not in the filter. `false`: it was, or other items had set all its
    /// positions, which happens to new items at the false-positive rate.
);
impl_words!(
    BloomFilter,
    Shape,
    bits,
    "use bloom_core::{BloomFilter, FixedState};

let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
filter.insert(\"ant\");
let copy = BloomFilter::from_words(filter.shape(), filter.words(), FixedState::new())?;
assert_eq!(copy, filter);"
);
impl_copies!(BloomFilter, bits, shape);
