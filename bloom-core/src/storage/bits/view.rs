//! Bits as the kernels see them: where the words are and how many bits there are.
//!
//! Two words each, so that a call passes them in registers, and a loop of inserts keeps them there: through
//! `&mut Bits` the compiler would have to load both again after every store, and the processor then sometimes
//! stopped fetching the keys of the loop ahead (half the speed, as the code happened to be placed).
#![allow(unsafe_code)]
// Kernels are compiled for several levels of instructions, and this within them.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::probe::reduce;
use crate::storage::cache::{CACHED_BYTES, prefetch};
use crate::storage::words::Word;

/// Bits of a word.
pub(super) const WORD: u64 = u64::BITS as u64;

/// Whether so many bits are more than the caches hold.
#[inline]
pub(super) fn is_far(count: u64) -> bool {
    count > CACHED_BYTES * 8
}

/// Bits to look at.
pub(super) struct BitsView<'bits, W = u64> {
    /// Valid for `count.div_ceil(64)` words.
    words: NonNull<W>,
    /// At least 1.
    count: u64,
    bits: PhantomData<&'bits [W]>,
}

impl<W> Clone for BitsView<'_, W> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for BitsView<'_, W> {}

/// Bits to set.
pub(super) struct BitsMut<'bits> {
    words: NonNull<u64>,
    count: u64,
    bits: PhantomData<&'bits mut [u64]>,
}

impl<'bits, W: Word> BitsView<'bits, W> {
    /// The first `count` bits of these words.
    ///
    /// # Safety
    ///
    /// There are `count.div_ceil(64)` words, at least one.
    #[inline]
    pub(super) unsafe fn new(words: &'bits [W], count: u64) -> Self {
        debug_assert!(count > 0 && words.len() as u64 == count.div_ceil(WORD));
        Self {
            words: NonNull::from(words).cast(),
            count,
            bits: PhantomData,
        }
    }

    /// Returns where the words are.
    // Only some machines gather.
    #[allow(dead_code)]
    #[inline]
    pub(super) fn as_ptr(self) -> *const W {
        self.words.as_ptr()
    }

    /// Returns the number of bits.
    #[inline(always)]
    pub(super) fn count(self) -> u64 {
        self.count
    }

    /// Returns the word of a probe, and the number of its bit in there.
    #[inline(always)]
    pub(super) fn word(self, probe: u64) -> (&'bits W, u64) {
        let position = reduce(probe, self.count);
        // SAFETY: `reduce` makes the position less than `count`, which is not 0, and there is a word for every
        // 64 bits, borrowed for 'bits.
        let word = unsafe { self.words.add((position / WORD) as usize).as_ref() };
        (word, position % WORD)
    }

    /// Returns the bit of a probe as the lowest one; the others are of other bits.
    #[inline(always)]
    pub(super) fn bit(self, probe: u64) -> u64 {
        let (word, bit) = self.word(probe);
        word.load() >> bit
    }

    /// Fetches the word of a probe early.
    #[inline(always)]
    pub(super) fn prefetch(self, probe: u64) {
        prefetch(self.word(probe).0);
    }
}

impl<'bits> BitsMut<'bits> {
    /// The first `count` bits of these words.
    ///
    /// # Safety
    ///
    /// There are `count.div_ceil(64)` words, at least one.
    #[inline]
    pub(super) unsafe fn new(words: &'bits mut [u64], count: u64) -> Self {
        debug_assert!(count > 0 && words.len() as u64 == count.div_ceil(WORD));
        Self {
            words: NonNull::from(words).cast(),
            count,
            bits: PhantomData,
        }
    }

    /// Sets the bit of a probe and returns what it was as the lowest bit; the others are of other bits.
    #[inline(always)]
    pub(super) fn set(&mut self, probe: u64) -> u64 {
        let position = reduce(probe, self.count);
        // SAFETY: as in `BitsView::word`, and nobody else has the words for 'bits.
        let word = unsafe { self.words.add((position / WORD) as usize).as_mut() };
        let was = *word >> (position % WORD);
        *word |= 1 << (position % WORD);
        was
    }
}
