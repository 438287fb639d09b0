//! Tests the filters of Hive, whose bits are in blocks of 512. Tests that are the same for all formats are in `every_format`.

use crate::common::{Case, check_errors, check_full, check_rate, difference, split_mix};
use bloom_formats::{Field, Filter, HiveBloom, Warning};

pub(crate) fn created(case: &Case) -> HiveBloom<'static> {
    HiveBloom::with_items(case.count("params", "n").unwrap()).unwrap()
}

/// Returns a filter with `items` random items.
fn random(blocks: u64, hashes: i64, items: u32, state: &mut u64) -> HiveBloom<'static> {
    let mut filter = HiveBloom::with_blocks(blocks, hashes).unwrap();
    for _ in 0..items {
        filter.insert(split_mix(state) as i64).unwrap();
    }
    filter
}

#[test]
fn sizes_are_those_of_hive() {
    // The numbers of blocks were computed with 50 digits in Python. If the words that the items need fill whole blocks, as
    // those of 82 items do, Hive adds one more block.
    for (items, blocks) in [(1, 1), (72, 1), (82, 2), (540, 7), (100_000_000, 1_217_818)] {
        let filter = HiveBloom::with_items(items).unwrap();
        assert_eq!(
            (filter.blocks(), filter.shape().hashes()),
            (blocks, 4),
            "{items}"
        );
        assert_eq!(filter.shape().bits(), blocks * 512);
    }
}

#[test]
fn numbers_are_hashed_as_64_bits() {
    let mut filter = HiveBloom::with_blocks(5, 8).unwrap();
    assert!(filter.insert(-7_i32).unwrap() && filter.contains(-7_i64));
    assert!(filter.contains(&(-7_i64).to_be_bytes()[..]));
    assert!(filter.insert(f64::NAN).unwrap() && filter.contains(0x7ff8_0000_0000_0000_i64));
    assert!(filter.contains(-f64::NAN) && !filter.contains(0.0));
}

#[test]
fn a_full_filter_warns() {
    let full = [&[4, 0, 0, 0, 8][..], &[255; 64]].concat();
    check_full(&HiveBloom::from_bytes(&full).unwrap());
}

#[test]
fn an_even_number_of_blocks_raises_the_rate_as_computed() {
    let filter = random(8, 4, 656, &mut 1);
    let rate = filter.false_positive_rate();
    check_rate("8 blocks", rate, |query| filter.contains(query));
    let [Warning::DependentBlocks { even, rate: warned }] = filter.warnings()[..] else {
        panic!("{:?}", filter.warnings());
    };
    assert_eq!(warned, rate);
    assert!((1.15..1.25).contains(&(rate / even)), "{rate} {even}");
    let message = filter.warnings()[0].to_string();
    assert!(message.ends_with(&format!(
        "the rate is {rate:.3e}, not {even:.3e} as the fill suggests"
    )));
    // The halves of an item's hash are a and b. With 512 blocks, items in block j have only two values of a + b modulo 512: j
    // and 511 - j. The signs of the sums a + i × b depend on each other. In blocks as lightly filled as those of `light`, the
    // dependence of the signs accounts for a tenth of the rate.
    let light = random(512, 4, 10_240, &mut 1);
    check_rate("512 blocks", light.false_positive_rate(), |query| {
        light.contains(query)
    });
    let filter = random(1_024, 4, 84_000, &mut 1);
    check_rate("1024 blocks", filter.false_positive_rate(), |query| {
        filter.contains(query)
    });
    let odd = random(9, 4, 738, &mut 1);
    assert_eq!(odd.warnings(), []);
}

#[test]
fn the_items_of_dependent_blocks_are_estimated_without_a_bias() {
    let (filters, items, mut state) = (30, 2_600, 5);
    let (mut sum, mut squares, mut deviation) = (0.0, 0.0, 0.0);
    for _ in 0..filters {
        let estimate = random(32, 4, items, &mut state).estimated_items().unwrap();
        sum += estimate.items;
        squares += (estimate.items - f64::from(items)).powi(2);
        deviation = estimate.standard_deviation;
    }
    let mean = sum / f64::from(filters);
    // An estimate that assumes independent positions would be too low by some 30 items.
    let tolerance = 6.0 * deviation / f64::from(filters).sqrt();
    assert!(
        (mean - f64::from(items)).abs() < tolerance,
        "{mean} {tolerance}"
    );
    let measured = (squares / f64::from(filters)).sqrt();
    assert!(
        (0.5..1.8).contains(&(measured / deviation)),
        "{measured} {deviation}"
    );
}

#[test]
fn the_expected_rate_is_the_mean_of_filters() {
    for (blocks, hashes, items) in [(32, 4, 2_600), (1, 5, 60), (64, 4, 5_000)] {
        let (filters, mut state) = (12, 9);
        let rates: Vec<f64> = (0..filters)
            .map(|_| random(blocks, hashes, items, &mut state).false_positive_rate())
            .collect();
        let mean = rates.iter().sum::<f64>() / f64::from(filters);
        let squares = rates.iter().map(|rate| (rate - mean).powi(2));
        let deviation = squares.sum::<f64>().sqrt() / f64::from(filters);
        let empty = HiveBloom::with_blocks(blocks, hashes).unwrap();
        let expected = empty.expected_false_positive_rate(items.into());
        let tolerance = 6.0 * deviation + 0.05 * expected;
        assert!(
            (mean - expected).abs() < tolerance,
            "{blocks}: {mean} {expected} {tolerance}"
        );
    }
    let empty = HiveBloom::with_blocks(8, 4).unwrap();
    assert_eq!(
        (
            empty.expected_false_positive_rate(0),
            empty.false_positive_rate()
        ),
        (0.0, 0.0)
    );
    assert_eq!(empty.expected_false_positive_rate(u64::MAX), 1.0);
    assert_eq!(empty.estimated_items().unwrap().items, 0.0);
}

#[test]
fn errors_name_the_rule_and_the_value() {
    let words = "64-bit words must be a multiple of 8 from 8 to 2147483640, got";
    let hashes = "hashes must be from 1 to 127, got";
    let read = |hashes: u8, words: i32| {
        let header = [&[hashes][..], &words.to_be_bytes()].concat();
        HiveBloom::from_bytes(&header)
    };
    let errors = [
        (read(4, 12), format!("{words} 12")),
        (
            read(4, 0),
            "64-bit words must be from 1 to 2147483647, got 0".into(),
        ),
        (
            read(4, -8),
            "64-bit words must be from 1 to 2147483647, got -8".into(),
        ),
        (read(0, 8), format!("{hashes} 0")),
        (read(255, 8), format!("{hashes} -1")),
        (
            read(4, i32::MAX - 7),
            "bytes must be at least 17179869125, got 5".into(),
        ),
        (HiveBloom::with_blocks(0, 4), format!("{words} 0")),
        (
            HiveBloom::with_blocks(1 << 28, 4),
            format!("{words} 2147483648"),
        ),
        (HiveBloom::with_blocks(1, 128), format!("{hashes} 128")),
        (
            HiveBloom::with_items(1 << 30),
            "bits must be from 1 to 2147483647, got 6695021568".into(),
        ),
    ];
    check_errors("Hive", errors);
    let mut filter = HiveBloom::with_blocks(1, 3).unwrap();
    let merged = filter.merge(&HiveBloom::with_blocks(2, 3).unwrap());
    assert_eq!(difference(merged), Field::Bits);
}
