//! A file after the checks that are common to all filters.

use core::hash::BuildHasher;

use rapidhash::v3::rapidhash_v3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES, MAGIC, MIN_BYTES, VERSION};
use super::kind::FilterKind;
use super::words::Words;
use crate::hash::probe_hashes;

/// A complete and undamaged file of a known version.
#[derive(Clone, Copy)]
pub(super) struct Opened<'a> {
    pub(super) header: Fields<'a>,
    pub(super) payload: Words<'a>,
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
        let (stored, computed) = (u64::from_le_bytes(*checksum), rapidhash_v3(before));
        if stored != computed {
            return Err(LoadError::Checksum { stored, computed });
        }
        let payload = Words::new(payload, HEADER_BYTES as u64);
        Ok(Self { header, payload })
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
