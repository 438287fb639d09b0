//! Derives the positions of an item as the Go library bits-and-blooms does, from four hash values in turn, and computes what
//! the dependence of the positions adds to the false-positive rate.
//!
//! ```text
//! position i is (s_(i mod 2) + i d_(step of i)) mod m, with sums in 64 bits
//! ```
//!
//! The hash values are two starts s and two steps d. `step_of` returns which step position i takes.

use alloc::vec;
use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_core::math::{expected_fill, rate_at_fill};

use crate::divisor::Divisor;
use crate::double_hashing::gcd;
use crate::measured::First;

/// 2^64 divided by the golden ratio, which spreads multiples evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The most steps d over which the numbers of repeated positions are averaged.
const SAMPLES: u32 = 96;

/// Returns which of the two steps a position takes.
pub(crate) fn step_of(index: u64) -> usize {
    ((index + index % 2) % 4 / 2) as usize
}

/// Returns the positions of an item with these starts and steps.
#[inline]
pub fn positions(starts: [u64; 2], steps: [u64; 2], bits: Divisor) -> impl FnMut() -> u64 {
    let mut next = 0_u64;
    move || {
        let index = next;
        next += 1;
        let step = index.wrapping_mul(steps[step_of(index)]);
        bits.remainder(starts[(index % 2) as usize].wrapping_add(step))
    }
}

/// What dependent positions add to the rate, at first order in 1/m.
#[derive(Debug, Clone, Copy)]
pub struct Dependence {
    /// At a known fill.
    pub at_fill: f64,
    /// In the mean over filters with the items for which this fill is expected. Items that repeat a position leave these
    /// filters emptier, and this is included.
    pub mean: f64,
}

/// Returns what dependent positions add to fill^k.
///
/// ```text
/// (1/m) [ sum_z R_z (r^(k-z) - r^k) + sum_a (B_a 2^a - A_a) (r^(k-1) - r^k) ]            at a fill
/// + (n/m²) q² r^(k-2) 2 sum_a sum_b A_a A_b (2^min(a,b) - 1)                             at a fill
/// - (n/m²) k q r^(k-1) [ sum_z R_z z + sum_a (B_a 2^a - A_a) ]                           in the mean
/// ```
///
/// with r the fill and q = 1 - r. The first two lines are for a known fill, and the mean over filters has the third line, too.
/// `A_a` is the number of pairs of positions that are always equal modulo 2^a, and modulo no higher power of two that divides
/// m. Positions i and j with the same start and the same step are equal modulo each divisor of i - j. Positions with the same
/// start but different steps are equal modulo each common divisor of i and j. `B_a` is the number of those pairs that have
/// different steps: in a query, the positions of such a pair coincide with probability 2^a/m instead of 1/m. Positions with the
/// same step repeat together: for R_z of the m possible steps, z positions repeat others. An item that shares one position of a
/// pair in `A_a` with a query shares the other position with probability 2^a/m. Odd divisors do not count, because overflows
/// shift sums by every remainder equally often.
pub fn dependence(shape: Shape, fill: f64) -> Dependence {
    let (m, k) = (shape.bits() as f64, shape.hashes());
    if k < 3 || fill >= 1.0 {
        return Dependence {
            at_fill: 0.0,
            mean: 0.0,
        };
    }
    let [same, cross] = pairs(shape);
    let all = |a: usize| same[a] + cross[a];
    let ways = |a: usize| libm::exp2(a as f64);
    let apart: f64 = (0..8).map(|a| cross[a] * ways(a) - all(a)).sum();
    let together = |a: usize| -> f64 {
        let with = |b: usize| all(a) * all(b) * (ways(a.min(b)) - 1.0);
        (0..8).map(with).sum()
    };
    let together: f64 = 2.0 * (0..8).map(together).sum::<f64>();
    let clear = 1.0 - fill;
    let items = -libm::log(clear) / f64::from(k);
    let rate = |lost: u8| rate_at_fill(fill, k - lost);
    let (mut of_query, mut repeats) = (apart * (rate(1) - rate(0)), apart);
    for (lost, steps) in repeated(shape).into_iter().enumerate() {
        of_query += steps * (rate(lost as u8) - rate(0));
        repeats += steps * lost as f64;
    }
    let at_fill = (of_query + items * clear * clear * rate(2) * together) / m;
    let of_items = items * f64::from(k) * clear * rate(1) * repeats / m;
    Dependence {
        at_fill,
        mean: at_fill - of_items,
    }
}

