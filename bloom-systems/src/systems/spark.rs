//! Describes the filters of Apache Spark (Java and Scala).

use super::prelude::*;
use crate::divisor::Divisor;
use crate::hash::spark_murmur3_32;

/// The positions of version 2 of Spark's filters, the default since Spark 4.1.
pub const V2_POSITIONS: Positions = Positions::Double(Scheme::Modular { bits: 32 });

/// The positions of version 1 of Spark's filters.
pub const V1_POSITIONS: Positions = Positions::Signed;

/// Returns the two hash values of an item. The seed of version 1 is 0.
#[inline]
pub fn hashes(item: &[u8], seed: i32) -> (u32, u32) {
    let first = spark_murmur3_32(item, seed as u32);
    (first, spark_murmur3_32(item, first))
}

/// Returns the positions of an item in version 2, where the two hash values a and b are signed.
///
/// Position i, from 1 on, comes from the sum (2^31 - 1) a + i b. If the sum is negative, all of its bits are flipped. Then it
/// is reduced modulo m. If no sum or every sum is negative, each position follows from the one before by an addition modulo m.
#[inline]
pub fn wide_positions(a: u32, b: u32, bits: Divisor, hashes: u8) -> impl FnMut() -> u64 {
    let step = i64::from(b as i32);
    let mut sum = i64::from(a as i32) * i64::from(i32::MAX) + step;
    let last = sum + step * (i64::from(hashes) - 1);
    let is_steady = (sum ^ last) >= 0;
    // `sign` is all ones if the sum is below 0. Such a sum is flipped. Flipped sums fall where the sums rise, so the stride
    // then has the opposite sign of the step.
    let sign = sum >> 63;
    let mut position = bits.remainder((sum ^ sign) as u64);
    let stride = bits.remainder_of_signed((step ^ sign) - sign);
    move || {
        let here = position;
        if is_steady {
            position = bits.sum(position, stride);
        } else {
            sum += step;
            position = bits.remainder((sum ^ sum >> 63) as u64);
        }
        here
    }
}

/// Version 2.
pub const SPARK: System = System {
    name: "spark",
    aliases: &["spark-v2"],
    version: "4.1",
    source: "apache/spark, common/sketch BloomFilter.java and BitArray.java at 013bfe4f",
    note: "this is BloomFilter.create; for df.stat.bloomFilter, which limits the size, see --like spark-dataframe; for Spark \
           before 4.1, whose positions have 31 bits, see --like spark-v1",
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
pub const MAX_BITS: u64 = 64 << 20;
/// The most items of `df.stat.bloomFilter`, by default.
pub const MAX_ITEMS: u64 = 4_000_000;

/// The filters of `df.stat.bloomFilter`, which limits their items and bits.
pub const DATA_FRAME: System = System {
    name: "spark-dataframe",
    version: "4.3",
    source: "apache/spark, DataFrameStatFunctions.scala at 43a3e513 and BloomFilterAggregate.scala; its sizes in Spark 4.3.0",
    note: "df.stat.bloomFilter of Spark 4 takes at most 4,000,000 items and 67,108,864 bits, without a warning; \
           spark.sql.optimizer.runtime.bloomFilter.maxNumItems and .maxNumBits raise that",
    sizing: Sizing {
        steps: &[Step::AtMost(MAX_BITS), Step::Up(64)],
        hashes: Hashes::OfBounded {
            bits: MAX_BITS,
            items: MAX_ITEMS,
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

#[cfg(test)]
mod tests {
    use crate::random::split_mix;

    use super::*;

    /// The sums of an item have different signs only if `a` is small, so small and large values of `a` are drawn.
    #[test]
    fn positions_of_version_2_are_remainders_of_sums_with_and_without_a_change_of_sign() {
        let (mut state, mut changes) = (1, 0);
        for round in 0..100_000 {
            let (a, b) = (split_mix(&mut state), split_mix(&mut state) as i32);
            let a = (a as i32) >> (round % 32);
            let bits = [64, 4_416, 1 << 20, 1_437_758_784, 14_377_587_584][round % 5];
            let mut next = wide_positions(a as u32, b as u32, Divisor::new(bits), 9);
            let (mut sum, mut signs) = (i64::from(a) * i64::from(i32::MAX), [false; 2]);
            for _ in 0..9 {
                sum += i64::from(b);
                signs[usize::from(sum < 0)] = true;
                let sum = if sum < 0 { !sum } else { sum };
                assert_eq!(next(), sum as u64 % bits, "{a} {b} {bits}");
            }
            changes += usize::from(signs == [true; 2]);
        }
        assert!(changes > 1_000, "{changes}");
    }
}
