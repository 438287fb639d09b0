//! Tests that the bytes of a saved filter do not depend on the byte order of the machine. Every field of the header, except its
//! checksum and its reserved bytes, is compared with bytes that were written by hand or computed by arithmetic, least
//! significant byte first. The bytes after the header are compared in other tests: with recorded files in `files_golden.rs`,
//! and with the whole file in the documentation of `bloom_core::persist`.

use bloom_core::{ScalableBloomFilter, ScalableShape};

/// Returns the bytes of a number, least significant byte first, by arithmetic alone.
fn low_first(number: u64) -> [u8; 8] {
    std::array::from_fn(|byte| (number >> (8 * byte)) as u8)
}

fn hex(bytes: &[u8]) -> String {
    let each: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    each.join(" ")
}

#[test]
fn every_field_of_a_growing_filter_is_written_and_read_lowest_byte_first() {
    let shape = ScalableShape::new(1_000, 0.01)
        .and_then(|shape| shape.with_growth(0x0203))
        .and_then(|shape| shape.with_max_stages(0x0001_0203))
        .and_then(|shape| shape.with_max_bytes(0x0102_0304_0506))
        .unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    for hash in 0..3 {
        filter.insert_hash(hash).unwrap();
    }
    let bytes = filter.to_bytes().unwrap();
    let stage = filter.stages().next().unwrap();
    let (bits, words) = (stage.shape.bits(), stage.shape.bits().div_ceil(64));
    assert!(bits > 0xff, "a number of more than one byte");

    for (at, field) in [
        (0, "89 42 4c 4f 4f 4d 0d 0a 01 00 05 00 00 01 01 00"),
        (16, "01 00 00 00 00 00 00 00"),
        (32, "00 00 00 00 00 00 00 00 2a 0a 2b 79 ce b9 b6 18"),
        (48, "9d 3a ae 5a 92 95 82 49 b2 02 98 6c 0f 09 b8 58"),
        (64, "6a 2b 31 75 4e 30 b7 1a"),
        // The next three rows are the expected items (1000), the rate and the tightening ratio. The rate and the ratio are
        // binary64 numbers: 3f847ae147ae147b is 0.01, and 3feb333333333333 is 0.85.
        (72, "e8 03 00 00 00 00 00 00"),
        (80, "7b 14 ae 47 e1 7a 84 3f"),
        (88, "33 33 33 33 33 33 eb 3f"),
        (96, "03 02 00 00 03 02 01 00"),
        (104, "06 05 04 03 02 01 00 00"),
        // The last two rows are fields of the first stage, which is a Bloom filter of its own: its 9 hashes, its 1000 expected
        // items and its 3 inserted items. (It has 9 hashes because its rate is 0.0015, and log2(1/0.0015) is 9.4.)
        (136, "09 00 00 00 00 00 00 00"),
        (144, "e8 03 00 00 00 00 00 00 03 00 00 00 00 00 00 00"),
    ] {
        let length = field.split(' ').count();
        assert_eq!(hex(&bytes[at..at + length]), field, "at {at}");
    }
    assert_eq!(bytes[24..32], low_first((bytes.len() as u64 - 136) / 8));
    assert_eq!(bytes[128..136], low_first(bits));
    assert_eq!(bytes[160..168], low_first(words));

    let loaded = ScalableBloomFilter::<u64>::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.shape(), shape);
    assert_eq!(loaded.stages().next(), Some(stage));
    assert!((0..3).all(|hash| loaded.contains_hash(hash)));
}
