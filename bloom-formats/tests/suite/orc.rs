//! Tests the filters of ORC. Tests that are the same for all formats are in `every_format`.

use crate::common::{Case, cases, check_errors, check_full, difference};
use bloom_formats::{Field, Filter, OrcBloom, OrcKey, OrcStream};
use bloom_testing::assert_bytes;

pub(crate) fn created(case: &Case) -> OrcBloom<'static> {
    let parameter = |name| case.number("params", name).unwrap();
    OrcBloom::with_rate(parameter("n") as u64, parameter("fpp")).unwrap()
}

/// Returns the message in which an old writer of ORC stores the filter whose message is `bytes` and whose words are `words`.
fn original(bytes: &[u8], words: &[u8]) -> Vec<u8> {
    let mut message = bytes[..2].to_vec();
    for word in words.chunks(8) {
        message.push(0x11);
        message.extend(word);
    }
    message
}

#[test]
fn the_words_of_an_old_stream_are_read_and_written() {
    for case in cases("orc") {
        let filter = OrcBloom::from_bytes(&case.bytes).unwrap();
        assert_eq!(filter.stream(), OrcStream::Utf8);
        let words = &case.bytes[case.bytes.len() - filter.shape().bits() as usize / 8..];
        let bytes = original(&case.bytes, words);
        let old = OrcBloom::from_bytes(&bytes).unwrap();
        assert_eq!(old.stream(), OrcStream::Original);
        case.check(|query| old.contains(query.typed::<OrcKey<'_>>()));
        assert_bytes!(old.to_bytes().unwrap(), bytes);
        let mut longer = bytes.clone();
        longer.push(0x0a);
        assert_eq!(
            OrcBloom::from_bytes_lenient(&longer),
            Ok((old, &[0x0a][..]))
        );
        assert!(OrcBloom::from_bytes(&longer).is_err());
        // An old message does not state the number of its words. So a message that is cut after a whole word is the message of
        // a smaller filter, and is not tested here.
        for end in (0..bytes.len()).filter(|end| end % 9 != 2 || *end == 2) {
            assert!(OrcBloom::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        // The words are not contiguous in the message, so even `borrowed` copies them.
        assert!(OrcBloom::borrowed(&bytes).unwrap() == OrcBloom::from_bytes(&bytes).unwrap());
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
fn a_full_filter_warns() {
    let full = [&[0x08, 0x02, 0x1a, 0x08][..], &[255; 8]].concat();
    check_full(&OrcBloom::from_bytes(&full).unwrap());
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let bitset = "bytes of the bitset must be a multiple of 8 from 8 to 268435448, got";
    let bits = "bits must be from 1 to 2147483584, got";
    let varint = "varint must be encoded in at most 5 bytes, and in as few as possible, got";
    let read = |bytes: &[u8]| OrcBloom::from_bytes(bytes);
    let errors = [
        (read(&[]), "bytes must be at least 1, got 0".into()),
        (read(&[0x0a]), "byte 0 must be 0x08, got 0x0a".into()),
        (read(&[8, 4, 0x12]), "byte 2 must be 0x1a, got 0x12".into()),
        (read(&[8, 4, 0x1a, 0]), format!("{bitset} 0")),
        (read(&[8, 4, 0x1a, 9]), format!("{bitset} 9")),
        (
            read(&[8, 4, 0x1a, 0x80, 0x80, 0x80, 0x80, 1]),
            format!("{bitset} 268435456"),
        ),
        (
            read(&[8, 4, 0x1a, 16, 0]),
            "bytes must be at least 20, got 5".into(),
        ),
        (read(&[8, 0x80, 0]), format!("{varint} 0")),
        (
            read(&[8, 255, 255, 255, 255, 255]),
            format!("{varint} 34359738367"),
        ),
        (
            read(&[8, 0, 0x1a, 8, 0, 0, 0, 0, 0, 0, 0, 0]),
            "hashes must be from 1 to 255, got 0".into(),
        ),
        (
            read(&[8, 0x80, 2, 0x11, 0, 0, 0, 0, 0, 0, 0, 0]),
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
    ];
    check_errors("ORC", errors);
    let mut filter = OrcBloom::with_bits(64, 3).unwrap();
    let merged = filter.merge(&OrcBloom::with_bits(64, 4).unwrap());
    assert_eq!(difference(merged), Field::Hashes);
}
