//! A file that passed the checks common to all filters: those of the header, and on demand that of the checksum.

use core::hash::BuildHasher;

use rapidhash::v3::rapidhash_v3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES, MAGIC, MIN_BYTES, VERSION};
use super::kind::FilterKind;
use super::words::Words;
use crate::hash::probe_hashes;

/// A file of a known version and of the length that its header gives.
#[derive(Clone, Copy)]
pub(super) struct Opened<'a> {
    pub(super) header: Fields<'a>,
    pub(super) payload: Words<'a>,
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
        if header.magic() != MAGIC {
            return Err(LoadError::Magic(header.magic()));
        }
        // In another version, the rest may mean anything.
        if header.version() != VERSION {
            return Err(LoadError::Version(header.version()));
        }
        let words = header.words();
        if u128::from(words) * 8 + u128::from(MIN_BYTES) != u128::from(length) {
            return Err(LoadError::Length {
                words,
                bytes: length,
            });
        }
        Ok(Self {
            header,
            payload: Words::new(payload, HEADER_BYTES as u64),
            checked: before,
            checksum: u64::from_le_bytes(*checksum),
        })
    }

    /// Reads the whole file.
    pub(super) fn verify_checksum(&self) -> Result<(), LoadError> {
        let (stored, computed) = (self.checksum, rapidhash_v3(self.checked));
        if stored != computed {
            return Err(LoadError::Checksum { stored, computed });
        }
        Ok(())
    }

    pub(super) fn check_kind(&self, asked: FilterKind) -> Result<(), LoadError> {
        let code = self.header.kind_code();
        let stored = FilterKind::of_code(code).ok_or(LoadError::UnknownKind(code))?;
        if stored != asked {
            return Err(LoadError::Kind { asked, stored });
        }
        Ok(())
    }

    pub(super) fn check_hasher(&self, hash_builder: &impl BuildHasher) -> Result<(), LoadError> {
        if self.header.probes() != probe_hashes(hash_builder) {
            return Err(LoadError::Hasher {
                saved_with_default: self.header.is_default_hasher(),
            });
        }
        Ok(())
    }
}
