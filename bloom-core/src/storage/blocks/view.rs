//! Defines what the kernels of blocked filters receive, and what they do. A kernel sets or tests
//! the bits of a hash in a block of 512 bits, which is one cache line. This file defines the block,
//! the operations of a kernel, and the lookup of the block of a hash.
#![allow(unsafe_code)]

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::sync::atomic::{Ordering::Acquire, compiler_fence};

use crate::probe::{BlockProbe, Mixed};
use crate::storage::cache::{PREFETCHES, is_far, prefetch};
use crate::storage::memory::Clearable;

/// One block of a blocked filter: 512 bits, on a cache line of their own.
///
/// A caller can supply the memory of a [`BlockedBloomFilter`](crate::BlockedBloomFilter) as an
/// array or a slice of blocks.
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, BlockedShape, Block};
///
/// let mut seen = BlockedBloomFilter::new_in(BlockedShape::new(20)?, [Block::CLEAR; 20])?;
/// seen.insert("ant");
/// assert!(seen.contains("ant"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(64))]
pub struct Block(pub(super) [u64; 8]);

/// A block of these lanes.
impl From<[u64; 8]> for Block {
    fn from(lanes: [u64; 8]) -> Self {
        Self(lanes)
    }
}

/// The lanes of a block.
impl From<Block> for [u64; 8] {
    fn from(block: Block) -> Self {
        block.0
    }
}

impl Block {
    /// A block without set bits.
    pub const CLEAR: Self = Self([0; 8]);

    /// Returns the bytes of `blocks`, so that a file can be built in them; see
    /// [`create_file`](crate::Bloom::create_file).
    #[must_use]
    pub fn bytes_of_mut(blocks: &mut [Self]) -> &mut [u8] {
        let count = size_of_val(blocks);
        // SAFETY: a block is eight words and nothing else, and any bytes are words.
        unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), count) }
    }

    /// Returns the lanes of all blocks in one slice, block after block.
    pub(crate) fn lanes_of(blocks: &[Self]) -> &[u64] {
        let count = size_of_val(blocks) / size_of::<u64>();
        // SAFETY: a block is eight words and nothing else.
        unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), count) }
    }

    /// Returns the lanes of all blocks for writing, block after block.
    pub(crate) fn lanes_of_mut(blocks: &mut [Self]) -> &mut [u64] {
        let count = size_of_val(blocks) / size_of::<u64>();
        // SAFETY: as in `lanes_of`.
        unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), count) }
    }
}

// SAFETY: its lanes are integers.
unsafe impl Clearable for Block {}

/// A block in one of the forms in which blocks are stored.
///
/// # Safety
///
/// The type has 64 bytes: the eight lanes in order. On every architecture that has vector kernels,
/// each lane has the byte order of a `u64`.
pub unsafe trait AnyBlock {
    /// Whether other threads may set bits of the block at the same time.
    // Only kernels in assembly, which take the address of a block, need this constant.
    #[allow(dead_code)]
    const SHARED: bool = false;

    /// Returns one of the eight lanes.
    fn lane(&self, lane: usize) -> u64;
}

// SAFETY: eight `u64`.
unsafe impl AnyBlock for Block {
    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        self.0[lane]
    }
}

/// A block in the bytes of a file, at any alignment. The lanes are little-endian, as are all
/// architectures that have vector kernels.
// SAFETY: 64 bytes.
unsafe impl AnyBlock for [u8; 64] {
    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        u64::from_le_bytes(self.as_chunks().0[lane])
    }
}

/// A block that threads share, on a cache line of its own.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
#[repr(C, align(64))]
pub struct AtomicBlock(pub(super) [AtomicU64; 8]);

// SAFETY: an `AtomicU64` has the layout of a `u64`.
#[cfg(target_has_atomic = "64")]
unsafe impl AnyBlock for AtomicBlock {
    const SHARED: bool = true;

    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        self.0[lane].load(Relaxed)
    }
}

/// The cache line of a block that a kernel reads, perhaps while other threads set its bits. The
/// field is private, as is the field of [`BlocksView`]. A kernel can therefore read the memory only
/// by [`lane`](Self::lane), or in assembly by the address of this line or of the first block. Both
/// ways are correct while other threads write: `lane` loads a shared lane atomically, and the
/// assembly loads each lane as a whole. Vector loads by intrinsics would be data races that no test
/// can find.
pub(super) struct Line<'lines, L>(&'lines L);

impl<L> Clone for Line<'_, L> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Line<'_, L> {}

