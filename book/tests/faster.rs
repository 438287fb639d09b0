//! The table of the chapter on speed that does not depend on a machine.

use std::fmt::Write;

use bloom_core::math::Model;
use bloom_core::math::blocked::{Block, min_blocks};
use bloom_params::numbers::grouped;
use common::assert_is_file;

mod common;

const ITEMS: u64 = 10_000_000;

/// The fewest bits an item in blocks, over all numbers of hashes for independent positions.
fn bits_in_blocks(bits: u32, rate: f64) -> f64 {
    let blocks = |hashes| min_blocks(ITEMS, Block::Independent { bits, hashes }, rate).unwrap();
    let (mut best, mut hashes) = (blocks(1), 1);
    loop {
        let more = blocks(hashes + 1);
        if more >= best {
            return (best * u64::from(bits)) as f64 / ITEMS as f64;
        }
        (best, hashes) = (more, hashes + 1);
    }
}

#[test]
fn the_bits_that_blocks_take_are_as_shown() {
    let rates = [0.1, 0.01, 0.001, 0.0001, 0.00001];
    let heads = rates.map(|p| format!(" 1 in {} |", grouped((1.0_f64 / p).round() as u64)));
    let mut table = format!(
        "| bits an item |{}\n| --- |{}\n",
        heads.concat(),
        " --: |".repeat(5)
    );
    let mut row = |name: &str, bits: &dyn Fn(f64) -> f64| {
        write!(table, "| {name} |").unwrap();
        for p in rates {
            write!(table, " {:.1} |", bits(p)).unwrap();
        }
        table.push('\n');
    };
    row("a plain filter", &|p| {
        Model::Exact.min_size(ITEMS, p).unwrap().0 as f64 / ITEMS as f64
    });
    row("blocks of 512 bits, best $k$", &|p| bits_in_blocks(512, p));
    row("split blocks of 8 × 64 bits", &|p| {
        let lanes = Block::Split {
            lanes: 8,
            lane_bits: 64,
        };
        512.0 * min_blocks(ITEMS, lanes, p).unwrap() as f64 / ITEMS as f64
    });
    row("split blocks of 8 × 32 bits", &|p| {
        let lanes = Block::Split {
            lanes: 8,
            lane_bits: 32,
        };
        256.0 * min_blocks(ITEMS, lanes, p).unwrap() as f64 / ITEMS as f64
    });
    row("words of 64 bits, best $k$", &|p| bits_in_blocks(64, p));
    assert_is_file(&table, "tables/blocks.md");
}
