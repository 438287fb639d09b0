//! Functions for the tests of Hadoop's filters. A simple filter has one bit array, and a dynamic filter is a list of simple
//! filters.

use bloom_formats::{Filter, HadoopHash, Key};

use super::{Case, check_errors};

/// Returns the type of the hash, and the numbers of bits and hashes, with which Hadoop created a filter.
pub(crate) fn parameters(case: &Case) -> (HadoopHash, u64, i64) {
    let hash = match case.facts["params"]["hash"].as_str().unwrap() {
        "jenkins" => HadoopHash::Jenkins,
        _ => HadoopHash::Murmur,
    };
    let number = |name| case.count("params", name).unwrap();
    (hash, number("vector_size"), number("nb_hash") as i64)
}

/// Returns the bytes from `offset` to the end. The header that starts at `offset` is replaced by a header in Hadoop's old form,
/// which has neither a version nor a type of the hash. The hash must be Jenkins', which the old form implies.
pub(crate) fn without_version(bytes: &[u8], offset: usize) -> Vec<u8> {
    [&bytes[offset + 4..offset + 8], &bytes[offset + 9..]].concat()
}

/// Checks that inserts and queries of a key without a byte are refused.
pub(crate) fn check_empty_key(filter: &mut dyn Filter) {
    let empty = "bytes of a key must be at least 1, got 0";
    let results = [
        filter.insert(Key::Bytes(b"")),
        filter.contains(Key::Bytes(b"")),
    ];
    check_errors("Hadoop", results.map(|result| (result, empty)));
}
