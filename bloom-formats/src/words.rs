//! The bits of a filter as 64-bit words: bit j is bit j mod 64 of word j / 64.

use alloc::vec::Vec;

use crate::error::{Format, FormatError, Rule};

/// The bits of a filter.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// Returns `count` words without a set bit.
    pub(crate) fn cleared(format: Format, count: u64) -> Result<Self, FormatError> {
        let mut words = reserved(format, count)?;
        words.resize(count as usize, 0);
        Ok(Self(words))
    }

    /// Reads words of 8 bytes each, in either order.
    pub(crate) fn read(
        format: Format,
        bytes: &[u8],
        word: fn([u8; 8]) -> u64,
    ) -> Result<Self, FormatError> {
        let (parts, _) = bytes.as_chunks::<8>();
        let mut words = reserved(format, parts.len() as u64)?;
        words.extend(parts.iter().map(|part| word(*part)));
        Ok(Self(words))
    }

    /// Returns a header followed by the words.
    pub(crate) fn write(
        &self,
        format: Format,
        header: &[u8],
        bytes: fn(u64) -> [u8; 8],
    ) -> Result<Vec<u8>, FormatError> {
        let mut file = reserved(format, header.len() as u64 + self.count() * 8)?;
        file.extend_from_slice(header);
        file.extend(self.0.iter().flat_map(|&word| bytes(word)));
        Ok(file)
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    pub(crate) fn contains(&self, position: u64) -> bool {
        self.0[(position / 64) as usize] >> (position % 64) & 1 != 0
    }

    /// Sets a bit and returns whether it was clear.
    pub(crate) fn insert(&mut self, position: u64) -> bool {
        let word = &mut self.0[(position / 64) as usize];
        let before = *word;
        *word |= 1 << (position % 64);
        *word != before
    }

    /// Returns the number of set bits.
    pub(crate) fn ones(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the number of set bits before a position.
    pub(crate) fn ones_before(&self, position: u64) -> u64 {
        let whole = ((position / 64) as usize).min(self.0.len());
        let ones = |words: &[u64]| {
            words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>()
        };
        let part = self
            .0
            .get(whole)
            .map_or(0, |word| word & ((1 << (position % 64)) - 1));
        ones(&self.0[..whole]) + u64::from(part.count_ones())
    }

    /// Returns the words, each group of four being a block of Parquet.
    pub(crate) fn blocks(&self) -> &[[u64; 4]] {
        self.0.as_chunks().0
    }

    /// Sets all bits that are set in `other`, which has as many words.
    pub(crate) fn unite(&mut self, other: &Self) {
        for (word, theirs) in self.0.iter_mut().zip(&other.0) {
            *word |= theirs;
        }
    }
}

/// Returns an empty list with memory for `count` values.
fn reserved<T>(format: Format, count: u64) -> Result<Vec<T>, FormatError> {
    let refused = Rule::Memory {
        bytes: count.saturating_mul(size_of::<T>() as u64),
    };
    let mut list = Vec::new();
    let count = usize::try_from(count).map_err(|_| format.error(refused))?;
    list.try_reserve_exact(count)
        .map_err(|_| format.error(refused))?;
    Ok(list)
}
