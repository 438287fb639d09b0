//! Compares hashes and saved files with those that `layout.py` computes from the documentation of the layout
//! (`bloom_core::persist`). The positions that `layout.py` computes are compared in `src/vectors.rs`, which needs no filter:
//! some positions are for 2^63 bits, and no filter of this size fits in memory.

use std::hash::BuildHasher;
use std::process::Command;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, Bloom, BloomFilter, CounterBits, CountingBloomFilter,
    FixedState, HashQuality, PartitionedBloomFilter, Shape,
};
use bloom_testing::{Need, assert_bytes, has};

const HASHES: &str = include_str!("layout_hashes.csv");
const POSITIONS: &str = include_str!("layout_positions.csv");
const FILES: &str = include_str!("layout_files.csv");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|row| row.split(',').collect())
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn items_hash_as_the_vectors_say() {
    let mut count = 0;
    for row in rows(HASHES) {
        let [kind, item, seed, hash] = row[..] else {
            panic!("four columns: {row:?}");
        };
        let state = FixedState::with_seed(seed.parse().unwrap());
        let got = match kind {
            "integer" => state.hash_one(item.parse::<u64>().unwrap()),
            "text" => state.hash_one(std::str::from_utf8(&bytes(item)).unwrap()),
            "slice" => state.hash_one(&bytes(item)[..]),
            other => panic!("no type {other}"),
        };
        assert_eq!(format!("{got:#018x}"), hash, "{kind} {item}, seed {seed}");
        count += 1;
    }
    assert_eq!(count, 60);
}

#[test]
fn files_are_those_of_the_vectors() {
    let mut count = 0;
    for row in rows(FILES) {
        let [kind, folds, size, hashes, width, seed, items, file] = row[..] else {
            panic!("eight columns: {row:?}");
        };
        let number = |text: &str| text.parse::<u64>().unwrap();
        let quality = match folds {
            "2" => HashQuality::Any,
            "1" => HashQuality::Folded,
            "0" => HashQuality::Avalanching,
            other => panic!("no quality of {other} folds"),
        };
        let state = FixedState::with_seed(number(seed));
        let shape = Shape::new(number(size), number(hashes) as u8).unwrap();
        macro_rules! file {
            ($new:expr) => {{
                let filter: Bloom<_, u64, _> = $new.unwrap();
                let mut filter = filter.with_hash_quality(quality).unwrap();
                filter.extend(1..=number(items));
                filter.to_bytes().unwrap()
            }};
        }
        let blocks = BlockedShape::new(number(size)).unwrap();
        let widths = (CounterBits::Four, CounterBits::Eight);
        let width = if width == "8" { widths.1 } else { widths.0 };
        let got = match kind {
            "basic" => file!(BloomFilter::with_hasher(shape, state)),
            "blocked" => file!(BlockedBloomFilter::with_hasher(blocks, state)),
            "counting" => file!(CountingBloomFilter::with_counter_bits_and_hasher(
                shape, width, state
            )),
            "partitioned" => file!(PartitionedBloomFilter::with_hasher(shape, state)),
            other => panic!("no kind {other}"),
        };
        let row = format!("{kind} of {size}, {folds} folds, seed {seed}");
        let expected = bytes(file);
        assert_bytes!(got, expected, "{row}");
        count += 1;
    }
    assert_eq!(count, 30);
}

#[test]
fn the_vectors_are_those_that_the_program_prints() {
    if !has(Need::Python3, "the program that prints the vectors") {
        return;
    }
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/layout.py");
    for (name, table) in [
        ("hashes", HASHES),
        ("positions", POSITIONS),
        ("files", FILES),
    ] {
        let output = Command::new("python3")
            .args([program, name])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let printed = String::from_utf8(output.stdout).unwrap().replace('\r', "");
        assert!(printed == table, "layout.py prints other {name}");
    }
}
