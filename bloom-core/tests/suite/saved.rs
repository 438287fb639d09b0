//! The golden files, and loading by kind.

use std::fs;
use std::path::PathBuf;

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, FilterKind, LoadError,
    PartitionedBloomFilter, ScalableBloomFilter,
};

pub(crate) const GOLDEN: [(&str, FilterKind); 6] = [
    ("basic", FilterKind::Basic),
    ("blocked", FilterKind::Blocked),
    ("counting4", FilterKind::Counting),
    ("counting8", FilterKind::Counting),
    ("partitioned", FilterKind::Partitioned),
    ("scalable", FilterKind::Scalable),
];

/// Returns the bytes with one bit flipped.
pub(crate) fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

pub(crate) fn golden_path(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    PathBuf::from(folder).join(name).with_extension("bloom")
}

pub(crate) fn golden(name: &str) -> Vec<u8> {
    fs::read(golden_path(name)).expect("golden files are committed")
}

/// Loads bytes as a filter of this kind and saves it again.
pub(crate) fn resave(kind: FilterKind, bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    let saved = match kind {
        FilterKind::Basic => BloomFilter::<u64>::from_bytes(bytes)?.to_bytes(),
        FilterKind::Blocked => BlockedBloomFilter::<u64>::from_bytes(bytes)?.to_bytes(),
        FilterKind::Counting => CountingBloomFilter::<u64>::from_bytes(bytes)?.to_bytes(),
        FilterKind::Partitioned => PartitionedBloomFilter::<u64>::from_bytes(bytes)?.to_bytes(),
        FilterKind::Scalable => ScalableBloomFilter::<u64>::from_bytes(bytes)?.to_bytes(),
        other => panic!("no test for {other}"),
    };
    Ok(saved.expect("memory for a small file"))
}

/// Reads a field of eight bytes.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
