//! Describes the filter of the Rust crate bloomfilter.

use super::prelude::*;

/// The filter of the crate.
pub const BLOOMFILTER: System = System {
    name: "bloomfilter",
    version: "3.0.2",
    source: "the crate bloomfilter 3.0.2, src/lib.rs",
    sizing: Sizing {
        takes: Takes::RateOrBits,
        bits: Bits::Usual(SQUARE, Rounded::UpToBytes),
        hashes: Hashes::OfStored(LN_2, Rounded::Nearest),
        ..USUAL
    },
    positions: Positions::Double(Scheme::WrappingWithoutSecond { bits: 64 }),
    call: Template {
        language: Language::Rust,
        rate: "Bloom::<str>::new_for_fp_rate({n}, {p})?",
        bits: "Bloom::<str>::new({bytes}, {n})?",
        code: "\
use bloomfilter::Bloom;

let mut filter = {call};",
    },
    ..SYSTEM
};
