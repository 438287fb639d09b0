//! Saves and loads the textbook filter.

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
use crate::basic::BloomFilter;
use crate::error::MemoryError;
use crate::hash::FixedState;
use crate::shape::Shape;

impl<T: ?Sized> BloomFilter<T> {
    /// Loads a filter that was saved with the default hasher.
    ///
    /// The item type is not stored: load with the one that was saved. The whole
    /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved `BloomFilter`, undamaged, with the default hasher; and
    /// the filter must fit in memory.
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
}

impl<T: ?Sized, S: BuildHasher> BloomFilter<T, S> {
    /// Loads a filter that was saved with the hasher of `hash_builder`.
    ///
    /// Seeds and keys are never stored; the hashes of four fixed integers show whether the hasher
    /// is the same.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but with this hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, FixedState, Shape};
    ///
    /// let state = FixedState::with_seed(42);
    /// let filter = BloomFilter::<str, _>::with_hasher(Shape::new(1_000, 7)?, state)?;
    /// let bytes = filter.to_bytes()?;
    /// assert_eq!(BloomFilter::from_bytes_with_hasher(&bytes, state)?, filter);
    /// // Another seed would look up other positions.
    /// assert!(BloomFilter::<str>::from_bytes(&bytes).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
        load(bytes, hash_builder)
    }

    /// Returns the filter as bytes, in the [layout](crate::persist) that is the same everywhere:
    /// its words and 136 additional bytes.
    ///
    /// # Errors
    ///
    /// The bytes must fit in memory in addition to the filter; [`write_bytes`](Self::write_bytes)
    /// avoids this copy.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let filter = BloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
    /// assert_eq!(filter.to_bytes()?.len(), 800 + 136);
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
    /// use bloom_core::BloomFilter;
    /// use std::io::Write;
    ///
    /// let filter = BloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// let mut file = Vec::new(); // or a `std::fs::File`, or any other `Write`
    /// filter.write_bytes(|chunk| file.write_all(chunk))?;
    /// assert_eq!(file, filter.to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_bytes<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        write(self, sink)
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for BloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Basic;

    fn header(&self) -> Header {
        let shape = self.shape();
        let words = words_for(shape.bits(), 1);
        Header {
            hashes: shape.hashes(),
            ..Header::new(Self::KIND, shape.bits(), words, self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.bits().words().iter().copied()
    }

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let shape = Shape::new(file.header.size(), file.header.hashes())?;
        file.payload.check_units(shape.bits(), 1)?;
        let mut filter = Self::with_hasher(shape, hash_builder)?;
        file.payload.copy_to(filter.bits_mut().words_mut());
        Ok(filter)
    }
}
