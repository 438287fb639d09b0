//! Tests the rules for the bytes of a saved filter one by one: bytes that break a rule are refused with an error that names the
//! rule and the value. The bytes are made from golden files, which are recorded saved filters. The golden file of a scalable
//! filter has three stages, the Bloom filters of which the filter consists.

use bloom_core::math::MathError;
use bloom_core::{
    BloomFilter, FilterKind, LoadError, ScalableBloomFilter, Shape, ShapeError, StageError,
};

use crate::forged::{KINDS, PAYLOAD, put, repair_checksum};
use crate::saved::{GOLDEN, golden, resave, u64_at};

/// Returns the kind of the filter in a golden file.
fn kind_of(name: &str) -> FilterKind {
    let (_, kind) = GOLDEN.iter().find(|(golden, _)| *golden == name).unwrap();
    *kind
}

/// Returns a golden file in which fields of eight bytes are changed and the checksums match. An edit is an offset and a field.
fn edited(name: &str, edits: &[(usize, u64)]) -> Vec<u8> {
    let mut bytes = golden(name);
    for (at, field) in edits {
        put(&mut bytes, *at, *field);
    }
    repair_checksum(&mut bytes);
    bytes
}

#[test]
fn unused_bits_counters_and_padding_are_refused_with_their_offset() {
    let bytes = golden("scalable");
    // The number of words with the bits of the first stage, and the offset of the zeros that pad these words to 64 bytes.
    let words = u64_at(&bytes, PAYLOAD + 32) as usize;
    let padding = PAYLOAD + 64 + 8 * words;
    assert!(!words.is_multiple_of(8), "no padding to test");
    // The first six rows name bytes with unused bits, unused counters or padding. The other rows name bytes of a stage's header
    // or of the file's header that are reserved, or that the other fields determine.
    for (name, at) in [
        ("basic", 159 - 8),
        ("counting4", 183 - 8),
        ("counting8", 215 - 8),
        ("partitioned", 167 - 8),
        ("scalable", padding),
        ("scalable", padding - 1),
        ("scalable", PAYLOAD + 9),
        ("scalable", PAYLOAD + 63),
        ("scalable", 15),
        ("basic", 15),
        ("basic", 120),
        ("basic", 72),
        ("blocked", 11),
        ("blocked", 12),
        ("partitioned", 32),
    ] {
        let mut bytes = golden(name);
        let expected = bytes[at];
        bytes[at] ^= 0x80;
        repair_checksum(&mut bytes);
        let got = bytes[at];
        let offset = at as u64;
        assert_eq!(
            resave(kind_of(name), &bytes),
            Err(LoadError::Byte {
                offset,
                expected,
                got
            }),
            "{name}, byte {at}"
        );
    }
}

#[test]
fn another_kind_is_refused_and_both_are_named() {
    for (name, stored) in GOLDEN {
        for requested in KINDS.into_iter().filter(|requested| *requested != stored) {
            let error = resave(requested, &golden(name)).unwrap_err();
            assert_eq!(error, LoadError::Kind { requested, stored });
            let message = format!("kind of filter must be {requested}, got {stored}");
            assert_eq!(error.to_string(), message);
        }
    }
}

#[test]
fn sizes_beyond_the_input_are_refused_before_any_allocation() {
    const MAX: u64 = u64::MAX;
    let too_many_bits = |bits| LoadError::Shape(ShapeError::Math(MathError::TooManyBits(bits)));
    let words = |expected, got| LoadError::Words { expected, got };
    let length = |bytes| LoadError::Length { words: MAX, bytes };
    let stages = |max_stages, stages| LoadError::Stages { max_stages, stages };
    // This word has the growth factor in its low half and the maximum number of stages in its high half.
    let many_stages = (96, u64::from(u32::MAX) << 32 | 3);
    let stage_bits = [(PAYLOAD, 1 << 63), (PAYLOAD + 32, 1 << 57)];
    for (name, edits, error) in [
        ("basic", vec![(16, MAX)], too_many_bits(MAX)),
        ("basic", vec![(16, 1 << 63)], words(1 << 57, 3)),
        ("basic", vec![(24, MAX)], length(160)),
        (
            "blocked",
            vec![(16, MAX)],
            LoadError::Shape(ShapeError::Math(MathError::TooManyBlocks(MAX))),
        ),
        ("blocked", vec![(16, 1 << 54)], words(1 << 57, 24)),
        ("counting4", vec![(16, 1 << 63)], words(1 << 59, 6)),
        ("counting8", vec![(16, 1 << 63)], words(1 << 60, 10)),
        ("partitioned", vec![(16, 1 << 40)], words(1 << 34, 4)),
        ("scalable", vec![(16, MAX)], stages(9, MAX)),
        ("scalable", vec![(16, 0)], stages(9, 0)),
        (
            "scalable",
            vec![many_stages, (16, u32::MAX.into())],
            words(u64::from(u32::MAX) * 16, 48),
        ),
        ("scalable", stage_bits.to_vec(), words((1 << 57) + 8, 48)),
    ] {
        assert_eq!(
            resave(kind_of(name), &edited(name, &edits)),
            Err(error),
            "{name} {edits:?}"
        );
    }
}

