//! Describes the filter of Pebble, the storage engine of CockroachDB (Go).

use super::prelude::*;

/// The filter of a table file. It consists of blocks of one cache line each, and all bits of an item are in one block.
pub const PEBBLE: System = System {
    name: "pebble",
    aliases: &["pebbledb", "cockroachdb", "cockroach"],
    version: "2026",
    source: "cockroachdb/pebble, sstable/tablefilters/bloom/bloom.go and bits.go at f82e3ff7",
    note: "one hash of 32 bits gives all positions in a cache line; at 10 bits per item its authors measured 1.14 %",
    sizing: Sizing {
        takes: Takes::WholeBitsPerItem,
        bits: Bits::Given,
        steps: &[Step::UpToOdd(LINE_BITS as u64)],
        hashes: Hashes::OfAsked(hashes),
        ..USUAL
    },
    layout: Layout::Blocks(LINE_BITS),
    positions: Positions::Rotated,
    call: Template::of_bits(Language::Go, "bloom.FilterPolicy({m/n})"),
    ..SYSTEM
};

/// The bits of a cache line.
const LINE_BITS: u32 = 512;

/// The numbers of hashes for 1, 2, ... 10 bits per item. For more bits per item there are 6 hashes, too.
const HASHES: [u64; 10] = [1, 1, 2, 3, 3, 4, 4, 5, 5, 6];

fn hashes(per_item: f64) -> u64 {
    HASHES[(per_item as usize).clamp(1, HASHES.len()) - 1]
}
