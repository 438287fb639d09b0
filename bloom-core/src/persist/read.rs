//! Defines the methods that load a saved filter: from all its bytes, or piece by piece without
//! holding all bytes of the file in memory.

use core::convert::Infallible;
use core::hash::BuildHasher;

use rapidhash::v3::RapidStreamHasherV3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES};
use super::opened::Opened;
use super::parts::Load;
use super::source::{ReadError, Source};
use super::write::SECRETS;
use crate::filter::{Bloom, Kind, Table};
use crate::hash::FixedState;
use crate::memory::Owned;

impl<K: Kind<Owned, Table: Load>, T: ?Sized> Bloom<K, T> {
    /// Loads a filter that was saved with the default hasher.
    ///
    /// The item type is not stored: load with the type that the saved filter had. The bytes are
    /// checked against all rules of the [layout](crate::persist), and against their checksums.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved filter of this kind, undamaged, with the default hasher,
    /// and the filter must fit in memory. Every stage of a scalable filter must be sized for the items that
    /// the growth gives, keep its rate, be full unless it is the last, and have at most its expected
    /// items.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// filter.insert("ant");
    /// let loaded = BloomFilter::<str>::from_bytes(&filter.to_bytes()?)?;
    /// assert!(loaded.contains("ant"));
    /// assert_eq!(loaded, filter);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with_hasher(bytes, FixedState::new())
    }

    /// Reads a filter that was saved with the default hasher, without holding the bytes of the file
    /// in memory besides the filter. `read` fills each slice that it is passed, as
    /// `std::io::Read::read_exact` does.
    ///
    /// The same rules are checked as by `from_bytes`. Memory is allocated only after the header has
    /// been read and its checksum verified. The memory of each stage of a scalable filter is
    /// allocated after the sizes of the stage have been read.
    ///
    /// # Errors
    ///
    /// The first error of `read`, or as for `from_bytes`. Bytes that follow the filter are not
    /// read.
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

impl<K: Kind<Owned, Table: Load>, T: ?Sized, S: BuildHasher> Bloom<K, T, S> {
    /// Loads a filter that was saved with the hasher of `hash_builder`.
    ///
    /// Seeds and keys are never stored; the hashes of four fixed integers show whether the
    /// hasher is the same. The [quality](crate::HashQuality) of the hashes is in the bytes.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but with this hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, FixedState};
    ///
    /// let state = FixedState::with_seed(42);
    /// let filter = BloomFilter::<str, _>::with_rate_and_hasher(100, 0.01, state)?;
    /// let bytes = filter.to_bytes()?;
    /// let loaded = BloomFilter::from_bytes_with_hasher(&bytes, state)?;
    /// assert_eq!(loaded, filter);
    /// // The default hasher has another seed and would test other bits.
    /// assert!(BloomFilter::<str>::from_bytes(&bytes).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
        let file = Opened::new(bytes)?;
        file.verify_checksum()?;
        let quality = file.check(<K::Table as Table>::KIND, &hash_builder)?;
        let mut rest = file.payload;
        let mut read = |to: &mut [u8]| {
            let (now, later) = rest.split_at(to.len());
            to.copy_from_slice(now);
            rest = later;
            Ok::<(), Infallible>(())
        };
        let mut payload = Source::new(file.header.words(), &mut read);
        let table = K::Table::read(file.header, &mut payload);
        let table = table.map_err(|ReadError::Load(error)| error)?;
        Self::read(table, hash_builder, quality, file.header)
    }

    /// Does what [`read_from`](Self::read_from) does, with the hasher of `hash_builder`.
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
        header.check_itself()?;
        let quality = header.check(K::Table::KIND, &hash_builder)?;
        let mut checked = |bytes: &mut [u8]| {
            read(bytes)?;
            checksum.write(bytes);
            Ok(())
        };
        let mut payload = Source::new(header.words(), &mut checked);
        let table = match K::Table::read(header, &mut payload) {
            Err(ReadError::Load(LoadError::Memory(error))) => {
                return Err(LoadError::Memory(error).into());
            }
            // The payload may break a rule because it is damaged. The rest of the payload is read
            // before the error is returned, so that damage is reported as a wrong checksum instead.
            Err(ReadError::Load(error)) if payload.taken > 0 => {
                payload.skip()?;
                Err(error)
            }
            table => Ok(table?),
        };
        let computed = checksum.finish();
        let mut stored = [0; CHECKSUM_BYTES];
        read(&mut stored).map_err(ReadError::Source)?;
        let stored = u64::from_le_bytes(stored);
        if stored != computed {
            return Err(LoadError::Checksum { stored, computed }.into());
        }
        Ok(Self::read(table?, hash_builder, quality, header)?)
    }
}
