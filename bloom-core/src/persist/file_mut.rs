//! Creates, reopens and seals filters that are filled in place, in the bytes of their file.

use core::convert::Infallible;
use core::fmt;
use core::hash::BuildHasher;
use core::sync::atomic::{Ordering, compiler_fence};

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES, HEADER_CHECKSUM_AT, UNSEALED};
use super::opened::Opened;
use super::parts::{Parts, Payload};
use super::{file_bytes, write};
use crate::filter::{Bloom, Kind, Raw, Table};
use crate::hash::FixedState;
use crate::memory::{FileMut, FileUnits};
use crate::quality::HashQuality;
use crate::storage::{LINE_BYTES, Store, Unit, units_mut};

/// Why a filter cannot be filled in the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FileError {
    /// There are more or fewer bytes than a file with this shape takes; see [`file_bytes`].
    Length {
        /// The bytes that the file takes.
        expected: u64,
        /// The bytes given.
        got: u64,
    },
    /// The bytes do not start at an address that is a multiple of 64, as a mapped file would.
    Alignment {
        /// How many bytes the start is beyond a multiple of 64.
        offset: usize,
    },
    /// The machine is big-endian, but a file is little-endian and can be filled in place only on a
    /// little-endian machine.
    BigEndian,
    /// The bytes are not a saved filter of the requested kind and hasher, or no filter of this kind
    /// has this shape.
    Load(LoadError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, got } => {
                write!(f, "bytes must be {expected} for this shape, got {got}")
            }
            Self::Alignment { offset } => write!(
                f,
                "bytes must start at an address that is a multiple of {LINE_BYTES}, got one that is {offset} higher"
            ),
            Self::BigEndian => f.write_str(
                "filling a file in place needs a little-endian machine, got a big-endian one",
            ),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FileError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Load(error) => Some(error),
            _ => None,
        }
    }
}

impl<E: Into<LoadError>> From<E> for FileError {
    fn from(error: E) -> Self {
        Self::Load(error.into())
    }
}

/// The storage of a payload that is changed in the bytes of a file.
pub trait FromFile<'a>: Sized {
    /// Wraps a whole file.
    fn from_file(bytes: &'a mut [u8]) -> Result<Self, FileError>;

    /// Returns the header and the checksum for writing.
    fn ends(&mut self) -> (&mut [u8; HEADER_BYTES], &mut [u8; CHECKSUM_BYTES]);
}

impl<'a, U: Unit> FromFile<'a> for FileUnits<'a, U> {
    fn from_file(bytes: &'a mut [u8]) -> Result<Self, FileError> {
        if cfg!(target_endian = "big") {
            return Err(FileError::BigEndian);
        }
        let offset = bytes.as_ptr().addr() % LINE_BYTES;
        if offset != 0 {
            return Err(FileError::Alignment { offset });
        }
        let got = bytes.len() as u64;
        let too_short = LoadError::TooShort { bytes: got };
        let (header, rest) = bytes.split_first_chunk_mut().ok_or(too_short)?;
        let (payload, checksum) = rest.split_last_chunk_mut().ok_or(too_short)?;
        // The header is two cache lines, so the payload starts on a cache line, too.
        let units = units_mut(payload).ok_or(FileError::Alignment { offset })?;
        Ok(Self {
            header,
            units,
            checksum,
        })
    }

    fn ends(&mut self) -> (&mut [u8; HEADER_BYTES], &mut [u8; CHECKSUM_BYTES]) {
        (self.header, self.checksum)
    }
}

/// A table whose words can be changed in the bytes of a file.
pub trait InFile<'a>: Raw<Store: FromFile<'a>> + Payload<Store = <Self as Raw>::Store> {}

impl<'a, X: Raw<Store: FromFile<'a>> + Payload<Store = <X as Raw>::Store>> InFile<'a> for X {}

impl<'a, K: Kind<FileMut<'a>, Table: InFile<'a>>, T: ?Sized> Bloom<K, T, FixedState, FileMut<'a>> {
    /// Creates an empty filter in the bytes of its file, with the default hasher. If `bytes` is a
    /// map of a file, the filter need not be saved in another way.
    ///
    /// `bytes` must have the length that [`file_bytes`](crate::persist::file_bytes) returns and
    /// start on a cache line. Their previous content is lost. Until [`seal`](Self::seal), the
    /// header says that the file is open for writing, and the file cannot be loaded or opened: if
    /// the program crashes before sealing, loading or opening the file returns
    /// [`LoadError::Unsealed`]. To get this error even after a crash of the whole system, write the
    /// first page back (as by `msync`) before the first insert.
    ///
    /// # Errors
    ///
    /// `bytes` must have the length and the alignment above, and the machine must be little-endian.
    /// A partitioned filter needs at least as many bits as hashes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{Block, BloomFilter, LoadError, Shape, persist};
    ///
    /// let shape = Shape::for_rate(1_000, 0.01)?;
    /// let length = persist::file_bytes(shape.bits()) as usize;
    /// // A map of a file starts on a page, and so on a cache line. The memory of this example
    /// // starts on a cache line, too.
    /// let mut memory = vec![Block::CLEAR; 64];
    /// let bytes = Block::bytes_of_mut(&mut memory);
    /// let file = &mut bytes[..length];
    ///
    /// # if cfg!(target_endian = "big") { return Ok(()); }
    /// let mut filter = BloomFilter::<str, _, _>::create_file(shape, file)?;
    /// filter.insert("ant");
    /// filter.seal();
    ///
    /// let filter = BloomFilter::<str>::from_bytes(&bytes[..length])?;
    /// assert!(filter.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create_file(
        shape: <K::Table as Table>::Shape,
        bytes: &'a mut [u8],
    ) -> Result<Self, FileError> {
        Self::create(shape, bytes, FixedState::new(), FixedState::QUALITY)
    }

    /// Opens a saved file to insert more items in place, with the default hasher. O(m): verifies
    /// its checksum, which [`seal`](Self::seal) will replace.
    ///
    /// # Errors
    ///
    /// As for `from_bytes`, and as for [`create_file`](Self::create_file).
    pub fn reopen_file(bytes: &'a mut [u8]) -> Result<Self, FileError> {
        Self::reopen_file_with_hasher(bytes, FixedState::new())
    }
}

