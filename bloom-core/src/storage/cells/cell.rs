//! Defines what a cell is, and which cells a hash can have.
// These functions are inlined into kernels, which are compiled for several levels.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;

/// A kind of cell, as kernels see it.
pub(super) trait Cell {
    /// Bits of a cell; a word is a whole number of cells.
    const BITS: u64;

    /// The value with which [`fold`](Self::fold) begins.
    const START: u64;

    /// The ranges of cells in which the probes of a hash can be.
    type Ranges: Ranges;

    /// Returns the word of a position, and the shift that brings its cell to the lowest bits.
    #[inline(always)]
    fn place(position: u64) -> (usize, u64) {
        let per_word = u64::from(u64::BITS) / Self::BITS;
        (
            (position / per_word) as usize,
            position % per_word * Self::BITS,
        )
    }

    /// Combines the lowest cell of a word with the cells examined so far.
    fn fold(all: u64, word: u64) -> u64;

    /// Returns whether none of the cells that were folded was 0.
    fn all(all: u64) -> bool;

    /// Returns the word with an item added to a cell.
    fn put(word: u64, shift: u64) -> u64;
}

/// The ranges of cells in which the probes of a hash can be, one range after the other.
pub(super) trait Ranges {
    /// Returns what [`new`](Self::new) takes, computed once for a filter of `count` cells and `k` hashes.
    fn extent(count: u64, k: u8) -> u64;

    /// Starts before the range of the first probe.
    fn new(extent: u64) -> Self;

    /// Returns the start and the length of the range of the next probe, number `index`.
    fn next(&mut self, index: u8) -> (u64, u64);
}

/// Every probe can be anywhere among all cells.
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

/// Each probe is in a slice of its own. If k does not divide the number of cells, the first slices
/// have one cell more.
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

/// A bit.
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

/// A counter of this many bits, anywhere among all cells. A counter that has its highest value
/// keeps it.
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
        // Only a cell of 0 borrows, which sets the highest bit.
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
