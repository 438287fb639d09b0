//! The positions of an item, each computed from the hash before, and what that does to the rate.
//!
//! ```text
//! h_i = (G h_(i-1) mod 2^64) mod P, position h_i mod m        G = 2^64 - 1469, P = 2^64 - 59
//! ```
//!
//! So h_i is c 2^64 - 1469 h_(i-1) with a c from 1 to 1469, but for the reduction modulo P, which changes one hash in
//! 2^58. Modulo m, a position follows from the one before and from c: one of at most 1469 positions. An item that
//! shares a position with a query shares the next one with probability 1/1469 or more, whatever m is. And modulo the
//! largest power of two 2^e that divides m, c has no effect: an item and a query that once agree modulo 2^e always do.
//! With o = m / 2^e, they share each further position with probability 1/o or so instead of 1/m.

use alloc::vec;

use bloom_core::Shape;
use bloom_core::math::{Model, expected_fill, rate_at_fill};

use crate::random::split_mix;

const G: u64 = 0u64.wrapping_sub(FACTOR);
const P: u64 = 0u64.wrapping_sub(59);

/// The number of positions that may follow another, and -G.
const FACTOR: u64 = 1469;

/// The largest o for which every position is walked; with more, the first order is as good for most.
const WALKED: u64 = 1 << 18;

/// The first positions that are walked from: all of them in filters of up to so many bits.
const STARTS: u64 = 1 << 21;

/// 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The most bits of a filter whose mean rate is that of random filters themselves; in larger ones their difference from
/// independent positions at the same fill varies less.
const SMALL: u64 = 256;

/// The fewest samples, and the standard error that suffices, as a part of the rate.
const FEW: u64 = 8;
const SMALL_ERROR: f64 = 0.003;

/// The random filters that are walked together: the processor adds up several at once.
const TOGETHER: usize = 4;

/// The most bits of the random filters that an expected rate is taken from.
const SAMPLED: u64 = 1 << 24;

/// Returns the positions of an item with this hash.
pub fn positions(hash: u64, shape: Shape) -> impl Iterator<Item = u64> {
    hashes(hash)
        .map(move |hash| hash % shape.bits())
        .take(shape.hashes().into())
}

/// Returns the hashes that follow one.
fn hashes(first: u64) -> impl Iterator<Item = u64> {
    let next = |hash: &u64| Some(hash.wrapping_mul(G) % P);
    core::iter::successors(Some(first % P), next).skip(1)
}

/// Returns the rate of a filter with these bits, of which the share `fill` is set.
pub fn rate(shape: Shape, fill: f64, contains: impl Fn(u64) -> bool) -> f64 {
    let odd = shape.bits() >> shape.bits().trailing_zeros();
    if odd <= WALKED {
        walked(shape, odd, |position| [bit(contains(position))])[0]
    } else {
        let rate = rate_at_fill(fill, shape.hashes());
        (rate + first_order(shape, odd, fill)).min(1.0)
    }
}

/// Returns the mean rate of filters with so many items: the exact one of independent positions, and what the walk
/// adds to it in random filters of a fixed seed, or the first order.
pub fn expected(shape: Shape, items: u64) -> f64 {
    let (bits, hashes) = (shape.bits(), shape.hashes());
    let rate = Model::Exact.rate(items, bits, hashes);
    let independent = rate.expect("a shape is valid").value();
    let odd = bits >> bits.trailing_zeros();
    let probes = items as f64 * f64::from(hashes);
    let added = if items == 0 || probes > 30.0 * bits as f64 {
        // No bit or every bit is set.
        0.0
    } else if odd > WALKED || bits > SAMPLED {
        let fill = expected_fill(items, bits, hashes).expect("a shape is valid");
        first_order(shape, odd, fill)
    } else {
        let most = if bits <= SMALL { WALKED } else { 256 };
        let samples = (WALKED / bits).clamp(1, most);
        // Several large ones are more than a cache has.
        if samples < 2 * TOGETHER as u64 {
            let differences = differences::<1>(shape, odd, items, independent);
            mean(samples, independent, differences)
        } else {
            let differences = differences::<TOGETHER>(shape, odd, items, independent);
            mean(samples, independent, differences)
        }
    };
    (independent + added).clamp(0.0, 1.0)
}

