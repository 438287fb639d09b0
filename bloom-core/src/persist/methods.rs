//! The methods that save and load a filter.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::convert::Infallible;
use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::{Fields, Header};
use super::kind::FilterKind;
#[cfg(feature = "alloc")]
use super::opened::Opened;
#[cfg(feature = "alloc")]
use super::parts::Load;
use super::parts::Parts;
#[cfg(feature = "alloc")]
use super::source::{ReadError, Source};
use super::words::check_same;
use super::write;
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::filter::{Bloom, Intersected, Kind, Table};
#[cfg(feature = "alloc")]
use crate::hash::FixedState;
#[cfg(feature = "alloc")]
use crate::memory::Owned;
use crate::quality::HashQuality;

impl<K: Kind<B, Table: Parts>, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B> {
    /// Returns the filter as bytes, in the [layout](crate::persist) that is the same everywhere: its
    /// words and 136 additional bytes. (Each stage of a scalable filter has 64 bytes more, and is
    /// rounded up to a multiple of 64.)
    ///
    /// A filter that threads fill may change meanwhile: the bytes contain every insert that happens
    /// before the call, and may contain later ones, wholly or in part. They load as a plain filter.
    ///
    /// # Errors
    ///
    /// The bytes must fit in memory in addition to the filter;
    /// [`write_bytes`](Self::write_bytes) avoids this copy.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let filter = BloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
    /// assert_eq!(filter.to_bytes()?.len(), 800 + 136);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_bytes(&self) -> Result<Vec<u8>, MemoryError> {
        write::to_vec(&self.header(), self.table.payload())
    }

    /// Passes the bytes of `to_bytes` to `sink` in chunks of 4096 and a shorter last one, so that
    /// saving needs no second copy, and no allocator.
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
        write::write(&self.header(), self.table.payload(), sink)
    }

    pub(super) fn header(&self) -> Header {
        let intersected = self.intersected.get();
        Header::new(
            self.table.sizes(),
            &self.hash_builder,
            self.quality,
            intersected,
        )
    }

    /// Puts a filter together that was read, and checks that it would be saved with this header.
    pub(super) fn read(
        table: K::Table,
        hash_builder: S,
        quality: HashQuality,
        header: Fields<'_>,
    ) -> Result<Self, LoadError> {
        // A filter that grows has no intersection.
        let can_be = <K::Table as Table>::KIND != FilterKind::Scalable;
        let mark = Intersected::new(can_be && header.is_intersected());
        let filter = Self::of(table, hash_builder, quality).marked(mark);
        // Unused fields and fields that follow from others must have the values that would be written.
        check_same(&filter.header().encode(), header.0, 0)?;
        Ok(filter)
    }
}

#[cfg(feature = "alloc")]
impl<K: Kind<Owned, Table: Load>, T: ?Sized> Bloom<K, T> {
    /// Loads a filter that was saved with the default hasher.
    ///
    /// The item type is not stored: load with the one that was saved. The whole
    /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved filter of this kind, undamaged, with the default hasher,
    /// and the filter must fit in memory. Every stage of a scalable filter must have the size that
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
}

#[cfg(feature = "alloc")]
impl<K: Kind<Owned, Table: Load>, T: ?Sized, S: BuildHasher> Bloom<K, T, S> {
    /// Loads a filter that was saved with the hasher of `hash_builder`.
    ///
    /// Seeds and keys are never stored; the hashes of four fixed integers show whether the
    /// hasher is the same. The [quality](HashQuality) of the hashes is in the bytes.
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
    /// // Another seed would look up other positions.
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
}
