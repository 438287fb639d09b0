//! The blocked filter: all bits of an item are in one cache line.

use core::fmt;

use crate::error::ShapeError;
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Bloom, Combine, Compare, Fixed, Kind, Pair, Raw, Table, Writable, agreed};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::filter::{CombineShared, WritableShared};
#[cfg(feature = "alloc")]
use crate::filter::{CopyOf, Heap};
use crate::hash::FixedState;
use crate::incompatible::{IncompatibleError, check_blocks};
use crate::kind::Blocked;
#[cfg(feature = "alloc")]
use crate::math;
use crate::math::{Estimate, LanedBlocks, PairEstimate};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::memory::Shared;
use crate::memory::{Memory, Owned, Saved};
use crate::persist::kind::FilterKind;
use crate::probe::Mixed;
#[cfg(feature = "alloc")]
use crate::shape::BLOCK;
use crate::shape::BlockedShape;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::storage::AtomicBlocks;
use crate::storage::{AnyBlock, Block, Blocks, Hashes, LANE_BITS, LANES, Store, StoreMut};

/// A filter that reads one cache line per query, whatever its size.
///
/// An item sets one bit in each of the eight 64-bit lanes of one 512-bit block. Some blocks get
/// more items than others, which costs memory: to keep the same rate, the filter needs about 5 %
/// more bits than a [`BloomFilter`](crate::BloomFilter) at a rate of 1 %, 9 % at 1 in 1000 and 23 %
/// at 1 in 10 000. It always uses 8 hashes. [`BlockedShape::for_rate`] accounts for the uneven
/// blocks, so the filter still meets the requested rate.
///
/// # The rate
///
/// The mean false-positive rate, over filters with different seeds or sets of items, is that of the
/// [exact model](crate::math::blocked): the number of items in a block has a binomial distribution,
/// and each item sets one bit in each of the eight lanes of its block.
///
/// # Memory
///
/// A filter can also use memory that the caller supplies (see [`new_in`](Bloom::new_in)). This memory is an array
/// or a slice of [`Block`]s. Each `Block` is one cache line, aligned to 64 bytes.
///
/// # Adversaries
///
/// An attacker who chooses the items and knows the hasher can set all bits of a block with 64
/// items; every query of an item whose bits are in that block then returns `true`. Use a keyed
/// hasher, see the [crate page](crate#hashers-seeds-and-adversaries).
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
pub type BlockedBloomFilter<T, S = FixedState, B = Owned> = Bloom<Blocked, T, S, B>;

/// A saved [`BlockedBloomFilter`], queried in place; see [`BloomFilterRef`](crate::BloomFilterRef).
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, BlockedBloomFilterRef};
///
/// let mut filter = BlockedBloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let file = filter.to_bytes()?; // or a mapped file: see the example `mapped_blocklist`
///
/// let saved = BlockedBloomFilterRef::<str>::open(&file[..])?;
/// assert!(saved.contains("ant"));
/// saved.verify_checksum()?; // reads the whole file
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type BlockedBloomFilterRef<'a, T, S = FixedState> = BlockedBloomFilter<T, S, Saved<&'a [u8]>>;

/// A [`BlockedBloomFilter`] that threads share: inserts take `&self`.
///
/// An item's bits are in one cache line, so threads that insert different items seldom wait for each other. Threads may
/// rely on the promises of [`AtomicBloomFilter`](crate::AtomicBloomFilter#what-threads-may-rely-on). An insert of an
/// item that is not found sets eight bits. The insert takes four atomic writes on x86-64 processors with the
/// instruction CMPXCHG16B, which changes two lanes at once, and eight atomic writes elsewhere.
///
/// Available where `target_has_atomic = "64"`.
///
/// # Examples
///
/// ```
/// use bloom_core::BlockedBloomFilter;
/// use std::thread;
///
/// let seen = BlockedBloomFilter::<str>::with_rate(1_000, 0.001)?.into_shared();
/// thread::scope(|scope| {
///     scope.spawn(|| seen.insert("ant"));
///     scope.spawn(|| seen.insert_many(&["bee", "cat"]));
/// });
/// assert!(seen.contains("ant") && seen.contains("cat"));
///
/// let plain = seen.into_plain(); // the same bits, not copied
/// let bytes = plain.to_bytes()?;
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub type AtomicBlockedBloomFilter<T, S = FixedState> = BlockedBloomFilter<T, S, Shared>;

impl<B: Memory<Block, Store: Store<Item: AnyBlock>>> Kind<B> for Blocked {
    type Table = Blocks<B::Store>;
}

impl<L: Store<Item: AnyBlock>> Table for Blocks<L> {
    const KIND: FilterKind = FilterKind::Blocked;

    type Shape = BlockedShape;

    fn shape_for(items: u64, rate: f64) -> Result<BlockedShape, ShapeError> {
        BlockedShape::for_rate(items, rate)
    }

    fn shape(&self) -> BlockedShape {
        BlockedShape {
            blocks: self.count(),
        }
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        Blocks::<L>::contains(self, hash)
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        Blocks::<L>::contains_each(self, hashes, answers);
    }

