//! Computes the false-positive rate of one filter of DCSO bloom: the share of all possible sequences of k positions that hit
//! only set bits.

use alloc::vec;

use bloom_core::Shape;
use bloom_core::math::rate_at_fill;

use super::{FACTOR, first_order, odd_part};

/// The largest odd part o of m for which [`walked`] computes the rate. For larger o, the first order in 1/m is as good for most
/// filters.
const WALKED: u64 = 1 << 18;

/// The most positions at which sequences of positions begin. In filters of at most this many bits, they begin at all positions.
const STARTS: u64 = 1 << 21;

/// 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the rate of a filter. `contains` returns whether a bit is set, and `fill` is the share of set bits.
pub fn rate(shape: Shape, fill: f64, contains: impl Fn(u64) -> bool) -> f64 {
    if odd_part(shape) <= WALKED {
        walked(shape, contains)
    } else {
        (rate_at_fill(fill, shape.hashes()) * (1.0 + added(shape, fill))).min(1.0)
    }
}

/// Returns the [first order](first_order) of what pairs of positions add, as a share of r^k. `u_t` is the probability that an
/// item that shares a position with a query shares the position t steps later, too. `u_1` is 1/1469, and each other `u_t` is
/// 1/o.
fn added(shape: Shape, fill: f64) -> f64 {
    let hashes = f64::from(shape.hashes());
    // The sum of the squares from 1 to k - 2.
    let further = (hashes - 2.0) * (hashes - 1.0) * (2.0 * hashes - 3.0) / 6.0;
    let next = (hashes - 1.0) * (hashes - 1.0);
    let together = next / FACTOR as f64 + further / odd_part(shape) as f64;
    first_order(shape, fill, together)
}

/// Returns the share of all sequences of positions that hit only set bits. Each hash is c 2^64 less 1469 times the hash before
/// it, and each c from 1 to 1469 is taken as equally likely. For uniform hashes the share is exact if sequences begin at all
/// positions, as in filters of up to [`STARTS`] bits.
///
/// Let 2^e be the largest power of two that divides m, and o = m / 2^e. The class of a position, its remainder modulo 2^e,
/// determines that of the next position. Within a class, y stands for the position p with p = y 2^64 modulo o. The y of the
/// next position is then c - 1469 y modulo o, so each step sums over 1469 neighbours.
pub(super) fn walked(shape: Shape, set: impl Fn(u64) -> bool) -> f64 {
    let (bits, odd) = (shape.bits(), odd_part(shape));
    let length = odd as usize;
    let power = bits / odd;
    // 2^e divides p - class, and x is the quotient: it grows by the same stride from y to y + 1.
    let half = odd.div_ceil(2) % odd;
    let inverse = (0..bits.trailing_zeros()).fold(1 % odd, |inverse, _| inverse * half % odd);
    let stride = (u64::MAX % odd + 1) % odd * inverse % odd;
    let factor = FACTOR % odd;
    let (rounds, rest) = (FACTOR / odd, factor as usize);
    let mut shares = vec![0.0; length];
    let mut before = vec![0.0; length];
    let mut total = 0.0;
    let starts = (STARTS / odd).clamp(1, power);
    for start in 0..starts {
        // SPREAD is odd, so multiples of it permute the classes. It also spreads the classes of the first starts evenly.
        let mut class = start.wrapping_mul(SPREAD) & (power - 1);
        shares.fill(1.0);
        let mut all = 0.0;
        for step in 0..shape.hashes() {
            if step > 0 {
                class = class.wrapping_mul(FACTOR).wrapping_neg() & (power - 1);
                scatter(&shares, &mut before, factor);
            }
            let mut x = (odd - class % odd * inverse % odd) % odd;
            let mut kept = 0.0;
            let mut keep = |share: &mut f64| {
                // There is no branch, because a processor cannot predict a random bit.
                *share *= f64::from(u8::from(set(class + power * x)));
                kept += *share;
                x += stride;
                if x >= odd {
                    x -= odd;
                }
            };
            if step == 0 {
                shares.iter_mut().for_each(keep);
            } else {
                let mut window: f64 = before[length - rest..].iter().rev().sum();
                // The window is the sum of the last `rest` shares, and wraps around the end of them.
                let leaving = before[length - rest..].iter().chain(&before);
                for ((share, enters), leaves) in shares.iter_mut().zip(&before).zip(leaving) {
                    *share = (rounds as f64 * all + window.max(0.0)) / FACTOR as f64;
                    window += enters - leaves;
                    keep(share);
                }
            }
            all = kept;
        }
        total += all;
    }
    total / (starts * odd) as f64
}

