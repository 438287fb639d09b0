//! Describes the filter of ScyllaDB (C++).

use super::cassandra;
use super::prelude::*;

/// The filter of a data file (SSTable). Its rule is that of Cassandra, but without Cassandra's limit on the bits.
pub const SCYLLA: System = System {
    name: "scylla",
    aliases: &["scylladb"],
    version: "2026.4",
    source: "scylladb/scylladb, utils/bloom_calculations.cc, utils/bloom_filter.cc and utils/i_filter.cc at f4a4091c",
    note: "as Cassandra; if the estimated number of partitions was wrong, the filter is rebuilt",
    sizing: Sizing {
        most_bits: USUAL.most_bits,
        ..cassandra::CASSANDRA.sizing
    },
    call: Template::of_rate(
        Language::Other,
        "ALTER TABLE my_table WITH bloom_filter_fp_chance = {p};",
    ),
    ..cassandra::CASSANDRA
};
