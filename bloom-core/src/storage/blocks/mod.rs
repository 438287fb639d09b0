//! The blocks of a blocked filter, one cache line each, and the dispatch to the kernel that sets and tests their
//! bits.
#![allow(unsafe_code)]

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
mod avx512;
mod batch;
mod portable;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
mod shared;
#[cfg(all(test, feature = "alloc"))]
mod tests;
mod view;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use shared::AtomicBlocks;

use super::batch::Hashes;
use super::cache::{CACHED_BYTES, predicted};
use super::cpu::Cpu;
#[cfg(feature = "alloc")]
use super::memory::{cleared, copied};
use super::words::Store;
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use portable::Portable;
use view::{AnyLine, BlocksMut, BlocksView, Kernel, Line};

/// Lanes in a block, and so hashes of an item.
pub(crate) const LANES: u8 = 8;

/// Bits in a lane.
pub(crate) const LANE_BITS: u32 = u64::BITS;

/// Bits in a block: one cache line.
pub(crate) const BLOCK_BITS: u64 = LANES as u64 * LANE_BITS as u64;

/// Lines on the heap that one owner changes.
#[cfg(feature = "alloc")]
pub(crate) type Lines = Vec<Line>;

/// Nobody owns lines without an allocator.
#[cfg(not(feature = "alloc"))]
#[derive(Debug, Clone)]
pub(crate) enum Lines {}

/// A fixed number of blocks, at least one.
#[derive(Debug, Clone)]
pub(crate) struct Blocks<S = Lines> {
    /// Never empty, so that every hash has its line.
    lines: S,
    cpu: Cpu,
}

impl<S: PartialEq> PartialEq for Blocks<S> {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl<S: Eq> Eq for Blocks<S> {}

impl<'bytes> Blocks<&'bytes [[u8; 64]]> {
    /// Wraps the blocks of a file, at least one.
    pub(crate) fn borrowed(lines: &'bytes [[u8; 64]]) -> Self {
        assert!(!lines.is_empty(), "a shape has blocks");
        let cpu = Cpu::detect();
        Self { lines, cpu }
    }
}

#[cfg(feature = "alloc")]
impl Blocks {
    /// Creates `blocks` clear blocks, at least one, or returns an error if the allocator refuses the memory.
    pub(crate) fn new(blocks: u64) -> Result<Self, MemoryError> {
        assert!(blocks > 0, "a shape has blocks");
        let bits = blocks.saturating_mul(BLOCK_BITS);
        let lines = cleared(blocks).ok_or(MemoryError { bits })?;
        let cpu = Cpu::detect();
        Ok(Self { lines, cpu })
    }

    /// Copies the blocks, or returns an error if the allocator refuses the memory.
    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let bits = self.count() * BLOCK_BITS;
        let lines = copied(&self.lines).ok_or(MemoryError { bits })?;
        Ok(Self { lines, ..*self })
    }

    /// Copies the blocks of `other`, which has as many.
    pub(crate) fn copy_from<S: Store<Item: AnyLine>>(&mut self, other: &Blocks<S>) {
        for (line, lanes) in self.lines.iter_mut().zip(other.iter()) {
            *line = Line(lanes);
        }
    }

    #[inline]
    fn view_mut(&mut self) -> BlocksMut<'_> {
        // SAFETY: as in `view`.
        unsafe { BlocksMut::new(&mut self.lines) }
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        match self.cpu.or_compiled_for() {
            Cpu::Avx512(avx512) => self.view_mut().insert(avx512, hash),
            cpu @ (Cpu::Portable | Cpu::Avx2(_)) => insert_called(cpu, self.view_mut(), hash),
        }
    }

    /// [`insert`](Self::insert) without vector instructions.
    #[inline]
    pub(crate) fn insert_portably(&mut self, hash: u64) -> bool {
        self.view_mut().insert(Portable, hash)
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let cpu = self.cpu.or_compiled_for();
        let blocks = self.view_mut();
        match cpu {
            Cpu::Portable => batch::insert_each(Portable, blocks, hashes),
            Cpu::Avx2(avx2) => avx2.run(|| batch::insert_each(avx2, blocks, hashes)),
            Cpu::Avx512(avx512) => avx512.run(|| batch::insert_each(avx512, blocks, hashes)),
        }
    }

    /// Returns the lanes, block after block.
    pub(crate) fn words(&self) -> &[u64] {
        let (first, count) = (self.lines.as_ptr(), self.lines.len() * usize::from(LANES));
        // SAFETY: a line is eight words and nothing else.
        unsafe { core::slice::from_raw_parts(first.cast(), count) }
    }

    /// Returns the lanes for writing, block after block.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        let (first, count) = (
            self.lines.as_mut_ptr(),
            self.lines.len() * usize::from(LANES),
        );
        // SAFETY: as in `words`.
        unsafe { core::slice::from_raw_parts_mut(first.cast(), count) }
    }

    /// Sets every bit that is set in `other`, which has as many blocks.
    pub(crate) fn union_with(&mut self, other: &Self) {
        self.combine(other, |lane, other| lane | other);
    }

    /// Clears every bit that is clear in `other`, which has as many blocks.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        self.combine(other, |lane, other| lane & other);
    }

    #[inline]
    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        self.cpu.run(|| {
            for (line, other) in self.lines.iter_mut().zip(&other.lines) {
                for (lane, other) in line.0.iter_mut().zip(other.0) {
                    *lane = combine(*lane, other);
                }
            }
        });
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.lines.fill(Line([0; LANES as usize]));
    }
}