    fn memory_bytes(&self) -> u64 {
        self.shape().bits() / 8
    }

    fn is_empty(&self) -> bool {
        self.lanes().all(|lane| lane == 0)
    }

    fn false_positive_rate(&self) -> f64 {
        let rate = |block: [u64; LANES as usize]| -> f64 {
            let fills = block.iter().map(|lane| f64::from(lane.count_ones()));
            fills.map(|ones| ones / f64::from(LANE_BITS)).product()
        };
        self.iter().map(rate).sum::<f64>() / self.count() as f64
    }

    fn estimate(&self) -> Option<Estimate> {
        laned(self.count()).estimate_items(self.ones())
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        let shape = self.shape();
        fields.field("blocks", &shape.blocks());
        fields.field("bits", &shape.bits()).field("hashes", &LANES);
    }
}

/// Returns the number and the structure of the blocks in the form that the formulas of estimates
/// take.
fn laned(blocks: u64) -> LanedBlocks {
    LanedBlocks {
        blocks,
        lanes: LANES,
        lane_bits: LANE_BITS,
    }
}

impl<L: Store<Item: AnyBlock>> Fixed for Blocks<L> {
    fn fill(&self) -> f64 {
        self.ones() as f64 / self.shape().bits() as f64
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64 {
        math::blocked::rate(items, self.count(), BLOCK)
            .expect("a shape is valid")
            .value()
    }
}

impl<L: StoreMut + Store<Item = Block>> Writable for Blocks<L> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        Blocks::<L>::insert(self, hash)
    }

    #[inline]
    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        Blocks::<L>::insert_each(self, hashes)
    }

    fn clear(&mut self) {
        Blocks::<L>::clear(self);
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl WritableShared for AtomicBlocks {
    type Plain = Blocks;

    fn from_plain(plain: Blocks) -> Self {
        plain.into()
    }

    fn into_plain(self) -> Blocks {
        self.into()
    }

    #[inline]
    fn insert_shared(&self, hash: Mixed) -> bool {
        Self::insert(self, hash)
    }

    fn insert_each_shared(&self, hashes: impl Hashes) -> u64 {
        Self::insert_each(self, hashes)
    }

    fn clear_owned(&mut self) {
        Self::clear(self);
    }
}

impl<L: Store<Item: AnyBlock>, O: Store<Item: AnyBlock>> Compare<Blocks<O>> for Blocks<L> {
    fn check_shape(&self, other: &Blocks<O>) -> Result<(), IncompatibleError> {
        check_blocks(self.count(), other.count())
    }
}

impl<L: Store<Item: AnyBlock>, O: Store<Item: AnyBlock>> Pair<Blocks<O>> for Blocks<L> {
    fn estimate_pair(&self, other: &Blocks<O>) -> Option<PairEstimate> {
        let lanes = self.lanes().zip(other.lanes());
        let either = lanes.map(|(one, other)| u64::from((one | other).count_ones()));
        let (one, two) = (self.ones(), other.ones());
        laned(self.count()).estimate_pair(one, two, agreed(one, two, either.sum()))
    }
}

impl<L, O> Combine<Blocks<O>> for Blocks<L>
where
    L: StoreMut + Store<Item = Block>,
    O: Store<Item: AnyBlock>,
{
    fn union_with(&mut self, other: &Blocks<O>) {
        Blocks::<L>::union_with(self, other);
    }

    fn intersect_with(&mut self, other: &Blocks<O>) {
        Blocks::<L>::intersect_with(self, other);
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<O: Store<Item: AnyBlock>> CombineShared<Blocks<O>> for AtomicBlocks {
    fn union_with_shared(&self, other: &Blocks<O>) {
        Self::union_with(self, other);
    }
}

#[cfg(feature = "alloc")]
impl Heap for Blocks {
    fn new(shape: BlockedShape) -> Result<Self, BuildError> {
        Ok(Blocks::new(shape.blocks())?)
    }
}

#[cfg(feature = "alloc")]
impl<O: Store<Item: AnyBlock>> CopyOf<Blocks<O>> for Blocks {
    fn copy_of(other: &Blocks<O>) -> Result<Self, MemoryError> {
        Blocks::copy_of(other)
    }
}

impl<L: StoreMut + Store<Item = Block>> Raw for Blocks<L> {
    type Store = L;

    fn units(shape: BlockedShape) -> u64 {
        shape.blocks()
    }

    fn with_store(shape: BlockedShape, store: L) -> Result<Self, ShapeError> {
        Ok(Blocks::of(store, shape.blocks()))
    }

    fn words(&self) -> &[u64] {
        Blocks::<L>::words(self)
    }

    fn words_mut(&mut self) -> &mut [u64] {
        Blocks::<L>::words_mut(self)
    }

    fn used_bits(&self) -> u64 {
        self.shape().bits()
    }

    fn into_store(self) -> L {
        Blocks::<L>::into_store(self)
    }
}