#[test]
fn counters_of_other_widths_and_filters_without_hashes_are_refused() {
    let no_hashes = LoadError::Shape(MathError::NoHashes.into());
    let few_bits = MathError::FewerBitsThanHashes {
        bits: 200,
        hashes: 201,
    };
    for (name, at, byte, error) in [
        ("counting4", 11, 0, LoadError::CounterBits(0)),
        ("counting8", 11, 5, LoadError::CounterBits(5)),
        ("basic", 12, 0, no_hashes),
        ("counting4", 12, 0, no_hashes),
        ("partitioned", 12, 0, no_hashes),
        ("partitioned", 12, 201, LoadError::Shape(few_bits.into())),
        ("basic", 10, 6, LoadError::UnknownKind(6)),
        ("blocked", 10, 0, LoadError::UnknownKind(0)),
    ] {
        let mut bytes = golden(name);
        bytes[at] = byte;
        repair_checksum(&mut bytes);
        assert_eq!(
            resave(kind_of(name), &bytes),
            Err(error),
            "{name}, byte {at}"
        );
    }
}

#[test]
fn stages_that_cannot_have_grown_are_refused_by_number_and_rule() {
    let whole = golden("scalable");
    let second = PAYLOAD + 64 + 64;
    assert_eq!(
        u64_at(&whole, second + 16),
        9,
        "the second stage is elsewhere"
    );
    let third = second + 64 + 64;
    assert_eq!(
        u64_at(&whole, third + 16),
        27,
        "the third stage is elsewhere"
    );
    let ones = |at: usize| {
        whole[at..at + 64]
            .iter()
            .map(|byte| byte.count_ones())
            .sum::<u32>()
    };
    let second_ones = u64::from(ones(second + 64));
    let items = |least, most, got| StageError::Items { least, most, got };
    let expected_items = |expected, got| StageError::ExpectedItems { expected, got };
    let shape = |error: MathError| StageError::Shape(error.into());
    for (stage, edits, error) in [
        (0, vec![(PAYLOAD, 0)], shape(MathError::NoBits)),
        (0, vec![(PAYLOAD + 8, 0)], shape(MathError::NoHashes)),
        (0, vec![(PAYLOAD + 16, 4)], expected_items(3, 4)),
        (
            1,
            vec![(second + 16, u64::MAX)],
            expected_items(9, u64::MAX),
        ),
        (0, vec![(PAYLOAD + 24, 0)], items(1, 3, 0)),
        (0, vec![(PAYLOAD + 24, 4)], items(1, 3, 4)),
        (2, vec![(third + 24, 0)], items(1, 27, 0)),
        (2, vec![(third + 24, 28)], items(1, 27, 28)),
        (2, vec![(third + 24, u64::MAX)], items(1, 27, u64::MAX)),
        (
            1,
            (0..8).map(|word| (second + 64 + 8 * word, 0)).collect(),
            // The rate of the stage, 0.00125, allows at most 60 set bits of 128, since 128 * 0.00125^(1/9) = 60.9. An item sets
            // at most 9 bits. With 51 set bits there is still room for any item, so no third stage would have been added.
            StageError::SetBits {
                least: 52,
                most: 60,
                got: 0,
            },
        ),
        (
            1,
            vec![(second + 8, 1)],
            // With one hash, a single set bit of 128 exceeds the rate. But each of the 8 items must have set at least one bit,
            // so no number of set bits is valid.
            StageError::SetBits {
                least: 8,
                most: 0,
                got: second_ones,
            },
        ),
    ] {
        let result = resave(FilterKind::Scalable, &edited("scalable", &edits));
        assert_eq!(result, Err(LoadError::Stage { stage, error }), "{edits:?}");
    }
    // With 6 hashes more, the set bits and the items of the stage would still be possible, but the stage would miss its rate.
    let hashes = u64_at(&whole, third + 8) + 6;
    let error = resave(
        FilterKind::Scalable,
        &edited("scalable", &[(third + 8, hashes)]),
    );
    let Err(LoadError::Stage {
        stage: 2,
        error: StageError::Rate { rate, got },
    }) = error
    else {
        panic!("{error:?}");
    };
    assert!((rate - 0.005 * 0.125).abs() < 1e-15 && got > rate);
    // The rate of the whole filter is lowered, so that the first stage exceeds its share of it.
    let stricter = edited("scalable", &[(80, 0.004_f64.to_bits())]);
    let error = resave(FilterKind::Scalable, &stricter).unwrap_err();
    assert!(matches!(
        error,
        LoadError::Stage {
            stage: 0,
            error: StageError::Rate { .. }
        }
    ));
    // The rate of the whole filter is too low for 64-bit hashes.
    let floor = edited("scalable", &[(80, 1e-18_f64.to_bits())]);
    let Err(LoadError::Stage { stage: 0, error }) = resave(FilterKind::Scalable, &floor) else {
        panic!("loaded");
    };
    assert!(matches!(
        error,
        StageError::Shape(ShapeError::StageUnderHashFloor { .. })
    ));
}

