//! Describes Apache Impala's runtime filters (C++), which Kudu uses for scans.

use super::kudu::KUDU;
use super::parquet::{BLOCK_BITS, LANE_BITS, LANES};
use super::prelude::*;

/// A runtime filter.
pub const IMPALA: System = System {
    name: "impala",
    aliases: &["kudu-scan", "blockbloomfilter"],
    version: KUDU.version,
    source: "apache/kudu, src/kudu/util/block_bloom_filter.cc, which Impala shares, at 22028a29",
    note: "its hash has only 32 bits, so from a million items on collisions of hashes raise the rate",
    sizing: Sizing {
        bits: Bits::Own(Own {
            rule: "the smallest power of two, at least 512, whose rate is at most p by the system's own formula",
            of: least,
        }),
        hashes: Hashes::WithBits,
        ..USUAL
    },
    layout: Layout::SplitBlocks(BLOCK_BITS),
    positions: Positions::Narrow,
    call: Template::of_rate(
        Language::Cpp,
        "KuduBloomFilterBuilder({n}).false_positive_probability({p})",
    ),
    ..SYSTEM
};

/// Returns the bits and the hashes. The bits are the smallest power of two from 512 on for which [`expected`] is at most
/// `rate`, or 2^63 if there is none up to 2^63.
#[expect(clippy::unnecessary_wraps, reason = "other systems refuse")]
fn least(items: u64, rate: f64) -> Result<(u128, u64), Refusal> {
    let enough = (9..=63).find(|log| expected(items, 1 << log) <= rate);
    Ok((1 << enough.unwrap_or(63), LANES.into()))
}

/// Returns the rate of a filter by the formula of Impala's source: a sum over 1 to 749 items in a block, weighted with the
/// probabilities of the Poisson distribution. If blocks have more than 512 items on average, the rate is 1.
fn expected(items: u64, bits: u64) -> f64 {
    let (lanes, lane_bits) = (f64::from(LANES), f64::from(LANE_BITS));
    let mean = items as f64 / bits as f64 * f64::from(BLOCK_BITS);
    if mean > 2.0 * f64::from(BLOCK_BITS) {
        return 1.0;
    }
    let clear = 1.0 - 1.0 / lane_bits;
    // The logarithm of the probability that a block has `inside` items, at first 0. The probability itself is not kept, because
    // the first one, e^-mean, may be too small for an f64.
    let mut ln_chance = -mean;
    let mut rate = 0.0;
    for inside in 1..750 {
        ln_chance += libm::log(mean / f64::from(inside));
        let hit = 1.0 - libm::pow(clear, f64::from(inside));
        rate += libm::exp(ln_chance + lanes * libm::log(hit));
    }
    rate
}
