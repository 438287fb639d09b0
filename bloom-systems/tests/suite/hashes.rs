//! Compares this crate's hash functions of systems such as Spark with hash values that the systems themselves computed, which
//! are in `hash_vectors.json`.

use bloom_systems::hash;
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../hash_vectors.json")).unwrap()
}

/// Returns the bytes that hexadecimal digits stand for.
fn from_hex(digits: &str) -> Vec<u8> {
    let starts = (0..digits.len()).step_by(2);
    starts
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

/// The name of a hash function in `hash_vectors.json`, and a hash value in hexadecimal digits.
type Named = (&'static str, String);

fn narrow(name: &'static str, value: u32) -> Named {
    (name, format!("{value:08x}"))
}

fn wide(name: &'static str, value: u64) -> Named {
    (name, format!("{value:016x}"))
}

/// Returns the names and hash values of all functions that hash bytes.
#[rustfmt::skip]
fn of_bytes(input: &[u8]) -> Vec<Named> {
    let (low, high) = hash::murmur3_x64_128(input);
    vec![
        narrow("spark_murmur3_32 seed 0", hash::spark_murmur3_32(input, 0)),
        narrow("spark_murmur3_32 seed 42", hash::spark_murmur3_32(input, 42)),
        narrow("spark_murmur3_32 seed 2538058380", hash::spark_murmur3_32(input, 2_538_058_380)),
        ("murmur3_x64_128 seed 0 (h1 h2)", format!("{low:016x} {high:016x}")),
        wide("xxh64 seed 0", hash::xxh64(input, 0)),
        wide("xxh64 seed 42", hash::xxh64(input, 42)),
        wide("xxh64 seed 1311768467294899695", hash::xxh64(input, 1_311_768_467_294_899_695)),
        wide("murmur64a seed c6a4a7935bd1e995", hash::murmur_hash64a(input, 0xc6a4_a793_5bd1_e995)),
        wide("hive_murmur3_64 seed 104729", hash::hive_murmur3_64(input, 104_729)),
        wide("fnv1_64", hash::fnv1_64(input)),
        narrow("hadoop_murmur2 seed 0", hash::hadoop_murmur2(input, 0)),
        narrow("jenkins_lookup3 initval 0", hash::jenkins_lookup3(input, 0)),
    ]
}

fn of_long(key: i64) -> Vec<Named> {
    let bytes = key.to_le_bytes();
    vec![
        narrow("spark_murmur3_32 seed 0", hash::spark_murmur3_32(&bytes, 0)),
        wide("orc_long_hash", hash::orc_long(key)),
        wide("xxh64 seed 42", hash::xxh64(&bytes, 42)),
    ]
}

/// Compares hash values with those of the same name in a vector, and returns how many values are compared. A vector is an input
/// with its hash values in `hash_vectors.json`.
fn compare(vector: &Value, values: &[Named]) -> usize {
    let recorded = values.iter().filter(|(name, _)| vector.get(name).is_some());
    recorded
        .map(|(name, value)| assert_eq!(vector[name], *value, "{name} of {vector}"))
        .count()
}

/// Compares all vectors of a list, and returns how many vectors and how many hash values are compared.
fn compare_all(list: &str, values: impl Fn(&Value) -> Vec<Named>) -> (usize, usize) {
    let file = vectors();
    let vectors = file[list].as_array().unwrap().iter();
    let compared = vectors
        .clone()
        .map(|vector| compare(vector, &values(vector)));
    (vectors.len(), compared.sum())
}

#[test]
fn every_hash_of_bytes_is_that_of_its_system() {
    let values = |vector: &Value| of_bytes(&from_hex(vector["input_hex"].as_str().unwrap()));
    // Hadoop takes no empty key, so the vector of the empty input lacks the values of Hadoop's two hash functions.
    assert_eq!(compare_all("bytes", values), (31, 31 * 12 - 2));
}

#[test]
fn every_hash_of_a_long_is_that_of_its_system() {
    let values = |vector: &Value| of_long(vector["long"].as_i64().unwrap());
    assert_eq!(compare_all("longs", values), (5, 15));
}
