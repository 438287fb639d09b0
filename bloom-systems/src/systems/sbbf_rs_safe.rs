//! Describes the filter of the Rust crate sbbf-rs-safe.

use super::parquet;
use super::prelude::*;

/// The filter of the crate.
pub const SBBF_RS_SAFE: System = System {
    name: "sbbf-rs-safe",
    aliases: &["sbbf"],
    version: "0.3.2",
    source: "the crate sbbf-rs-safe 0.3.2, src/lib.rs",
    sizing: Sizing {
        takes: Takes::WholeBitsPerItem,
        bits: Bits::Given,
        steps: &[
            Step::Down(8),
            Step::Up(parquet::BLOCK_BITS as u64),
            Step::AtLeast(parquet::BLOCK_BITS as u64),
        ],
        ..parquet::SPLIT_BLOCKS.sizing
    },
    call: Template {
        code: "\
use sbbf_rs_safe::Filter;

let mut filter = {call};",
        ..Template::of_bits(Language::Rust, "Filter::new({m/n}, {n})")
    },
    ..parquet::SPLIT_BLOCKS
};
