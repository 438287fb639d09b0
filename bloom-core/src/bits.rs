//! The bit array of a filter.

use alloc::vec::Vec;

use crate::error::MemoryError;

const WORD: u64 = u64::BITS as u64;

/// A fixed number of bits, all clear at first. Bits beyond the last are always clear.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Creates `bits` clear bits, or says that the allocator refused them.
    pub(crate) fn new(bits: u64) -> Result<Self, MemoryError> {
        let mut words = reserve(bits)?;
        // No more than was reserved, so this cannot allocate.
        words.resize(bits.div_ceil(WORD) as usize, 0);
        Ok(Self { words })
    }

    /// Copies the bits, or says that the allocator refused them.
    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let mut words = reserve(self.words.len() as u64 * WORD)?;
        words.extend_from_slice(&self.words);
        Ok(Self { words })
    }

    /// Sets the bit at `position` and returns whether it was clear.
    #[inline]
    pub(crate) fn set(&mut self, position: u64) -> bool {
        let word = &mut self.words[(position / WORD) as usize];
        let mask = 1 << (position % WORD);
        let was_clear = *word & mask == 0;
        *word |= mask;
        was_clear
    }

    /// Returns whether the bit at `position` is set.
    #[inline]
    pub(crate) fn contains(&self, position: u64) -> bool {
        self.words[(position / WORD) as usize] >> (position % WORD) & 1 == 1
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns whether no bit is set. O(m) at worst.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Sets every bit that is set in `other`, of the same length.
    pub(crate) fn union_with(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Clears every bit that is clear in `other`, of the same length.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }
}

/// Reserves the words for `bits` bits.
fn reserve(bits: u64) -> Result<Vec<u64>, MemoryError> {
    let mut words = Vec::new();
    let fits = usize::try_from(bits.div_ceil(WORD))
        .is_ok_and(|count| words.try_reserve_exact(count).is_ok());
    fits.then_some(words).ok_or(MemoryError { bits })
}
