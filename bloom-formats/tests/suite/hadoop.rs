//! Tests the simple filters of Hadoop, which Hudi also uses, against Hadoop itself. Tests that are the same for all formats are
//! in `every_format`.

use crate::common::hadoop::{check_empty_key, parameters, without_version};
use crate::common::{Case, accepted, cases, check_errors, check_full, difference};
use bloom_formats::{Field, Filter, HadoopBloom, HadoopHash, Rule};
use bloom_testing::assert_bytes;

pub(crate) fn created(case: &Case) -> HadoopBloom<'static> {
    let (hash, bits, hashes) = parameters(case);
    HadoopBloom::with_bits(hash, bits, hashes).unwrap()
}

fn filters() -> impl Iterator<Item = (Case, HadoopBloom<'static>)> {
    cases("hadoop").into_iter().map(|case| {
        let filter = HadoopBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    })
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
fn hudis_text_is_base64_of_the_same_bytes() {
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
            "text must be base64, but is invalid at offset 10",
        ),
        (
            "/////wAAAAIBAAAACAA==",
            "text must be base64, but is invalid at offset 19",
        ),
        (
            "/////wAAAAIBAAAAC",
            "text must be base64, but is invalid at offset 17",
        ),
        ("", "bytes must be at least 4, got 0"),
        ("/////wAAAAIBAAAACAAA", "bytes must be exactly 14, got 15"),
    ] {
        check_errors("Hadoop", [(HadoopBloom::from_base64(text), message)]);
    }
}

#[test]
fn rate_fill_and_estimate_describe_the_filter() {
    for (case, filter) in filters() {
        let distinct = case.distinct();
        let expected = filter.expected_false_positive_rate(distinct as u64);
        let share = filter.false_positive_rate() / expected;
        assert!(distinct == 0 || (0.8..1.25).contains(&share), "{share}");
    }
    let new = HadoopBloom::with_bits(HadoopHash::Jenkins, 9, 3).unwrap();
    let mut bytes = new.to_bytes().unwrap();
    bytes[13..].copy_from_slice(&[255, 1]);
    check_full(&HadoopBloom::from_bytes(&bytes).unwrap());
}

#[test]
fn chains_that_repeat_are_part_of_the_rate() {
    // Each hash of a key is the seed of the next hash. Once a hash recurs, all hashes after it repeat, and a key with repeated
    // hashes is more often a false positive. Here, half of the bits are set, bit 0 among them if `zero` is true. If no hash
    // recurred, the rate would be 2^-255. `chains` is 2^32 times the expected rate, which is that of keys with repeated hashes.
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
fn a_version_of_5_is_read_as_the_old_form_with_trailing_bytes() {
    let [(bytes, mutation, hadoop)] = &accepted("hadoop")[..] else {
        panic!("Hadoop accepts exactly one of the damaged files");
    };
    assert_eq!(mutation, "set:0:00000005");
    assert_eq!(hadoop, "accepted vector size 5 contains(a) false");
    let read = HadoopBloom::from_bytes(bytes).unwrap_err();
    assert!(matches!(read.rule, Rule::TrailingBytes { .. }));
    let (filter, _) = HadoopBloom::from_bytes_lenient(bytes).unwrap();
    assert_eq!((filter.shape().bits(), filter.contains(b"a")), (5, false));
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
    let version = "version must be -1, or at least 1: the number of hashes in the old form, got";
    let bits = "bits must be from 1 to 2147483647, got";
    let errors = [
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
            "number of set bits past the end of the filter must be 0, got 1".into(),
        ),
        (
            HadoopBloom::with_bits(murmur, 1 << 31, 1),
            format!("{bits} 2147483648"),
        ),
        (
            HadoopBloom::with_rate(murmur, 0, 0.1),
            "items must be from 1 to 9223372036854775807, got 0".into(),
        ),
    ];
    check_errors("Hadoop", errors);
    let mut filter = HadoopBloom::with_bits(murmur, 9, 2).unwrap();
    check_empty_key(&mut filter);
    // A key without a byte cannot be inserted, so no filter contains it.
    assert!(!filter.contains(b""));
    let other = HadoopBloom::with_bits(HadoopHash::Jenkins, 9, 2).unwrap();
    assert_eq!(difference(filter.merge(&other)), Field::HashType);
}
