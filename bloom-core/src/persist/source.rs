//! Reads the words of a saved filter in order, from a function that supplies the bytes.

use core::fmt;

use super::error::LoadError;
use super::header::HEADER_BYTES;

/// The maximum number of bytes that are read at once.
const CHUNK_BYTES: usize = 4096;

/// Why a filter cannot be read: its source failed, or the bytes are not a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ReadError<E> {
    /// The error of the source.
    Source(E),
    /// The bytes cannot be loaded.
    Load(LoadError),
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Source(error) => Some(error),
            Self::Load(error) => Some(error),
        }
    }
}

impl<E> From<LoadError> for ReadError<E> {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

/// The payload of a saved filter: the words between its header and its checksum, which are read in
/// order.
pub struct Source<'r, E> {
    read: &'r mut dyn FnMut(&mut [u8]) -> Result<(), E>,
    /// How many words were read.
    pub(super) taken: u64,
    /// How many words there are, according to the header.
    pub(super) words: u64,
}

impl<'r, E> Source<'r, E> {
    /// Wraps `read`, which fills each slice that it is passed with the next bytes, for a payload of
    /// `words` words.
    pub(super) fn new(words: u64, read: &'r mut dyn FnMut(&mut [u8]) -> Result<(), E>) -> Self {
        Self {
            read,
            taken: 0,
            words,
        }
    }

    /// Returns the offset of the next word in the file, in bytes.
    pub(super) fn offset(&self) -> u64 {
        HEADER_BYTES as u64 + 8 * self.taken
    }

    /// Checks that this many words are left.
    pub(super) fn check_left(&self, words: u64) -> Result<(), LoadError> {
        if words <= self.words - self.taken {
            return Ok(());
        }
        Err(LoadError::Words {
            expected: self.taken + words,
            got: self.words,
        })
    }

    /// Reads the next words, as many as `to` has places.
    pub(super) fn take(&mut self, to: &mut [u64]) -> Result<(), ReadError<E>> {
        let mut chunk = [0; CHUNK_BYTES];
        for words in to.chunks_mut(CHUNK_BYTES / 8) {
            let chunk = &mut chunk[..8 * words.len()];
            (self.read)(chunk).map_err(ReadError::Source)?;
            for (word, bytes) in words.iter_mut().zip(chunk.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            self.taken += words.len() as u64;
        }
        Ok(())
    }

    /// Reads the words that are left, and drops them.
    pub(super) fn skip(&mut self) -> Result<(), ReadError<E>> {
        let mut words = [0; CHUNK_BYTES / 8];
        while self.taken < self.words {
            let left = (self.words - self.taken).min(words.len() as u64);
            self.take(&mut words[..left as usize])?;
        }
        Ok(())
    }
}
