//! The hash functions give the values that the systems themselves gave.

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

/// Returns the values of all functions, named as in the file.
fn of_bytes(input: &[u8]) -> Vec<(&'static str, String)> {
    let (low, high) = hash::murmur3_x64_128(input);
    let narrow = |value: u32| format!("{value:08x}");
    let wide = |value: u64| format!("{value:016x}");
    vec![
        (
            "spark_murmur3_32 seed 0",
            narrow(hash::spark_murmur3_32(input, 0)),
        ),
        (
            "spark_murmur3_32 seed 42",
            narrow(hash::spark_murmur3_32(input, 42)),
        ),
        (
            "spark_murmur3_32 seed 2538058380",
            narrow(hash::spark_murmur3_32(input, 2_538_058_380)),
        ),
        (
            "murmur3_x64_128 seed 0 (h1 h2)",
            format!("{low:016x} {high:016x}"),
        ),
        ("xxh64 seed 0", wide(hash::xxh64(input, 0))),
        ("xxh64 seed 42", wide(hash::xxh64(input, 42))),
        (
            "xxh64 seed 1311768467294899695",
            wide(hash::xxh64(input, 1_311_768_467_294_899_695)),
        ),
        (
            "murmur64a seed c6a4a7935bd1e995",
            wide(hash::murmur_hash64a(input, 0xc6a4_a793_5bd1_e995)),
        ),
        (
            "hive_murmur3_64 seed 104729",
            wide(hash::hive_murmur3_64(input, 104_729)),
        ),
        ("fnv1_64", wide(hash::fnv1_64(input))),
        (
            "hadoop_murmur2 seed 0",
            narrow(hash::hadoop_murmur2(input, 0)),
        ),
        (
            "jenkins_lookup3 initval 0",
            narrow(hash::jenkins_lookup3(input, 0)),
        ),
    ]
}

fn of_long(key: i64) -> Vec<(&'static str, String)> {
    let bytes = key.to_le_bytes();
    vec![
        (
            "spark_murmur3_32 seed 0",
            format!("{:08x}", hash::spark_murmur3_32(&bytes, 0)),
        ),
        ("orc_long_hash", format!("{:016x}", hash::orc_long(key))),
        ("xxh64 seed 42", format!("{:016x}", hash::xxh64(&bytes, 42))),
    ]
}

/// Compares, and returns the number of values compared.
fn compare(vector: &Value, values: &[(&'static str, String)]) -> usize {
    let recorded = values.iter().filter(|(name, _)| vector.get(name).is_some());
    recorded
        .map(|(name, value)| assert_eq!(vector[name], *value, "{name} of {vector}"))
        .count()
}

#[test]
fn every_hash_of_bytes_is_that_of_its_system() {
    let file = vectors();
    let vectors = file["bytes"].as_array().unwrap();
    let compared: usize = vectors
        .iter()
        .map(|vector| {
            compare(
                vector,
                &of_bytes(&from_hex(vector["input_hex"].as_str().unwrap())),
            )
        })
        .sum();
    // Hadoop takes no empty key.
    assert_eq!((vectors.len(), compared), (31, 31 * 12 - 2));
}

#[test]
fn every_hash_of_a_long_is_that_of_its_system() {
    let file = vectors();
    let vectors = file["longs"].as_array().unwrap();
    let compared: usize = vectors
        .iter()
        .map(|vector| compare(vector, &of_long(vector["long"].as_i64().unwrap())))
        .sum();
    assert_eq!((vectors.len(), compared), (5, 15));
}
