//! Apache Spark, Java and Scala.

use super::prelude::*;

/// Of version 2 of its filters, the default since Spark 4.1.
pub const V2_POSITIONS: Positions = Positions::Double(Scheme::Modular { bits: 32 });

/// Of version 1 of its filters.
pub const V1_POSITIONS: Positions = Positions::Signed;

/// Version 2.
pub const SPARK: System = System {
    name: "spark",
    aliases: &["spark-v2"],
    version: "4.1",
    source: "apache/spark, common/sketch BloomFilter.java and BitArray.java at 013bfe4f",
    note: "this is BloomFilter.create; df.stat.bloomFilter caps it, see --like spark-dataframe; before 4.1 positions \
           had 31 bits, see --like spark-v1",
    sizing: Sizing {
        takes: Takes::RateOrBits,
        steps: &[Step::Up(64)],
        most_bits: JAVA_LONGS,
        ..USUAL
    },
    positions: V2_POSITIONS,
    call: Template {
        language: Language::Java,
        rate: "BloomFilter.create({n}, {p})",
        bits: "BloomFilter.create({n}, {m})",
        code: CODE,
    },
    ..SYSTEM
};

const CODE: &str = "\
import org.apache.spark.util.sketch.BloomFilter;

BloomFilter filter = {call};";

/// Version 1, whose positions have 31 bits.
pub const V1: System = System {
    name: "spark-v1",
    aliases: &["spark-3"],
    version: "before 4.1",
    source: "apache/spark, common/sketch BloomFilterImpl.java at v3.5.0",
    note: "positions have 31 bits: beyond 2^31 bits the rate is far higher than that of ideal hashes",
    positions: V1_POSITIONS,
    ..SPARK
};

/// The most bits of `df.stat.bloomFilter`, by default.
pub const MOST_BITS: u64 = 64 << 20;
/// The most items of it that count, by default.
pub const MOST_ITEMS: u64 = 4_000_000;

/// `df.stat.bloomFilter`, which has limits.
pub const DATA_FRAME: System = System {
    name: "spark-dataframe",
    version: "4.3",
    source: "apache/spark, DataFrameStatFunctions.scala at 43a3e513 and BloomFilterAggregate.scala; its sizes in Spark 4.3.0",
    note: "df.stat.bloomFilter of Spark 4 takes at most 4,000,000 items and 67,108,864 bits, without a word; \
           spark.sql.optimizer.runtime.bloomFilter.maxNumItems and .maxNumBits raise that",
    sizing: Sizing {
        steps: &[Step::AtMost(MOST_BITS), Step::Up(64)],
        hashes: Hashes::OfBounded {
            bits: MOST_BITS,
            items: MOST_ITEMS,
        },
        ..SPARK.sizing
    },
    limit: Some(Limit {
        text: "\
spark.sql.optimizer.runtime.bloomFilter.maxNumItems={n}
spark.sql.optimizer.runtime.bloomFilter.maxNumBits={m}",
        raised: &SPARK,
    }),
    call: Template {
        rate: "df.stat().bloomFilter(\"column\", {n}, {p})",
        bits: "df.stat().bloomFilter(\"column\", {n}, {m})",
        ..SPARK.call
    },
    aliases: &["df.stat.bloomfilter"],
    ..SPARK
};
