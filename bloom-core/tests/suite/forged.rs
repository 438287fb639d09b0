//! Helpers that change the bytes of saved filters, and make the checksums match the changes.

use bloom_core::FilterKind;
use rapidhash::v3::rapidhash_v3;

pub(crate) const KINDS: [FilterKind; 5] = [
    FilterKind::Basic,
    FilterKind::Blocked,
    FilterKind::Counting,
    FilterKind::Partitioned,
    FilterKind::Scalable,
];

/// The offset at which the header ends and the payload (the bits or stages of the filter) starts.
pub(crate) const PAYLOAD: usize = 128;

/// Writes a field of eight bytes at the offset `at`.
pub(crate) fn put(bytes: &mut [u8], at: usize, field: u64) {
    bytes[at..at + 8].copy_from_slice(&field.to_le_bytes());
}

/// Recomputes the checksum of the header and the checksum of the whole file.
pub(crate) fn repair_checksum(bytes: &mut [u8]) {
    let checksum = rapidhash_v3(&bytes[..112]);
    put(bytes, 112, checksum);
    let end = bytes.len() - 8;
    let checksum = rapidhash_v3(&bytes[..end]);
    put(bytes, end, checksum);
}