#[test]
fn an_empty_stage_has_no_bit_set() {
    let empty = ScalableBloomFilter::<u64>::with_rate(5, 0.1).unwrap();
    let mut bytes = empty.to_bytes().unwrap();
    assert!(resave(FilterKind::Scalable, &bytes).is_ok());
    bytes[PAYLOAD + 64] = 1;
    repair_checksum(&mut bytes);
    let error = StageError::SetBits {
        least: 0,
        most: 0,
        got: 1,
    };
    assert_eq!(
        resave(FilterKind::Scalable, &bytes),
        Err(LoadError::Stage { stage: 0, error })
    );
}

#[test]
fn bad_growth_in_a_file_is_refused_as_in_a_shape() {
    for (at, field, message) in [
        (72, 0, "items must be at least 1, got 0"),
        (
            80,
            0,
            "false-positive rate must be between 0 and 1 (exclusive), got 0",
        ),
        (
            80,
            f64::NAN.to_bits(),
            "false-positive rate must be between 0 and 1 (exclusive), got NaN",
        ),
        (
            88,
            1.0_f64.to_bits(),
            "tightening ratio must be between 0 and 1 (exclusive), got 1",
        ),
        (96, 9 << 32, "growth must be at least 1, got 0"),
        (96, 3, "stages must be at least 1, got 0"),
    ] {
        let error = resave(FilterKind::Scalable, &edited("scalable", &[(at, field)]));
        assert_eq!(error.unwrap_err().to_string(), message);
    }
}

#[test]
fn every_error_names_parameter_rule_and_value() {
    for (error, message) in [
        (
            LoadError::TooShort { bytes: 5 },
            "bytes must be at least 136, got 5",
        ),
        (
            LoadError::Magic(*b"\x7fELF\x02\x01\x01\0"),
            "bytes must start with \"\\x89BLOOM\\r\\n\", the magic bytes of a saved filter, \
             got \"\\x7fELF\\x02\\x01\\x01\\x00\"",
        ),
        (
            LoadError::Version(2),
            "version of the layout must be 1, got 2",
        ),
        (
            LoadError::Length {
                words: 3,
                bytes: 161,
            },
            "bytes must be 160 for the 3 words that the header specifies, got 161",
        ),
        (
            LoadError::Checksum {
                stored: 1,
                computed: 2,
            },
            "checksum must be 0x0000000000000002 to match the bytes before it, \
             got 0x0000000000000001",
        ),
        (
            LoadError::UnknownKind(6),
            "kind of filter must be from 1 to 5, got 6",
        ),
        (
            LoadError::Hasher {
                saved_with_default: true,
            },
            "hasher must be the default one, as when the filter was saved, \
             got one with other hashes",
        ),
        (
            LoadError::Hasher {
                saved_with_default: false,
            },
            "hasher must be that of the saved filter, which is not the default one, \
             got one with other hashes",
        ),
        (
            LoadError::Unsealed,
            "file must be sealed, but it is open for writing, or its program ended before sealing it",
        ),
        (
            LoadError::HeaderChecksum {
                stored: 1,
                computed: 2,
            },
            "checksum of the header must be 0x0000000000000002 to match the bytes before it, \
             got 0x0000000000000001",
        ),
        (
            LoadError::Folds(3),
            "folds of a hash must be 0, 1 or 2, got 3",
        ),
        (
            LoadError::CounterBits(5),
            "counter bits must be 4 or 8, got 5",
        ),
        (
            LoadError::Words {
                expected: 3,
                got: 4,
            },
            "number of words must be 3 for this size, got 4",
        ),
        (
            LoadError::Stages {
                max_stages: 64,
                stages: 65,
            },
            "stages must be from 1 to 64, got 65",
        ),
        (
            LoadError::Byte {
                offset: 14,
                expected: 0,
                got: 1,
            },
            "byte 14 must be 0 to agree with the other fields, got 1",
        ),
    ] {
        assert_eq!(error.to_string(), message);
    }
    let shape = Shape::new(1 << 60, 1).unwrap();
    let memory = BloomFilter::<u64>::new(shape).unwrap_err();
    assert_eq!(LoadError::from(memory).to_string(), memory.to_string());
}

#[test]
fn every_error_of_a_stage_names_its_number_too() {
    for (error, message) in [
        (
            StageError::ExpectedItems {
                expected: 9,
                got: 8,
            },
            "expected items must be 9 to follow from the growth, got 8",
        ),
        (
            StageError::Items {
                least: 1,
                most: 9,
                got: 10,
            },
            "items must be from 1 to 9, got 10",
        ),
        (
            StageError::Rate {
                rate: 0.001,
                got: 0.002,
            },
            "false-positive rate must be at most 1e-3 with the expected items, got 2e-3",
        ),
        (
            StageError::SetBits {
                least: 9,
                most: 63,
                got: 64,
            },
            "set bits must be from 9 to 63 to agree with the items and the rate, got 64",
        ),
    ] {
        let error = LoadError::Stage { stage: 2, error };
        assert_eq!(error.to_string(), format!("stage 2: {message}"));
    }
}
