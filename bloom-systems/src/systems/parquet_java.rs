//! Describes the filters that parquet-java writes to files of Apache Parquet. Spark and Hive use
//! this library.

use super::parquet;
use super::prelude::*;

/// How the library rounds the bits. To round up to whole blocks of 256 bits, it would have to add 255 and clear the lowest
/// eight binary digits. It clears the digit of value 256 instead. The later step to a power of two hides this mistake, unless
/// the bits are close to a power of two.
const STEPS: [Step; 7] = [
    Step::AtMost(MAX_BITS),
    Step::Add(255),
    Step::Clear(256),
    Step::AtLeast(256),
    Step::Down(8),
    Step::PowerOfTwo,
    Step::AtMost(MAX_BITS),
];

/// The most bits of any filter.
pub const MAX_BITS: u64 = 1 << 30;

/// The steps with the default limit on the size of a filter, 1 MiB.
const LIMITED: [Step; 7] = {
    let mut steps = STEPS;
    steps[6] = Step::AtMost(1 << 23);
    steps
};

/// The filter of the library if its user raises the limit on the size to the highest value, [`MAX_BITS`].
pub const WITHOUT_LIMIT: System = System {
    sizing: Sizing {
        steps: &STEPS,
        ..parquet::SPLIT_BLOCKS.sizing
    },
    ..parquet::SPLIT_BLOCKS
};

/// The filter of the library with the default limit on the size, 1 MiB.
pub const PARQUET_JAVA: System = System {
    name: "parquet-java",
    aliases: &["parquet-mr"],
    version: "1.19.0",
    source: "apache/parquet-java, BlockSplitBloomFilter.java and ColumnValueCollector.java at a3a1de15",
    note: "with the default parquet.bloom.filter.max.bytes, 1 MiB",
    sizing: Sizing {
        steps: &LIMITED,
        ..parquet::SPLIT_BLOCKS.sizing
    },
    limit: Some(Limit {
        text: "parquet.bloom.filter.max.bytes={bytes}",
        raised: &WITHOUT_LIMIT,
    }),
    call: Template::of_rate(
        Language::Other,
        "parquet.bloom.filter.expected.ndv#column={n}\nparquet.bloom.filter.fpp#column={p}",
    ),
    ..parquet::SPLIT_BLOCKS
};
