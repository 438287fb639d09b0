//! Helpers that change saved files as someone who knows the layout would.

use bloom_core::FilterKind;
use rapidhash::v3::rapidhash_v3;

pub(crate) const KINDS: [FilterKind; 5] = [
    FilterKind::Basic,
    FilterKind::Blocked,
    FilterKind::Counting,
    FilterKind::Partitioned,
    FilterKind::Scalable,
];

/// Where the payload, and so a scalable filter's first stage, starts.
pub(crate) const PAYLOAD: usize = 128;

/// Changes a field of eight bytes.
pub(crate) fn put(bytes: &mut [u8], at: usize, field: u64) {
    bytes[at..at + 8].copy_from_slice(&field.to_le_bytes());
}

/// Recomputes both checksums.
pub(crate) fn repair_checksum(bytes: &mut [u8]) {
    let checksum = rapidhash_v3(&bytes[..112]);
    put(bytes, 112, checksum);
    let end = bytes.len() - 8;
    let checksum = rapidhash_v3(&bytes[..end]);
    put(bytes, end, checksum);
}
