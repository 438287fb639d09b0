//! Apache Parquet as written by the crate parquet, Rust.

use super::prelude::*;

/// The bits of a block.
pub const BLOCK_BITS: u32 = 256;

/// Split blocks by a rule that takes them as equally full.
pub(super) const SPLIT_BLOCKS: System = System {
    sizing: Sizing {
        bits: Bits::OfHashes(8, Rounded::Down),
        hashes: Hashes::Fixed(8),
        ..USUAL
    },
    layout: Layout::SplitBlocks(BLOCK_BITS),
    ..SYSTEM
};

/// The crate.
pub(super) const PARQUET: System = System {
    name: "parquet",
    aliases: &["arrow-rs", "parquet-rs", "datafusion"],
    version: "60.1.0",
    source: "apache/arrow-rs, the crate parquet 60.1.0, src/bloom_filter/mod.rs",
    note: "the rule assumes equally full blocks; when a column is written, an emptier filter is \
           folded to a smaller one",
    sizing: Sizing {
        steps: &[
            Step::Down(8),
            Step::AtLeast(256),
            Step::AtMost(1 << 30),
            Step::PowerOfTwo,
        ],
        ..SPLIT_BLOCKS.sizing
    },
    call: Template::of_rate(
        Language::Rust,
        "WriterProperties::builder().set_bloom_filter_max_ndv({n}).set_bloom_filter_fpp({p}).build()",
    ),
    ..SPLIT_BLOCKS
};
