//! Tests the filters in Parquet files, and bitsets without a header. Tests that are the same for all formats are in
//! `every_format`.

use crate::common::{Case, cases, check_errors, check_full, check_rate, split_mix};
use bloom_formats::{Filter, ParquetBloom, ParquetKey, Rule};
use bloom_testing::assert_bytes;

/// Returns the header and bitset of the only filter of a file, and the bytes that follow them.
fn slice(case: &Case) -> (&[u8], &[u8]) {
    let place = &case.facts["bloom_filters"][0];
    let number = |name: &str| place[name].as_u64().unwrap() as usize;
    case.bytes[number("offset")..].split_at(number("length"))
}

/// Replaces the bytes of a case by a header and a bitset: cuts them out of a Parquet file, or puts a header before a bitset.
pub(crate) fn with_header(case: Case) -> Case {
    let bytes = if case.facts.get("bloom_filters").is_some() {
        slice(&case).0.to_vec()
    } else {
        let filter = ParquetBloom::from_bitset(&case.bytes).unwrap();
        filter.to_bytes().unwrap()
    };
    Case { bytes, ..case }
}

/// Returns an empty filter with the parameters that the writer used. If these are not known, the filter has the size of the
/// written one.
pub(crate) fn created(case: &Case) -> ParquetBloom<'static> {
    let (items, bytes) = (case.count("params", "n"), case.count("params", "bytes"));
    if let Some(items) = items {
        return ParquetBloom::with_rate(items, case.number("params", "fpp").unwrap()).unwrap();
    }
    let written = || {
        ParquetBloom::from_bytes(&case.bytes)
            .unwrap()
            .shape()
            .bits()
            / 8
    };
    ParquetBloom::with_bitset_bytes(bytes.unwrap_or_else(written)).unwrap()
}

