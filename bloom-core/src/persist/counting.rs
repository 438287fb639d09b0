//! Saves and loads the counting filter.

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
use crate::counting::CountingBloomFilter;
use crate::error::MemoryError;
use crate::hash::FixedState;
use crate::shape::Shape;
use crate::storage::CounterBits;

impl<T: ?Sized> CountingBloomFilter<T> {
    /// Loads a filter that was saved with the default hasher, with its counts.
    ///
    /// The item type is not stored: load with the one that was saved. The whole
    /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved `CountingBloomFilter`, undamaged, with the default
    /// hasher; and the filter must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::CountingBloomFilter;
    ///
    /// let mut filter = CountingBloomFilter::<str>::with_rate(100, 0.01)?;
    /// filter.insert("ant");
    /// let mut loaded = CountingBloomFilter::<str>::from_bytes(&filter.to_bytes()?)?;
    /// assert_eq!(loaded, filter);
    /// assert!(loaded.remove("ant"));
    /// assert!(loaded.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with_hasher(bytes, FixedState::new())
    }
}

impl<T: ?Sized, S: BuildHasher> CountingBloomFilter<T, S> {
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
    /// use bloom_core::{CounterBits, CountingBloomFilter, FixedState, Shape};
    ///
    /// let (shape, state) = (Shape::new(1_000, 7)?, FixedState::with_seed(42));
    /// let filter =
    ///     CountingBloomFilter::<str, _>::with_counter_bits(shape, CounterBits::Eight, state)?;
    /// let loaded = CountingBloomFilter::from_bytes_with_hasher(&filter.to_bytes()?, state)?;
    /// assert_eq!(loaded, filter);
    /// assert_eq!(loaded.counter_bits(), CounterBits::Eight);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
        load(bytes, hash_builder)
    }

    /// Returns the filter as bytes, in the [layout](crate::persist) that is the same everywhere:
    /// its counters and 136 additional bytes.
    ///
    /// # Errors
    ///
    /// The bytes must fit in memory in addition to the filter; [`write_bytes`](Self::write_bytes)
    /// avoids this copy.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{CountingBloomFilter, Shape};
    ///
    /// let filter = CountingBloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
    /// assert_eq!(filter.to_bytes()?.len(), 3_200 + 136);
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
    /// use bloom_core::CountingBloomFilter;
    /// use std::io::Write;
    ///
    /// let filter = CountingBloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// let mut file = Vec::new(); // or a `std::fs::File`, or any other `Write`
    /// filter.write_bytes(|chunk| file.write_all(chunk))?;
    /// assert_eq!(file, filter.to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_bytes<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        write(self, sink)
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for CountingBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Counting;

    fn header(&self) -> Header {
        let (shape, width) = (self.shape(), self.counter_bits().bits());
        let words = words_for(shape.bits(), width);
        Header {
            hashes: shape.hashes(),
            counter_bits: width as u8,
            ..Header::new(Self::KIND, shape.bits(), words, self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.counters().words().iter().copied()
    }

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let counter_bits = match file.header.counter_bits() {
            4 => CounterBits::Four,
            8 => CounterBits::Eight,
            other => return Err(LoadError::CounterBits(other)),
        };
        let shape = Shape::new(file.header.size(), file.header.hashes())?;
        file.payload
            .check_units(shape.bits(), counter_bits.bits())?;
        let mut filter = Self::with_counter_bits(shape, counter_bits, hash_builder)?;
        file.payload.copy_to(filter.counters_mut().words_mut());
        Ok(filter)
    }
}
