//! Describes the filter of RocksDB (C++).

use super::prelude::*;

/// The Bloom filter. It consists of blocks of one cache line each, and all bits of an item are in one block.
pub const ROCKSDB: System = System {
    name: "rocksdb",
    aliases: &["fastlocalbloom"],
    version: "11.9",
    source: "facebook/rocksdb, filter_policy.cc (FastLocalBloom) and bloom_impl.h at 1dfa7297",
    note: "m/n is limited to 1 to 100. With optimize_filters_for_memory, the default, the sizes of single filters vary to suit the memory allocator, and the mean rate stays the same. At 10 bits per item its authors measured 0.957 %; this model gives 0.966 %",
    sizing: Sizing {
        takes: Takes::Bits,
        bits: Bits::Thousandths(thousandths, 0.5),
        steps: &[Step::AtMost(0xffff_ffc0 * 8), Step::Up(LINE_BITS as u64)],
        hashes: Hashes::OfThousandths(hashes),
        ..USUAL
    },
    layout: Layout::Blocks(LINE_BITS),
    call: Template::of_bits(Language::Other, "NewBloomFilterPolicy({m/n})"),
    ..SYSTEM
};

/// The bits of a cache line.
const LINE_BITS: u32 = 512;

/// Returns the bits per item that RocksDB uses, in thousandths.
fn thousandths(per_item: f64) -> u64 {
    (per_item.clamp(1.0, 100.0) * 1000.0 + 0.500_001) as u64
}

/// Each row has a limit on the bits per item, in thousandths of a bit, and the number of hashes up to this limit.
const HASHES: [(u64, u64); 12] = [
    (2_080, 1),
    (3_580, 2),
    (5_100, 3),
    (6_640, 4),
    (8_300, 5),
    (10_070, 6),
    (11_720, 7),
    (14_001, 8),
    (16_050, 9),
    (18_300, 10),
    (22_001, 11),
    (25_501, 12),
];

/// Returns the hashes by the bits per item, in thousandths.
fn hashes(thousandths: u128) -> u64 {
    let row = HASHES
        .iter()
        .find(|(most, _)| thousandths <= u128::from(*most));
    match row {
        Some((_, hashes)) => *hashes,
        None if thousandths > 50_000 => 24,
        None => (thousandths as u64 - 1) / 2_000 - 1,
    }
}
