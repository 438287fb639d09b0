//! Defines the methods that save a filter, and the last step of the methods that load or open one.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::{Fields, Header};
use super::kind::FilterKind;
use super::parts::Parts;
use super::words::check_same;
use super::write;
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::filter::{Bloom, Intersected, Kind, Table};
use crate::quality::HashQuality;

impl<K: Kind<B, Table: Parts>, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B> {
    /// Returns the filter as bytes, in a [layout](crate::persist) that is the same on every
    /// machine: its bits or counters in whole words of 8 bytes, and 136 additional bytes. (In a
    /// scalable filter, each stage has 64 bytes more, and is rounded up to a multiple of 64 bytes.)
    ///
    /// Other threads may insert into a shared filter during the call. The bytes contain every
    /// insert that happens before the call, and may contain later inserts, wholly or in part. The
    /// bytes load as a filter of one owner, not as a shared filter.
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

    /// Passes the bytes of `to_bytes` to `sink` in chunks of 4096 bytes; the last chunk may be
    /// shorter. Saving with this method needs no second copy of the filter in memory, and no
    /// allocator.
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

    /// Builds a filter from the table and the other data that were read, and checks that saving it
    /// would write this header.
    pub(super) fn read(
        table: K::Table,
        hash_builder: S,
        quality: HashQuality,
        header: Fields<'_>,
    ) -> Result<Self, LoadError> {
        // A scalable filter cannot be intersected.
        let can_be = <K::Table as Table>::KIND != FilterKind::Scalable;
        let mark = Intersected::new(can_be && header.is_intersected());
        let filter = Self::of(table, hash_builder, quality).marked(mark);
        // Unused fields and fields that follow from others must have the values that would be written.
        check_same(&filter.header().encode(), header.0, 0)?;
        Ok(filter)
    }
}
