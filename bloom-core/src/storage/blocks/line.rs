//! One line, what a kernel does with it, and the line of a hash.
#![allow(unsafe_code)]

use crate::probe::BlockProbe;
use crate::storage::memory::Clearable;

/// One block, on a cache line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u64; 8]);

// SAFETY: its lanes are integers.
unsafe impl Clearable for Line {}

/// What is done with one line: the same by every kernel, with other instructions.
pub(super) trait Kernel: Copy {
    /// Sets the bit of each lane (of [`BlockProbe::lanes`]) and returns whether one of them was clear.
    fn insert(self, line: &mut Line, lanes: u64) -> bool;

    /// Returns whether the bit of each lane is set.
    fn contains(self, line: &Line, lanes: u64) -> bool;
}

// What follows is inlined wherever a hash is, so that it is compiled for the instructions around it.

/// Returns the line of a hash, and its lanes there.
///
/// # Safety of the index
///
/// The block of a probe is less than the number of lines, for [`reduce`](crate::probe::reduce) makes it so, which
/// is not 0: `lines` may not be empty.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn find(lines: &[Line], hash: u64) -> (&Line, u64) {
    let BlockProbe { block, lanes } = BlockProbe::new(hash, lines.len() as u64);
    debug_assert!(!lines.is_empty());
    // SAFETY: as above; there always is a line (`Blocks::new`).
    (unsafe { lines.get_unchecked(block as usize) }, lanes)
}

/// [`find`], to set.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn find_mut(lines: &mut [Line], hash: u64) -> (&mut Line, u64) {
    let BlockProbe { block, lanes } = BlockProbe::new(hash, lines.len() as u64);
    debug_assert!(!lines.is_empty());
    // SAFETY: as in `find`.
    (unsafe { lines.get_unchecked_mut(block as usize) }, lanes)
}
