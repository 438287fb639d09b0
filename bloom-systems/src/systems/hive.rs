//! The filters of Apache Hive's joins, Java.

use super::prelude::*;

/// The rate that they are sized for, a number in single precision.
pub const RATE: f64 = 0.05_f32 as f64;

/// The bits of a block.
pub const BLOCK_BITS: u32 = 512;

/// What Hive builds for n items at [`RATE`]. It is in no list, as its rate is known of a filter at hand alone.
pub const HIVE: System = System {
    name: "hive",
    version: "4.0",
    source: "apache/hive, storage-api BloomKFilter.java at rel/storage-release-2.8.1",
    sizing: Sizing {
        // A block more where the words fill blocks already.
        steps: &[
            Step::Up(64),
            Step::Add(BLOCK_BITS as u64),
            Step::Down(BLOCK_BITS as u64),
        ],
        most_bits: (1 << 31) - 1,
        ..USUAL
    },
    layout: Layout::Blocks(BLOCK_BITS),
    ..SYSTEM
};
