//! Apache Impala's runtime filters, C++, which Kudu takes for scans.

use super::parquet;
use super::prelude::*;

/// A runtime filter.
pub const IMPALA: System = System {
    name: "impala",
    aliases: &["kudu-scan", "blockbloomfilter"],
    version: "master of 2026",
    source: "apache/kudu, src/kudu/util/block_bloom_filter.cc, which Impala shares, at 22028a29",
    note: "its hash has 32 bits: from a million items on, that alone adds to the rate",
    sizing: Sizing {
        bits: Bits::Own(Own {
            rule: "the least power of two from 512 on that keeps p by the sum over how full blocks are",
            of: least,
        }),
        hashes: Hashes::WithBits,
        ..USUAL
    },
    layout: Layout::SplitBlocks(parquet::BLOCK_BITS),
    positions: Positions::Narrow,
    call: Template::of_rate(
        Language::Cpp,
        "KuduBloomFilterBuilder({n}).false_positive_probability({p})",
    ),
    ..SYSTEM
};

/// The lanes of a block, and the bits of a lane.
const LANES: u64 = 8;
const LANE_BITS: f64 = 32.0;

/// Returns the least bits that keep the rate by its formula.
#[expect(clippy::unnecessary_wraps, reason = "other systems refuse")]
fn least(items: u64, rate: f64) -> Result<(u128, u64), Refusal> {
    let enough = (9..=63).find(|log| expected(items, 1 << log) <= rate);
    Ok((1 << enough.unwrap_or(63), LANES))
}

/// Returns the rate by its formula: over 750 numbers of items in a block, by Poisson's distribution.
fn expected(items: u64, bits: u64) -> f64 {
    let mean = items as f64 / bits as f64 * (LANES as f64 * LANE_BITS);
    if mean > 2.0 * LANES as f64 * LANE_BITS {
        return 1.0;
    }
    let clear = 1.0 - 1.0 / LANE_BITS;
    // The chance of none is e^-mean, which may be below the range of f64.
    let mut ln_chance = -mean;
    let mut rate = 0.0;
    for inside in 1..750 {
        ln_chance += libm::log(mean / f64::from(inside));
        let hit = 1.0 - libm::pow(clear, f64::from(inside));
        rate += libm::exp(ln_chance + LANES as f64 * libm::log(hit));
    }
    rate
}
