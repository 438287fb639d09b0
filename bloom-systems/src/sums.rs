//! Derives the positions of an item by double hashing whose sums overflow. For signed sums of 32 bits, which several Java
//! systems use, this module also computes the effect on the false-positive rate:
//!
//! ```text
//! c = a + i b (wrapping), with all bits flipped if below 0; position c mod m
//! ```
//!
//! Every c from 0 to 2^31 - 1 is equally likely. So no position from 2^31 on is ever used, and the
//! first 2^31 mod m positions come from one more value of c than the others. In a small filter the
//! difference is negligible; from some hundred million bits on, it raises the rate.

use bloom_core::math::{Estimate, MathError, estimate_items};

use crate::divisor::Divisor;

/// The number of values of a sum, and so the most positions that sums reach.
pub const REACH: u64 = 1 << 31;

/// Up to this many bits, estimates and rates need no correction: the chances of two positions differ by at most one
/// part in 2^15, and the estimate of the number of items by less than one part in 2^30.
pub const EVEN: u64 = 1 << 16;

/// Returns the positions of an item: a + i b for i from 1, in signed 32 bits, flipped if below 0.
#[inline]
pub fn signed(a: u32, b: u32, bits: Divisor) -> impl FnMut() -> u64 {
    let (bits, mut sum) = (bits.narrow(), a);
    move || {
        sum = sum.wrapping_add(b);
        // `sign` is all ones if the sum is below 0.
        let sign = (sum as i32 >> 31) as u32;
        bits.remainder(sum ^ sign)
    }
}

/// Returns the positions of an item: a + i b for i from 0, of which only the bits of `mask` count.
#[inline]
pub fn wrapping(a: u64, b: u64, mask: u64, bits: Divisor) -> impl FnMut() -> u64 {
    let mut sum = a;
    move || {
        let position = bits.remainder(sum & mask);
        sum = sum.wrapping_add(b);
        position
    }
}

/// Returns the positions of an item: a + i b for i from 1, in 64 bits, of which the lowest is dropped.
#[inline]
pub fn halved(a: u64, b: u64, bits: Divisor) -> impl FnMut() -> u64 {
    let mut sum = a;
    move || {
        sum = sum.wrapping_add(b);
        bits.remainder(sum >> 1)
    }
}

/// The chances of positions: how many positions come from one more sum c than the others, and from
/// how many sums the others come.
#[derive(Debug, Clone, Copy)]
pub struct Chances {
    reach: u64,
    favoured: u64,
    sums: u64,
    bits: u64,
    even: bool,
}

impl Chances {
    /// Returns the chances of positions that sums of 31 bits reach, in a filter of at least one bit.
    pub fn new(bits: u64) -> Self {
        Self::of(REACH, bits)
    }

    /// Returns the chances of positions that are remainders, modulo `bits`, of equally likely numbers below `reach`. `bits` is
    /// at least 1.
    pub fn of(reach: u64, bits: u64) -> Self {
        Self {
            reach,
            favoured: reach % bits,
            sums: reach / bits,
            bits: bits.min(reach),
            even: bits <= EVEN,
        }
    }

    /// Returns how many positions come from one more sum c than the others. These are the lowest positions.
    pub fn favoured(&self) -> u64 {
        self.favoured
    }

    /// Returns how many positions are ever used.
    pub fn reached(&self) -> u64 {
        self.bits
    }

    /// Returns the expected number of set bits after this many positions of items.
    fn ones(&self, probes: f64) -> f64 {
        let clear = |sums: u64| libm::log1p(-(sums as f64) / self.reach as f64);
        let set = |count: u64, sums| count as f64 * -libm::expm1(probes * clear(sums));
        set(self.favoured, self.sums + 1) + set(self.bits - self.favoured, self.sums)
    }

    /// Returns the mean over filters with `items` items of the probability that one probe finds a set bit.
    pub fn expected_hit(&self, items: u64, hashes: u8) -> f64 {
        if items == 0 {
            return 0.0; // In a filter of one bit, `set` would multiply 0 by the logarithm of 0.
        }
        let probes = items as f64 * f64::from(hashes);
        let set =
            |sums: u64| -libm::expm1(probes * libm::log1p(-(sums as f64) / self.reach as f64));
        // The favoured positions come from one more sum than the others. In a filter of one bit, no position is favoured, and
        // `set` of one more sum would be NaN.
        let of = |positions: u64, sums: u64| match positions {
            0 => 0.0,
            _ => (positions * sums) as f64 * set(sums),
        };
        let others = of(self.bits - self.favoured, self.sums);
        (of(self.favoured, self.sums + 1) + others) / self.reach as f64
    }

    /// Returns the probability that one probe finds a set bit, if `ones` are set, and `favoured` of them are
    /// [favoured](Self::favoured). Exact.
    pub fn hit(&self, ones: u64, favoured: u64) -> f64 {
        // The sum is at most `reach`, since every c is counted at most once.
        (self.sums * ones + favoured) as f64 / self.reach as f64
    }

    /// Estimates the items from `ones`, the number of set bits among the [used](Self::reached) positions, as [`estimate_items`]
    /// does for equally likely positions; `None` if all used positions are set.
    ///
    /// # Errors
    ///
    /// As for [`estimate_items`].
    pub fn estimate(&self, hashes: u8, ones: u64) -> Result<Option<Estimate>, MathError> {
        let Some(even) = estimate_items(self.bits, hashes, ones)? else {
            return Ok(None);
        };
        if self.even || self.favoured == 0 || self.sums == 0 {
            return Ok(Some(even));
        }
        // Favoured positions fill first, so there are more items than the estimate for equally likely positions says.
        let (mut low, mut high) = (0.0, even.items * f64::from(hashes) + 1.0);
        while self.ones(high) < ones as f64 {
            high *= 2.0;
        }
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = f64::midpoint(low, high);
            if self.ones(middle) < ones as f64 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let items = f64::midpoint(low, high) / f64::from(hashes);
        Ok(Some(Estimate::new(items, even.standard_deviation)))
    }
}

#[cfg(test)]
mod tests {
    use bloom_core::math::rate_at_fill;

    use super::*;

    #[test]
    fn the_chances_explain_the_rates_that_were_measured_in_spark() {
        // The rates are measured with Spark, over 2e6 absent longs, or are reported with the change that added version 2 of
        // its filters.
        for (items, bits, hashes, measured, digits) in [
            (100_000_000, 1_437_758_784, 10, 0.00165, 0.000_03 * 5.0),
            (100_000_000, 729_844_096, 5, 0.0304, 0.000_121 * 5.0),
            (300_000_000, 2_189_532_288, 5, 0.0321, 0.000_125 * 5.0),
            (1_000_000_000, 7_298_440_896, 5, 0.599, 0.001),
            (1_000_000_000, 14_377_587_584, 10, 0.909, 0.001),
        ] {
            let hit = Chances::new(bits).expected_hit(items, hashes);
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
