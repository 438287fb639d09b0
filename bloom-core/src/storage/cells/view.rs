//! Defines the view, the form in which the kernels receive the cells (bits or counters) of a filter:
//! a pointer to the words, and the number of cells or the lengths of slices. Kernels are the
//! functions that test and set the cells of a hash.
//!
//! A view is two machine words, so a call passes it in registers, and a loop of inserts keeps it in
//! registers. With `&mut Cells` in its place, the compiler would have to reload the pointer and the
//! number after every store. With these reloads, depending on code alignment, the processor
//! sometimes stopped prefetching the items that the loop inserts, which halved the speed.
#![allow(unsafe_code)]
// These functions are inlined into the kernels, which are compiled for several sets of
// instructions.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::cell::{Cell, Ranges as _};
use crate::probe::{Mixed, reduce};
use crate::storage::words::Word;

/// A kernel for batches: for each hash in turn, writes to the answers whether all cells of the hash are
/// above 0.
pub(super) type ContainsEach<W> = for<'cells> unsafe fn(View<'cells, W>, &[Mixed], u8, &mut [bool]);

/// The cells that a kernel reads. A kernel can also change cells through a view: bits and counters
/// in words of [`core::cell::Cell<u64>`], which have one owner, and bits in words of atomics, which
/// threads share.
pub(super) struct View<'cells, W> {
    /// Points to the words of all cells.
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
    /// Creates a view of the cells in these words; further words are not used.
    ///
    /// # Safety
    ///
    /// `extent` is `C::Ranges::extent(count, k)`, where C is the kind of cell for which
    /// [`slots`](Self::slots) will be called, and at most k steps are taken on each of its results. There is at
    /// least one cell, `words` has room for all cells, and each slice, if there are slices, has a cell.
    #[inline]
    pub(super) unsafe fn new(words: &'cells [W], extent: u64) -> Self {
        Self {
            words: NonNull::from(words).cast(),
            extent,
            cells: PhantomData,
        }
    }

    /// Returns the slots of the probes of a hash, in order: one slot for each of the k probes.
    #[inline(always)]
    pub(super) fn slots<C: Cell>(self) -> Slots<'cells, W, C> {
        Slots {
            words: self.words,
            ranges: C::Ranges::new(self.extent),
            cells: PhantomData,
        }
    }
}

/// The slots (see [`Slot`]) of the k probes of a hash: each call of [`step`](Self::step) returns
/// the slot of the next probe.
pub(super) struct Slots<'cells, W, C: Cell> {
    words: NonNull<W>,
    ranges: C::Ranges,
    cells: PhantomData<&'cells [W]>,
}

impl<'cells, W, C: Cell> Slots<'cells, W, C> {
    /// Returns the slot of the next probe. `index` is the number of this probe, counted from 0.
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

/// The range of cells in which the position of one probe can be: `length` cells from `start` on,
/// all of them cells of the view.
pub(super) struct Slot<'cells, W> {
    words: NonNull<W>,
    pub(super) start: u64,
    pub(super) length: u64,
    cells: PhantomData<&'cells [W]>,
}

impl<'cells, W: Word> Slot<'cells, W> {
    /// Returns the word that has the cell of a probe, and the right shift that brings this cell to
    /// the lowest bits.
    #[inline(always)]
    pub(super) fn word<C: Cell>(&self, probe: u64) -> (&'cells W, u64) {
        let (word, shift) = C::place(self.start + reduce(probe, self.length));
        // SAFETY: `reduce` returns less than `length`, which is not 0, so this is a cell of the view, whose words are
        // borrowed for 'cells.
        (unsafe { self.words.add(word).as_ref() }, shift)
    }

    /// Returns the word and the shift, as [`word`](Self::word) does, of the cell at `start` +
    /// `offset`. The offset is checked in debug builds only.
    ///
    /// # Safety
    ///
    /// `offset` is less than `length`.
    #[allow(dead_code, reason = "only kernels with vectors call it")]
    #[inline(always)]
    pub(super) unsafe fn word_at<C: Cell>(&self, offset: u64) -> (&'cells W, u64) {
        debug_assert!(offset < self.length);
        let (word, shift) = C::place(self.start + offset);
        // SAFETY: the caller promises that the offset is less than `length`, so this is a cell of the view.
        (unsafe { self.words.add(word).as_ref() }, shift)
    }

    /// Returns the address of the words of the view; `None` if a vector instruction must not load
    /// them.
    #[allow(dead_code, reason = "only kernels with vectors call it")]
    #[inline(always)]
    pub(super) fn plain(&self) -> Option<NonNull<[u8; 8]>> {
        W::BYTES.map(|_| self.words.cast())
    }
}
