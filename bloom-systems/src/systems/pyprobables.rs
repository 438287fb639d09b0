//! Describes the filter of the Python package pyprobables.

use super::prelude::*;

/// The filter of the package.
pub const PYPROBABLES: System = System {
    name: "pyprobables",
    aliases: &["probables"],
    version: "0.7.0",
    source: "barrust/pyprobables, probables/blooms/bloom.py at v0.7.0",
    note: "p is kept as a single-precision number",
    sizing: Sizing {
        rate: &[RateStep::Single],
        bits: Bits::Usual(0.480_453_013_918_2, Rounded::Up),
        no_hash: NoHash::Refused,
        ..USUAL
    },
    call: Template {
        language: Language::Python,
        rate: "BloomFilter(est_elements={n}, false_positive_rate={p})",
        bits: "",
        code: "\
from probables import BloomFilter

bloom = {call}",
    },
    ..SYSTEM
};
