//! Describes the filter of the Rust crate fastbloom.

use super::prelude::*;

/// The filter of the crate.
pub const FASTBLOOM: System = System {
    name: "fastbloom",
    version: "0.17.0",
    source: "the crate fastbloom 0.17.0, src/builder.rs and src/lib.rs",
    note: "its smallest filter, 44 hashes in 64 bits, was measured at 1.18 times the rate of ideal hashes, with three items",
    sizing: Sizing {
        takes: Takes::RateOrBits,
        bits: Bits::Usual(SQUARE, Rounded::UpToBytes),
        steps: &[Step::AtLeast(64), Step::Up(64)],
        hashes: Hashes::OfStored(LN_2, Rounded::Nearest),
        ..USUAL
    },
    call: Template {
        language: Language::Rust,
        rate: "BloomFilter::with_false_pos({p}).expected_items({n})",
        bits: "BloomFilter::with_num_bits({m}).expected_items({n})",
        code: "\
use fastbloom::BloomFilter;

let mut filter = {call};",
    },
    ..SYSTEM
};
