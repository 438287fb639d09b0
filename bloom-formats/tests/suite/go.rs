//! Tests the filters of bits-and-blooms/bloom against this library in Go. Tests that are the same for all formats are in
//! `every_format`.

use crate::common::{Case, cases, check_errors, check_full, difference, split_mix};
use bloom_formats::{Field, Filter, GoBloom, Rule};
use bloom_systems::four_hashes;
use bloom_testing::assert_bytes;

pub(crate) fn created(case: &Case) -> GoBloom<'static> {
    let parameter = |name| case.number("params", name);
    if let (Some(items), Some(rate)) = (parameter("n"), parameter("fpp")) {
        return GoBloom::with_rate(items as u64, rate).unwrap();
    }
    let (bits, hashes) = (parameter("m").unwrap(), parameter("k").unwrap());
    GoBloom::with_bits(bits as u64, hashes as i64).unwrap()
}

#[test]
fn the_estimate_is_that_of_the_library() {
    for case in cases("bitsbloom") {
        let filter = GoBloom::from_bytes(&case.bytes).unwrap();
        let items = filter.estimated_items().unwrap().items;
        let reported = case.number("peer_reports", "approximated_size").unwrap();
        assert!((items - reported).abs() <= 1.0, "{items}");
    }
    let mut bytes = GoBloom::with_bits(64, 2).unwrap().to_bytes().unwrap();
    bytes[24..].fill(255);
    check_full(&GoBloom::from_bytes(&bytes).unwrap());
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let read = |fields: [u64; 4]| GoBloom::from_bytes(fields.map(u64::to_be_bytes).as_flattened());
    let errors = [
        (read([0, 1, 0, 0]), "bits must be from 1 to 2^63, got 0"),
        (
            read([9, 0, 9, 0]),
            "hashes must be at least 1, got 0: the system accepts such a filter, and answers every query with true",
        ),
        (
            read([9, 256, 9, 0]),
            "hashes must be from 1 to 255, got 256",
        ),
        (
            read([9, 1, 8, 0]),
            "bits of the bitset must be as many as in the filter, or that number rounded up to a multiple of 64, got 8",
        ),
        (
            read([9, 1, 9, 0x201]),
            "number of set bits past the end of the filter must be 0, got 1",
        ),
        (
            read([1 << 63, 1, 1 << 63, 0]),
            "bytes must be at least 1152921504606847000, got 32",
        ),
        (
            GoBloom::with_rate(0, 0.1),
            "items must be from 1 to 9223372036854775807, got 0",
        ),
    ];
    check_errors("Go", errors);
    let mut ours = GoBloom::with_bits(9, 1).unwrap();
    let merged = ours.merge(&GoBloom::with_bits(10, 1).unwrap());
    assert_eq!(difference(merged), Field::Bits);
}

#[test]
fn json_is_read_queried_and_written_as_go_does_it() {
    let cases = cases("bitsbloom_json");
    assert_eq!(cases.len(), 1);
    for case in cases {
        let filter = GoBloom::from_json(&case.bytes).unwrap();
        case.check(|query| filter.contains(&query.big_endian()));
        assert_bytes!(filter.to_json().unwrap().as_bytes(), case.bytes);
        let bits = case.count("params", "m").unwrap();
        let hashes = case.count("params", "k").unwrap() as i64;
        let mut built = GoBloom::with_bits(bits, hashes).unwrap();
        for item in &case.items {
            built.insert(&item.big_endian()).unwrap();
        }
        assert_bytes!(built.to_json().unwrap().as_bytes(), case.bytes);
        // Like Go, `from_json` accepts any order of the fields, other fields, escapes and spaces.
        let text = String::from_utf8(case.bytes).unwrap();
        let (_, rest) = text.split_once("\"b\":\"").unwrap();
        let other = format!("{{ \"x\" : [1], \"b\": \"\\u0041{}", &rest[1..])
            .replace('}', ",\"k\":3,\n\"m\":2000}");
        assert!(GoBloom::from_json(other.as_bytes()).unwrap() == filter);
    }
}

#[test]
fn json_that_is_no_filter_is_refused() {
    let json = "JSON must be an object with the fields \"m\", \"k\" and \"b\", but is invalid at ";
    for (text, message) in [
        ("", format!("{json}line 1, column 0")),
        ("{\"m\":9,\n\"k\":1}", format!("{json}line 2, column 6")),
        (
            "{\"m\":-9,\"k\":1,\"b\":\"\"}",
            format!("{json}line 1, column 7"),
        ),
        (
            "{\"m\":9,\"k\":1,\"b\":\"\"}x",
            format!("{json}line 1, column 21"),
        ),
        (
            "{\"m\":9,\"k\":1,\"b\":\"AA+A\"}",
            "text must be base64, but is invalid at offset 2".into(),
        ),
        (
            "{\"m\":9,\"k\":1,\"b\":\"AA\"}",
            "text must be base64, but is invalid at offset 2".into(),
        ),
        (
            "{\"m\":9,\"k\":1,\"b\":\"AAAAAAAAAAk=\"}",
            "bytes must be at least 16, got 8".into(),
        ),
        (
            "{\"m\":1,\"k\":1,\"b\":\"AAAAAAAAAAAA\"}",
            "bytes must be exactly 8, got 9".into(),
        ),
        (
            "{\"m\":9,\"k\":0,\"b\":\"AAAAAAAAAAkAAAAAAAABAA==\"}",
            "hashes must be at least 1, got 0: the system accepts such a filter, and answers every query with true".into(),
        ),
    ] {
        check_errors("Go", [(GoBloom::from_json(text.as_bytes()), message)]);
    }
}

