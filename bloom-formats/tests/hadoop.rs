//! The filters of Hadoop and Hudi: read, queried, built, merged and written as Hadoop does it.

mod common;

use bloom_formats::{Format, HadoopBloom, HadoopDynamicBloom, HadoopHash, Rule, Warning};
use common::{Case, Key, cases, check_rate, check_rate_of, malformed, split_mix};

fn filters() -> Vec<(Case, HadoopBloom)> {
    let cases = cases("hadoop");
    assert_eq!(cases.len(), 4);
    let read = |case: Case| {
        let filter = HadoopBloom::from_bytes(&case.bytes).unwrap();
        (case, filter)
    };
    cases.into_iter().map(read).collect()
}

fn dynamic() -> (Case, HadoopDynamicBloom) {
    let case = cases("hadoop_dynamic").pop().unwrap();
    let filter = HadoopDynamicBloom::from_bytes(&case.bytes).unwrap();
    (case, filter)
}

/// Returns the parameters that Hadoop got.
fn parameters(case: &Case) -> (HadoopHash, u64, i64) {
    let hash = match case.facts["params"]["hash"].as_str().unwrap() {
        "jenkins" => HadoopHash::Jenkins,
        _ => HadoopHash::Murmur,
    };
    let number = |name| case.count("params", name).unwrap();
    (hash, number("vector_size"), number("nb_hash") as i64)
}

/// Returns the form without a version of a filter with Jenkins' hash, whose header starts at this offset.
fn without_version(bytes: &[u8], offset: usize) -> Vec<u8> {
    [&bytes[offset + 4..offset + 8], &bytes[offset + 9..]].concat()
}

#[test]
fn every_answer_is_hadoops() {
    for (case, filter) in filters() {
        case.check(|query| filter.contains(&query.big_endian()).unwrap());
        assert_eq!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
    }
    let (case, filter) = dynamic();
    case.check(|query| filter.contains(&query.big_endian()).unwrap());
    assert_eq!(filter.to_bytes().unwrap(), case.bytes);
}

#[test]
fn a_filter_that_is_built_or_merged_of_parts_has_the_bytes_of_hadoop() {
    for (case, filter) in filters() {
        let (hash, bits, hashes) = parameters(&case);
        let mut whole = HadoopBloom::with_bits(hash, bits, hashes).unwrap();
        let mut parts = [whole.clone(), whole.clone()];
        for (index, item) in case.items.iter().enumerate() {
            let held = whole.contains(&item.big_endian()).unwrap();
            assert_eq!(whole.insert(&item.big_endian()), Ok(!held));
            parts[index % 2].insert(&item.big_endian()).unwrap();
        }
        assert_eq!(whole.to_bytes().unwrap(), case.bytes, "{}", case.name);
        let [mut first, second] = parts;
        first.merge(&second).unwrap();
        assert!(first == filter, "{}", case.name);
    }
}

#[test]
fn a_dynamic_filter_that_is_built_has_the_bytes_of_hadoop() {
    let (case, filter) = dynamic();
    let (hash, bits, hashes) = parameters(&case);
    let per_row = case.count("params", "nr").unwrap();
    let mut built = HadoopDynamicBloom::with_bits(hash, bits, hashes, per_row).unwrap();
    for (index, item) in case.items.iter().enumerate() {
        assert_eq!(built.rows(), (index as u64).div_ceil(per_row).max(1));
        let held = built.contains(&item.big_endian()).unwrap();
        assert_eq!(built.insert(&item.big_endian()), Ok(!held));
    }
    assert_eq!(built.to_bytes().unwrap(), case.bytes);
    assert!(built == filter);
    assert_eq!(u64::from(filter.items_per_row()), per_row);
    let last = case.items.len() as u64 - (filter.rows() - 1) * per_row;
    assert_eq!(u64::from(filter.last_row_items()), last);
}

