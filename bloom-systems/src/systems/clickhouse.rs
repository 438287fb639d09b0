//! Describes the filter of ClickHouse's skip index `bloom_filter` (C++).

use super::cassandra;
use super::prelude::*;

/// The filter of one column in one granule of the index.
pub const CLICKHOUSE: System = System {
    name: "clickhouse",
    aliases: &["bloom_filter"],
    version: "2026",
    source: "ClickHouse/ClickHouse, src/Interpreters/BloomFilterHash.h at 04faa691 and BloomFilter.cpp at 02730179",
    note: "n is the number of distinct values in a granule of the index; p below 0.000109 silently gets 19 bits per value and \
           13 hashes",
    sizing: Sizing {
        bits: Bits::Table(&TABLE),
        steps: &[Step::Up(8)],
        hashes: Hashes::WithBits,
        ..USUAL
    },
    call: Template::of_rate(
        Language::Other,
        "ALTER TABLE my_table ADD INDEX my_index my_column TYPE bloom_filter({p});",
    ),
    ..SYSTEM
};

/// The rows for 2 to 19 bits per item of Pei Cao's table, which has rates by bits per item and number of hashes.
const TABLE: Table = Table {
    rates: cassandra::RATES.split_at(18).0,
    coarse: (0.283, (2, 2)),
    fine: Some((19, 13)),
    ..cassandra::PEI_CAO
};
