//! Double hashing in signed 32 bits, as several Java systems do it, and what it does to the rate.
//!
//! ```text
//! c = a + i b (wrapping), flipped to !c if below 0; position c mod m
//! ```
//!
//! Every c from 0 to 2^31 - 1 is equally likely. So no position from 2^31 on is ever used, and below
//! it the first 2^31 mod m positions come from one c more than the others. In a small filter that is
//! nothing; from some hundred million bits on, it raises the rate.

use bloom_core::math::{Estimate, estimate_items};

use crate::divisor::Divisor;
use crate::words::Words;

/// The number of values of a sum, and so of positions that it reaches.
pub(crate) const REACH: u64 = 1 << 31;

/// Estimates below these bits need no correction: the chances of two positions differ by less than one
/// in 2^15, and the estimate by less than one in 2^30.
pub(crate) const EVEN: u64 = 1 << 16;

/// Returns the positions of an item.
#[inline]
pub(crate) fn positions(a: u32, b: u32, bits: Divisor) -> impl FnMut() -> u64 {
    let (bits, mut sum) = (bits.narrow(), a);
    move || {
        sum = sum.wrapping_add(b);
        // All ones if below 0.
        let sign = (sum as i32 >> 31) as u32;
        bits.remainder(sum ^ sign)
    }
}

/// The positions that come from one c more, and from how many the others come.
struct Chances {
    favoured: u64,
    sums: u64,
    bits: u64,
}

impl Chances {
    fn new(bits: u64) -> Self {
        Self {
            favoured: REACH % bits,
            sums: REACH / bits,
            bits: bits.min(REACH),
        }
    }

    /// Returns the expected number of set bits after so many probes.
    fn ones(&self, probes: f64) -> f64 {
        let clear = |sums: u64| libm::log1p(-(sums as f64) / REACH as f64);
        let set = |count: u64, sums| count as f64 * -libm::expm1(probes * clear(sums));
        set(self.favoured, self.sums + 1) + set(self.bits - self.favoured, self.sums)
    }
}

/// Returns the mean over filters with `items` items of the probability that one probe finds a set bit.
pub(crate) fn expected_hit(items: u64, bits: u64, hashes: u8) -> f64 {
    if items == 0 {
        return 0.0; // One probe fills a filter of one bit: an infinite load.
    }
    let chances = Chances::new(bits);
    let probes = items as f64 * f64::from(hashes);
    let set = |sums: u64| -libm::expm1(probes * libm::log1p(-(sums as f64) / REACH as f64));
    // The favoured positions come from one sum more; in a filter of one bit there are none.
    let of = |positions: u64, sums: u64| match positions {
        0 => 0.0,
        _ => (positions * sums) as f64 * set(sums),
    };
    let others = of(chances.bits - chances.favoured, chances.sums);
    (of(chances.favoured, chances.sums + 1) + others) / REACH as f64
}

/// Returns the probability that one probe finds a set bit. Exact.
pub(crate) fn hit<B: AsRef<[u8]>>(words: &Words<B>, bits: u64) -> f64 {
    let chances = Chances::new(bits);
    let (ones, more) = (words.ones(), words.ones_before(chances.favoured));
    // Both products are at most 2^31, as every c is counted once at most.
    (chances.sums * ones + more) as f64 / REACH as f64
}

/// Estimates the items from the set bits, as [`estimate_items`] does for equally likely positions.
pub(crate) fn estimate<B: AsRef<[u8]>>(
    words: &Words<B>,
    bits: u64,
    hashes: u8,
) -> Option<Estimate> {
    let chances = Chances::new(bits);
    let ones = words.ones_before(chances.bits);
    let even = estimate_items(chances.bits, hashes, ones).expect("a filter has a valid shape")?;
    if bits <= EVEN || chances.favoured == 0 || chances.sums == 0 {
        return Some(even);
    }
    // Favoured positions fill first, so that there are more items than the even estimate.
    let (mut low, mut high) = (0.0, even.items * f64::from(hashes) + 1.0);
    while chances.ones(high) < ones as f64 {
        high *= 2.0;
    }
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(low, high);
        if chances.ones(middle) < ones as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let items = f64::midpoint(low, high) / f64::from(hashes);
    Some(Estimate::new(items, even.standard_deviation))
}

#[cfg(test)]
mod tests {
    use bloom_core::math::rate_at_fill;

    use super::*;

    #[test]
    fn the_chances_explain_the_rates_that_were_measured_in_spark() {
        // Measured over 2e6 absent longs, or reported with the change that added version 2.
        for (items, bits, hashes, measured, digits) in [
            (100_000_000, 1_437_758_784, 10, 0.00165, 0.000_03 * 5.0),
            (100_000_000, 729_844_096, 5, 0.0304, 0.000_121 * 5.0),
            (300_000_000, 2_189_532_288, 5, 0.0321, 0.000_125 * 5.0),
            (1_000_000_000, 7_298_440_896, 5, 0.599, 0.001),
            (1_000_000_000, 14_377_587_584, 10, 0.909, 0.001),
        ] {
            let hit = expected_hit(items, bits, hashes);
            let rate = rate_at_fill(hit, hashes);
            assert!(
                (rate - measured).abs() < digits,
                "{items} {bits}: {rate} {measured}"
            );
        }
    }

    #[test]
    fn every_sum_counts_once() {
        for bits in [
            64,
            4_416,
            1 << 20,
            1_437_758_784,
            REACH,
            REACH + 64,
            1 << 33,
        ] {
            let chances = Chances::new(bits);
            let rest = chances.bits - chances.favoured;
            let sums = chances.favoured * (chances.sums + 1) + rest * chances.sums;
            assert_eq!(sums, REACH, "{bits}");
        }
    }
}
