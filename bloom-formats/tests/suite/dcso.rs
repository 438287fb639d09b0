//! Tests the filters of DCSO bloom against this library in Go. Tests that are the same for all formats are in `every_format`.

use crate::common::{Case, cases, check_errors, check_full, check_rate, difference, split_mix};
use bloom_core::math::rate_at_fill;
use bloom_formats::{DcsoBloom, Field, Filter, Warning};
use bloom_testing::assert_bytes;

pub(crate) fn created(case: &Case) -> DcsoBloom<'static> {
    let items = case.count("params", "n").unwrap();
    let rate = case.number("params", "fpp").unwrap();
    let mut filter = DcsoBloom::with_rate(items, rate).unwrap();
    if let Some(data) = case.facts["params"]["data"].as_str() {
        filter.set_data(data.into());
    }
    filter
}

/// Returns the bytes that a filter must have after a merge of two filters with half of the items each: the bits of a filter of
/// all items, and the sum of the two filters' counts of items.
pub(crate) fn merged(case: &Case, parts: [&dyn Filter; 2]) -> Vec<u8> {
    let counted = |part: &dyn Filter| {
        let bytes = part.to_bytes().unwrap();
        DcsoBloom::from_bytes(&bytes).unwrap().items()
    };
    let mut bytes = case.bytes.clone();
    let items: u64 = parts.map(counted).iter().sum();
    bytes[40..48].copy_from_slice(&items.to_le_bytes());
    bytes
}

#[test]
fn the_readings_agree_with_what_the_library_reports() {
    for case in cases("dcso") {
        let filter = DcsoBloom::from_bytes(&case.bytes).unwrap();
        assert_eq!(case.count("peer_reports", "count"), Some(filter.items()));
        assert_eq!(case.count("params", "n"), Some(filter.expected_items()));
        assert_eq!(case.number("params", "fpp"), Some(filter.rate()));
        let data = case.facts["params"]["data"].as_str().unwrap_or_default();
        assert_bytes!(filter.data(), data.as_bytes());
        let items = filter.estimated_items().unwrap();
        let deviation = (items.items - filter.items() as f64).abs();
        // The filter does not count the items whose bits were all set before.
        let missed = case.items.len() as f64 - filter.items() as f64;
        assert!(
            deviation <= 6.0 * items.standard_deviation + missed,
            "{items:?}"
        );
    }
}

/// Returns a filter of this many bits and hashes, of whose bits about half are set.
fn half_full(bits: u64, hashes: u64) -> DcsoBloom<'static> {
    let fields = [1, 100, 0.01_f64.to_bits(), hashes, bits, 0].map(u64::to_le_bytes);
    let mut file = fields.concat();
    file.resize(48 + 8 * bits.div_ceil(64) as usize, 0);
    let (mut filter, mut state) = (DcsoBloom::from_bytes(&file).unwrap(), bits);
    for _ in 0..bits * 7 / (10 * hashes) {
        filter.insert(&split_mix(&mut state).to_be_bytes()).unwrap();
    }
    filter
}

#[test]
fn the_rate_is_that_of_dependent_positions() {
    for (bits, hashes, least) in [
        (1 << 16, 7, 25.0),
        (3 << 12, 7, 4.5),
        (735 << 4, 7, 1.04),
        (18_432, 4, 1.2),
        (1_469, 7, 0.99),
    ] {
        let filter = half_full(bits, hashes);
        let (rate, independent) = (
            filter.false_positive_rate(),
            rate_at_fill(filter.fill(), hashes as u8),
        );
        assert!(rate > least * independent, "{bits}: {rate} {independent}");
        let name = format!("{bits} bits");
        check_rate(&name, rate, |query| filter.contains(&query.to_be_bytes()));
        let warning = Warning::DependentPositions { independent, rate };
        if least > 1.0 {
            assert_eq!(filter.warnings(), [warning]);
        } else {
            assert_eq!(filter.warnings(), []);
        }
    }
    let text = Warning::DependentPositions {
        independent: 0.0078,
        rate: 0.22,
    }
    .to_string();
    let expected = "each position of an item depends on the one before: the rate is 2.200e-1, not 7.800e-3 as the fill suggests";
    assert_eq!(text, expected);
}