#[test]
fn dynamic_filters_are_merged_row_by_row() {
    let new = || HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 100, 3, 2).unwrap();
    let (mut ours, mut theirs) = (new(), new());
    for index in 0..3_u8 {
        ours.insert(&[index]).unwrap();
        theirs.insert(&[index + 100]).unwrap();
    }
    let before = ours.clone();
    ours.merge(&theirs).unwrap();
    let bytes = [&before, &theirs, &ours].map(|filter| filter.to_bytes().unwrap());
    for (index, united) in bytes[2].iter().enumerate() {
        let either = if index < 25 {
            bytes[0][index]
        } else {
            bytes[0][index] | bytes[1][index]
        };
        assert_eq!(*united, either, "byte {index}");
    }
    theirs.insert(b"a").unwrap();
    theirs.insert(b"b").unwrap();
    let differs = |other: &HadoopDynamicBloom| match before.clone().merge(other) {
        Err(error) => error.to_string(),
        Ok(()) => panic!("merged"),
    };
    let expected = |field| format!("Hadoop filter: {field}");
    let with = |hash, bits, hashes, items| {
        HadoopDynamicBloom::with_bits(hash, bits, hashes, items).unwrap()
    };
    let (murmur, jenkins) = (HadoopHash::Murmur, HadoopHash::Jenkins);
    for (other, message) in [
        (theirs, "rows of both filters must be equal, got 2 and 3"),
        (
            with(murmur, 100, 3, 4),
            "items a row of both filters must be equal, got 2 and 4",
        ),
        (
            with(murmur, 101, 3, 2),
            "bits of both filters must be equal, got 100 and 101",
        ),
        (
            with(murmur, 100, 4, 2),
            "hashes of both filters must be equal, got 3 and 4",
        ),
        (
            with(jenkins, 100, 3, 2),
            "hash types of both filters must be equal, got 1 and 0",
        ),
    ] {
        assert_eq!(differs(&other), expected(message));
    }
}

#[test]
fn a_filter_without_a_version_is_read_and_written_with_one() {
    let mut read = 0;
    for (case, filter) in filters() {
        if filter.hash() == HadoopHash::Jenkins {
            let old = HadoopBloom::from_bytes(&without_version(&case.bytes, 0)).unwrap();
            case.check(|query| old.contains(&query.big_endian()).unwrap());
            assert_eq!(old.to_bytes().unwrap(), case.bytes);
            read += 1;
        }
    }
    assert_eq!(read, 2);
    let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Jenkins, 20, 2, 1).unwrap();
    filter.insert(b"a").unwrap();
    filter.insert(b"b").unwrap();
    let bytes = filter.to_bytes().unwrap();
    let mut old = without_version(&bytes[..25], 0);
    old.extend(without_version(&bytes[..41], 25));
    old.extend(without_version(&bytes, 41));
    let read = HadoopDynamicBloom::borrowed(&old).unwrap();
    assert_eq!(read.rows(), 2);
    assert_eq!(read.to_bytes().unwrap(), bytes);
    let mut copy = HadoopDynamicBloom::from_bytes(&old).unwrap();
    assert!(copy == filter && copy.contains(b"b").unwrap());
    copy.merge(&read).unwrap();
    assert!(copy == filter);
    // A header with a version after one without.
    let mut mixed = old[..20 + 11].to_vec();
    mixed.extend(&bytes[41..]);
    let error = HadoopDynamicBloom::from_bytes(&mixed).unwrap_err();
    let message = "bytes of the header of a row must be as of the filter, got 13";
    assert_eq!(error.to_string(), format!("Hadoop filter: {message}"));
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
    let (_, dynamic) = dynamic();
    let read = HadoopDynamicBloom::from_base64(&dynamic.to_base64().unwrap());
    assert!(read.unwrap() == dynamic);
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
        assert!(HadoopDynamicBloom::from_base64(text).is_err());
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
        let dynamic = HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items, rate).unwrap();
        assert_eq!((dynamic.shape(), dynamic.rows()), (shape, 1));
        assert_eq!(u64::from(dynamic.items_per_row()), items);
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
        check_rate_of(&case.name, 500_000, filter.false_positive_rate(), |query| {
            filter.contains(&query.to_be_bytes()).unwrap()
        });
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
fn the_rate_of_rows_is_that_of_a_million_queries() {
    let (case, filter) = dynamic();
    let contains = |query: i64| filter.contains(&query.to_be_bytes()).unwrap();
    check_rate(&case.name, filter.false_positive_rate(), contains);
    let expected = filter.expected_false_positive_rate(case.items.len() as u64);
    assert!((0.8..1.25).contains(&(filter.false_positive_rate() / expected)));
    let items = filter.estimated_items().unwrap();
    let deviation = (items.items - case.items.len() as f64).abs();
    assert!(deviation <= 6.0 * items.standard_deviation, "{items:?}");
    assert_eq!(filter.warnings(), []);
}

#[test]
fn rows_of_the_same_keys_have_the_rate_of_one() {
    // Rows 0 and 1 hold the same keys, rows 2 and 3 half of them.
    let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Jenkins, 500, 2, 100).unwrap();
    for first in [0, 0, 50, 1_050] {
        for item in first..first + 100_u32 {
            filter.insert(&item.to_be_bytes()).unwrap();
        }
        let rate = filter.false_positive_rate();
        let mut state = 3;
        let queries = 40_000;
        let hit = |_| {
            let query = split_mix(&mut state).to_be_bytes();
            filter.contains(&query).unwrap()
        };
        let hits = (0..queries).map(hit).filter(|&hit| hit).count() as f64;
        let expected = rate * f64::from(queries);
        let deviation = (expected * (1.0 - rate)).sqrt();
        assert!(
            (hits - expected).abs() < 6.0 * deviation,
            "{hits} {expected}"
        );
    }
}