/// Returns the differences of random filters from independent positions, of which some are walked together.
fn differences<const N: usize>(
    shape: Shape,
    odd: u64,
    items: u64,
    independent: f64,
) -> impl Iterator<Item = f64> {
    let (bits, hashes) = (shape.bits(), shape.hashes());
    let mut state = 1;
    let some = move || {
        let mut set = vec![[false; N]; bits as usize];
        let ones: [usize; N] = core::array::from_fn(|one| {
            for _ in 0..items {
                let positions = positions(split_mix(&mut state), shape);
                positions.for_each(|position| set[position as usize][one] = true);
            }
            set.iter().filter(|set| set[one]).count()
        });
        let rates = walked(shape, odd, |position| set[position as usize].map(bit));
        core::array::from_fn::<_, N, _>(|one| {
            // In a small filter items that repeat a position set fewer bits than independent ones.
            let like = if bits <= SMALL {
                independent
            } else {
                rate_at_fill(ones[one] as f64 / bits as f64, hashes)
            };
            rates[one] - like
        })
    };
    core::iter::repeat_with(some).flatten()
}

/// Returns the mean of samples: so many, or fewer if their standard error is small beside the rate.
fn mean(most: u64, rate: f64, samples: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0);
    for next in samples {
        sum += next;
        squares += next * next;
        count += 1;
        let mean = sum / count as f64;
        let variance = (squares / count as f64 - mean * mean).max(0.0);
        let error = libm::sqrt(variance / count as f64);
        if count >= most || count >= FEW && error <= SMALL_ERROR * (rate + mean) {
            return mean;
        }
    }
    unreachable!("samples have no end")
}

/// Returns the share of all sequences of positions that hit set bits alone, each c equally likely: exact for
/// uniform hashes.
///
/// The positions of one class modulo 2^e become those of another. Within a class, position y stands for the p with
/// p = y 2^64 modulo o, so that the next one is c - 1469 y modulo o: a sum over 1469 neighbours.
fn walked<const N: usize>(shape: Shape, odd: u64, set: impl Fn(u64) -> [f64; N]) -> [f64; N] {
    let (bits, length) = (shape.bits(), odd as usize);
    let power = bits / odd;
    // 2^e divides p - class, and x is the quotient: it grows by the same from y to y + 1.
    let half = odd.div_ceil(2) % odd;
    let inverse = (0..bits.trailing_zeros()).fold(1 % odd, |inverse, _| inverse * half % odd);
    let stride = (u64::MAX % odd + 1) % odd * inverse % odd;
    let factor = FACTOR % odd;
    let (rounds, rest) = (FACTOR / odd, factor as usize);
    let mut shares = vec![[0.0; N]; length];
    let mut before = vec![[0.0; N]; length];
    let mut total = [0.0; N];
    let starts = (STARTS / odd).clamp(1, power);
    for start in 0..starts {
        // An odd factor permutes the classes, and spreads the first ones evenly.
        let mut class = start.wrapping_mul(SPREAD) & (power - 1);
        shares.fill([1.0; N]);
        let mut all = [0.0; N];
        for step in 0..shape.hashes() {
            if step > 0 {
                class = class.wrapping_mul(FACTOR).wrapping_neg() & (power - 1);
                scatter(&shares, &mut before, factor);
            }
            let mut x = (odd - class % odd * inverse % odd) % odd;
            let mut kept = [0.0; N];
            let mut keep = |share: &mut [f64; N]| {
                // No processor predicts a branch at a random bit.
                let set = set(class + power * x);
                for one in 0..N {
                    share[one] *= set[one];
                    kept[one] += share[one];
                }
                x += stride;
                if x >= odd {
                    x -= odd;
                }
            };
            if step == 0 {
                shares.iter_mut().for_each(keep);
            } else {
                let mut window = [0.0; N];
                for share in before[length - rest..].iter().rev() {
                    for one in 0..N {
                        window[one] += share[one];
                    }
                }
                // Those that leave the window are `rest` behind those that enter it, around the end.
                let leaving = before[length - rest..].iter().chain(&before);
                for ((share, enters), leaves) in shares.iter_mut().zip(&before).zip(leaving) {
                    for one in 0..N {
                        let inside = if window[one] > 0.0 { window[one] } else { 0.0 };
                        share[one] = (rounds as f64 * all[one] + inside) / FACTOR as f64;
                        window[one] += enters[one] - leaves[one];
                    }
                    keep(share);
                }
            }
            all = kept;
        }
        for one in 0..N {
            total[one] += all[one];
        }
    }
    total.map(|total| total / (starts * odd) as f64)
}