/// Returns what dependent positions add to the mean rate of filters with `items` items, at first order.
pub fn mean(shape: Shape, items: u64) -> f64 {
    first(shape, items).value
}

pub(crate) fn first(shape: Shape, items: u64) -> First {
    let fill = expected_fill(items, shape.bits(), shape.hashes());
    let added = dependence(shape, fill.expect("a shape is valid"));
    First {
        value: added.mean,
        plain: added.mean,
        size: added.at_fill.abs() + (added.at_fill - added.mean).abs(),
    }
}

/// Returns for each a how many pairs of positions are always equal modulo 2^a, and modulo no higher power of two that
/// divides m. The first numbers are for pairs with the same step, and the second for pairs with different steps.
fn pairs(shape: Shape) -> [[f64; 8]; 2] {
    let mut pairs = [[0.0; 8]; 2];
    let most = shape.bits().trailing_zeros();
    for later in 2..u64::from(shape.hashes()) {
        for earlier in (later % 2..later).step_by(2) {
            let same = step_of(earlier) == step_of(later);
            let factor = if same {
                later - earlier
            } else {
                earlier | later
            };
            pairs[usize::from(!same)][factor.trailing_zeros().min(most) as usize] += 1.0;
        }
    }
    pairs
}

/// Returns for each z how many of m steps make exactly z positions repeat others, summed over the two steps of an item.
///
/// Positions i and j with the same start and the step d are equal if (i - j) d is the difference of their overflows, times
/// 2^64, modulo m. Modulo the odd part of m, pairs with the same ratio of overflows to i - j are equal for the same d. Modulo
/// 2^e, the largest power of two that divides m, a pair is equal if 2^e divides (i - j) d. The returned numbers are averages
/// over sampled steps and starts.
fn repeated(shape: Shape) -> Vec<f64> {
    let (k, most) = (shape.hashes(), shape.bits().trailing_zeros());
    let mut repeated = vec![0.0; k.into()];
    let samples = (10_000 / (u32::from(k) * u32::from(k))).clamp(8, SAMPLES);
    let mut found: Vec<(u64, u64, u64)> = Vec::new();
    for sample in 0..samples {
        let step = (u64::MAX / u64::from(samples)).wrapping_mul(sample.into())
            + u64::MAX / u64::from(samples) / 2;
        let starts =
            [SPREAD, SPREAD.wrapping_mul(SPREAD)].map(|by| by.wrapping_mul(u64::from(sample) + 1));
        let overflows = |i: u64| {
            (u128::from(starts[i as usize % 2]) + u128::from(step) * u128::from(i / 4)) >> 64
        };
        for kind in 0..2 {
            let places: Vec<u64> = (0..u64::from(k)).filter(|&i| step_of(i) == kind).collect();
            // A level above 0 stands for the steps d that 2^(e - level) divides, but no higher power of two does. Level 0
            // stands for the multiples of 2^e. Levels below 2 are counted with level 2, as places with one step and one start
            // are multiples of 4 apart.
            for level in most.min(2)..=most.min(8) {
                found.clear();
                for &later in &places {
                    for &earlier in places
                        .iter()
                        .filter(|&&earlier| earlier < later && (later - earlier) % 2 == 0)
                    {
                        let apart = (later - earlier) / 4;
                        let over = (overflows(later) - overflows(earlier)) as u64;
                        if (4 * apart).trailing_zeros() >= level {
                            let common = gcd(over, apart);
                            found.push((over / common, apart / common, later));
                        }
                    }
                }
                found.sort_unstable();
                found.dedup();
                let twice = if level > 2 { level - 1 } else { level };
                let weight = libm::exp2(f64::from(twice)) / f64::from(samples);
                for ratio in found.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
                    repeated[ratio.len()] += weight;
                }
            }
        }
    }
    repeated
}
