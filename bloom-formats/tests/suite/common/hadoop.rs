//! What the tests of Hadoop's two kinds of filters share.

use bloom_formats::{Filter, HadoopHash, Key};

use super::{Case, check_errors};

/// Returns the parameters that Hadoop got.
pub(crate) fn parameters(case: &Case) -> (HadoopHash, u64, i64) {
    let hash = match case.facts["params"]["hash"].as_str().unwrap() {
        "jenkins" => HadoopHash::Jenkins,
        _ => HadoopHash::Murmur,
    };
    let number = |name| case.count("params", name).unwrap();
    (hash, number("vector_size"), number("nb_hash") as i64)
}

/// Returns the form without a version of a filter with Jenkins' hash, whose header starts at this offset.
pub(crate) fn without_version(bytes: &[u8], offset: usize) -> Vec<u8> {
    [&bytes[offset + 4..offset + 8], &bytes[offset + 9..]].concat()
}

/// Checks that a key without a byte is refused, inserted or queried.
pub(crate) fn check_empty_key(filter: &mut dyn Filter) {
    let empty = "bytes of a key must be at least 1, got 0";
    let results = [
        filter.insert(Key::Bytes(b"")),
        filter.contains(Key::Bytes(b"")),
    ];
    check_errors("Hadoop", results.map(|result| (result, empty)));
}
