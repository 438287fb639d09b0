//! Describes the filter of the Python package rbloom.

use super::prelude::*;

/// The filter of the package.
pub const RBLOOM: System = System {
    name: "rbloom",
    version: "1.5.4",
    source: "KenanHanke/rbloom, src/lib.rs at v1.5.4",
    note: "k is rounded down",
    sizing: Sizing {
        steps: &[Step::Up(8)],
        hashes: Hashes::OfBitsPerItem(LN_2, Rounded::Down),
        no_hash: NoHash::Kept,
        ..USUAL
    },
    call: Template {
        language: Language::Python,
        rate: "Bloom({n}, {p})",
        bits: "",
        code: "\
from rbloom import Bloom

bloom = {call}",
    },
    ..SYSTEM
};
