//! Saves and loads the scalable filter.

use alloc::vec::Vec;
use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::Header;
use super::kind::FilterKind;
use super::opened::Opened;
use super::parts::Parts;
use super::read::load;
use super::stage::{read_stages, stage_words};
use super::write::{to_vec, write};
use crate::error::MemoryError;
use crate::hash::FixedState;
use crate::scalable::{ScalableBloomFilter, ScalableShape};

impl<T: ?Sized> ScalableBloomFilter<T> {
    /// Loads a filter that was saved with the default hasher; it continues to grow in the same way.
    ///
    /// The item type is not stored: load with the one that was saved. The whole
    /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved `ScalableBloomFilter`, undamaged, with the default
    /// hasher; every stage must have the size that the growth gives, keep its rate, be full unless
    /// it is the last, and have at most its expected items; and the filter must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::ScalableBloomFilter;
    ///
    /// let mut filter = ScalableBloomFilter::<u64>::with_rate(100, 0.01)?;
    /// for item in 0..1_000 {
    ///     filter.insert(&item)?;
    /// }
    /// let mut loaded = ScalableBloomFilter::<u64>::from_bytes(&filter.to_bytes()?)?;
    /// assert!(loaded.stages().eq(filter.stages()));
    /// for item in 1_000..2_000 {
    ///     loaded.insert(&item)?;
    /// }
    /// assert!((0..2_000).all(|item| loaded.contains(&item)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes_with_hasher(bytes, FixedState::new())
    }
}

impl<T: ?Sized, S: BuildHasher> ScalableBloomFilter<T, S> {
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
    /// use bloom_core::{FixedState, ScalableBloomFilter};
    ///
    /// let state = FixedState::with_seed(42);
    /// let filter = ScalableBloomFilter::<str, _>::with_rate_and_hasher(100, 0.01, state)?;
    /// let bytes = filter.to_bytes()?;
    /// let loaded = ScalableBloomFilter::<str, _>::from_bytes_with_hasher(&bytes, state)?;
    /// assert_eq!(loaded.shape(), filter.shape());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
        load(bytes, hash_builder)
    }

    /// Returns the filter as bytes, in the [layout](crate::persist) that is the same everywhere:
    /// its stages, each with 64 additional bytes and rounded up to a multiple of 64, and 136
    /// additional bytes.
    ///
    /// # Errors
    ///
    /// The bytes must fit in memory in addition to the filter; [`write_bytes`](Self::write_bytes)
    /// avoids this copy.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::ScalableBloomFilter;
    ///
    /// let filter = ScalableBloomFilter::<str>::with_rate(100, 0.01)?;
    /// assert_eq!(filter.stages().next().map(|stage| stage.shape.bits()), Some(1_357));
    /// // 22 words, rounded up to 24.
    /// assert_eq!(filter.to_bytes()?.len(), 136 + 64 + 24 * 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// use bloom_core::ScalableBloomFilter;
    /// use std::io::Write;
    ///
    /// let filter = ScalableBloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// let mut file = Vec::new(); // or a `std::fs::File`, or any other `Write`
    /// filter.write_bytes(|chunk| file.write_all(chunk))?;
    /// assert_eq!(file, filter.to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_bytes<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        write(self, sink)
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for ScalableBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Scalable;

    fn header(&self) -> Header {
        let stages = self.filled_stages();
        let words = stages.iter().map(|stage| stage_words(stage).count() as u64);
        Header {
            growth: Some(self.shape()),
            ..Header::new(Self::KIND, stages.len() as u64, words.sum(), self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.filled_stages().iter().flat_map(stage_words)
    }

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let header = file.header;
        let mut shape = ScalableShape::new(header.items(), header.rate())?
            .with_growth(header.growth())?
            .with_tightening(header.tightening())?
            .with_max_stages(header.max_stages())?;
        if header.max_bytes() > 0 {
            shape = shape.with_max_bytes(header.max_bytes())?;
        }
        let stages = read_stages(shape, header.size(), file.payload)?;
        Ok(Self::from_stages(shape, stages, hash_builder))
    }
}
