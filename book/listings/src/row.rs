//! An array of bits, which the caller sets and reads at positions that it computes: a
//! Bloom filter without its hashing.

/// An array of bits, all 0 at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    words: Vec<u64>,
    bits: u64,
}

impl Row {
    /// Creates an array of this many bits.
    pub fn new(bits: u64) -> Self {
        Self {
            words: vec![0; bits.div_ceil(64) as usize],
            bits,
        }
    }

    /// Returns the number of bits.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Sets a bit to 1 and returns whether it was 0.
    pub fn set(&mut self, position: u64) -> bool {
        let (word, bit) = (&mut self.words[(position / 64) as usize], position % 64);
        let was_clear = *word >> bit & 1 == 0;
        *word |= 1 << bit;
        was_clear
    }

    /// Sets a bit to 0.
    pub fn clear(&mut self, position: u64) {
        self.words[(position / 64) as usize] &= !(1 << (position % 64));
    }

    /// Returns whether a bit is 1.
    pub fn is_set(&self, position: u64) -> bool {
        self.words[(position / 64) as usize] >> (position % 64) & 1 == 1
    }

    /// Returns the number of bits that are 1.
    pub fn ones(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Replaces each word of 64 bits by `operation` of the word and the word at the same
    /// place in another array of the same length.
    pub fn combine(&mut self, other: &Self, operation: fn(u64, u64) -> u64) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = operation(*word, *other);
        }
    }
}
