//! Blocks of one cache line, and which kernel sets and tests what a hash has in them.
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
mod line;
mod portable;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use super::batch::{CACHED_BYTES, Hashes, predicted};
use super::cpu::Cpu;
use super::memory::{cleared, copied};
use crate::error::MemoryError;
use line::{Kernel, Line, find, find_mut};

/// Lanes of a block, and so hashes of an item.
pub(crate) const LANES: u8 = 8;

/// Bits of a lane.
pub(crate) const LANE_BITS: u32 = u64::BITS;

/// Bits of a block: one cache line.
pub(crate) const BLOCK_BITS: u64 = LANES as u64 * LANE_BITS as u64;

/// A number of blocks, at least one; all bits clear at first.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    /// Never empty, so that every hash has its line.
    lines: Vec<Line>,
    cpu: Cpu,
}

impl PartialEq for Blocks {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Blocks {}

impl Blocks {
    /// Creates `blocks` blocks, at least one, or returns that the allocator refused them.
    pub(crate) fn new(blocks: u64) -> Result<Self, MemoryError> {
        assert!(blocks > 0, "a shape has blocks");
        let bits = blocks.saturating_mul(BLOCK_BITS);
        let lines = cleared(blocks).ok_or(MemoryError { bits })?;
        let cpu = Cpu::detect();
        Ok(Self { lines, cpu })
    }

    /// Copies the blocks, or returns that the allocator refused them.
    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let bits = self.count() * BLOCK_BITS;
        let lines = copied(&self.lines).ok_or(MemoryError { bits })?;
        Ok(Self { lines, ..*self })
    }

    /// Returns the number of blocks.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Whether the lines are more than the caches hold.
    #[inline]
    fn is_far(&self) -> bool {
        self.count() > CACHED_BYTES / size_of::<Line>() as u64
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        #[cfg(all(
            target_arch = "x86_64",
            target_feature = "sse2",
            target_pointer_width = "64"
        ))]
        return if let Cpu::Avx512(avx512) = self.cpu.or_compiled_for() {
            let (line, lanes) = find_mut(&mut self.lines, hash);
            avx512.insert(line, lanes)
        } else {
            insert_called(self.cpu, &mut self.lines, hash)
        };
        #[allow(unreachable_code)]
        self.insert_portably(hash)
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        predicted(self.is_far(), self.contains_unpredicted(hash))
    }

    #[inline]
    fn contains_unpredicted(&self, hash: u64) -> bool {
        #[cfg(all(
            target_arch = "x86_64",
            target_feature = "sse2",
            target_pointer_width = "64"
        ))]
        return if let Cpu::Avx512(avx512) = self.cpu.or_compiled_for() {
            let (line, lanes) = find(&self.lines, hash);
            avx512.contains(line, lanes)
        } else {
            contains_called(self.cpu, &self.lines, hash)
        };
        #[allow(unreachable_code)]
        self.contains_portably(hash)
    }

    /// [`insert`](Self::insert) without vector instructions.
    #[inline]
    pub(crate) fn insert_portably(&mut self, hash: u64) -> bool {
        let (line, lanes) = find_mut(&mut self.lines, hash);
        portable::Words.insert(line, lanes)
    }

    /// [`contains`](Self::contains) without vector instructions.
    #[inline]
    pub(crate) fn contains_portably(&self, hash: u64) -> bool {
        let (line, lanes) = find(&self.lines, hash);
        portable::Words.contains(line, lanes)
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let lines = &mut self.lines;
        match self.cpu.or_compiled_for() {
            Cpu::Portable => batch::insert_each(portable::Words, lines, hashes),
            #[cfg(all(
                target_arch = "x86_64",
                target_feature = "sse2",
                target_pointer_width = "64"
            ))]
            Cpu::Avx2(avx2) => avx2.run(|| batch::insert_each(avx2, lines, hashes)),
            #[cfg(all(
                target_arch = "x86_64",
                target_feature = "sse2",
                target_pointer_width = "64"
            ))]
            Cpu::Avx512(avx512) => avx512.run(|| batch::insert_each(avx512, lines, hashes)),
        }
    }

    /// [`contains`](Self::contains) of every hash in turn, as many as there are `answers`.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let lines = &self.lines;
        match self.cpu.or_compiled_for() {
            Cpu::Portable => batch::contains_each(portable::Words, lines, hashes, answers),
            #[cfg(all(
                target_arch = "x86_64",
                target_feature = "sse2",
                target_pointer_width = "64"
            ))]
            Cpu::Avx2(avx2) => avx2.run(|| batch::contains_each(avx2, lines, hashes, answers)),
            #[cfg(all(
                target_arch = "x86_64",
                target_feature = "sse2",
                target_pointer_width = "64"
            ))]
            Cpu::Avx512(avx512) => {
                avx512.run(|| batch::contains_each(avx512, lines, hashes, answers));
            }
        }
    }

    /// Returns each block.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u64; LANES as usize]> {
        self.lines.iter().map(|line| &line.0)
    }

    /// Returns the lanes, block after block.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().flat_map(|line| line.0)
    }

    /// Returns the lanes to be set, block after block.
    pub(crate) fn lanes_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.lines.iter_mut().flat_map(|line| &mut line.0)
    }

    /// Sets every bit that is set in `other`, of as many blocks.
    pub(crate) fn union_with(&mut self, other: &Self) {
        self.combine(other, |lane, other| lane | other);
    }

    /// Clears every bit that is clear in `other`, of as many blocks.
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

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        self.cpu.run(|| {
            let ones =
                |line: &Line| u64::from(line.0.iter().map(|lane| lane.count_ones()).sum::<u32>());
            self.lines.iter().map(ones).sum()
        })
    }
}

/// [`Blocks::insert`] where it is a call. One call for all levels below the highest: a loop of inserts is then
/// compiled as two loops, of which one has no call and keeps its constants in registers.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
#[cfg_attr(target_feature = "avx2", inline)]
#[cfg_attr(not(target_feature = "avx2"), inline(never))]
fn insert_called(cpu: Cpu, lines: &mut [Line], hash: u64) -> bool {
    match cpu.or_compiled_for() {
        Cpu::Portable => {
            let (line, lanes) = find_mut(lines, hash);
            portable::Words.insert(line, lanes)
        }
        // SAFETY: the token proves that the machine has the instructions.
        Cpu::Avx2(_) | Cpu::Avx512(_) => unsafe { avx2::insert(lines, hash) },
    }
}

/// [`Blocks::contains`] likewise.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
#[cfg_attr(target_feature = "avx2", inline)]
#[cfg_attr(not(target_feature = "avx2"), inline(never))]
fn contains_called(cpu: Cpu, lines: &[Line], hash: u64) -> bool {
    match cpu.or_compiled_for() {
        Cpu::Portable => {
            let (line, lanes) = find(lines, hash);
            portable::Words.contains(line, lanes)
        }
        // SAFETY: the token proves that the machine has the instructions.
        Cpu::Avx2(_) | Cpu::Avx512(_) => unsafe { avx2::contains(lines, hash) },
    }
}
