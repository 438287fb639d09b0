//! The filters of bits-and-blooms/bloom: read, queried, built, merged and written as the library does it.

mod common;

use bloom_formats::{Format, GoBloom, Rule, Warning};
use common::{Case, Key, cases};

/// Strings as UTF-8, numbers as the program of these files chose it: highest byte first.
fn key(key: &Key) -> Vec<u8> {
    match key {
        Key::Str(text) => text.clone().into_bytes(),
        Key::Long(value) => value.to_be_bytes().to_vec(),
        Key::Int(value) => value.to_be_bytes().to_vec(),
        Key::Bytes(bytes) => bytes.clone(),
    }
}

fn filters() -> Vec<(Case, GoBloom)> {
    let cases = cases("bitsbloom");
    assert_eq!(cases.len(), 4);
    let read = |case: Case| {
        let filter = GoBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    };
    cases.into_iter().map(read).collect()
}

#[test]
fn every_answer_is_that_of_the_library() {
    for (case, filter) in filters() {
        case.check(|query| filter.contains(&key(query)));
        assert_eq!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn a_filter_that_is_built_or_merged_of_parts_has_the_bytes_of_the_library() {
    for (case, filter) in filters() {
        let parameter = |name| case.number("params", name);
        let mut whole = if let (Some(items), Some(rate)) = (parameter("n"), parameter("fpp")) {
            GoBloom::with_rate(items as u64, rate).unwrap()
        } else {
            let hashes = parameter("k").unwrap() as i64;
            GoBloom::with_bits(parameter("m").unwrap() as u64, hashes).unwrap()
        };
        let mut parts = [whole.clone(), whole.clone()];
        for (index, item) in case.items.iter().enumerate() {
            let held = whole.contains(&key(item));
            assert_eq!(whole.insert(&key(item)), !held);
            parts[index % 2].insert(&key(item));
        }
        assert_eq!(whole.to_bytes().unwrap(), case.bytes, "{}", case.name);
        let [mut first, second] = parts;
        first.merge(&second).unwrap();
        assert!(first == filter, "{}", case.name);
    }
}

#[test]
fn the_readings_agree_with_what_the_library_reports() {
    for (case, filter) in filters() {
        let report = |name| case.count("peer_reports", name).unwrap();
        assert_eq!(report("m"), filter.shape().bits());
        assert_eq!(report("k"), u64::from(filter.shape().hashes()));
        let items = filter.estimated_items().unwrap().items;
        assert!(
            (items - report("approximated_size") as f64).abs() <= 1.0,
            "{items}"
        );
        assert_eq!(filter.warnings(), []);
    }
    let mut bytes = GoBloom::with_bits(64, 2).unwrap().to_bytes().unwrap();
    bytes[24..].fill(255);
    assert_eq!(
        GoBloom::from_bytes(&bytes).unwrap().warnings(),
        [Warning::Full]
    );
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let read = |fields: [u64; 4]| GoBloom::from_bytes(fields.map(u64::to_be_bytes).as_flattened());
    for (result, message) in [
        (read([0, 1, 0, 0]), "bits must be from 1 to 2^63, got 0"),
        (read([9, 0, 9, 0]), "hashes must be from 1 to 255, got 0"),
        (
            read([9, 256, 9, 0]),
            "hashes must be from 1 to 255, got 256",
        ),
        (
            read([9, 1, 8, 0]),
            "bits of the bitset must be those of the filter, got 8",
        ),
        (
            read([9, 1, 9, 0x201]),
            "set bits beyond the last must be 0, got 1",
        ),
        (
            read([1 << 63, 1, 1 << 63, 0]),
            "bytes must be at least 1152921504606847000, got 32",
        ),
        (
            GoBloom::with_rate(0, 0.1),
            "items must be from 1 to 9223372036854775807, got 0",
        ),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.format, Format::Go);
        assert_eq!(error.to_string(), format!("Go filter: {message}"));
    }
    let mut ours = GoBloom::with_bits(9, 1).unwrap();
    let error = ours.merge(&GoBloom::with_bits(10, 1).unwrap()).unwrap_err();
    assert!(matches!(error.rule, Rule::Differs { field: "bits", .. }));
}
