//! Checks the bytes of a saved filter: its header and its length always, its checksum on demand.

use core::hash::BuildHasher;

use rapidhash::v3::rapidhash_v3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES, MAGIC, MIN_BYTES, VERSION};
use super::kind::FilterKind;
use super::parts::Payload;
use super::words::{check_unused, check_words};
use crate::hash::probe_hashes;
use crate::quality::HashQuality;

/// A file of a known version and of the length that its header gives.
#[derive(Clone, Copy)]
pub(super) struct Opened<'a> {
    pub(super) header: Fields<'a>,
    pub(super) payload: &'a [u8],
    /// All bytes before the checksum.
    checked: &'a [u8],
    checksum: u64,
}

impl<'a> Opened<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let length = bytes.len() as u64;
        let split = || {
            let (before, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
            let (header, payload) = before.split_first_chunk::<HEADER_BYTES>()?;
            Some((before, Fields(header), payload, checksum))
        };
        let parts = split().ok_or(LoadError::TooShort { bytes: length })?;
        let (before, header, payload, checksum) = parts;
        header.check_itself()?;
        let words = header.words();
        if u128::from(words) * 8 + u128::from(MIN_BYTES) != u128::from(length) {
            return Err(LoadError::Length {
                words,
                bytes: length,
            });
        }
        Ok(Self {
            header,
            payload,
            checked: before,
            checksum: u64::from_le_bytes(*checksum),
        })
    }

    /// Verifies the checksum, for which it reads the whole file.
    pub(super) fn verify_checksum(&self) -> Result<(), LoadError> {
        let (stored, computed) = (self.checksum, rapidhash_v3(self.checked));
        if stored != computed {
            return Err(LoadError::Checksum { stored, computed });
        }
        Ok(())
    }

    /// Returns the size of the filter, and checks that the payload has this size and that its unused bits are
    /// 0.
    pub(super) fn size<P: Payload>(&self) -> Result<P::Size, LoadError> {
        let size = P::size(self.header)?;
        let (cells, cell_bits) = P::cells(size);
        check_words(cells, cell_bits, self.header.words())?;
        let last = self.payload.last_chunk().copied();
        let last = last.map_or(0, u64::from_le_bytes);
        check_unused(last, cells, cell_bits, self.checked.len() as u64)?;
        Ok(size)
    }

    /// Checks that the file is of this kind and was saved with this hasher; returns the quality of its hashes.
    pub(super) fn check(
        &self,
        kind: FilterKind,
        hash_builder: &impl BuildHasher,
    ) -> Result<HashQuality, LoadError> {
        self.header.check(kind, hash_builder)
    }
}

impl Fields<'_> {
    /// Checks what needs only the header: its magic bytes, its version, its checksum, and that the file is sealed.
    pub(super) fn check_itself(self) -> Result<(), LoadError> {
        if self.magic() != MAGIC {
            return Err(LoadError::Magic(self.magic()));
        }
        // In a file of another version, the bytes after the version may have other meanings, so they are checked later.
        if self.version() != VERSION {
            return Err(LoadError::Version(self.version()));
        }
        if self.is_unsealed() {
            return Err(LoadError::Unsealed);
        }
        let (stored, computed) = (self.stored_checksum(), self.computed_checksum());
        if stored != computed {
            return Err(LoadError::HeaderChecksum { stored, computed });
        }
        Ok(())
    }

    /// Checks the kind and the hasher, and returns the quality of the hashes.
    pub(super) fn check(
        self,
        requested: FilterKind,
        hash_builder: &impl BuildHasher,
    ) -> Result<HashQuality, LoadError> {
        let code = self.kind_code();
        let stored = FilterKind::of_code(code).ok_or(LoadError::UnknownKind(code))?;
        if stored != requested {
            return Err(LoadError::Kind { requested, stored });
        }
        if self.probes() != probe_hashes(hash_builder) {
            return Err(LoadError::Hasher {
                saved_with_default: self.is_default_hasher(),
            });
        }
        self.quality().ok_or(LoadError::Folds(self.folds()))
    }
}