/// n, p and m of a filter, and the rate that was measured with the library in Go: the mean over 20 filters with random items,
/// with 200,000 queries each.
const MEASURED: [(u64, f64, u64, f64); 5] = [
    (409, 0.008_13, 4_096, 0.218_700),
    (409, 0.008_14, 4_095, 0.008_230),
    (1_227, 0.008_133_417, 12_288, 0.043_538),
    (6_547, 0.008_152_666, 65_536, 0.218_818),
    (6_546, 0.008_147_277, 65_535, 0.008_116),
];

#[test]
fn the_expected_rate_is_what_the_library_has() {
    for (items, rate, bits, measured) in MEASURED {
        let filter = DcsoBloom::with_rate(items, rate).unwrap();
        assert_eq!((filter.shape().bits(), filter.shape().hashes()), (bits, 7));
        let expected = filter.expected_false_positive_rate(items);
        println!("{bits} {expected} {measured}");
        // Filters with other items have other rates, so the mean of only 20 filters may be up to 4 % from the mean of all
        // filters.
        assert!(
            (expected / measured - 1.0).abs() < 0.04,
            "{bits}: {expected} {measured}"
        );
    }
    let filter = half_full(1 << 16, 7);
    let rates = [0, 1 << 40, u64::MAX].map(|items| filter.expected_false_positive_rate(items));
    assert_eq!(rates, [0.0, 1.0, 1.0]);
    let one_bit = half_full(1, 3);
    assert_eq!(
        [0, 1, 9].map(|items| one_bit.expected_false_positive_rate(items)),
        [0.0, 1.0, 1.0]
    );
}

#[test]
fn the_rate_holds_for_numbered_strings_too() {
    for rate in [0.03, 0.001] {
        let mut filter = DcsoBloom::with_rate(20_000, rate).unwrap();
        for index in 0..20_000 {
            filter.insert(format!("user-{index}").as_bytes()).unwrap();
        }
        let rate = filter.false_positive_rate();
        check_rate("strings", rate, |query| {
            filter.contains(format!("guest-{query}").as_bytes())
        });
    }
}

#[test]
fn a_filter_of_any_size_has_a_rate() {
    for (bits, hashes) in [
        (1, 1),
        (1, 9),
        (2, 3),
        (3, 2),
        (64, 255),
        (1 << 18, 1),
        ((1 << 18) + 1, 2),
    ] {
        let mut filter = half_full(bits, hashes);
        let rate = filter.false_positive_rate();
        assert!((0.0..=1.0).contains(&rate), "{bits} {hashes}: {rate}");
        for index in 0..u32::try_from(20 * bits.min(1_000)).unwrap() {
            filter.insert(&index.to_le_bytes()).unwrap();
        }
        if bits < 1_000 && hashes < 255 {
            check_full(&filter);
        }
    }
}

#[test]
fn only_the_lowest_byte_of_the_flags_counts_and_the_others_are_kept() {
    let case = cases("dcso").swap_remove(1);
    let filter = DcsoBloom::from_bytes(&case.bytes).unwrap();
    let mut bytes = case.bytes.clone();
    bytes[1..8].fill(0xab);
    let read = DcsoBloom::from_bytes(&bytes).unwrap();
    case.check(|query| read.contains(&query.big_endian()));
    assert_bytes!(read.to_bytes().unwrap(), bytes);
    assert!(read != filter);
}

