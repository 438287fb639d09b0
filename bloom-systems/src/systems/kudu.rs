//! Describes the Bloom filters in the files of Apache Kudu (C++).

use super::prelude::*;

/// ln 2, cut to five digits as in Kudu's source.
#[expect(clippy::approx_constant, reason = "the digits that the system has")]
const SHORT_LN_2: f64 = 0.69314;

/// The filter of one block of keys; a file has many such blocks.
pub const KUDU: System = System {
    name: "kudu",
    version: "master of 2026",
    source: "apache/kudu, src/kudu/util/bloom_filter.cc at 22028a29",
    note: "n is the number of keys in a block of a file, and a file has many blocks; k is rounded down",
    sizing: Sizing {
        bits: Bits::Usual(SHORT_LN_2 * SHORT_LN_2, Rounded::UpToBytes),
        hashes: Hashes::OfStored(SHORT_LN_2, Rounded::Down),
        ..USUAL
    },
    positions: Positions::Double(Scheme::Wrapping { bits: 32 }),
    call: Template::of_rate(Language::Other, "--tablet_bloom_target_fp_rate={p}"),
    ..SYSTEM
};