impl<'a, K: Kind<FileMut<'a>, Table: InFile<'a>>, T: ?Sized, S: BuildHasher>
    Bloom<K, T, S, FileMut<'a>>
{
    /// Does what [`create_file`](Self::create_file) does, with the hasher of `hash_builder`. Each
    /// hash is folded twice unless [`with_hash_quality`](Self::with_hash_quality) promises a higher
    /// quality.
    ///
    /// # Errors
    ///
    /// As for [`create_file`](Self::create_file).
    pub fn create_file_with_hasher(
        shape: <K::Table as Table>::Shape,
        bytes: &'a mut [u8],
        hash_builder: S,
    ) -> Result<Self, FileError> {
        Self::create(shape, bytes, hash_builder, HashQuality::Any)
    }

    fn create(
        shape: <K::Table as Table>::Shape,
        bytes: &'a mut [u8],
        hash_builder: S,
        quality: HashQuality,
    ) -> Result<Self, FileError> {
        let got = bytes.len() as u64;
        let unit_bits = 8 * size_of::<<<K::Table as Raw>::Store as Store>::Item>() as u64;
        let expected = file_bytes(<K::Table as Raw>::units(shape).saturating_mul(unit_bits));
        if expected != got {
            return Err(FileError::Length { expected, got });
        }
        let store = <K::Table as Raw>::Store::from_file(bytes)?;
        let table = <K::Table as Raw>::with_store(shape, store)?;
        // The file is marked as unsealed first. Otherwise, if the bytes hold an older file, its
        // header would stay valid while its words are cleared.
        let mut filter = Self::of(table, hash_builder, quality).opened();
        // Words that are already 0 are not written, so that a sparse file stays sparse.
        let words = filter.table.words_mut().iter_mut();
        words.filter(|word| **word != 0).for_each(|word| *word = 0);
        Ok(filter)
    }

    /// Does what [`reopen_file`](Self::reopen_file) does, with the hasher of `hash_builder`.
    ///
    /// # Errors
    ///
    /// As for [`reopen_file`](Self::reopen_file), but with this hasher.
    pub fn reopen_file_with_hasher(
        bytes: &'a mut [u8],
        hash_builder: S,
    ) -> Result<Self, FileError> {
        let file = Opened::new(bytes)?;
        file.verify_checksum()?;
        let quality = file.check(<K::Table as Table>::KIND, &hash_builder)?;
        let size = file.size::<K::Table>()?;
        let header = *file.header.0;
        let store = FromFile::from_file(bytes)?;
        let table = <K::Table as Payload>::over(size, store);
        Ok(Self::read(table, hash_builder, quality, Fields(&header))?.opened())
    }

    /// Writes the header of a file that is open for writing.
    fn opened(mut self) -> Self {
        let mut header = self.header().encode();
        header[HEADER_CHECKSUM_AT..][..UNSEALED.len()].copy_from_slice(&UNSEALED);
        *self.table.store_mut().ends().0 = header;
        // If the program is killed, the file contains all stores up to that moment. The fence keeps
        // the compiler from moving later stores before the header.
        compiler_fence(Ordering::Release);
        self
    }

    /// Writes the checksums, after which the file can be loaded and opened; see
    /// [`create_file`](Self::create_file). O(m).
    ///
    /// The program that mapped the file still has to write it back (as by `msync`). If the system
    /// crashes before that, some pages may be missing;
    /// [`open_verified`](crate::BloomFilterRef#what-is-checked-and-when) detects this.
    pub fn seal(self) {
        let header = self.header();
        let mut checksum = [0; CHECKSUM_BYTES];
        let Ok(()) = write::write(&header, self.table.payload(), |chunk| {
            // The last eight bytes of each chunk are kept: those of the last chunk are the
            // checksum.
            let end = chunk.len() - CHECKSUM_BYTES;
            checksum.copy_from_slice(&chunk[end..]);
            Ok::<(), Infallible>(())
        });
        let mut store = self.table.into_store();
        let (header_bytes, checksum_bytes) = store.ends();
        *checksum_bytes = checksum;
        compiler_fence(Ordering::Release);
        // The header is written last: from here on the bytes are a saved file.
        *header_bytes = header.encode();
    }
}
