//! Saves and loads the blocked filter.

use alloc::vec::Vec;
use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::Header;
use super::kind::FilterKind;
use super::opened::Opened;
use super::parts::Parts;
use super::read::load;
use super::words::words_for;
use super::write::{to_vec, write};
use crate::blocked::{BlockedBloomFilter, BlockedShape};
use crate::error::MemoryError;
use crate::hash::FixedState;

impl<T: ?Sized> BlockedBloomFilter<T> {
    /// Loads a filter that was saved with the default hasher.
    ///
    /// The item type is not stored: load with the one that was saved. The whole
    /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved `BlockedBloomFilter`, undamaged, with the default
    /// hasher; and the filter must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BlockedBloomFilter;
    ///
    /// let mut filter = BlockedBloomFilter::<str>::with_rate(100, 0.01)?;
    /// filter.insert("ant");
    /// let loaded = BlockedBloomFilter::<str>::from_bytes(&filter.to_bytes()?)?;
    /// assert!(loaded.contains("ant"));
    /// assert_eq!(loaded, filter);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with_hasher(bytes, FixedState::new())
    }
}

impl<T: ?Sized, S: BuildHasher> BlockedBloomFilter<T, S> {
    /// Loads a filter that was saved with the hasher of `hash_builder`, which is verified by the
    /// hashes of four fixed integers.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but with this hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BlockedBloomFilter, BlockedShape, FixedState};
    ///
    /// let state = FixedState::with_seed(42);
    /// let filter = BlockedBloomFilter::<str, _>::with_hasher(BlockedShape::new(20)?, state)?;
    /// let bytes = filter.to_bytes()?;
    /// assert_eq!(BlockedBloomFilter::from_bytes_with_hasher(&bytes, state)?, filter);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
        load(bytes, hash_builder)
    }

    /// Returns the filter as bytes, in the [layout](crate::persist) that is the same everywhere:
    /// its blocks and 136 additional bytes.
    ///
    /// # Errors
    ///
    /// The bytes must fit in memory in addition to the filter; [`write_bytes`](Self::write_bytes)
    /// avoids this copy.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BlockedBloomFilter, BlockedShape};
    ///
    /// let filter = BlockedBloomFilter::<str>::new(BlockedShape::new(20)?)?;
    /// assert_eq!(filter.to_bytes()?.len(), 20 * 64 + 136);
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, MemoryError> {
        to_vec(self)
    }

    /// Passes the bytes of [`to_bytes`](Self::to_bytes) to `sink` in chunks of 4096 and a shorter
    /// last one, so that saving needs no second copy.
    ///
    /// # Errors
    ///
    /// The first error of `sink`, which is not called again after it.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BlockedBloomFilter;
    /// use std::io::Write;
    ///
    /// let filter = BlockedBloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// let mut file = Vec::new(); // or a `std::fs::File`, or any other `Write`
    /// filter.write_bytes(|chunk| file.write_all(chunk))?;
    /// assert_eq!(file, filter.to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_bytes<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        write(self, sink)
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for BlockedBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Blocked;

    fn header(&self) -> Header {
        let shape = self.shape();
        let words = words_for(shape.bits(), 1);
        Header {
            hashes: shape.hashes(),
            ..Header::new(Self::KIND, shape.blocks(), words, self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.blocks().lanes()
    }

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let shape = BlockedShape::new(file.header.size())?;
        file.payload.check_units(shape.bits(), 1)?;
        let mut filter = Self::with_hasher(shape, hash_builder)?;
        file.payload.copy_to(filter.blocks_mut().lanes_mut());
        Ok(filter)
    }
}
