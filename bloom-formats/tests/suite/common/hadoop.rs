//! What the tests of Hadoop's two kinds of filters share.

use bloom_formats::HadoopHash;

use super::Case;

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
