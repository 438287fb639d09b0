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

    /// Returns the words: bit i is bit i mod 64 of word i / 64.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words to be set, where bits beyond the last have to stay clear.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
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

    /// Returns the bytes of the words.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.words.len() as u64 * 8
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

    /// Counts the set bits among `count` from `start`. O(count).
    pub(crate) fn ones_in(&self, start: u64, count: u64) -> u64 {
        ones_in(start, count, |index| self.words[index])
    }

    /// Counts the bits set in either among `count` from `start`. O(count).
    pub(crate) fn ones_in_either(&self, other: &Self, start: u64, count: u64) -> u64 {
        ones_in(start, count, |index| self.words[index] | other.words[index])
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

/// Counts the set bits among `count` from `start` of the words that `word` returns.
fn ones_in(start: u64, count: u64, word: impl Fn(usize) -> u64) -> u64 {
    let end = start + count;
    let (first, last) = (start / WORD, end.div_ceil(WORD));
    let ones = (first..last).map(|index| {
        let mut word = word(index as usize);
        if index == first {
            word &= u64::MAX << (start % WORD);
        }
        if index == end / WORD {
            word &= !(u64::MAX << (end % WORD));
        }
        u64::from(word.count_ones())
    });
    ones.sum()
}

/// Reserves the words for `bits` bits.
fn reserve(bits: u64) -> Result<Vec<u64>, MemoryError> {
    let mut words = Vec::new();
    let fits = usize::try_from(bits.div_ceil(WORD))
        .is_ok_and(|count| words.try_reserve_exact(count).is_ok());
    fits.then_some(words).ok_or(MemoryError { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ones_of_any_range_are_those_inside_it() {
        let mut bits = Bits::new(300).unwrap();
        let set = [0, 1, 63, 64, 65, 127, 128, 199, 200, 255, 256, 299];
        for position in set {
            assert!(bits.set(position));
        }
        for start in 0..300 {
            for end in start..=300 {
                let inside = set.iter().filter(|at| (start..end).contains(*at)).count();
                assert_eq!(
                    bits.ones_in(start, end - start),
                    inside as u64,
                    "{start}..{end}"
                );
            }
        }
        assert_eq!(bits.ones(), set.len() as u64);
    }
}
