//! Reading: builds a filter from a file.

use super::error::LoadError;
use super::opened::Opened;
use super::parts::Load;
use super::words::check_same;

/// Builds a filter from a file and a hasher.
pub(super) fn load<P: Load>(bytes: &[u8], hash_builder: P::Hasher) -> Result<P, LoadError> {
    let file = Opened::new(bytes)?;
    file.verify_checksum()?;
    file.check_kind(P::KIND)?;
    file.check_hasher(&hash_builder)?;
    let filter = P::read(file, hash_builder)?;
    // Unused fields and fields that follow from others must have the values that would be written.
    check_same(&filter.header().encode(), file.header.0, 0)?;
    Ok(filter)
}