#[test]
fn rows_of_different_keys_are_independent_however_many() {
    let (hash, bits, hashes, each) = (HadoopHash::Murmur, 2_000, 4, 350);
    let mut filter = HadoopDynamicBloom::with_bits(hash, bits, hashes, each).unwrap();
    let mut clear = 1.0;
    for row in 0..10 {
        let mut alone = HadoopBloom::with_bits(hash, bits, hashes).unwrap();
        for key in row * each..(row + 1) * each {
            filter.insert(&key.to_be_bytes()).unwrap();
            alone.insert(&key.to_be_bytes()).unwrap();
        }
        clear *= 1.0 - alone.false_positive_rate();
    }
    assert_eq!(filter.rows(), 10);
    let rate = filter.false_positive_rate();
    assert!((rate - (1.0 - clear)).abs() < 1e-12, "{rate} {clear}");

    // 2,000 rows of 256 bits: each is compared with few others.
    let mut filter = HadoopDynamicBloom::with_bits(hash, 256, 2, 1).unwrap();
    for key in 0..2_000_u64 {
        filter.insert(&key.to_be_bytes()).unwrap();
    }
    assert!(filter.false_positive_rate() > 0.1);
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
                assert!(!filter.contains(b"a").unwrap());
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
    let (case, _) = dynamic();
    for end in 0..case.bytes.len() {
        assert!(HadoopDynamicBloom::from_bytes_lenient(&case.bytes[..end]).is_err());
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
            (Ok(true), 1.0)
        );
        let mut rows = HadoopDynamicBloom::with_bits(hash, 1, 255, 1).unwrap();
        let rates = [
            rows.false_positive_rate(),
            rows.expected_false_positive_rate(0),
        ];
        assert_eq!(rates.map(f64::to_bits), [0, 0]);
        rows.insert(b"a").unwrap();
        assert_eq!(
            (
                rows.false_positive_rate(),
                rows.expected_false_positive_rate(5)
            ),
            (1.0, 1.0)
        );
        assert_eq!(rows.estimated_items(), None);
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
    assert_eq!(filter.contains(b"").unwrap_err().to_string(), empty);
    let other = HadoopBloom::with_bits(HadoopHash::Jenkins, 9, 2).unwrap();
    let error = filter.merge(&other).unwrap_err();
    assert!(matches!(
        error.rule,
        Rule::Differs {
            field: "hash types",
            ..
        }
    ));
}

#[test]
fn errors_of_rows_name_the_rule_and_the_value() {
    let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 9, 2, 1).unwrap();
    filter.insert(b"a").unwrap();
    filter.insert(b"b").unwrap();
    let good = filter.to_bytes().unwrap();
    for (offset, part, message) in [
        (
            13,
            &[0; 4][..],
            "items a row must be from 1 to 2147483647, got 0",
        ),
        (
            17,
            &[255; 4],
            "items in the last row must be from 0 to 2147483647, got 4294967295",
        ),
        (21, &[0; 4], "rows must be from 1 to 2147483647, got 0"),
        (
            21,
            &[255; 4],
            "rows must be from 1 to 2147483647, got 4294967295",
        ),
        (21, &[127], "bytes must be at least 59, got 55"),
        (
            48,
            &[0],
            "hash type of a row must be as of the filter, got 0",
        ),
        (52, &[10], "bits of a row must be as of the filter, got 10"),
        (47, &[3], "hashes of a row must be as of the filter, got 3"),
    ] {
        let mut bytes = good.clone();
        bytes[offset..offset + part.len()].copy_from_slice(part);
        let error = HadoopDynamicBloom::from_bytes(&bytes).unwrap_err();
        assert_eq!(error.to_string(), format!("Hadoop filter: {message}"));
    }
    let zero = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 9, 2, 0);
    let message = "Hadoop filter: items a row must be from 1 to 2147483647, got 0";
    assert_eq!(zero.unwrap_err().to_string(), message);
    let empty = "Hadoop filter: bytes of a key must be at least 1, got 0";
    assert_eq!(filter.insert(b"").unwrap_err().to_string(), empty);
    assert_eq!(filter.contains(b"").unwrap_err().to_string(), empty);
    assert_eq!(filter.to_bytes().unwrap(), good);
}
