//! Stores the blocks of a blocked filter, each of which is one cache line, and calls the kernel
//! that sets and tests the bits of a hash.
#![allow(unsafe_code)]

mod batch;
#[cfg(bloom_loads_shared_lines)]
mod must_not_compile;
mod portable;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
mod shared;
#[cfg(all(test, feature = "alloc"))]
mod tests;
#[cfg(all(test, feature = "alloc", not(miri)))]
mod two_paths;
#[cfg_attr(
    all(
        target_arch = "x86_64",
        target_feature = "sse2",
        target_pointer_width = "64"
    ),
    path = "x86.rs"
)]
#[cfg_attr(
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ),
    path = "neon.rs"
)]
mod vectors;
mod view;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use shared::{AtomicBlocks, Shared as SharedBlocks};

use super::batch::Hashes;
use super::cpu::Cpu;
#[cfg(feature = "alloc")]
use super::memory::cleared;
use super::words::{Store, StoreMut};
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::probe::Mixed;
use portable::Portable;
use vectors::Vectors;
pub(crate) use view::AnyBlock;
pub use view::Block;
use view::{BlocksMut, BlocksView, Kernel};

/// The number of lanes in a block. An item sets one bit in each lane, so this is also the number of
/// hashes.
pub(crate) const LANES: u8 = 8;

/// The number of bits in a lane.
pub(crate) const LANE_BITS: u32 = u64::BITS;

/// The number of bits in a block: one cache line.
pub(crate) const BLOCK_BITS: u64 = LANES as u64 * LANE_BITS as u64;

/// Blocks on the heap with one owner.
#[cfg(feature = "alloc")]
pub(crate) type OwnedBlocks = Vec<Block>;

/// Without an allocator, no filter owns blocks on the heap. This type is only a stand-in, because
/// [`Blocks`] needs a default type.
#[cfg(not(feature = "alloc"))]
pub(crate) type OwnedBlocks = [Block; 1];

/// The blocks of a filter: a fixed number, at least one.
#[derive(Debug, Clone)]
pub struct Blocks<S = OwnedBlocks> {
    /// At least `count` blocks; further ones are not used.
    lines: S,
    /// The number of blocks in use: at least 1, so that every hash has a block.
    count: u64,
    cpu: Cpu,
    /// The vector kernel, on x86-64 that of `cpu`; `None` if the portable kernel is used.
    vectors: Option<Vectors>,
}

impl<S: Store<Item: AnyBlock>> PartialEq for Blocks<S> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl<S: Store<Item: AnyBlock>> Eq for Blocks<S> {}

#[cfg(feature = "alloc")]
impl Blocks {
    /// Creates `blocks` clear blocks, at least one, or returns an error if the allocator refuses the memory.
    pub(crate) fn new(blocks: u64) -> Result<Self, MemoryError> {
        assert!(blocks > 0, "a shape has blocks");
        let bits = blocks.saturating_mul(BLOCK_BITS);
        let lines = cleared(blocks).ok_or(MemoryError { bits })?;
        Ok(Self::of(lines, blocks))
    }

    /// Copies blocks from any storage, or returns an error if the allocator refuses the memory.
    pub(crate) fn copy_of<O: Store<Item: AnyBlock>>(
        other: &Blocks<O>,
    ) -> Result<Self, MemoryError> {
        let mut copy = Self::new(other.count())?;
        for (line, lanes) in copy.lines.iter_mut().zip(other.iter()) {
            *line = Block(lanes);
        }
        Ok(copy)
    }
}

impl<S: StoreMut + Store<Item = Block>> Blocks<S> {
    #[inline]
    fn view_mut(&mut self) -> BlocksMut<'_> {
        let count = self.count as usize;
        // SAFETY: as in `view`.
        unsafe { BlocksMut::new(self.lines.get_mut().get_unchecked_mut(..count)) }
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: Mixed) -> bool {
        match self.vectors {
            Some(vectors) => vectors.insert(self.view_mut(), hash),
            None => insert_called(self.view_mut(), hash),
        }
    }

    /// Inserts as [`insert`](Self::insert) does, without vector instructions.
    #[cfg(test)]
    pub(crate) fn insert_portably(&mut self, hash: Mixed) -> bool {
        Portable.insert(self.view_mut(), hash)
    }

    /// Inserts every hash in turn, and returns how many of the inserts set a clear bit.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let (cpu, vectors) = (self.cpu, self.vectors);
        let blocks = self.view_mut();
        match cpu {
            Cpu::Portable => match vectors {
                Some(vectors) => batch::insert_each(vectors, blocks, hashes),
                None => batch::insert_each(Portable, blocks, hashes),
            },
            Cpu::Avx2(avx2) => avx2.run(|| batch::insert_each(Vectors::from(avx2), blocks, hashes)),
            Cpu::Avx512(avx512) => {
                avx512.run(|| batch::insert_each(Vectors::from(avx512), blocks, hashes))
            }
        }
    }

    /// Returns the lanes, block after block.
    pub(crate) fn words(&self) -> &[u64] {
        Block::lanes_of(self.stored())
    }

    /// Returns the lanes for writing, block after block.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        let count = self.count as usize;
        Block::lanes_of_mut(&mut self.lines.get_mut()[..count])
    }

    /// Returns the storage of the blocks.
    pub(crate) fn into_store(self) -> S {
        self.lines
    }

    /// Sets every bit that is set in `other`, which has the same number of blocks.
    pub(crate) fn union_with<O: Store<Item: AnyBlock>>(&mut self, other: &Blocks<O>) {
        self.combine(other, |lane, other| lane | other);
    }

    /// Clears every bit that is clear in `other`, which has the same number of blocks.
    pub(crate) fn intersect_with<O: Store<Item: AnyBlock>>(&mut self, other: &Blocks<O>) {
        self.combine(other, |lane, other| lane & other);
    }

    #[inline]
    fn combine<O: Store<Item: AnyBlock>>(
        &mut self,
        other: &Blocks<O>,
        combine: impl Fn(u64, u64) -> u64,
    ) {
        let cpu = self.cpu;
        // The compiler vectorizes this loop over two slices of blocks. With an iterator over the
        // lanes of `other`, the loop takes ten times as long.
        let lines = self.lines.get_mut()[..self.count as usize].iter_mut();
        let others = other.stored();
        cpu.run(|| {
            for (line, other) in lines.zip(others) {
                for (at, lane) in line.0.iter_mut().enumerate() {
                    *lane = combine(*lane, other.lane(at));
                }
            }
        });
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words_mut().fill(0);
    }
}

