//! The filters of Guava: read, queried, built, merged and written as Guava does it.

use crate::common::{Case, Key, cases, check_rate, malformed, split_mix};
use bloom_formats::{Filter, Format, GuavaBloom, GuavaKey, GuavaStrategy, Rule, Warning};
use bloom_testing::assert_bytes;

/// All filters, each with what puts a key through its funnel.
fn filters() -> Vec<(Case, GuavaBloom<'static>)> {
    let cases = cases("guava");
    assert_eq!(cases.len(), 5);
    let read = |case: Case| {
        let filter = GuavaBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    };
    cases.into_iter().map(read).collect()
}

/// Puts a key through the funnel of its filter.
fn key<'a>(case: &Case, key: &'a Key) -> GuavaKey<'a> {
    match (case.facts["params"]["funnel"].as_str().unwrap(), key) {
        ("string_utf8", Key::Str(text)) => GuavaKey::Utf8(text),
        ("unencoded_chars", Key::Str(text)) => GuavaKey::Utf16(text),
        ("long", Key::Long(value)) => GuavaKey::Long(*value),
        other => panic!("no filter has {other:?}"),
    }
}

/// Returns an empty filter, created as Guava did it.
fn created(case: &Case, strategy: GuavaStrategy) -> GuavaBloom<'static> {
    let items = case.count("params", "n").unwrap();
    GuavaBloom::with_rate(strategy, items, case.number("params", "fpp").unwrap()).unwrap()
}

#[test]
fn every_answer_is_guavas() {
    for (case, filter) in filters() {
        case.check(|query| filter.contains(key(&case, query)));
    }
}

#[test]
fn a_filter_that_is_read_is_written_byte_for_byte() {
    for (case, filter) in filters() {
        assert_bytes!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn a_filter_that_is_built_or_merged_of_parts_has_the_bytes_of_guavas() {
    for (case, filter) in filters() {
        let mut whole = created(&case, filter.strategy());
        let mut parts = [whole.clone(), whole.clone()];
        for (index, item) in case.items.iter().enumerate() {
            let held = whole.contains(key(&case, item));
            assert_eq!(whole.insert(key(&case, item)).unwrap(), !held);
            parts[index % 2].insert(key(&case, item)).unwrap();
        }
        assert_bytes!(whole.to_bytes().unwrap(), case.bytes, "{}", case.name);
        let [mut first, second] = parts;
        first.merge(&second).unwrap();
        assert_bytes!(first.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn filters_that_guava_does_not_merge_are_refused() {
    let filter = |strategy, bits, hashes| GuavaBloom::with_bits(strategy, bits, hashes).unwrap();
    let mut ours = filter(GuavaStrategy::Mitz64, 640, 4);
    for (theirs, message) in [
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
    ] {
        let error = ours.merge(&theirs).unwrap_err();
        assert_eq!(error.to_string(), format!("Guava filter: {message}"));
    }
}

#[test]
fn the_readings_agree_with_what_guava_reports() {
    for (case, filter) in filters() {
        assert_eq!(
            case.count("peer_reports", "bit_size"),
            Some(filter.shape().bits())
        );
        // Guava has no more than the fill.
        let guava = case.number("peer_reports", "expected_fpp").unwrap();
        let independent = filter.false_positive_rate() - filter.double_hashing_excess().expected;
        assert!(
            (independent - guava).abs() <= 1e-5 * guava,
            "{}: {independent}, Guava {guava}",
            case.about(&filter)
        );
        let items = filter.estimated_items().unwrap();
        let guava = case
            .number("peer_reports", "approximate_element_count")
            .unwrap();
        assert!(
            (items.items - guava).abs() <= 0.6,
            "{}: {items:?}, Guava {guava}",
            case.about(&filter)
        );
        assert_eq!(filter.warnings(), []);
    }
}

#[test]
fn the_rate_is_that_of_a_million_queries() {
    for (case, filter) in filters() {
        check_rate(
            &case.about(&filter),
            filter.false_positive_rate(),
            |query| filter.contains(GuavaKey::Long(query)),
        );
    }
}

#[test]
fn the_rate_of_small_filters_is_between_the_bounds_of_double_hashing() {
    for strategy in [GuavaStrategy::Mitz32, GuavaStrategy::Mitz64] {
        let (mut state, mut hits, mut low, mut high) = (9, 0.0, 0.0, 0.0);
        let mut next = move || GuavaKey::Long(split_mix(&mut state) as i64);
        for _ in 0..300 {
            let mut filter = GuavaBloom::with_bits(strategy, 1_472, 7).unwrap();
            for _ in 0..147 {
                filter.insert(next()).unwrap();
            }
            hits += (0..10_000).filter(|_| filter.contains(next())).count() as f64;
            let (rate, excess) = (filter.false_positive_rate(), filter.double_hashing_excess());
            low += 1e4 * (rate - excess.expected + excess.low);
            high += 1e4 * (rate - excess.expected + excess.high);
        }
        // Filters with the same fill differ, too: this fails by chance less than once in 10^9 runs.
        let tolerance = 7.0 * hits.sqrt();
        assert!(
            low - tolerance < hits && hits < high + tolerance,
            "{strategy:?}, n = 147, m = 1472, k = 7: {hits} hits of 3,000,000, between {low} and {high} ± {tolerance}"
        );
    }
}

#[test]
fn damaged_files_that_guava_refuses_are_refused() {
    let cases = malformed("guava");
    assert_eq!(cases.len(), 5);
    for (bytes, mutation, guava) in cases {
        let read = GuavaBloom::from_bytes(&bytes);
        let lenient = GuavaBloom::from_bytes_lenient(&bytes);
        match mutation.as_str() {
            "none" => assert!(read.is_ok() && lenient.unwrap().1.is_empty()),
            "append:00" => {
                assert!(guava.starts_with("accepted"));
                assert!(matches!(read.unwrap_err().rule, Rule::TrailingBytes { .. }));
                assert_eq!(lenient.unwrap().1, [0]);
            }
            _ => {
                assert!(guava.starts_with("error"), "{mutation}: {guava}");
                assert!(read.is_err() && lenient.is_err(), "{mutation}");
            }
        }
    }
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let strategy = GuavaStrategy::Mitz64;
    for (result, message) in [
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
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.format, Format::Guava);
        assert_eq!(error.to_string(), format!("Guava filter: {message}"));
    }
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
    assert_eq!(
        GuavaBloom::from_bytes(&bytes).unwrap().warnings(),
        [Warning::Full]
    );
}
