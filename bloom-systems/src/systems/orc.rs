//! Describes the filters of Apache ORC (Java), which Hive, Trino and Spark read.

use super::prelude::*;

/// The seed with which ORC and Hive hash bytes.
pub const SEED: u64 = 104_729;

/// How ORC derives the positions of a value.
pub const POSITIONS: Positions = Positions::Signed;

/// The filter of a column in a row group.
pub const ORC: System = System {
    name: "orc",
    aliases: &["trino", "presto"],
    version: "2.3.0",
    source: "apache/orc, java/core BloomFilter.java and BloomFilterUtf8.java at v2.3.0",
    note: "n is the number of rows in a row group",
    sizing: Sizing {
        // Rounds up to the next larger multiple of 64, so that a multiple of 64 grows by 64.
        steps: &[Step::Add(64), Step::Down(64)],
        hashes: Hashes::OfStored(LN_2, Rounded::Nearest),
        most_bits: (1 << 31) - 64,
        ..USUAL
    },
    positions: POSITIONS,
    call: Template::of_rate(
        Language::Other,
        "orc.row.index.stride={n}\norc.bloom.filter.fpp={p}\norc.bloom.filter.columns=column",
    ),
    ..SYSTEM
};
