//! Tests the filters of Guava against Guava itself. Tests that are the same for all formats are in `every_format`.

use crate::common::{
    Case, Key, accepted, cases, check_bounds, check_errors, check_full, check_rate_at_fill,
};
use bloom_formats::{Filter, GuavaBloom, GuavaKey, GuavaStrategy, Rule};

/// Turns the strings of a case into UTF-16 keys if the filter's funnel hashes UTF-16.
pub(crate) fn through_funnel(case: Case) -> Case {
    let is_utf16 = case.facts["params"]["funnel"] == "unencoded_chars";
    case.with_keys(|key| match key {
        Key::Str(text) if is_utf16 => Key::Utf16(text),
        other => other,
    })
}

/// Returns an empty filter with the parameters that Guava used.
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

#[test]
fn the_rate_of_a_small_filter_is_its_own() {
    let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, 50, 0.01).unwrap();
    for key in 3_000..3_050_i64 {
        filter.insert(GuavaKey::Long(key)).unwrap();
    }
    let (bits, hashes) = (filter.shape().bits(), filter.shape().hashes());
    // The words are written highest byte first. A query is given by its two hash values modulo m: m is a power of two, so an
    // overflow of the sums does not change a position. The exact rate is the share of those pairs, among all pairs of hash
    // values modulo m, whose positions all have set bits.
    let bytes = filter.to_bytes().unwrap();
    let is_set = |position: u64| {
        let byte = 6 + position / 64 * 8 + 7 - position % 64 / 8;
        bytes[byte as usize] >> (position % 8) & 1 != 0
    };
    let is_hit = |pair: &u64| {
        let (a, b) = (pair / bits, pair % bits);
        (0..hashes.into()).all(|index: u64| is_set((a + index * b) % bits))
    };
    let exact = (0..bits * bits).filter(is_hit).count() as f64 / (bits * bits) as f64;
    let rate = filter.present_rate();
    assert_eq!(rate.keys, 1 << 20);
    assert!((0.000_09..0.000_12).contains(&rate.standard_deviation));
    // The keys are drawn with a fixed seed. The mean rate of filters of this size is 14 standard deviations from the exact rate
    // of this filter.
    let off = (rate.value - exact).abs();
    assert!(off < 5.0 * rate.standard_deviation, "{rate:?}, {exact}");
    let mean = filter.fill().powi(hashes.into()) + filter.double_hashing_excess().expected;
    assert!((mean - exact).abs() > 10.0 * rate.standard_deviation);
}

/// The test's filter is made for one item. The rates of such small filters have a standard deviation of about twice their mean.
#[test]
fn few_false_positives_tell_more_than_the_mean() {
    let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, 1, 0.3).unwrap();
    filter.insert(GuavaKey::Long(0)).unwrap();
    let rate = filter.present_rate();
    assert!(rate.keys == 1 << 20 && rate.value < 0.001, "{rate:?}");
    assert!(rate.standard_deviation < 0.05 * rate.value, "{rate:?}");
}

/// Checks the present rate of a filter with 3,000,000 keys other than those with which `present_rate` measures it. Returns the
/// rate that was found with these keys.
fn check_present_rate<'k>(filter: &GuavaBloom<'_>, key: impl Fn(u64) -> GuavaKey<'k>) -> f64 {
    let queries = 3_000_000;
    let hits = (0..queries).filter(|query| filter.contains(key(1 << 40 | query)));
    let found = hits.count() as f64 / queries as f64;
    let rate = filter.present_rate();
    let tolerance = 5.0 * (rate.standard_deviation + (found / queries as f64).sqrt());
    assert!((rate.value - found).abs() < tolerance, "{rate:?}, {found}");
    // A tolerance that is much larger than the rate would accept any rate.
    assert!(tolerance < 3.0 * found, "{rate:?}, {found}");
    found
}

#[test]
fn hash_values_of_0_give_a_rate_far_from_any_mean() {
    let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, 10, 0.01).unwrap();
    filter.insert(GuavaKey::Bytes(b"")).unwrap();
    check_present_rate(&filter, |query| GuavaKey::Long(query as i64));
}

#[test]
fn where_the_mean_has_wide_bounds_the_rate_is_measured() {
    for (items, rate) in [(300, 1e-6), (150, 1e-7)] {
        let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz32, items, rate).unwrap();
        for key in 0..items as i64 {
            filter.insert(GuavaKey::Long(key)).unwrap();
        }
        let found = check_present_rate(&filter, |query| GuavaKey::Long(query as i64));
        // The expected rate is an upper bound of the mean rate of filters of this size. The rate of this filter may be somewhat
        // above it.
        let most = filter.expected_false_positive_rate(items);
        assert!(
            (0.8 * found..3.0 * found).contains(&most),
            "{most}, {found}"
        );
    }
}

#[test]
fn a_rate_that_is_not_measured_has_the_deviation_of_single_filters() {
    for (items, rate, deviation) in [(1_000, 1e-4, 0.02), (5_000, 0.01, 0.001)] {
        let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate).unwrap();
        assert_eq!(filter.present_rate().standard_deviation, 0.0);
        for key in 0..items as i64 {
            filter.insert(GuavaKey::Long(key)).unwrap();
        }
        let rate = filter.present_rate();
        assert_eq!((rate.keys, rate.value), (0, filter.false_positive_rate()));
        let relative = rate.standard_deviation / rate.value;
        assert!(
            (deviation / 2.0..2.0 * deviation).contains(&relative),
            "{rate:?}"
        );
    }
}