/// Moves each share to -1469 times its index, modulo the number of shares.
fn scatter(shares: &[f64], into: &mut [f64], factor: u64) {
    let length = shares.len() as u64;
    into.fill(0.0);
    let mut at = 0;
    for share in shares {
        into[at as usize] += share;
        at = if at < factor { at + length } else { at } - factor;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::{G, positions};
    use super::*;
    use crate::random::split_mix;

    /// Returns bits at random, half of them set.
    fn half_full(bits: u64, state: &mut u64) -> Vec<bool> {
        (0..bits)
            .map(|_| split_mix(state).is_multiple_of(2))
            .collect()
    }

    #[test]
    fn the_walk_is_the_sum_over_all_sequences() {
        // A query has three positions: from each first position, two steps with every c from 1 to 1469 follow.
        let (mut state, hashes) = (1, 3);
        for bits in [1, 2, 3, 10, 13, 24, 35, 64, 96] {
            let set = half_full(bits, &mut state);
            let after = |p: u64, c: u64| {
                let of = (u128::from(c) << 64) + u128::from(bits * FACTOR - FACTOR * p);
                (of % u128::from(bits)) as u64
            };
            let next = |p: u64| -> Vec<usize> {
                let all = (1..=FACTOR).map(|c| after(p, c) as usize);
                all.filter(|&p| set[p]).collect()
            };
            let next: Vec<_> = (0..bits).map(next).collect();
            let third = |p: &usize| next[*p].len() as u64;
            let starts = (0..bits as usize).filter(|&p| set[p]);
            let sum: u64 = starts.map(|p| next[p].iter().map(third).sum::<u64>()).sum();
            let expected = sum as f64 / (bits * FACTOR * FACTOR) as f64;
            let shape = Shape::new(bits, hashes).unwrap();
            let walked = rate(shape, 0.5, |p| set[p as usize]);
            assert!(
                (walked - expected).abs() < 1e-12,
                "{bits}: {walked} {expected}"
            );
        }
    }

    #[test]
    fn a_large_filter_is_walked_from_some_positions() {
        // m is a power of two, so the first position determines the others. Walks begin at half of the positions.
        let (bits, hashes, mut state) = (1 << 22, 4, 3);
        let mut set = vec![false; bits];
        let shape = Shape::new(bits as u64, hashes).unwrap();
        for _ in 0..bits / 6 {
            for position in positions(split_mix(&mut state), shape) {
                set[position as usize] = true;
            }
        }
        let walked = rate(shape, f64::NAN, |p| set[p as usize]);
        let hits = (0..bits as u64).filter(|&start| {
            let after = |p: &u64| Some(p.wrapping_mul(G) & (bits as u64 - 1));
            let mut positions = core::iter::successors(Some(start), after).take(hashes.into());
            positions.all(|p| set[p as usize])
        });
        let exact = hits.count() as f64 / bits as f64;
        assert!((walked / exact - 1.0).abs() < 0.005, "{walked} {exact}");
        assert!(exact > 0.1);
    }

    #[test]
    fn the_walk_is_the_share_of_hits_of_uniform_hashes() {
        let (mut state, queries) = (2, 400_000);
        for (bits, hashes) in [
            (735 * 16, 7),
            (1_469 * 2, 7),
            (4_096, 12),
            (99_999, 3),
            (1_470, 9),
        ] {
            let mut set = vec![false; bits as usize];
            let shape = Shape::new(bits, hashes).unwrap();
            for _ in 0..bits * 7 / (10 * u64::from(hashes)) {
                for position in positions(split_mix(&mut state), shape) {
                    set[position as usize] = true;
                }
            }
            let rate = rate(shape, f64::NAN, |p| set[p as usize]);
            let hit = |hash: u64| positions(hash, shape).all(|p| set[p as usize]);
            let hits = (0..queries).filter(|_| hit(split_mix(&mut state))).count();
            let expected = f64::from(queries) * rate;
            // Six standard deviations.
            let tolerance = 6.0 * libm::sqrt(expected);
            assert!(
                (hits as f64 - expected).abs() < tolerance,
                "{bits}: {hits} {expected}"
            );
        }
    }

    #[test]
    fn first_order_is_the_sum_over_all_steps() {
        let odd = (1 << 18) + 1;
        let shape = Shape::new(odd, 60).unwrap();
        let step = |t: i32| {
            let together = if t == 1 {
                1.0 / 1_469.0
            } else {
                1.0 / odd as f64
            };
            f64::from((60 - t) * (60 - t)) * together
        };
        let sum: f64 = (1..60).map(step).sum();
        // q = r in a half full filter, so (n/m) (q / r)² is n/m.
        let expected = core::f64::consts::LN_2 / 60.0 * sum;
        let first = added(shape, 0.5);
        assert!((first / expected - 1.0).abs() < 1e-13, "{first} {expected}");
    }

    #[test]
    fn first_order_is_the_walk_where_it_takes_over() {
        for (bits, hashes) in [(262_143, 10), (262_139 * 2, 7), (200_001, 3), (262_143, 60)] {
            let (mut state, mut set) = (3, vec![false; bits as usize]);
            let shape = Shape::new(bits, hashes).unwrap();
            for _ in 0..bits * 7 / (10 * u64::from(hashes)) {
                for position in positions(split_mix(&mut state), shape) {
                    set[position as usize] = true;
                }
            }
            let fill = set.iter().filter(|set| **set).count() as f64 / bits as f64;
            let independent = rate_at_fill(fill, hashes);
            let walked = walked(shape, |p| set[p as usize]) / independent;
            let first = 1.0 + added(shape, fill);
            // With many hashes, the rates of filters of the same fill differ more.
            let tolerance = if hashes > 10 { 1e-2 } else { 1e-3 };
            assert!(
                (walked - first).abs() < tolerance,
                "{bits}: {walked} {first}"
            );
            assert!(first > 1.0005 || hashes == 3, "{bits}: {first}");
        }
    }
}