impl<S: Store<Item: AnyLine>> Blocks<S> {
    /// Returns the number of blocks.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.lines.get().len() as u64
    }

    #[inline]
    fn view(&self) -> BlocksView<'_, S::Item> {
        // SAFETY: `new` made at least one line, and none is ever removed.
        unsafe { BlocksView::new(self.lines.get()) }
    }

    /// Returns whether the lines exceed the caches.
    #[inline]
    fn is_far(&self) -> bool {
        self.count() > CACHED_BYTES / size_of::<Line>() as u64
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        let found = match self.cpu.or_compiled_for() {
            Cpu::Avx512(avx512) => self.view().contains(avx512, hash),
            cpu @ (Cpu::Portable | Cpu::Avx2(_)) => contains_called(cpu, self.view(), hash),
        };
        predicted(self.is_far(), found)
    }

    /// [`contains`](Self::contains) without vector instructions.
    #[inline]
    pub(crate) fn contains_portably(&self, hash: u64) -> bool {
        self.view().contains(Portable, hash)
    }

    /// [`contains`](Self::contains) for every hash in turn; there is one place in `answers` for each.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let blocks = self.view();
        match self.cpu.or_compiled_for() {
            Cpu::Portable => batch::contains_each(Portable, blocks, hashes, answers),
            Cpu::Avx2(avx2) => avx2.run(|| batch::contains_each(avx2, blocks, hashes, answers)),
            Cpu::Avx512(avx512) => {
                avx512.run(|| batch::contains_each(avx512, blocks, hashes, answers));
            }
        }
    }

    /// Returns each block.
    pub(crate) fn iter(&self) -> impl Iterator<Item = [u64; LANES as usize]> {
        let lanes = |line: &S::Item| core::array::from_fn(|lane| line.lane(lane));
        self.lines.get().iter().map(lanes)
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

/// [`Blocks::insert`] for the levels below AVX-512, out of line. With one call for all of them, the compiler splits a
/// loop of inserts in two, and the AVX-512 one has no call and keeps its constants in registers. Inlined in programs
/// compiled for AVX2 and on other architectures, where there is only one level.
#[cfg_attr(any(target_feature = "avx2", not(target_arch = "x86_64")), inline)]
#[cfg_attr(
    all(not(target_feature = "avx2"), target_arch = "x86_64"),
    inline(never)
)]
fn insert_called(cpu: Cpu, mut blocks: BlocksMut<'_>, hash: u64) -> bool {
    match cpu.avx2() {
        Some(avx2) => avx2.insert_into(blocks, hash),
        None => blocks.insert(Portable, hash),
    }
}

/// [`Blocks::contains`] for the levels below AVX-512, likewise.
#[cfg_attr(any(target_feature = "avx2", not(target_arch = "x86_64")), inline)]
#[cfg_attr(
    all(not(target_feature = "avx2"), target_arch = "x86_64"),
    inline(never)
)]
fn contains_called<L: AnyLine>(cpu: Cpu, blocks: BlocksView<'_, L>, hash: u64) -> bool {
    match cpu.avx2() {
        Some(avx2) => avx2.contains_in(blocks, hash),
        None => blocks.contains(Portable, hash),
    }
}
