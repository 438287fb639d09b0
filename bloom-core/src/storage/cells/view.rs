//! Defines cells as the kernels see them: a pointer to the words and the number of cells.
//!
//! A view is two machine words, so a call passes it in registers and a loop of inserts keeps it
//! there. Through `&mut Cells` the compiler would have to reload the pointer and the number after
//! every store. With these reloads, the processor sometimes stopped prefetching the keys of the
//! loop, which halved the speed, depending on code alignment.
#![allow(unsafe_code)]
// These functions are compiled as part of the kernels, which are compiled for several levels.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::cell::{Cell, Ranges as _};
use crate::probe::{Mixed, reduce};
use crate::storage::words::Word;

/// Writes for each hash whether all of its cells are above 0; there is one place in the answers for
/// each.
pub(super) type ContainsEach<W> = for<'cells> unsafe fn(View<'cells, W>, &[Mixed], u8, &mut [bool]);

/// Cells that a kernel reads and, if the words are [`Cell`](core::cell::Cell)s, also sets.
pub(super) struct View<'cells, W> {
    /// Valid for the words of `count` cells.
    words: NonNull<W>,
    /// The number of cells, or the lengths of slices, as `Ranges::extent` packs them.
    extent: u64,
    cells: PhantomData<&'cells [W]>,
}

impl<W> Clone for View<'_, W> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for View<'_, W> {}

impl<'cells, W: Word> View<'cells, W> {
    /// Wraps the first cells of these words.
    ///
    /// # Safety
    ///
    /// `extent` was computed for a number of cells and k hashes, by the kind of cell with which [`slots`](Self::slots) is
    /// called, and at most k slots are taken. There is at least one cell, the words suffice for all cells, and
    /// each slice, if there are slices, has a cell.
    #[inline]
    pub(super) unsafe fn new(words: &'cells [W], extent: u64) -> Self {
        Self {
            words: NonNull::from(words).cast(),
            extent,
            cells: PhantomData,
        }
    }

    /// Returns the slots of the probes of a hash, in order: one for each of the k hashes.
    #[inline(always)]
    pub(super) fn slots<C: Cell>(self) -> Slots<'cells, W, C> {
        Slots {
            words: self.words,
            ranges: C::Ranges::new(self.extent),
            cells: PhantomData,
        }
    }
}

/// The slots (see [`Slot`]) of all probes in order: each step returns the slot of one probe.
pub(super) struct Slots<'cells, W, C: Cell> {
    words: NonNull<W>,
    ranges: C::Ranges,
    cells: PhantomData<&'cells [W]>,
}

impl<'cells, W, C: Cell> Slots<'cells, W, C> {
    /// Returns the slot of the next probe, which is number `index`.
    #[inline(always)]
    pub(super) fn step(&mut self, index: u8) -> Slot<'cells, W> {
        let (start, length) = self.ranges.next(index);
        Slot {
            words: self.words,
            start,
            length,
            cells: PhantomData,
        }
    }
}

/// Where one probe can be: `length` cells from `start`, all of them among the cells of the view.
pub(super) struct Slot<'cells, W> {
    words: NonNull<W>,
    pub(super) start: u64,
    pub(super) length: u64,
    cells: PhantomData<&'cells [W]>,
}

impl<'cells, W: Word> Slot<'cells, W> {
    /// Returns the word of a probe, and the shift that brings its cell to the lowest bits.
    #[inline(always)]
    pub(super) fn word<C: Cell>(&self, probe: u64) -> (&'cells W, u64) {
        let (word, shift) = C::place(self.start + reduce(probe, self.length));
        // SAFETY: `reduce` returns less than `length`, which is not 0, so this is a cell of the view, whose words are
        // borrowed for 'cells.
        (unsafe { self.words.add(word).as_ref() }, shift)
    }

    /// Returns the word and the shift, as [`word`](Self::word) does, of the cell at this distance from the start. The
    /// distance is checked in debug builds only.
    ///
    /// # Safety
    ///
    /// `offset` is less than `length`.
    #[allow(dead_code, reason = "only kernels of vectors call it")]
    #[inline(always)]
    pub(super) unsafe fn word_at<C: Cell>(&self, offset: u64) -> (&'cells W, u64) {
        debug_assert!(offset < self.length);
        let (word, shift) = C::place(self.start + offset);
        // SAFETY: as above.
        (unsafe { self.words.add(word).as_ref() }, shift)
    }

    /// Returns the address of the words of the view; `None` if a vector may not load them.
    #[allow(dead_code, reason = "only kernels of vectors call it")]
    #[inline(always)]
    pub(super) fn plain(&self) -> Option<NonNull<[u8; 8]>> {
        W::BYTES.map(|_| self.words.cast())
    }
}
