//! The blocked filter: all bits of an item in one cache line.

use core::hash::BuildHasher;
use core::marker::PhantomData;

use crate::error::MemoryError;
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_blocks};
use crate::math::PairEstimate;
use crate::methods::{
    impl_blocked_readings, impl_constructors, impl_copies, impl_inserts, impl_queries, impl_words,
};
use crate::shape::BlockedShape;
use crate::storage::Blocks;

/// A filter that reads one cache line per query, whatever its size.
///
/// An item sets one bit in each of the eight 64-bit lanes of one 512-bit block. Some blocks get
/// more items than others, which costs memory: the filter needs about 5 % more bits than a
/// [`BloomFilter`](crate::BloomFilter) at a rate of 1 %, 9 % at 1 in 1000 and 23 % at 1 in 10 000.
/// It always uses 8 hashes. [`BlockedShape::for_rate`] accounts for the uneven blocks, so the
/// filter still meets the requested rate.
///
/// # The rate
///
/// The mean rate over filters is that of the [exact model](crate::math::blocked) of the split block: 8
/// lanes of 64 bits, with a binomial load per block.
///
/// # Adversaries
///
/// An attacker who chooses the items and knows the hasher can fill a block with 64 of them; every
/// query that falls on that block is then a false positive. Use a keyed hasher, see the
/// [crate page](crate#hashers-seeds-and-adversaries).
///
/// # Examples
///
/// ```
/// use bloom_core::BlockedBloomFilter;
///
/// let mut seen = BlockedBloomFilter::<str>::with_rate(10_000, 0.01)?;
/// assert!(seen.insert("ant"));
/// assert!(seen.contains("ant"));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub struct BlockedBloomFilter<T: ?Sized, S = FixedState> {
    pub(crate) blocks: Blocks,
    pub(crate) hash_builder: S,
    // The filter takes `T`s and owns none: it is `Send` and `Sync` whatever `T` is.
    pub(crate) items: PhantomData<fn(&T)>,
}

impl<T: ?Sized, S> BlockedBloomFilter<T, S> {
    /// Creates an empty filter of this shape that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// The blocks must fit in memory.
    pub fn with_hasher(shape: BlockedShape, hash_builder: S) -> Result<Self, MemoryError> {
        Ok(Self {
            blocks: Blocks::new(shape.blocks)?,
            hash_builder,
            items: PhantomData,
        })
    }

    pub(crate) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.blocks.insert(hash)
    }

    /// [`insert_hash`](Self::insert_hash) without vector instructions: the same bits and answer. For tests and
    /// measurements of the code that other machines run.
    #[inline]
    pub fn insert_hash_portably(&mut self, hash: u64) -> bool {
        self.blocks.insert_portably(hash)
    }

    /// [`contains_hash`](Self::contains_hash) without vector instructions, likewise.
    #[inline]
    #[must_use]
    pub fn contains_hash_portably(&self, hash: u64) -> bool {
        self.blocks.contains_portably(hash)
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.blocks.clear();
    }
}

impl<T: ?Sized, S: BuildHasher> BlockedBloomFilter<T, S> {
    /// Adds every item of `other`: the result is the filter of the union, bit for bit.
    ///
    /// # Errors
    ///
    /// Both filters must have the same number of blocks and the same hasher; otherwise nothing
    /// changes.
    pub fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.blocks.union_with(&other.blocks);
        Ok(())
    }

    /// Keeps the bits that are set in both filters; see
    /// [`BloomFilter::intersect_with`](crate::BloomFilter::intersect_with).
    ///
    /// # Errors
    ///
    /// Both filters must have the same number of blocks and the same hasher; otherwise nothing
    /// changes.
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.blocks.intersect_with(&other.blocks);
        Ok(())
    }

    /// Estimates the sizes of the union and the intersection of two filters' sets; `None` if the
    /// union of the filters has every bit set. O(m).
    ///
    /// By inclusion and exclusion of three [estimates](Self::estimated_items); the standard
    /// deviations are asymptotic in the number of blocks. See
    /// [`BloomFilter::estimated_pair`](crate::BloomFilter::estimated_pair).
    ///
    /// # Errors
    ///
    /// Both filters must have the same number of blocks and the same hasher.
    pub fn estimated_pair(&self, other: &Self) -> Result<Option<PairEstimate>, IncompatibleError> {
        self.check_compatible(other)?;
        let lanes = self.blocks.lanes().zip(other.blocks.lanes());
        let either = lanes.map(|(one, other)| u64::from((one | other).count_ones()));
        let (blocks, either) = (self.laned_blocks(), either.sum());
        Ok(blocks.estimate_pair(self.blocks.ones(), other.blocks.ones(), either))
    }

    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    pub fn check_compatible(&self, other: &Self) -> Result<(), IncompatibleError> {
        check_blocks(self.blocks.count(), other.blocks.count())?;
        check_hashers(&self.hash_builder, &other.hash_builder)
    }
}

impl_constructors!(
    BlockedBloomFilter,
    BlockedShape,
    MemoryError,
    BlockedShape::for_rate,
    "[`BlockedShape::for_rate`]",
    "an empty filter of this shape",
    "the smallest empty filter that keeps `items` expected items within the false-positive rate `rate`,"
);
impl_blocked_readings!(BlockedBloomFilter);
impl_queries!(
    BlockedBloomFilter,
    "use bloom_core::BlockedBloomFilter;

let mut filter = BlockedBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    BlockedBloomFilter,
    (&mut self), |self, hashes| self.blocks.insert_each(hashes),
    /// `true`: the item was not in the filter. `false`: it was, or other items had set all its bits,
    /// which happens to new items at the false-positive rate.
);
impl_words!(
    BlockedBloomFilter,
    BlockedShape,
    blocks,
    "use bloom_core::{BlockedBloomFilter, FixedState};

let mut filter = BlockedBloomFilter::<str>::with_rate(1_000, 0.01)?;
filter.insert(\"ant\");
let copy = BlockedBloomFilter::from_words(filter.shape(), filter.words(), FixedState::new())?;
assert_eq!(copy, filter);"
);
impl_copies!(BlockedBloomFilter, blocks);
