//! Describes the filter of LevelDB (C++).

use super::prelude::*;

/// One of the filters of a table file, for the keys of about one data block.
pub const LEVELDB: System = System {
    name: "leveldb",
    aliases: &["plyvel"],
    version: "1.23",
    source: "google/leveldb, util/bloom.cc and table/filter_block.cc at 78a352f4",
    note: "n is the number of keys in a data block (4 KiB by default): a table has a filter for each 2 KiB of its data",
    sizing: Sizing {
        takes: Takes::WholeBitsPerItem,
        bits: Bits::Given,
        steps: &[Step::AtLeast(64), Step::Up(8)],
        hashes: Hashes::OfBitsPerItem(0.69, Rounded::Down),
        hashes_at_most: 30,
        // 5,000 keys are far more than a data block has. The limit is one of this crate, not of LevelDB: the crate has no
        // useful bounds of the rate beyond 160,000 bits, which are 5,000 keys at 32 bits each.
        most_items: 5_000,
        ..USUAL
    },
    positions: Positions::Rotated,
    call: Template::of_bits(
        Language::Cpp,
        "options.filter_policy = leveldb::NewBloomFilterPolicy({m/n});",
    ),
    ..SYSTEM
};
