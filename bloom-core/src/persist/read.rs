//! Reading a file piece by piece, so that it is not in memory beside the filter.

use core::fmt;
use core::hash::BuildHasher;

use rapidhash::v3::RapidStreamHasherV3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES};
use super::parts::{Allocate, Payload};
use super::words::{Words, check_words};
use super::write::SECRETS;
use crate::filter::{Bloom, Kind, Raw, Table};
use crate::hash::FixedState;
use crate::memory::Owned;

/// The bytes that are read at once.
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

impl<K: Kind<Owned, Table: Allocate>, T: ?Sized> Bloom<K, T> {
    /// Reads a filter that was saved with the default hasher, without holding the file in memory as
    /// well. `read` fills each slice that it is passed, as `std::io::Read::read_exact` does.
    ///
    /// Everything is checked, as by `from_bytes`. The memory is allocated when the header has been
    /// read, whose checksum is verified before.
    ///
    /// # Errors
    ///
    /// The first error of `read`, or as for `from_bytes`. What follows the filter is not read.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    /// use std::io::Read;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// filter.insert("ant");
    /// let file = filter.to_bytes()?;
    ///
    /// let mut source = &file[..]; // or a `std::fs::File`, or any other `Read`
    /// let read = BloomFilter::<str>::read_from(|bytes| source.read_exact(bytes))?;
    /// assert_eq!(read, filter);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_from<E>(
        read: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, ReadError<E>> {
        Self::read_from_with_hasher(read, FixedState::new())
    }
}

impl<K: Kind<Owned, Table: Allocate>, T: ?Sized, S: BuildHasher> Bloom<K, T, S> {
    /// [`read_from`](Self::read_from) with the hasher of `hash_builder`.
    ///
    /// # Errors
    ///
    /// As for [`read_from`](Self::read_from), but with this hasher.
    pub fn read_from_with_hasher<E>(
        mut read: impl FnMut(&mut [u8]) -> Result<(), E>,
        hash_builder: S,
    ) -> Result<Self, ReadError<E>> {
        let mut checksum = RapidStreamHasherV3::new(&SECRETS);
        let mut header = [0; HEADER_BYTES];
        read(&mut header).map_err(ReadError::Source)?;
        checksum.write(&header);
        let header = Fields(&header);
        let prepare = || {
            header.check_itself()?;
            let quality = header.check(K::Table::KIND, &hash_builder)?;
            let size = K::Table::size(header)?;
            let cells = K::Table::cells(size);
            check_words(cells.0, cells.1, header.words())?;
            Ok((quality, cells, K::Table::empty(size)?))
        };
        let (quality, cells, mut table) = prepare().map_err(ReadError::Load)?;
        let mut chunk = [0; CHUNK_BYTES];
        let mut last = [0; 8];
        for words in table.words_mut().chunks_mut(CHUNK_BYTES / 8) {
            let chunk = &mut chunk[..8 * words.len()];
            read(chunk).map_err(ReadError::Source)?;
            checksum.write(chunk);
            Words::new(chunk, 0).copy_to(&mut *words);
            last.copy_from_slice(&chunk[chunk.len() - 8..]);
        }
        let mut stored = [0; CHECKSUM_BYTES];
        read(&mut stored).map_err(ReadError::Source)?;
        let finish = || {
            let (stored, computed) = (u64::from_le_bytes(stored), checksum.finish());
            if stored != computed {
                return Err(LoadError::Checksum { stored, computed });
            }
            let offset = HEADER_BYTES as u64 + 8 * (header.words() - 1);
            Words::new(&last, offset).check_unused(cells.0, cells.1)?;
            Self::read(table, hash_builder, quality, header)
        };
        finish().map_err(ReadError::Load)
    }
}