/// Returns 1 for a set bit.
fn bit(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

/// Puts each share at -1469 times its index.
fn scatter<const N: usize>(shares: &[[f64; N]], into: &mut [[f64; N]], factor: u64) {
    let length = shares.len() as u64;
    into.fill([0.0; N]);
    let mut at = 0;
    for share in shares {
        for one in 0..N {
            into[at as usize][one] += share[one];
        }
        at = if at < factor { at + length } else { at } - factor;
    }
}

/// Returns what pairs of positions add that items hit together.
///
/// ```text
/// (n/m) q² r^(k-2) sum_(t=1)^(k-1) (k - t)² u_t
/// ```
///
/// with r the fill, q = 1 - r, `u_1` = 1/1469 and `u_t` = 1/o for others: the probability that an item which shares
/// a position with a query shares the position t steps on.
fn first_order(shape: Shape, odd: u64, fill: f64) -> f64 {
    if shape.hashes() < 2 || fill >= 1.0 {
        return 0.0;
    }
    let (hashes, clear) = (f64::from(shape.hashes()), 1.0 - fill);
    // The sum of the squares from 1 to k - 2.
    let further = (hashes - 2.0) * (hashes - 1.0) * (2.0 * hashes - 3.0) / 6.0;
    let together = (hashes - 1.0) * (hashes - 1.0) / FACTOR as f64 + further / odd as f64;
    let items = -libm::log(clear) / hashes;
    items * clear * clear * rate_at_fill(fill, shape.hashes() - 2) * together
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Returns bits at random, half of them set.
    fn half_full(bits: u64, state: &mut u64) -> Vec<bool> {
        (0..bits)
            .map(|_| split_mix(state).is_multiple_of(2))
            .collect()
    }

    #[test]
    fn hashes_are_reduced_at_each_step() {
        // -1 is 58 mod P; G times the second number is -1 mod 2^64.
        assert!(hashes(u64::MAX).take(1).eq([58_u64.wrapping_mul(G)]));
        assert!(
            hashes(0x3289_ac00_b273_5d95)
                .take(2)
                .eq([58, 58_u64.wrapping_mul(G)])
        );
    }

    #[test]
    fn the_walk_is_the_sum_over_all_sequences() {
        // Three positions: each start with every c, as the hashes 1469 apart give them.
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
        // A power of two: the first position decides on all, of which half are followed.
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
        // (n/m) q² r^(k-2), half full.
        let expected = core::f64::consts::LN_2 / 60.0 * libm::exp2(-60.0) * sum;
        let first = first_order(shape, odd, 0.5);
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
            let odd = bits >> bits.trailing_zeros();
            let fill = set.iter().filter(|set| **set).count() as f64 / bits as f64;
            let independent = rate_at_fill(fill, hashes);
            let [walked] = walked(shape, odd, |p| [bit(set[p as usize])]);
            let walked = walked / independent;
            let first = 1.0 + first_order(shape, odd, fill) / independent;
            // With many hashes, filters of the same fill differ.
            let tolerance = if hashes > 10 { 1e-2 } else { 1e-3 };
            assert!(
                (walked - first).abs() < tolerance,
                "{bits}: {walked} {first}"
            );
            assert!(first > 1.0005 || hashes == 3, "{bits}: {first}");
        }
    }
}
