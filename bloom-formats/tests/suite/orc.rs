//! The filters of ORC: read, queried, built, merged and written as ORC does it.

use crate::common::{Case, Key, cases, check_rate};
use bloom_formats::{Field, Filter, Format, OrcBloom, OrcKey, OrcStream, Rule, Warning};
use bloom_testing::assert_bytes;

fn key(key: &Key) -> OrcKey<'_> {
    match key {
        Key::Str(text) => text.as_str().into(),
        Key::Long(value) => (*value).into(),
        Key::Int(value) => (*value).into(),
        Key::Bytes(bytes) => bytes.as_slice().into(),
        Key::Double(value) => (*value).into(),
    }
}

fn filters() -> Vec<(Case, OrcBloom<'static>)> {
    let cases = cases("orc");
    assert_eq!(cases.len(), 3);
    let read = |case: Case| {
        let filter = OrcBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    };
    cases.into_iter().map(read).collect()
}

/// Returns the message of an old stream with the same bits.
fn original(bytes: &[u8], words: &[u8]) -> Vec<u8> {
    let mut message = bytes[..2].to_vec();
    for word in words.chunks(8) {
        message.push(0x11);
        message.extend(word);
    }
    message
}

#[test]
fn every_answer_is_orcs() {
    for (case, filter) in filters() {
        assert_eq!(filter.stream(), OrcStream::Utf8);
        case.check(|query| filter.contains(key(query)));
        assert_bytes!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn a_filter_that_is_built_or_merged_of_parts_has_the_bytes_of_orc() {
    for (case, filter) in filters() {
        let parameter = |name| case.number("params", name).unwrap();
        let mut whole = OrcBloom::with_rate(parameter("n") as u64, parameter("fpp")).unwrap();
        let mut parts = [whole.clone(), whole.clone()];
        for (index, item) in case.items.iter().enumerate() {
            let held = whole.contains(key(item));
            assert_eq!(whole.insert(key(item)).unwrap(), !held);
            parts[index % 2].insert(key(item)).unwrap();
        }
        assert_bytes!(whole.to_bytes().unwrap(), case.bytes, "{}", case.name);
        let [mut first, second] = parts;
        first.merge(&second).unwrap();
        assert!(first == filter, "{}", case.name);
    }
}

#[test]
fn the_words_of_an_old_stream_are_read_and_written() {
    for (case, filter) in filters() {
        let words = &case.bytes[case.bytes.len() - filter.shape().bits() as usize / 8..];
        let bytes = original(&case.bytes, words);
        let old = OrcBloom::from_bytes(&bytes).unwrap();
        assert_eq!(old.stream(), OrcStream::Original);
        case.check(|query| old.contains(key(query)));
        assert_bytes!(old.to_bytes().unwrap(), bytes);
        let mut longer = bytes.clone();
        longer.push(0x0a);
        assert_eq!(
            OrcBloom::from_bytes_lenient(&longer),
            Ok((old, &[0x0a][..]))
        );
        assert!(OrcBloom::from_bytes(&longer).is_err());
        // Words are not counted beforehand: fewer of them are a smaller filter.
        for end in (0..bytes.len()).filter(|end| end % 9 != 2 || *end == 2) {
            assert!(OrcBloom::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        // Their words are apart, so that in place they are copied.
        assert!(OrcBloom::borrowed(&bytes).unwrap() == OrcBloom::from_bytes(&bytes).unwrap());
    }
}

#[test]
fn sizes_are_those_of_orc() {
    // Computed with 50 digits in Python; a word more where the bits are a multiple of 64.
    for (items, rate, bits, hashes) in [
        (0, 0.05, 64, 44),
        (1, 0.05, 64, 44),
        (10, 0.05, 64, 4),
        (540, 0.05, 3_392, 4),
        // 448 before the word more.
        (72, 0.05, 512, 5),
    ] {
        let shape = OrcBloom::with_rate(items, rate).unwrap().shape();
        assert_eq!(
            (shape.bits(), shape.hashes()),
            (bits, hashes),
            "{items} {rate}"
        );
    }
}

#[test]
fn numbers_are_hashed_as_64_bits_and_all_nans_as_one() {
    let mut filter = OrcBloom::with_rate(100, 1e-6).unwrap();
    assert!(filter.insert(-7_i32).unwrap() && filter.contains(-7_i64));
    assert!(filter.insert(0.1_f32).unwrap() && filter.contains(f64::from(0.1_f32)));
    assert!(!filter.contains(0.1_f64));
    assert!(filter.insert(0.0).unwrap() && !filter.contains(-0.0) && filter.contains(0_i64));
    let nans = [f64::NAN, -f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001)];
    assert!(filter.insert(nans[0]).unwrap());
    assert!(filter.contains(0x7ff8_0000_0000_0000_i64));
    for nan in nans {
        assert!(filter.contains(nan) && filter.contains(nan as f32));
    }
}

#[test]
fn the_readings_agree_with_what_orc_reports() {
    for (case, filter) in filters() {
        let report = |name| case.count("peer_reports", name).unwrap();
        assert_eq!(report("bit_size"), filter.shape().bits());
        assert_eq!(report("k"), u64::from(filter.shape().hashes()));
        let distinct: std::collections::HashSet<String> =
            case.items.iter().map(|item| format!("{item:?}")).collect();
        let items = filter.estimated_items().unwrap();
        let deviation = (items.items - distinct.len() as f64).abs();
        assert!(deviation <= 6.0 * items.standard_deviation, "{items:?}");
        check_rate(
            &case.about(&filter),
            filter.false_positive_rate(),
            |query| filter.contains(query),
        );
        assert_eq!(filter.warnings(), []);
    }
    let full = [&[0x08, 0x02, 0x1a, 0x08][..], &[255; 8]].concat();
    let full = OrcBloom::from_bytes(&full).unwrap();
    assert_eq!((full.warnings(), full.fill()), (vec![Warning::Full], 1.0));
    assert_eq!(
        (full.estimated_items(), full.false_positive_rate()),
        (None, 1.0)
    );
}

#[test]
fn every_prefix_is_refused() {
    for (case, _) in filters() {
        for end in 0..case.bytes.len() {
            assert!(OrcBloom::from_bytes_lenient(&case.bytes[..end]).is_err());
        }
    }
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let bitset = "bytes of the bitset must be a multiple of 8 from 8 to 268435448, got";
    let bits = "bits must be from 1 to 2147483584, got";
    let varint = "varint must be written in at most 5 bytes, and in as few as it takes, got";
    for (result, message) in [
        (
            OrcBloom::from_bytes(&[]),
            "bytes must be at least 1, got 0".into(),
        ),
        (
            OrcBloom::from_bytes(&[0x0a]),
            "byte 0 must be 0x08, got 0x0a".into(),
        ),
        (
            OrcBloom::from_bytes(&[8, 4, 0x12]),
            "byte 2 must be 0x1a, got 0x12".into(),
        ),
        (
            OrcBloom::from_bytes(&[8, 4, 0x1a, 0]),
            format!("{bitset} 0"),
        ),
        (
            OrcBloom::from_bytes(&[8, 4, 0x1a, 9]),
            format!("{bitset} 9"),
        ),
        (
            OrcBloom::from_bytes(&[8, 4, 0x1a, 0x80, 0x80, 0x80, 0x80, 1]),
            format!("{bitset} 268435456"),
        ),
        (
            OrcBloom::from_bytes(&[8, 4, 0x1a, 16, 0]),
            "bytes must be at least 20, got 5".into(),
        ),
        (OrcBloom::from_bytes(&[8, 0x80, 0]), format!("{varint} 0")),
        (
            OrcBloom::from_bytes(&[8, 255, 255, 255, 255, 255]),
            format!("{varint} 34359738367"),
        ),
        (
            OrcBloom::from_bytes(&[8, 0, 0x1a, 8, 0, 0, 0, 0, 0, 0, 0, 0]),
            "hashes must be from 1 to 255, got 0".into(),
        ),
        (
            OrcBloom::from_bytes(&[8, 0x80, 2, 0x11, 0, 0, 0, 0, 0, 0, 0, 0]),
            "hashes must be from 1 to 255, got 256".into(),
        ),
        (OrcBloom::with_bits(0, 1), format!("{bits} 0")),
        (
            OrcBloom::with_bits(1 << 31, 1),
            format!("{bits} 2147483648"),
        ),
        (
            OrcBloom::with_rate(1 << 40, 0.05),
            format!("{bits} 6855701542208"),
        ),
        (
            OrcBloom::with_rate(u64::MAX, 0.05),
            format!("items must be from 1 to {}, got {}", i64::MAX, u64::MAX),
        ),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.format, Format::Orc);
        assert_eq!(error.to_string(), format!("ORC filter: {message}"));
    }
    let mut filter = OrcBloom::with_bits(64, 3).unwrap();
    let error = filter
        .merge(&OrcBloom::with_bits(64, 4).unwrap())
        .unwrap_err();
    assert!(matches!(
        error.rule,
        Rule::Differs {
            field: Field::Hashes,
            ..
        }
    ));
}

#[test]
fn small_integers_are_longs() {
    let key = |key: OrcKey<'static>| key;
    assert_eq!(key((-7_i8).into()), OrcKey::Long(-7));
    assert_eq!(key((-700_i16).into()), OrcKey::Long(-700));
}