#[test]
fn filters_that_the_library_does_not_join_are_refused() {
    let mut ours = DcsoBloom::with_rate(100, 0.01).unwrap();
    let other = |items, rate| DcsoBloom::with_rate(items, rate).unwrap();
    let others = [
        (
            other(101, 0.01),
            "expected items of both filters must be equal, got 100 and 101",
        ),
        (
            other(100, 0.02),
            "false-positive rate of both filters must be equal, got 0.01 and 0.02",
        ),
    ];
    check_errors(
        "DCSO",
        others.map(|(theirs, message)| (ours.merge(&theirs), message)),
    );
    // Another program may have made a filter with the same n and p, but other m and k.
    let theirs = half_full(64, 3);
    assert_eq!(difference(ours.merge(&theirs)), Field::Bits);
    let mut bytes = other(100, 0.01).to_bytes().unwrap();
    bytes[40..48].fill(255);
    let many = DcsoBloom::from_bytes(&bytes).unwrap();
    ours.insert(b"a").unwrap();
    let before = ours.clone();
    let message = "inserted items must be below 2^64 when added to those of the other filter, got 18446744073709551615";
    check_errors("DCSO", [(ours.merge(&many), message)]);
    assert!(ours == before);
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let read = |fields: [u64; 7]| DcsoBloom::from_bytes(&fields.map(u64::to_le_bytes).concat());
    let p = 0.5_f64.to_bits();
    assert!(read([1, 1, p, 1, 1, 0, 1]).is_ok());
    let errors = [
        (read([2, 1, p, 1, 1, 0, 0]), "byte 0 must be 0x01, got 0x02"),
        (
            read([1, 0, p, 1, 1, 0, 0]),
            "items must be from 1 to 9223372036854775807, got 0",
        ),
        (
            read([1, 1, f64::NAN.to_bits(), 1, 1, 0, 0]),
            "false-positive rate must be between 0 and 1 (exclusive), got NaN",
        ),
        (
            read([1, 1, p, 0, 1, 0, 0]),
            "hashes must be from 1 to 255, got 0",
        ),
        (
            read([1, 1, p, 256, 1, 0, 0]),
            "hashes must be from 1 to 255, got 256",
        ),
        (
            read([1, 1, p, 1, 0, 0, 0]),
            "bits must be from 1 to 2^63, got 0",
        ),
        (
            read([1, 1, p, 1, 65, 0, 0]),
            "bytes must be at least 64, got 56",
        ),
        (
            read([1, 1, p, 1, 1 << 63, 0, 0]),
            "bytes must be at least 1152921504606847024, got 56",
        ),
        (
            read([1, 1, p, 1, 3, 0, 24]),
            "number of set bits past the end of the filter must be 0, got 2",
        ),
        (
            DcsoBloom::with_rate(1, 0.9),
            "bits must be from 1 to 2^63, got 0",
        ),
        (
            DcsoBloom::with_rate(9, 2.0),
            "false-positive rate must be between 0 and 1 (exclusive), got 2.0",
        ),
    ];
    check_errors("DCSO", errors);
}

#[test]
fn an_estimate_that_the_count_contradicts_is_a_warning() {
    let disagrees = |filter: &DcsoBloom<'_>| {
        let mut warnings = filter.warnings().into_iter();
        warnings.any(|warning| matches!(warning, Warning::CountDisagrees { .. }))
    };
    for (number, off) in [(70_000_u64, true), (0, false)] {
        let mut filter = DcsoBloom::with_rate(70_000, 0.01).unwrap();
        (0..number).for_each(|key| _ = filter.insert(&key.to_be_bytes()).unwrap());
        assert_eq!(disagrees(&filter), off, "{:?}", filter.estimated_items());
    }
    // The filter gets up to three times as many random keys as it is made for. In the end, it has not counted about an eighth
    // of them.
    let mut filter = DcsoBloom::with_rate(10_000, 0.01).unwrap();
    let mut state = 5;
    for number in 1..=30_000 {
        filter.insert(&split_mix(&mut state).to_be_bytes()).unwrap();
        if number % 3_000 == 0 {
            assert!(
                !disagrees(&filter),
                "{number} {:?}",
                filter.estimated_items()
            );
        }
    }
    assert!(filter.items() < 27_000, "{}", filter.items());
    // A merge with a copy of itself counts all items twice.
    let copy = filter.clone();
    filter.merge(&copy).unwrap();
    assert!(disagrees(&filter));
}
