//! Helpers for the tests of saved filters: they read the golden files, which are recorded saved filters, and load bytes as a
//! filter of a given kind.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use bloom_core::persist::ReadError;
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

/// Loads bytes as a filter of this kind, and returns the bytes of the loaded filter when it is saved again.
pub(crate) fn resave(kind: FilterKind, bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    // `read_from`, which reads the bytes piece by piece, must give the same filter or the same error as `from_bytes`.
    macro_rules! load {
        ($filter:ident) => {{
            let mut source = bytes;
            let read = $filter::<u64>::read_from(|piece| source.read_exact(piece));
            let loaded = $filter::<u64>::from_bytes(bytes);
            match (&loaded, read) {
                // `read_from` does not know the length of the file, and compares the checksum last. So where `from_bytes`
                // returns one of these three errors, `read_from` may return another one, or none if only the length is wrong.
                (Err(LoadError::TooShort { .. }), read) => assert!(read.is_err()),
                (Err(LoadError::Length { .. }), _) => {}
                (Err(LoadError::Checksum { .. }), read) => assert!(read.is_err()),
                (Err(expected), Err(ReadError::Load(error))) => {
                    assert_eq!(error.to_string(), expected.to_string());
                }
                (loaded, Ok(read)) => assert!(loaded == &Ok(read) && source.is_empty()),
                (loaded, Err(error)) => panic!("{error}, but {loaded:?}"),
            }
            loaded?.to_bytes()
        }};
    }
    let saved = match kind {
        FilterKind::Basic => load!(BloomFilter),
        FilterKind::Blocked => load!(BlockedBloomFilter),
        FilterKind::Counting => load!(CountingBloomFilter),
        FilterKind::Partitioned => load!(PartitionedBloomFilter),
        FilterKind::Scalable => load!(ScalableBloomFilter),
        other => panic!("no test for {other}"),
    };
    Ok(saved.expect("memory for a small file"))
}

/// Reads a field of eight bytes.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
