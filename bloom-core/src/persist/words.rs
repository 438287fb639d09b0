//! The words of a file: counting, checking and copying them to and from a filter.

use super::error::LoadError;
use super::header::words_for;

/// A part of a file that consists of words.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    /// Eight bytes per word.
    bytes: &'a [u8],
    /// The offset of the bytes in the file.
    offset: u64,
}

impl<'a> Words<'a> {
    /// Wraps the bytes at `offset` in the file; their number is a multiple of eight.
    pub(super) fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { bytes, offset }
    }

    /// Returns the number of words.
    pub(super) fn count(self) -> u64 {
        self.bytes.len() as u64 / 8
    }

    /// Returns the words.
    pub(super) fn iter(self) -> impl Iterator<Item = u64> + use<'a> {
        let words = self.bytes.chunks_exact(8);
        words.map(|word| u64::from_le_bytes(word.try_into().expect("chunks of eight")))
    }

    /// Returns the first `words` words and the rest; `None` if there are fewer.
    pub(super) fn split(self, words: u64) -> Option<(Self, Self)> {
        let length = usize::try_from(words.checked_mul(8)?).ok()?;
        let (first, rest) = self.bytes.split_at_checked(length)?;
        let rest_offset = self.offset + length as u64;
        Some((Self::new(first, self.offset), Self::new(rest, rest_offset)))
    }

    /// Copies the words into as many others.
    pub(super) fn copy_to<'w>(self, words: impl IntoIterator<Item = &'w mut u64>) {
        for (to, from) in words.into_iter().zip(self.iter()) {
            *to = from;
        }
    }

    /// Checks that there are as many words as `cells` cells of `cell_bits` bits fill, and that the
    /// unused bits of the last word are 0.
    pub(super) fn check_cells(self, cells: u64, cell_bits: u32) -> Result<(), LoadError> {
        check_words(cells, cell_bits, self.count())?;
        self.check_unused(cells, cell_bits)
    }

    /// Checks that the unused bits of the last word of `cells` cells of `cell_bits` bits are 0.
    pub(super) fn check_unused(self, cells: u64, cell_bits: u32) -> Result<(), LoadError> {
        // Cannot overflow: less than one word.
        let used = cells % u64::from(u64::BITS / cell_bits) * u64::from(cell_bits);
        let Some((before, last)) = self.bytes.split_last_chunk().filter(|_| used > 0) else {
            return Ok(());
        };
        let expected = u64::from_le_bytes(*last) & !(u64::MAX << used);
        let offset = self.offset + before.len() as u64;
        check_same(&expected.to_le_bytes(), last, offset)
    }

    /// Checks that the words equal these.
    pub(super) fn check_are(self, words: impl IntoIterator<Item = u64>) -> Result<(), LoadError> {
        let offsets = (self.offset..).step_by(8);
        for ((got, expected), offset) in self.bytes.chunks_exact(8).zip(words).zip(offsets) {
            check_same(&expected.to_le_bytes(), got, offset)?;
        }
        Ok(())
    }
}

/// Checks that there are as many words as `cells` cells of `cell_bits` bits fill.
pub(super) fn check_words(cells: u64, cell_bits: u32, got: u64) -> Result<(), LoadError> {
    let expected = words_for(cells, cell_bits);
    if expected != got {
        return Err(LoadError::Words { expected, got });
    }
    Ok(())
}

/// Checks the bytes at `offset` in the file against the expected ones, which have the same length.
pub(super) fn check_same(expected: &[u8], got: &[u8], offset: u64) -> Result<(), LoadError> {
    let pairs = expected.iter().zip(got);
    match (offset..).zip(pairs).find(|(_, (one, other))| one != other) {
        Some((offset, (&expected, &got))) => Err(LoadError::Byte {
            offset,
            expected,
            got,
        }),
        None => Ok(()),
    }
}
