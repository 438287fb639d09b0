//! Opens filters that are queried in place, in the bytes of their file.

use core::hash::BuildHasher;

use super::error::LoadError;
use super::opened::Opened;
use super::parts::Payload;
use crate::filter::{Bloom, Kind, Table};
use crate::hash::FixedState;
use crate::memory::{Saved, SavedUnits, StableBytes};

/// The storage of a payload that is read from the bytes of a file.
pub trait FromData<D> {
    /// Wraps a whole file, whose size was checked.
    fn from_data(data: D) -> Self;

    /// Returns the file.
    fn data(&self) -> &D;
}

impl<D: StableBytes, const BYTES: usize> FromData<D> for SavedUnits<D, BYTES> {
    fn from_data(data: D) -> Self {
        Self::new(data)
    }

    fn data(&self) -> &D {
        self.data()
    }
}

impl<K, T: ?Sized, D: StableBytes> Bloom<K, T, FixedState, Saved<D>>
where
    K: Kind<Saved<D>, Table: Payload<Store: FromData<D>>>,
{
    /// Opens in place a filter that was saved with the default hasher. O(1).
    ///
    /// # Errors
    ///
    /// `bytes` must be the whole of a saved filter of this kind with the default hasher. This
    /// function detects damage to the header; only [`verify_checksum`](Self::verify_checksum)
    /// detects damage to the bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, BloomFilterRef};
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// filter.insert("ant");
    /// let file = filter.to_bytes()?;
    /// let seen = BloomFilterRef::<str>::open(&file[..])?;
    /// assert!(seen.contains("ant"));
    /// assert_eq!(seen.verify_checksum(), Ok(())); // reads the whole file
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(bytes: D) -> Result<Self, LoadError> {
        Self::open_with_hasher(bytes, FixedState::new())
    }

    /// Opens in place a filter that was saved with the default hasher, and verifies the checksum of
    /// all its bytes. O(m).
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open); the bits must also be undamaged.
    pub fn open_verified(bytes: D) -> Result<Self, LoadError> {
        Self::open_verified_with_hasher(bytes, FixedState::new())
    }
}

impl<K, T: ?Sized, S: BuildHasher, D: StableBytes> Bloom<K, T, S, Saved<D>>
where
    K: Kind<Saved<D>, Table: Payload<Store: FromData<D>>>,
{
    /// Opens in place a filter that was saved with the hasher of `hash_builder`; the hashes of four
    /// fixed integers, which the file contains, show whether it is the same hasher. O(1).
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open), but with this hasher.
    pub fn open_with_hasher(bytes: D, hash_builder: S) -> Result<Self, LoadError> {
        let file = Opened::new(bytes.bytes())?;
        let quality = file.check(K::Table::KIND, &hash_builder)?;
        let size = file.size::<K::Table>()?;
        let header = *file.header.0;
        let table = K::Table::over(size, FromData::from_data(bytes));
        Self::read(table, hash_builder, quality, super::header::Fields(&header))
    }

    /// Does what [`open_with_hasher`](Self::open_with_hasher) does, and verifies the checksum of
    /// all bytes. O(m).
    ///
    /// # Errors
    ///
    /// As for [`open_verified`](Self::open_verified), but with this hasher.
    pub fn open_verified_with_hasher(bytes: D, hash_builder: S) -> Result<Self, LoadError> {
        // The checksum is verified before `open_with_hasher` checks its rules, so that damage to
        // the bits is reported as a wrong checksum, not as a broken rule.
        Opened::new(bytes.bytes())?.verify_checksum()?;
        Self::open_with_hasher(bytes, hash_builder)
    }
}

impl<K, T: ?Sized, S, D: StableBytes> Bloom<K, T, S, Saved<D>>
where
    K: Kind<Saved<D>, Table: Payload<Store: FromData<D>>>,
{
    /// Verifies the checksum of the whole file, which [`open`](Self::open) does not do. O(m).
    ///
    /// # Errors
    ///
    /// The checksum at the end of the file must be that of the bytes before it.
    pub fn verify_checksum(&self) -> Result<(), LoadError> {
        Opened::new(self.bytes().bytes())?.verify_checksum()
    }
}

impl<K, T: ?Sized, S, D> Bloom<K, T, S, Saved<D>>
where
    K: Kind<Saved<D>, Table: Payload<Store: FromData<D>>>,
{
    /// Returns the value that was passed to [`open`](Self::open): the bytes of the file, or their owner.
    #[must_use]
    pub fn bytes(&self) -> &D {
        self.table.store().data()
    }
}