impl<S: Store<Item: AnyBlock>> Blocks<S> {
    /// Wraps blocks, of which it uses the first `count`. There must be at least `count` blocks, and
    /// `count` must be at least 1.
    pub(crate) fn of(lines: S, count: u64) -> Self {
        assert!(count > 0 && lines.get().len() as u64 >= count);
        Self {
            lines,
            count,
            cpu: Cpu::detect(),
            vectors: Vectors::of(Cpu::detect()),
        }
    }

    /// Returns the storage of the blocks.
    pub(crate) fn store(&self) -> &S {
        &self.lines
    }

    /// Returns the storage of the blocks for writing.
    pub(crate) fn store_mut(&mut self) -> &mut S {
        &mut self.lines
    }

    /// Returns the number of blocks.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the stored blocks, without the unused ones.
    #[inline]
    fn stored(&self) -> &[S::Item] {
        &self.lines.get()[..self.count as usize]
    }

    #[inline]
    fn view(&self) -> BlocksView<'_, S::Item> {
        // SAFETY: `of` checked that `count` is at least 1 and that there are at least `count` blocks; a `Store` always
        // returns the same number.
        unsafe { BlocksView::new(self.lines.get().get_unchecked(..self.count as usize)) }
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains(&self, hash: Mixed) -> bool {
        match self.vectors {
            Some(vectors) => vectors.contains(self.view(), hash),
            None => contains_called(self.view(), hash),
        }
    }

    /// Queries as [`contains`](Self::contains) does, without vector instructions.
    #[cfg(test)]
    pub(crate) fn contains_portably(&self, hash: Mixed) -> bool {
        Portable.contains(self.view(), hash)
    }

    /// Queries every hash in turn, and writes each answer to the next place of `answers`.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let blocks = self.view();
        match self.cpu {
            Cpu::Portable => match self.vectors {
                Some(vectors) => batch::contains_each(vectors, blocks, hashes, answers),
                None => batch::contains_each(Portable, blocks, hashes, answers),
            },
            Cpu::Avx2(avx2) => {
                avx2.run(|| batch::contains_each(Vectors::from(avx2), blocks, hashes, answers));
            }
            Cpu::Avx512(avx512) => {
                avx512.run(|| batch::contains_each(Vectors::from(avx512), blocks, hashes, answers));
            }
        }
    }

    /// Returns the lanes of each block.
    pub(crate) fn iter(&self) -> impl Iterator<Item = [u64; LANES as usize]> {
        let lanes = |line: &S::Item| core::array::from_fn(|lane| line.lane(lane));
        self.stored().iter().map(lanes)
    }

    /// Returns the lanes, block after block.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u64> {
        self.iter().flatten()
    }

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        self.cpu.run(|| {
            let ones = |lanes: [u64; 8]| {
                u64::from(lanes.iter().map(|lane| lane.count_ones()).sum::<u32>())
            };
            self.iter().map(ones).sum()
        })
    }
}

/// Does the work of [`Blocks::insert`] without vectors. On x86-64 this function is not inlined, so
/// that a loop of inserts with vectors stays short. On other architectures, which choose no kernel
/// at run time, it is inlined.
#[cfg_attr(target_arch = "x86_64", inline(never))]
#[cfg_attr(not(target_arch = "x86_64"), inline)]
fn insert_called(blocks: BlocksMut<'_>, hash: Mixed) -> bool {
    Portable.insert(blocks, hash)
}

/// Does the work of [`Blocks::contains`] without vectors. It is inlined except on x86-64, like
/// [`insert_called`].
#[cfg_attr(target_arch = "x86_64", inline(never))]
#[cfg_attr(not(target_arch = "x86_64"), inline)]
fn contains_called<L: AnyBlock>(blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
    Portable.contains(blocks, hash)
}
