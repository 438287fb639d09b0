//! Blocks as the kernels see them: the line, the kernel's operations on it, and the lookup of the line of a hash.
#![allow(unsafe_code)]

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::probe::BlockProbe;
use crate::storage::memory::Clearable;

/// One block, on a cache line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(super) [u64; 8]);

// SAFETY: its lanes are integers.
unsafe impl Clearable for Line {}

/// A block as it is stored.
///
/// # Safety
///
/// It is 64 bytes: its eight lanes in order. On every architecture that has vector kernels, the bytes of a lane are
/// in the order of a `u64`.
pub(crate) unsafe trait AnyLine {
    /// Whether other threads may set its bits at the same time.
    // Only kernels that load vectors by intrinsics ask.
    #[allow(dead_code)]
    const SHARED: bool = false;

    /// Returns one of the eight lanes.
    fn lane(&self, lane: usize) -> u64;
}

// SAFETY: eight `u64`.
unsafe impl AnyLine for Line {
    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        self.0[lane]
    }
}

/// A block in the bytes of a file, at any alignment. It is little-endian, as are the architectures with vector
/// kernels.
// SAFETY: 64 bytes.
unsafe impl AnyLine for [u8; 64] {
    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        u64::from_le_bytes(self.as_chunks().0[lane])
    }
}

/// One block that threads share, on a cache line of its own.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct AtomicLine(pub(super) [AtomicU64; 8]);

// SAFETY: an `AtomicU64` has the layout of a `u64`.
#[cfg(target_has_atomic = "64")]
unsafe impl AnyLine for AtomicLine {
    const SHARED: bool = true;

    #[inline]
    fn lane(&self, lane: usize) -> u64 {
        self.0[lane].load(Relaxed)
    }
}

/// The operations on one line. Every kernel does the same with other instructions.
pub(super) trait Kernel: Copy {
    /// Sets the bit of each lane (of [`BlockProbe::lanes`]) and returns whether one of them was clear.
    fn insert(self, line: &mut Line, lanes: u64) -> bool;

    /// Returns whether the bit of each lane is set.
    fn contains<L: AnyLine>(self, line: &L, lanes: u64) -> bool;

    /// [`BlocksMut::insert`] with this kernel, as a function that is compiled for its instructions as a whole.
    #[inline]
    fn insert_into(self, mut blocks: BlocksMut<'_>, hash: u64) -> bool {
        blocks.insert(self, hash)
    }

    /// [`BlocksView::contains`] likewise.
    #[inline]
    fn contains_in<L: AnyLine>(self, blocks: BlocksView<'_, L>, hash: u64) -> bool {
        blocks.contains(self, hash)
    }
}

/// Never called: on this architecture no value of the token exists.
impl Kernel for crate::storage::cpu::Absent {
    fn insert(self, _: &mut Line, _: u64) -> bool {
        match self {}
    }

    fn contains<L: AnyLine>(self, _: &L, _: u64) -> bool {
        match self {}
    }
}

/// Blocks that a kernel reads: at least one.
pub(super) struct BlocksView<'lines, L = Line>(&'lines [L]);

impl<L> Clone for BlocksView<'_, L> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for BlocksView<'_, L> {}

/// Blocks that a kernel sets: at least one.
pub(super) struct BlocksMut<'lines>(&'lines mut [Line]);

// Kernels are compiled for several levels, and these functions as part of them.
#[allow(clippy::inline_always)]
impl<'lines, L: AnyLine> BlocksView<'lines, L> {
    /// # Safety
    ///
    /// There is a line.
    #[inline]
    pub(super) unsafe fn new(lines: &'lines [L]) -> Self {
        debug_assert!(!lines.is_empty());
        Self(lines)
    }

    /// Returns the number of blocks.
    #[inline]
    pub(super) fn count(self) -> usize {
        self.0.len()
    }

    /// Returns the probe of a hash. Its block is one of these.
    #[inline(always)]
    pub(super) fn find(self, hash: u64) -> BlockProbe {
        BlockProbe::new(hash, self.0.len() as u64)
    }

    /// Returns the line of a block.
    ///
    /// # Safety
    ///
    /// `block` came from [`find`](Self::find), among as many blocks.
    #[inline(always)]
    pub(super) unsafe fn line(self, block: u64) -> &'lines L {
        // SAFETY: `reduce` returns a block less than the number of lines, which is not 0.
        unsafe { self.0.get_unchecked(block as usize) }
    }

    /// Returns whether every bit of a hash is set.
    #[inline(always)]
    pub(super) fn contains(self, kernel: impl Kernel, hash: u64) -> bool {
        let BlockProbe { block, lanes } = self.find(hash);
        // SAFETY: found here.
        kernel.contains(unsafe { self.line(block) }, lanes)
    }
}

#[allow(clippy::inline_always)]
impl<'lines> BlocksMut<'lines> {
    /// # Safety
    ///
    /// There is a line.
    #[inline]
    pub(super) unsafe fn new(lines: &'lines mut [Line]) -> Self {
        debug_assert!(!lines.is_empty());
        Self(lines)
    }

    /// Returns the blocks for reading.
    #[inline(always)]
    pub(super) fn view(&self) -> BlocksView<'_> {
        BlocksView(self.0)
    }

    /// Returns the line of a block.
    ///
    /// # Safety
    ///
    /// As for [`BlocksView::line`].
    #[inline(always)]
    pub(super) unsafe fn line(&mut self, block: u64) -> &mut Line {
        // SAFETY: as there.
        unsafe { self.0.get_unchecked_mut(block as usize) }
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline(always)]
    pub(super) fn insert(&mut self, kernel: impl Kernel, hash: u64) -> bool {
        let BlockProbe { block, lanes } = self.view().find(hash);
        // SAFETY: found here.
        kernel.insert(unsafe { self.line(block) }, lanes)
    }
}
