//! Bits as the kernels see them: a pointer to the words and the number of bits.
//!
//! A view is two machine words, so a call passes it in registers and a loop of inserts keeps it there. Through
//! `&mut Bits` the compiler would have to reload both after every store, and then the processor sometimes stopped
//! prefetching the keys of the loop (half the speed, depending on code alignment).
#![allow(unsafe_code)]
// Kernels are compiled for several levels, and these functions as part of them.
#![allow(clippy::inline_always)]

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::probe::reduce;
use crate::storage::cache::{CACHED_BYTES, prefetch};
use crate::storage::words::Word;

/// Bits in a word.
pub(super) const WORD: u64 = u64::BITS as u64;

/// Returns whether this many bits exceed the caches.
#[inline]
pub(super) fn is_far(count: u64) -> bool {
    count > CACHED_BYTES * 8
}

/// Bits that a kernel reads.
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

/// Bits that a kernel sets.
pub(super) struct BitsMut<'bits> {
    words: NonNull<u64>,
    count: u64,
    bits: PhantomData<&'bits mut [u64]>,
}

impl<'bits, W: Word> BitsView<'bits, W> {
    /// Wraps the first `count` bits of these words.
    ///
    /// # Safety
    ///
    /// `count` is not 0, and there are at least `count.div_ceil(64)` words.
    #[inline]
    pub(super) unsafe fn new(words: &'bits [W], count: u64) -> Self {
        debug_assert!(count > 0 && words.len() as u64 >= count.div_ceil(WORD));
        Self {
            words: NonNull::from(words).cast(),
            count,
            bits: PhantomData,
        }
    }

    /// Returns the address of the words.
    // Only the gathering kernel uses it.
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

    /// Returns the word of a probe, and the number of its bit in the word.
    #[inline(always)]
    pub(super) fn word(self, probe: u64) -> (&'bits W, u64) {
        let position = reduce(probe, self.count);
        // SAFETY: `reduce` returns a position less than `count`, which is not 0, and there is a word for every 64
        // bits, borrowed for 'bits.
        let word = unsafe { self.words.add((position / WORD) as usize).as_ref() };
        (word, position % WORD)
    }

    /// Returns the bit of a probe as the lowest bit; the higher bits are arbitrary.
    #[inline(always)]
    pub(super) fn bit(self, probe: u64) -> u64 {
        let (word, bit) = self.word(probe);
        word.load() >> bit
    }

    /// Prefetches the word of a probe.
    #[inline(always)]
    pub(super) fn prefetch(self, probe: u64) {
        prefetch(self.word(probe).0);
    }
}

impl<'bits> BitsMut<'bits> {
    /// Wraps the first `count` bits of these words.
    ///
    /// # Safety
    ///
    /// `count` is not 0, and there are at least `count.div_ceil(64)` words.
    #[inline]
    pub(super) unsafe fn new(words: &'bits mut [u64], count: u64) -> Self {
        debug_assert!(count > 0 && words.len() as u64 >= count.div_ceil(WORD));
        Self {
            words: NonNull::from(words).cast(),
            count,
            bits: PhantomData,
        }
    }

    /// Sets the bit of a probe and returns its old value as the lowest bit; the higher bits are arbitrary.
    #[inline(always)]
    pub(super) fn set(&mut self, probe: u64) -> u64 {
        let position = reduce(probe, self.count);
        // SAFETY: as in `BitsView::word`, and the words are mutably borrowed for 'bits.
        let word = unsafe { self.words.add((position / WORD) as usize).as_mut() };
        let was = *word >> (position % WORD);
        *word |= 1 << (position % WORD);
        was
    }
}
