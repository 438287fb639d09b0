//! The filters of Guava: read, queried, built, merged and written as Guava does it.

use crate::common::{
    Case, Key, accepted, cases, check_bounds, check_errors, check_full, check_rate_at_fill,
};
use bloom_formats::{Filter, GuavaBloom, GuavaKey, GuavaStrategy, Rule};

/// Puts the keys of a case through the funnel of its filter.
pub(crate) fn through_funnel(case: Case) -> Case {
    let is_utf16 = case.facts["params"]["funnel"] == "unencoded_chars";
    case.with_keys(|key| match key {
        Key::Str(text) if is_utf16 => Key::Utf16(text),
        other => other,
    })
}

/// Returns an empty filter, created as Guava did it.
pub(crate) fn created(case: &Case) -> GuavaBloom<'static> {
    let strategy = GuavaBloom::from_bytes(&case.bytes).unwrap().strategy();
    let items = case.count("params", "n").unwrap();
    GuavaBloom::with_rate(strategy, items, case.number("params", "fpp").unwrap()).unwrap()
}

#[test]
fn filters_that_guava_does_not_merge_are_refused() {
    let filter = |strategy, bits, hashes| GuavaBloom::with_bits(strategy, bits, hashes).unwrap();
    let mut ours = filter(GuavaStrategy::Mitz64, 640, 4);
    let others = [
        (
            filter(GuavaStrategy::Mitz32, 640, 4),
            "strategy of both filters must be equal, got 1 and 0",
        ),
        (
            filter(GuavaStrategy::Mitz64, 704, 4),
            "bits of both filters must be equal, got 640 and 704",
        ),
        (
            filter(GuavaStrategy::Mitz64, 640, 5),
            "hashes of both filters must be equal, got 4 and 5",
        ),
    ];
    check_errors(
        "Guava",
        others.map(|(theirs, message)| (ours.merge(&theirs), message)),
    );
}

#[test]
fn the_rate_and_the_estimate_are_those_of_guava() {
    for case in cases("guava") {
        let filter = GuavaBloom::from_bytes(&case.bytes).unwrap();
        check_rate_at_fill(&case, &filter, filter.double_hashing_excess().expected);
        let items = filter.estimated_items().unwrap();
        let guava = case
            .number("peer_reports", "approximate_element_count")
            .unwrap();
        assert!(
            (items.items - guava).abs() <= 0.6,
            "{}: {items:?}, Guava {guava}",
            case.about(&filter)
        );
    }
}

#[test]
fn the_rate_of_small_filters_is_between_the_bounds_of_double_hashing() {
    for strategy in [GuavaStrategy::Mitz32, GuavaStrategy::Mitz64] {
        let name = format!("{strategy:?}, m = 1472, k = 7");
        let new = || GuavaBloom::with_bits(strategy, 1_472, 7).unwrap();
        check_bounds(&name, (9, 147), new, GuavaBloom::double_hashing_excess);
    }
}

#[test]
fn a_byte_that_guava_ignores_is_returned() {
    let [(bytes, mutation, _)] = &accepted("guava")[..] else {
        panic!("Guava takes one of the damaged files");
    };
    assert_eq!(mutation, "append:00");
    let read = GuavaBloom::from_bytes(bytes);
    assert!(matches!(read.unwrap_err().rule, Rule::TrailingBytes { .. }));
    assert_eq!(GuavaBloom::from_bytes_lenient(bytes).unwrap().1, [0]);
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let strategy = GuavaStrategy::Mitz64;
    let errors = [
        (
            GuavaBloom::from_bytes(&[2, 5, 0, 0, 0, 1]),
            "strategy must be 0 or 1, got 2",
        ),
        (
            GuavaBloom::from_bytes(&[255, 5, 0, 0, 0, 1]),
            "strategy must be 0 or 1, got -1",
        ),
        (
            GuavaBloom::from_bytes(&[1, 0, 0, 0, 0, 1]),
            "hashes must be from 1 to 255, got 0",
        ),
        (
            GuavaBloom::from_bytes(&[1, 5, 0, 0, 0, 0]),
            "64-bit words must be from 1 to 2147483647, got 0",
        ),
        (
            GuavaBloom::from_bytes(&[1, 5, 127, 255, 255, 255]),
            "bytes must be at least 17179869182, got 6",
        ),
        (
            GuavaBloom::from_bytes(&[1, 5, 0]),
            "bytes must be at least 6, got 3",
        ),
        (
            GuavaBloom::with_rate(strategy, 9, 0.0),
            "false-positive rate must be between 0 and 1 (exclusive), got 0.0",
        ),
        (
            GuavaBloom::with_rate(strategy, 9, 1e-80),
            "hashes must be from 1 to 255, got 266",
        ),
        (
            GuavaBloom::with_bits(strategy, 64, -1),
            "hashes must be from 1 to 255, got -1",
        ),
        (
            GuavaBloom::with_bits(strategy, 0, 1),
            "bits must be from 1 to 137438953408, got 0",
        ),
    ];
    check_errors("Guava", errors);
}

#[test]
fn each_funnel_gives_its_own_bytes() {
    let mut filter = GuavaBloom::with_bits(GuavaStrategy::Mitz64, 6_400, 7).unwrap();
    for (key, bytes) in [
        (GuavaKey::Int(-2), &[0xfe, 255, 255, 255][..]),
        (
            GuavaKey::Long(-2),
            &[0xfe, 255, 255, 255, 255, 255, 255, 255],
        ),
        (GuavaKey::Utf8("é"), &[0xc3, 0xa9]),
        (GuavaKey::Utf16("é😀"), &[0xe9, 0, 0x3d, 0xd8, 0, 0xde]),
    ] {
        assert!(!filter.contains(GuavaKey::Bytes(bytes)));
        assert!(filter.insert(key).unwrap());
        assert!(filter.contains(GuavaKey::Bytes(bytes)), "{key:?}");
    }
}

#[test]
fn a_full_filter_warns() {
    let mut bytes = vec![1, 5, 0, 0, 0, 1];
    bytes.resize(14, 0xff);
    check_full(&GuavaBloom::from_bytes(&bytes).unwrap());
}