impl<L: AnyBlock> Line<'_, L> {
    /// Returns one of the eight lanes.
    #[inline]
    pub(super) fn lane(self, lane: usize) -> u64 {
        self.0.lane(lane)
    }

    /// Returns the address of the 64 bytes, for assembly.
    #[allow(dead_code)]
    #[inline]
    pub(super) fn address(self) -> usize {
        address(self.0)
    }
}

/// Returns the address of a block, for assembly.
#[inline]
fn address<L: AnyBlock>(line: *const L) -> usize {
    if L::SHARED {
        // Without a fence, the compiler may assume that the memory which the assembly reads does
        // not change, and move the assembly out of a loop. A thread that queries in a loop until
        // another thread has inserted an item would then wait forever. The fence costs no
        // instruction.
        compiler_fence(Acquire);
    }
    line.expose_provenance()
}

/// A kernel: the operations on the block of a hash. All kernels have the same results, but use
/// different instructions.
pub(super) trait Kernel: Copy {
    /// Sets the bits of a hash and returns whether one of them was clear.
    fn insert(self, blocks: BlocksMut<'_>, hash: Mixed) -> bool;

    /// Returns whether every bit of a hash is set.
    fn contains<L: AnyBlock>(self, blocks: BlocksView<'_, L>, hash: Mixed) -> bool;
}

/// The blocks that a kernel reads: at least one.
pub(super) struct BlocksView<'lines, L = Block>(&'lines [L]);

impl<L> Clone for BlocksView<'_, L> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for BlocksView<'_, L> {}

/// The blocks in which a kernel sets bits: at least one.
pub(super) struct BlocksMut<'lines>(&'lines mut [Block]);

// These functions are inlined into the kernels, which are compiled for several sets of
// instructions.
#[allow(clippy::inline_always)]
impl<'lines, L: AnyBlock> BlocksView<'lines, L> {
    /// # Safety
    ///
    /// `lines` is not empty.
    #[inline]
    pub(super) unsafe fn new(lines: &'lines [L]) -> Self {
        debug_assert!(!lines.is_empty());
        Self(lines)
    }

    /// Returns whether batches prefetch: only if the blocks are larger than the caches, and only on
    /// architectures for which a prefetch instruction is used.
    #[inline]
    pub(super) fn prefetches(self) -> bool {
        PREFETCHES && is_far(size_of_val(self.0) as u64)
    }

    /// Returns the number of blocks.
    #[allow(dead_code)]
    #[inline(always)]
    pub(super) fn count(self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the address of the first block, for assembly.
    #[allow(dead_code)]
    #[inline(always)]
    pub(super) fn address(self) -> usize {
        address(self.0.as_ptr())
    }

    /// Returns the line of the block of a hash, and the bit numbers of the hash in all
    /// [lanes](BlockProbe::lanes), packed into one word.
    #[inline(always)]
    pub(super) fn find(self, hash: Mixed) -> (Line<'lines, L>, u64) {
        let BlockProbe { block, lanes } = BlockProbe::new(hash, self.0.len() as u64);
        // SAFETY: `BlockProbe::new` returns a block below the number of lines, and that number is not 0.
        (Line(unsafe { self.0.get_unchecked(block as usize) }), lanes)
    }

    /// Prefetches the cache line of the block of a hash.
    #[inline(always)]
    pub(super) fn prefetch(self, hash: Mixed) {
        prefetch(self.find(hash).0.0);
    }
}

#[allow(clippy::inline_always)]
impl<'lines> BlocksMut<'lines> {
    /// # Safety
    ///
    /// `lines` is not empty.
    #[inline]
    pub(super) unsafe fn new(lines: &'lines mut [Block]) -> Self {
        debug_assert!(!lines.is_empty());
        Self(lines)
    }

    /// Returns the blocks for reading.
    #[inline(always)]
    pub(super) fn view(&self) -> BlocksView<'_> {
        BlocksView(self.0)
    }

    /// Returns the same blocks, borrowed for one insert, which consumes a `BlocksMut`.
    #[inline(always)]
    pub(super) fn again(&mut self) -> BlocksMut<'_> {
        BlocksMut(self.0)
    }

    /// Returns the address of the first block, for assembly that writes.
    #[allow(dead_code)]
    #[inline(always)]
    pub(super) fn address(self) -> *mut Block {
        self.0.as_mut_ptr()
    }

    /// Returns the block of a hash for writing, and the bit numbers of the hash in all
    /// [lanes](BlockProbe::lanes), packed into one word.
    #[inline(always)]
    pub(super) fn find(self, hash: Mixed) -> (&'lines mut Block, u64) {
        let BlockProbe { block, lanes } = BlockProbe::new(hash, self.0.len() as u64);
        // SAFETY: as in `BlocksView::find`.
        (unsafe { self.0.get_unchecked_mut(block as usize) }, lanes)
    }
}
