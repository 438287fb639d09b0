//! The filters of Hadoop and Hudi: read, queried, built, merged and written as Hadoop does it.

use crate::common::hadoop::{parameters, without_version};
use crate::common::{Case, Key, cases, check_rate_of, malformed};
use bloom_formats::{Field, Filter, Format, HadoopBloom, HadoopHash, Rule, Warning};
use bloom_testing::assert_bytes;

fn filters() -> Vec<(Case, HadoopBloom<'static>)> {
    let cases = cases("hadoop");
    assert_eq!(cases.len(), 4);
    let read = |case: Case| {
        let filter = HadoopBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    };
    cases.into_iter().map(read).collect()
}

#[test]
fn every_answer_is_hadoops() {
    for (case, filter) in filters() {
        case.check(|query| filter.contains(&query.big_endian()));
        assert_bytes!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
}

#[test]
fn a_filter_that_is_built_or_merged_of_parts_has_the_bytes_of_hadoop() {
    for (case, filter) in filters() {
        let (hash, bits, hashes) = parameters(&case);
        let mut whole = HadoopBloom::with_bits(hash, bits, hashes).unwrap();
        let mut parts = [whole.clone(), whole.clone()];
        for (index, item) in case.items.iter().enumerate() {
            let held = whole.contains(&item.big_endian());
            assert_eq!(whole.insert(&item.big_endian()), Ok(!held));
            parts[index % 2].insert(&item.big_endian()).unwrap();
        }
        assert_bytes!(whole.to_bytes().unwrap(), case.bytes, "{}", case.name);
        let [mut first, second] = parts;
        first.merge(&second).unwrap();
        assert!(first == filter, "{}", case.name);
    }
}

#[test]
fn a_filter_without_a_version_is_read_and_written_with_one() {
    let mut read = 0;
    for (case, filter) in filters() {
        if filter.hash() == HadoopHash::Jenkins {
            let old = HadoopBloom::from_bytes(&without_version(&case.bytes, 0)).unwrap();
            case.check(|query| old.contains(&query.big_endian()));
            assert_bytes!(old.to_bytes().unwrap(), case.bytes);
            read += 1;
        }
    }
    assert_eq!(read, 2);
}

#[test]
fn text_of_hudi_is_the_same_bytes() {
    for (case, filter) in filters() {
        let text = filter.to_base64().unwrap();
        assert!(HadoopBloom::from_base64(&text).unwrap() == filter);
        assert!(HadoopBloom::from_base64(text.trim_end_matches('=')).unwrap() == filter);
        assert_eq!(text.len(), case.bytes.len().div_ceil(3) * 4);
    }
    let filter = HadoopBloom::with_bits(HadoopHash::Murmur, 8, 2).unwrap();
    let text = "/////wAAAAIBAAAACAA=";
    assert_eq!(filter.to_base64().unwrap(), text);
    for (text, message) in [
        (
            "/////wAAAA!BAAAACAA=",
            "text must be base64, but is not at offset 10",
        ),
        (
            "/////wAAAAIBAAAACAA==",
            "text must be base64, but is not at offset 19",
        ),
        (
            "/////wAAAAIBAAAAC",
            "text must be base64, but is not at offset 17",
        ),
        ("", "bytes must be at least 4, got 0"),
        ("/////wAAAAIBAAAACAAA", "bytes must be exactly 14, got 15"),
    ] {
        let error = HadoopBloom::from_base64(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("Hadoop filter: {message}"),
            "{text}"
        );
    }
}

#[test]
fn sizes_are_those_of_hudi() {
    // ceil(-n ln p / ln² 2) and ceil(ln 2 m / n), computed with 50 digits; 60 000 and 1e-9 are Hudi's defaults.
    for (items, rate, bits, hashes) in [
        (60_000, 1e-9, 2_587_966, 30),
        (1, 0.5, 2, 2),
        (1_000, 0.01, 9_586, 7),
    ] {
        let filter = HadoopBloom::with_rate(HadoopHash::Murmur, items, rate).unwrap();
        let shape = filter.shape();
        assert_eq!(
            (shape.bits(), shape.hashes()),
            (bits, hashes),
            "{items} {rate}"
        );
    }
}

#[test]
fn the_readings_describe_the_filter() {
    for (case, filter) in filters() {
        let distinct: std::collections::HashSet<Vec<u8>> =
            case.items.iter().map(Key::big_endian).collect();
        let items = filter.estimated_items().unwrap();
        let deviation = (items.items - distinct.len() as f64).abs();
        assert!(
            deviation <= 6.0 * items.standard_deviation,
            "{}: {items:?}",
            case.name
        );
        check_rate_of(
            &case.about(&filter),
            500_000,
            filter.false_positive_rate(),
            |query| filter.contains(&query.to_be_bytes()),
        );
        let expected = filter.expected_false_positive_rate(distinct.len() as u64);
        let share = filter.false_positive_rate() / expected;
        assert!(
            distinct.is_empty() || (0.8..1.25).contains(&share),
            "{share}"
        );
        assert_eq!(filter.warnings(), []);
    }
    let mut bytes = HadoopBloom::with_bits(HadoopHash::Jenkins, 9, 3)
        .unwrap()
        .to_bytes()
        .unwrap();
    bytes[13..].copy_from_slice(&[255, 1]);
    let full = HadoopBloom::from_bytes(&bytes).unwrap();
    assert_eq!((full.fill(), full.false_positive_rate()), (1.0, 1.0));
    assert_eq!(
        (full.estimated_items(), full.warnings()),
        (None, vec![Warning::Full])
    );
}

#[test]
fn chains_that_repeat_are_part_of_the_rate() {
    // Half of the bits, with or without bit 0. The other term, 2^-255, is nothing.
    for (hash, zero, chains) in [
        (HadoopHash::Murmur, true, 2.0),
        (HadoopHash::Murmur, false, 0.0),
        (HadoopHash::Jenkins, true, 4.0),
        (HadoopHash::Jenkins, false, 2.0),
    ] {
        let new = HadoopBloom::with_bits(hash, 1_000, 255).unwrap();
        let mut bytes = new.to_bytes().unwrap();
        bytes[13..].fill(if zero { 0x55 } else { 0xaa });
        let rate = HadoopBloom::from_bytes(&bytes)
            .unwrap()
            .false_positive_rate();
        let rate = rate * 2_f64.powi(32);
        assert!((rate - chains).abs() < 1e-6, "{hash:?} {zero}: {rate}");
    }
}

#[test]
fn files_that_hadoop_refuses_are_refused() {
    let cases = malformed("hadoop");
    assert_eq!(cases.len(), 6);
    for (bytes, mutation, hadoop) in cases {
        let read = HadoopBloom::from_bytes(&bytes);
        let lenient = HadoopBloom::from_bytes_lenient(&bytes);
        match mutation.as_str() {
            "none" => assert!(read.is_ok() && lenient.unwrap().1.is_empty()),
            // The form without a version, and many bytes after it.
            "set:0:00000005" => {
                assert_eq!(hadoop, "accepted vector size 5 contains(a) false");
                assert!(matches!(read.unwrap_err().rule, Rule::TrailingBytes { .. }));
                let (filter, _) = lenient.unwrap();
                assert_eq!(filter.shape().bits(), 5);
                assert!(!filter.contains(b"a"));
            }
            _ => {
                assert!(hadoop.starts_with("error"), "{mutation}: {hadoop}");
                assert!(read.is_err() && lenient.is_err(), "{mutation}");
            }
        }
    }
}

#[test]
fn every_prefix_is_refused() {
    for (case, _) in filters() {
        for end in 0..case.bytes.len() {
            assert!(HadoopBloom::from_bytes_lenient(&case.bytes[..end]).is_err());
        }
    }
}

#[test]
fn filters_of_one_bit_or_of_255_hashes_work() {
    for hash in [HadoopHash::Jenkins, HadoopHash::Murmur] {
        let mut filter = HadoopBloom::with_bits(hash, 1, 255).unwrap();
        assert_eq!(
            (filter.estimated_items().unwrap().items, filter.fill()),
            (0.0, 0.0)
        );
        assert_eq!(filter.insert(b"a"), Ok(true));
        assert_eq!(
            (filter.contains(b"b"), filter.false_positive_rate()),
            (true, 1.0)
        );
    }
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let murmur = HadoopHash::Murmur;
    let good = HadoopBloom::with_bits(murmur, 9, 2)
        .unwrap()
        .to_bytes()
        .unwrap();
    let damaged = |offset: usize, part: &[u8]| {
        let mut bytes = good.clone();
        bytes[offset..offset + part.len()].copy_from_slice(part);
        HadoopBloom::from_bytes(&bytes)
    };
    let version = "version must be -1, or the hashes of the old form, from 1 on, got";
    let bits = "bits must be from 1 to 2147483647, got";
    for (result, message) in [
        (damaged(0, &[0, 0, 0, 0]), format!("{version} 0")),
        (damaged(3, &[254]), format!("{version} -2")),
        (
            damaged(4, &[0, 0, 0, 0]),
            "hashes must be from 1 to 255, got 0".into(),
        ),
        (
            damaged(4, &[255; 4]),
            "hashes must be from 1 to 255, got -1".into(),
        ),
        (damaged(8, &[2]), "hash type must be 0 or 1, got 2".into()),
        (damaged(9, &[0; 4]), format!("{bits} 0")),
        (damaged(9, &[255; 4]), format!("{bits} 4294967295")),
        (
            damaged(9, &[127, 255, 255, 255]),
            "bytes must be at least 268435469, got 15".into(),
        ),
        (
            damaged(14, &[4]),
            "set bits beyond the last must be 0, got 1".into(),
        ),
        (
            HadoopBloom::with_bits(murmur, 1 << 31, 1),
            format!("{bits} 2147483648"),
        ),
        (
            HadoopBloom::with_rate(murmur, 0, 0.1),
            "items must be from 1 to 9223372036854775807, got 0".into(),
        ),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.format, Format::Hadoop);
        assert_eq!(error.to_string(), format!("Hadoop filter: {message}"));
    }
    let mut filter = HadoopBloom::with_bits(murmur, 9, 2).unwrap();
    let empty = "Hadoop filter: bytes of a key must be at least 1, got 0";
    assert_eq!(filter.insert(b"").unwrap_err().to_string(), empty);
    // What cannot be inserted is certainly not there.
    assert!(!filter.contains(b""));
    let asked = Filter::contains(&filter, bloom_formats::Key::Bytes(b""));
    assert_eq!(asked.unwrap_err().to_string(), empty);
    let other = HadoopBloom::with_bits(HadoopHash::Jenkins, 9, 2).unwrap();
    let error = filter.merge(&other).unwrap_err();
    assert!(matches!(
        error.rule,
        Rule::Differs {
            field: Field::HashType,
            ..
        }
    ));
}
