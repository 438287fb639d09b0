//! Apache Parquet as written by parquet-java, which Spark and Hive use.

use super::parquet;
use super::prelude::*;

/// The library.
pub(super) const PARQUET_JAVA: System = System {
    name: "parquet-java",
    aliases: &["parquet-mr"],
    version: "1.19.0",
    source: "apache/parquet-java, BlockSplitBloomFilter.java and ColumnValueCollector.java at a3a1de15",
    note: "with the default parquet.bloom.filter.max.bytes, 1 MiB",
    sizing: Sizing {
        steps: &[
            Step::AtMost(1 << 30),
            Step::Add(255),
            Step::Clear(256),
            Step::AtLeast(256),
            Step::Down(8),
            Step::PowerOfTwo,
            Step::AtMost(1 << 23),
        ],
        ..parquet::SPLIT_BLOCKS.sizing
    },
    call: Template::of_rate(
        Language::Other,
        "parquet.bloom.filter.expected.ndv#column={n}\nparquet.bloom.filter.fpp#column={p}",
    ),
    ..parquet::SPLIT_BLOCKS
};