#[test]
fn a_filter_made_with_no_bits_has_no_words_before_its_first_item() {
    // For a filter made by `New(0, 3)`, the library writes `file(0, &[])` before the first `Add`, and `file(1, &[1])` after it.
    let file = |length: u64, words: &[u64]| -> Vec<u8> {
        let fields = [1, 3, length].into_iter().chain(words.iter().copied());
        fields.flat_map(u64::to_be_bytes).collect()
    };
    let none = GoBloom::borrowed(&file(0, &[])).unwrap().copied().unwrap();
    assert!(!none.contains(b"a"));
    assert_eq!((none.fill(), none.false_positive_rate()), (0.0, 0.0));
    assert_bytes!(none.to_bytes().unwrap(), file(0, &[]));
    let json = none.to_json().unwrap();
    assert_eq!(json, "{\"m\":1,\"k\":3,\"b\":\"AAAAAAAAAAA=\"}");
    assert!(GoBloom::from_json(json.as_bytes()).unwrap() == none);
    let mut one = none.clone();
    assert!(one.insert(b"a").unwrap() && one.contains(b"b"));
    assert_bytes!(one.to_bytes().unwrap(), file(1, &[1]));
    let mut merged = none.clone();
    merged.merge(&one).unwrap();
    assert!(merged == one);
    // Only a filter of 1 bit may have no words.
    let error = GoBloom::from_bytes(&[2, 3, 0].map(u64::to_be_bytes).concat()).unwrap_err();
    assert!(matches!(
        error.rule,
        Rule::Field {
            field: Field::BitsOfBitset,
            ..
        }
    ));
}

#[test]
fn a_bitset_made_of_given_words_keeps_their_length() {
    // The library writes this file for a filter made by `FromWithM` of two words and 100 bits.
    let file = [100, 3, 128, 1 << 63, 1].map(u64::to_be_bytes).concat();
    let filter = GoBloom::from_bytes(&file).unwrap();
    assert_eq!((filter.shape().bits(), filter.fill()), (100, 0.02));
    assert_bytes!(filter.to_bytes().unwrap(), file);
    assert!(GoBloom::from_bytes(&[100, 3, 192, 0, 0, 0].map(u64::to_be_bytes).concat()).is_err());
}

#[test]
fn dependent_positions_add_about_what_is_computed() {
    // The excess is what the dependence of positions adds to the rate. It is computed only to first order in 1/m, so the
    // measured excess may be `least` to `most` times the computed one. These factors come from simulations of other filters,
    // with room for the next order.
    for (bits, hashes, least, most) in [(64, 7, 1.0, 1.9), (60, 7, 0.9, 1.8), (128, 10, 1.2, 2.4)] {
        let (mut state, mut hits, mut counted, mut independent) = (9, 0.0, 0.0, 0.0);
        let mut next = move || split_mix(&mut state).to_le_bytes();
        let items = bits * 7 / (10 * hashes);
        for _ in 0..1_000 {
            let mut filter = GoBloom::with_bits(bits, hashes as i64).unwrap();
            for _ in 0..items {
                filter.insert(&next()).unwrap();
            }
            hits += (0..2_000).filter(|_| filter.contains(&next())).count() as f64;
            let (shape, fill) = (filter.shape(), filter.fill());
            independent += 2e3 * fill.powi(hashes as i32);
            counted += 2e3 * four_hashes::dependence(shape, fill).at_fill;
        }
        // The keys come from a fixed seed. With random keys, the tolerance would be about four to six standard deviations of
        // the excess. One standard deviation is more than the square root of the hits, because the rates of the filters differ,
        // too.
        let tolerance = 7.0 * hits.sqrt();
        let excess = hits - independent;
        assert!(counted > tolerance, "{bits} {hashes}");
        assert!(
            excess > least * counted - tolerance,
            "{bits} {hashes}: {excess} {counted}"
        );
        assert!(
            excess < most * counted + tolerance,
            "{bits} {hashes}: {excess} {counted}"
        );
    }
}

#[test]
fn the_expected_rate_is_the_mean_over_filters() {
    for (bits, hashes, items) in [(64, 5, 9), (128, 5, 18)] {
        let (mut state, mut hits) = (5, 0);
        let mut next = move || split_mix(&mut state).to_le_bytes();
        let expected = GoBloom::with_bits(bits, hashes).unwrap();
        let expected = expected.expected_false_positive_rate(items);
        for _ in 0..4_000 {
            let mut filter = GoBloom::with_bits(bits, hashes).unwrap();
            for _ in 0..items {
                filter.insert(&next()).unwrap();
            }
            hits += (0..500).filter(|_| filter.contains(&next())).count();
        }
        let rate = hits as f64 / 2e6;
        // The keys come from a fixed seed. With random keys, the mean rate of 4,000 filters would have a standard deviation of
        // 0.64 % (64 bits) or 0.54 % (128 bits). So 3.3 % are five or six standard deviations.
        assert!(
            (rate / expected - 1.0).abs() < 0.033,
            "{bits}: {rate} {expected}"
        );
    }
    let one_bit = GoBloom::with_bits(1, 3).unwrap();
    let expected = [0, 1].map(|items| one_bit.expected_false_positive_rate(items));
    assert_eq!(expected, [0.0, 1.0]);
}