#[test]
fn a_filter_is_read_at_its_offset_in_a_file_and_a_bitset_without_a_header() {
    for case in cases("parquet") {
        let (bytes, rest) = slice(&case);
        let whole = &case.bytes[case.bytes.len() - bytes.len() - rest.len()..];
        let read = ParquetBloom::from_bytes_lenient(whole).unwrap();
        assert_eq!(read, (ParquetBloom::from_bytes(bytes).unwrap(), rest));
    }
    for case in cases("sbbf_bitset") {
        let filter = ParquetBloom::from_bitset(&case.bytes).unwrap();
        assert_bytes!(filter.to_bitset().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn a_full_filter_warns() {
    check_full(&ParquetBloom::from_bitset(&[255; 64]).unwrap());
}

#[test]
fn every_physical_type_is_hashed_by_its_plain_encoding() {
    let mut filter = ParquetBloom::with_bitset_bytes(96).unwrap();
    for (key, bytes) in [
        (ParquetKey::Float(1.5), &1.5_f32.to_le_bytes()[..]),
        (ParquetKey::Double(-0.0), &(-0.0_f64).to_le_bytes()),
        (ParquetKey::Int32(-1), &[255; 4]),
        (ParquetKey::Int64(-1), &[255; 8]),
    ] {
        assert!(filter.insert(key).unwrap());
        assert!(filter.contains(bytes), "{key:?}");
        // A filter also takes the hash of a value in place of the value.
        let mut by_hash = ParquetBloom::with_bitset_bytes(96).unwrap();
        assert!(by_hash.insert(ParquetKey::Hash(key.hash())).unwrap());
        assert!(by_hash.contains(key), "{key:?}");
    }
    assert!(!filter.contains(0.0));
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let read = |bytes: &[u8]| ParquetBloom::from_bytes(bytes);
    let errors = [
        (read(&[]), "bytes must be at least 1, got 0"),
        (read(&[0x25]), "byte 0 must be 0x15, got 0x25"),
        (read(&[0x15, 0x40, 0x2c]), "byte 2 must be 0x1c, got 0x2c"),
        (
            ParquetBloom::with_rate(0, 0.1),
            "items must be from 1 to 9223372036854775807, got 0",
        ),
        (
            ParquetBloom::with_rate(1 << 30, 0.01),
            "bits must be at most 1073741824, got 10395460179",
        ),
    ];
    check_errors("Parquet", errors);
    let range = "bytes of the bitset must be a multiple of 32 from 32 to 2147483616, got";
    let lengths = [
        (read(&[0x15, 0x41]), -33),
        (read(&[0x15, 0]), 0),
        (ParquetBloom::from_bitset(&[0; 33]), 33),
        (ParquetBloom::with_bitset_bytes(1 << 31), 2_147_483_648_i64),
    ];
    let lengths = lengths.map(|(result, bytes)| (result, format!("{range} {bytes}")));
    check_errors("Parquet", lengths);
    let mut bytes = ParquetBloom::with_bitset_bytes(32)
        .unwrap()
        .to_bytes()
        .unwrap();
    bytes.push(0);
    let trailing = Rule::TrailingBytes {
        needed: 47,
        bytes: 48,
    };
    assert_eq!(ParquetBloom::from_bytes(&bytes).unwrap_err().rule, trailing);
    // A varint that is longer than necessary is refused, because it would be written in other bytes.
    let message = "varint must be encoded in at most 5 bytes, and in as few as possible, got 64";
    let longer = ParquetBloom::from_bytes(&[0x15, 0xc0, 0x80, 0x00]);
    check_errors("Parquet", [(longer, message)]);
}

#[test]
fn the_rate_is_that_of_unevenly_filled_blocks() {
    // The filter has 48 blocks, which is not a power of two, and more items than this size is made for.
    let mut filter = ParquetBloom::with_bitset_bytes(48 * 32).unwrap();
    let mut state = 5;
    for _ in 0..1_200 {
        filter.insert(split_mix(&mut state) as i64).unwrap();
    }
    let (rate, even) = (filter.false_positive_rate(), filter.fill().powi(8));
    check_rate("48 blocks", rate, |query| filter.contains(query));
    assert!(rate > 1.1 * even, "{rate} {even}");
}

#[test]
fn the_expected_rate_is_that_of_a_filter_with_these_items() {
    let mut filter = ParquetBloom::with_bitset_bytes(1 << 16).unwrap();
    for item in 0..50_000_i64 {
        filter.insert(item).unwrap();
    }
    let (expected, now) = (
        filter.expected_false_positive_rate(50_000),
        filter.false_positive_rate(),
    );
    assert!((now / expected - 1.0).abs() < 0.02, "{now} {expected}");
}

#[test]
fn keeping_a_rate_takes_the_least_power_of_two_of_bits() {
    for (items, rate) in [(1, 0.01), (1_000, 0.01), (25_000, 0.02), (100_000, 1e-5)] {
        let filter = ParquetBloom::keeping_rate(items, rate).unwrap();
        let bits = filter.shape().bits();
        assert!(bits.is_power_of_two(), "{bits}");
        assert!(
            filter.expected_false_positive_rate(items) <= rate,
            "{items} at {rate}"
        );
        if bits > 256 {
            let half = ParquetBloom::with_bitset_bytes(bits / 16).unwrap();
            assert!(
                half.expected_false_positive_rate(items) > rate,
                "{items} at {rate}"
            );
        }
    }
    for (items, rate, message) in [
        (1 << 40, 0.01, "bits must be at most 1073741824"),
        (
            1_000,
            1e-300,
            "must be a rate that a filter of at most 1073741824 bits can keep, got 1e-300",
        ),
        (1_000, 0.0, "false-positive rate must be between 0 and 1"),
    ] {
        let refused = ParquetBloom::keeping_rate(items, rate)
            .unwrap_err()
            .to_string();
        assert!(refused.contains(message), "{refused}");
    }
}
