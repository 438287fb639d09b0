//! Describes the filter of the Python package pybloom-live.

use super::prelude::*;

/// The filter of the package.
pub const PYBLOOM_LIVE: System = System {
    name: "pybloom-live",
    aliases: &["pybloom_live"],
    version: "4.0.0",
    source: "joseph-fox/python-bloomfilter, pybloom_live/pybloom.py at 4.0.0",
    note: "one slice of the bits per hash; in slices of less than 2^15 bits, a position is the remainder of a 16-bit number",
    sizing: Sizing {
        bits: Bits::Slices(SQUARE),
        hashes: Hashes::WithBits,
        ..USUAL
    },
    layout: Layout::Slices,
    positions: Positions::Slices,
    full: Full::Refuses,
    call: Template {
        language: Language::Python,
        rate: "BloomFilter(capacity={n}, error_rate={p})",
        bits: "",
        code: "\
from pybloom_live import BloomFilter

bloom = {call}",
    },
    ..SYSTEM
};
