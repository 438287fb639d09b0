//! Defines the cells of a filter, which are bits or counters, and the ranges of cells in which the
//! positions of a hash can be.
// These functions are inlined into the kernels, which test and set cells and are compiled for
// several sets of instructions.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;

/// A kind of cell, with the operations that the kernels need.
pub(super) trait Cell {
    /// The number of bits of a cell; a word of 64 bits has a whole number of cells.
    const BITS: u64;

    /// The result of [`fold`](Self::fold) for no cell.
    const START: u64;

    /// The ranges of cells in which the positions of a hash can be.
    type Ranges: Ranges;

    /// Returns the index of the word of the cell at `position`, and the right shift that brings
    /// this cell to the lowest bits.
    #[inline(always)]
    fn place(position: u64) -> (usize, u64) {
        let per_word = u64::from(u64::BITS) / Self::BITS;
        (
            (position / per_word) as usize,
            position % per_word * Self::BITS,
        )
    }

    /// Adds the lowest cell of `word` to the examined cells: `all` is the result for the cells
    /// examined before.
    fn fold(all: u64, word: u64) -> u64;

    /// Returns whether none of the examined cells was 0; `all` is the result of
    /// [`fold`](Self::fold) for them.
    fn all(all: u64) -> bool;

    /// Returns `word` after an insert into the cell that begins at bit `shift`: a bit becomes 1,
    /// and a counter below its highest value is raised by 1.
    fn put(word: u64, shift: u64) -> u64;
}

/// The ranges of cells in which the positions of a hash can be: one range for each of the k probes,
/// in order.
pub(super) trait Ranges {
    /// Returns the argument of [`new`](Self::new) for a filter of `count` cells and `k` hashes. A
    /// filter computes it once.
    fn extent(count: u64, k: u8) -> u64;

    /// Starts the sequence of ranges: the first call of [`next`](Self::next) returns the range of
    /// the first probe.
    fn new(extent: u64) -> Self;

    /// Returns the start and the length of the range of the next probe. `index` is the number of
    /// this probe, counted from 0.
    fn next(&mut self, index: u8) -> (u64, u64);
}

/// One range for all probes: every position can be any cell.
pub(super) struct Whole(u64);

impl Ranges for Whole {
    fn extent(count: u64, _: u8) -> u64 {
        count
    }

    #[inline(always)]
    fn new(count: u64) -> Self {
        Self(count)
    }

    #[inline(always)]
    fn next(&mut self, _: u8) -> (u64, u64) {
        (0, self.0)
    }
}

/// One range (slice) for each probe. If k does not divide the number of cells, the first slices
/// have one cell more than the others.
pub(super) struct Slices {
    start: u64,
    length: u64,
    longer: u64,
}

impl Slices {
    pub(super) fn among(count: u64, k: u8) -> Self {
        let k = u64::from(k);
        Self {
            start: 0,
            length: count / k,
            longer: count % k,
        }
    }
}

impl Ranges for Slices {
    fn extent(count: u64, k: u8) -> u64 {
        // The number of longer slices fits in a byte, because it is less than k.
        let Self { length, longer, .. } = Self::among(count, k);
        assert!(length >> 56 == 0, "a slice in memory is less than 8 PiB");
        length << 8 | longer
    }

    #[inline(always)]
    fn new(extent: u64) -> Self {
        Self {
            start: 0,
            length: extent >> 8,
            longer: extent & 0xff,
        }
    }

    #[inline(always)]
    fn next(&mut self, index: u8) -> (u64, u64) {
        let length = self.length + u64::from(u64::from(index) < self.longer);
        let start = self.start;
        self.start += length;
        (start, length)
    }
}

/// A cell that is a bit.
pub(super) struct Bit<R = Whole>(PhantomData<R>);

impl<R: Ranges> Cell for Bit<R> {
    const BITS: u64 = 1;
    const START: u64 = 1;

    type Ranges = R;

    #[inline(always)]
    fn fold(all: u64, word: u64) -> u64 {
        all & word
    }

    #[inline(always)]
    fn all(all: u64) -> bool {
        all & 1 == 1
    }

    #[inline(always)]
    fn put(word: u64, shift: u64) -> u64 {
        word | 1 << shift
    }
}

/// A cell that is a counter of `BITS` bits. A counter that has reached its highest value keeps it.
pub(super) enum Counter<const BITS: u64> {}

impl<const BITS: u64> Counter<BITS> {
    const MASK: u64 = (1 << BITS) - 1;
}

impl<const BITS: u64> Cell for Counter<BITS> {
    const BITS: u64 = BITS;
    const START: u64 = 0;

    type Ranges = Whole;

    #[inline(always)]
    fn fold(all: u64, word: u64) -> u64 {
        // If the cell is 0, the subtraction borrows and sets the highest bit of the word; otherwise
        // this bit is 0.
        all | (word & Self::MASK).wrapping_sub(1)
    }

    #[inline(always)]
    fn all(all: u64) -> bool {
        all.cast_signed() >= 0
    }

    #[inline(always)]
    fn put(word: u64, shift: u64) -> u64 {
        word + (u64::from(word >> shift & Self::MASK != Self::MASK) << shift)
    }
}
