//! Positions by four hashes in turn, and what their dependence adds to the rate.
//!
//! ```text
//! position i is (s_(i mod 2) + i d_(step of i)) mod m, in 64 bits, with two starts s and two steps d
//! ```

use bloom_core::Shape;
use bloom_core::math::{expected_fill, rate_at_fill};

/// Returns which of the two steps a position takes.
pub fn step_of(index: u64) -> usize {
    ((index + index % 2) % 4 / 2) as usize
}

/// What dependent positions add to the rate, at first order in 1/m.
#[derive(Debug, Clone, Copy)]
pub struct Dependence {
    /// At a known fill.
    pub at_fill: f64,
    /// In the mean over filters with so many items, which the items that repeat a position leave emptier.
    pub mean: f64,
}

/// Returns what dependent positions add to fill^k.
///
/// ```text
/// (1/m) S (r^(k-1) - r^k) + (n/m²) q² r^(k-2) 2 sum_a sum_b A_a A_b (2^min(a,b) - 1)     at a fill
/// - (n/m²) k q r^(k-1) S                                                                 in the mean
/// ```
///
/// with r the fill, q = 1 - r, and S = sum_a A_a (2^a - 1). `A_a` is the number of pairs of positions that are
/// always equal modulo 2^a, the largest such divisor of m. Two positions with one start and one step, i and j,
/// are equal modulo what divides i - j; with one start and two steps, modulo what divides i and j. So a
/// query repeats a position with probability 2^a/m instead of 1/m, and an item that shares one position with it shares
/// the other as often. No other divisor counts: sums overflow, by any remainder as often as by any other.
pub fn dependence(shape: Shape, fill: f64) -> Dependence {
    let (m, k) = (shape.bits() as f64, shape.hashes());
    if k < 3 || fill >= 1.0 {
        return Dependence {
            at_fill: 0.0,
            mean: 0.0,
        };
    }
    let pairs = pairs(shape);
    let more = |a: usize| libm::exp2(a as f64) - 1.0;
    let repeats: f64 = (0..pairs.len()).map(|a| pairs[a] * more(a)).sum();
    let together = |a: usize| -> f64 {
        let with = |b: usize| pairs[a] * pairs[b] * more(a.min(b));
        (0..pairs.len()).map(with).sum()
    };
    let together: f64 = 2.0 * (0..pairs.len()).map(together).sum::<f64>();
    let clear = 1.0 - fill;
    let items = -libm::log(clear) / f64::from(k);
    let rate = |lost: u8| rate_at_fill(fill, k - lost);
    let of_query = repeats * (rate(1) - rate(0));
    let at_fill = (of_query + items * clear * clear * rate(2) * together) / m;
    let of_items = items * f64::from(k) * clear * rate(1) * repeats / m;
    Dependence {
        at_fill,
        mean: at_fill - of_items,
    }
}

/// Returns what dependent positions add to the mean rate of filters with `items` items, at first order.
pub fn mean(shape: Shape, items: u64) -> f64 {
    let fill = expected_fill(items, shape.bits(), shape.hashes());
    dependence(shape, fill.expect("a shape is valid")).mean
}

/// Returns how many pairs of positions are always equal modulo 2^a and no higher power that divides m, for each a.
fn pairs(shape: Shape) -> [f64; 8] {
    let mut pairs = [0.0; 8];
    let most = shape.bits().trailing_zeros();
    for later in 2..u64::from(shape.hashes()) {
        for earlier in (later % 2..later).step_by(2) {
            let same = step_of(earlier) == step_of(later);
            let factor = if same {
                later - earlier
            } else {
                earlier | later
            };
            pairs[factor.trailing_zeros().min(most) as usize] += 1.0;
        }
    }
    pairs
}
