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
//!
//! So an item is a walk through the classes modulo 2^e, which runs through them in cycles, and a filter is as full in
//! each class as the walks that pass it make it. The mean rate over filters is taken over random numbers of items that
//! begin in each class.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::TAU;

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

/// The most bits of a filter whose mean rate is that of random filters, walked position by position.
const SMALL: u64 = 256;

/// The fewest samples of a mean, and the standard error that suffices, as a part of it.
const FEW: u32 = 16;
const SMALL_ERROR: f64 = 0.003;

/// What the samples of a mean take together at most: positions of small filters, or classes of others.
const BUDGET: u64 = 1 << 16;
const CLASSES: u64 = 1 << 15;

/// The classes whose queries are one sample, if the cycle has so many.
const RUN: usize = 1024;

/// The most items that are counted by one draw each; more are nearly normal.
const COUNTED: f64 = 20.0;

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
        walked(shape, odd, contains)
    } else {
        let rate = rate_at_fill(fill, shape.hashes());
        (rate + first_order(shape, odd, fill)).min(1.0)
    }
}

/// Returns the mean rate of filters with so many items: of small ones the mean of random filters of a fixed seed; of
/// others an estimate whose standard error is 0.3 % of it, or up to 5 % where the rate is a multiple of that of
/// independent positions.
pub fn expected(shape: Shape, items: u64) -> f64 {
    mean_of_filters(shape, items, CLASSES)
}

fn mean_of_filters(shape: Shape, items: u64, budget: u64) -> f64 {
    let bits = shape.bits();
    if items == 0 {
        return 0.0;
    }
    if bits % 2 == 1 || shape.hashes() == 1 {
        let rate = Model::Exact.rate(items, bits, shape.hashes());
        let independent = rate.expect("a shape is valid").value();
        return (independent * neighbours(shape, bits, items)).min(1.0);
    }
    if bits <= SMALL {
        let (odd, mut state) = (bits >> bits.trailing_zeros(), 1);
        let mut set = vec![false; bits as usize];
        return mean(BUDGET, || {
            set.fill(false);
            for _ in 0..items {
                let positions = positions(split_mix(&mut state), shape);
                positions.for_each(|position| set[position as usize] = true);
            }
            Sample {
                value: walked(shape, odd, |position| set[position as usize]),
                control: 0.0,
                taken: bits,
            }
        });
    }
    let mut classes = Classes::new(shape, items);
    let odd = bits >> bits.trailing_zeros();
    let mean = mean(budget, || classes.sample());
    (mean * neighbours(shape, odd, items)).min(1.0)
}

/// A sample of a mean.
struct Sample {
    value: f64,
    /// Another random number, whose mean is 0: what the value rises with it is taken off.
    control: f64,
    /// What it takes of the budget.
    taken: u64,
}

/// Returns the mean of samples.
fn mean(budget: u64, mut sample: impl FnMut() -> Sample) -> f64 {
    let (mut count, mut taken) = (0, 0);
    // Sums of values, controls and their products.
    let (mut v, mut c, mut vv, mut vc, mut cc) = (0.0, 0.0, 0.0, 0.0, 0.0);
    loop {
        let next = sample();
        v += next.value;
        c += next.control;
        vv += next.value * next.value;
        vc += next.value * next.control;
        cc += next.control * next.control;
        count += 1;
        taken += next.taken;
        let number = f64::from(count);
        let (mean, covariance) = (v / number, vc - v * c / number);
        let slope = if cc > 0.0 {
            covariance / (cc - c * c / number)
        } else {
            0.0
        };
        let squares = vv - v * mean - slope * covariance;
        let mean = mean - slope * c / number;
        let error = libm::sqrt(squares.max(0.0)) / number;
        if taken >= budget || count >= FEW && error <= SMALL_ERROR * mean {
            return mean;
        }
    }
}

/// Returns how many times as high the rate is because a position that an item shares with a query is followed by another
/// with probability 1/1469 where o is larger: the first order of that.
fn neighbours(shape: Shape, odd: u64, items: u64) -> f64 {
    let fill = expected_fill(items, shape.bits(), shape.hashes()).expect("a shape is valid");
    let together = (1.0 / FACTOR as f64 - 1.0 / odd as f64).max(0.0);
    let pairs = f64::from(shape.hashes() - 1) * (1.0 - fill) / fill;
    1.0 + items as f64 / shape.bits() as f64 * pairs * pairs * together
}

/// Filters of random numbers of items in each class modulo 2^e.
struct Classes {
    shape: Shape,
    items: u64,
    /// 2^e, and how many positions are in each.
    count: u64,
    odd: f64,
    samples: u64,
    state: u64,
    /// The fill of a class that so many positions of items fall in.
    fills: Vec<Fill>,
    /// The items that begin in each class of a stretch of a cycle, and the fill of classes there.
    begin: Vec<f64>,
    stretch: Vec<Fill>,
}

/// The fill of a class over random filters.
#[derive(Clone, Copy, Default)]
struct Fill {
    mean: f64,
    log: f64,
    /// v / (r (1 - r) - v), with r the mean and v the variance.
    spread: f64,
}

impl Fill {
    /// Returns the fill after so many independent positions in a class of `odd`: its mean, and the variance of the
    /// number of cells that stay empty. Source: Johnson and Kotz (1977), *Urn Models and Their Application*.
    fn after(positions: f64, odd: f64) -> Self {
        let power = |clear: f64| match positions {
            0.0 => 1.0,
            _ if clear <= 0.0 => 0.0,
            _ => libm::exp(positions * libm::log1p(clear - 1.0)),
        };
        let (clear, both) = (power(1.0 - 1.0 / odd), power(1.0 - 2.0 / odd));
        let mean = 1.0 - clear;
        let variance = clear / odd + (1.0 - 1.0 / odd) * both - clear * clear;
        let rest = mean * clear - variance.max(0.0);
        Self {
            mean,
            // Of an empty class: e to it is 0, and sums of it stay finite.
            log: if mean > 0.0 { libm::log(mean) } else { -1e4 },
            spread: if rest > 0.0 {
                variance.max(0.0) / rest
            } else {
                0.0
            },
        }
    }

    /// Returns the probability of a set bit where so many others of the class are set: of a fill with the beta distribution.
    fn after_others(self, others: usize) -> f64 {
        let others = others as f64 * self.spread;
        (self.mean + others) / (1.0 + others)
    }
}

impl Classes {
    fn new(shape: Shape, items: u64) -> Self {
        let power = shape.bits().trailing_zeros();
        let room = RUN + 2 * usize::from(shape.hashes());
        Self {
            shape,
            items,
            count: 1 << power,
            odd: (shape.bits() >> power) as f64,
            samples: 0,
            state: 1,
            fills: Vec::new(),
            begin: vec![0.0; room],
            stretch: vec![Fill::default(); room],
        }
    }

    /// Returns the mean rate of the queries that begin in a cycle of classes, or in a part of it, and how many more items
    /// than on average begin there.
    fn sample(&mut self) -> Sample {
        let hashes = usize::from(self.shape.hashes());
        let length = self.cycle(RUN + 2 * hashes - 2);
        let is_whole = length < RUN + 2 * hashes - 2;
        let queries = if is_whole { length } else { RUN };
        let (mut left, mut classes) = (self.items as f64, self.count as f64);
        for begin in &mut self.begin[..length] {
            *begin = binomial(left, 1.0 / classes, &mut self.state);
            left -= *begin;
            classes -= 1.0;
        }
        // A class gets a position of each item that began at most k - 1 steps before.
        let mut positions: f64 = (0..hashes).map(|step| self.begin[step % length]).sum();
        for class in 0..length.min(queries + hashes - 1) {
            self.stretch[class] = self.fill(positions);
            positions += self.begin[(class + hashes) % length] - self.begin[class];
        }
        let mut sum = 0.0;
        if length < hashes {
            // Queries come to each class more than once.
            for query in 0..length {
                let fill =
                    |step: usize| self.stretch[(query + step) % length].after_others(step / length);
                sum += (0..hashes).map(fill).product::<f64>();
            }
        } else {
            let mut log: f64 = self.stretch[..hashes].iter().map(|fill| fill.log).sum();
            for query in 0..queries {
                sum += libm::exp(log);
                log += self.stretch[(query + hashes) % length].log - self.stretch[query].log;
            }
        }
        Sample {
            value: sum / queries as f64,
            control: self.items as f64 * (1.0 - length as f64 / self.count as f64) - left,
            taken: length as u64,
        }
    }

    /// Draws a class, and returns the length of its cycle, or `most`. Half of the classes are odd, a quarter have one factor
    /// of two, and so on; so have those of the samples.
    fn cycle(&mut self, most: usize) -> usize {
        self.samples += 1;
        let odd = split_mix(&mut self.state) | 1;
        let first = odd.wrapping_shl(self.samples.trailing_zeros()) & (self.count - 1);
        let mut class = first;
        let comes_back = |_: &usize| {
            class = class.wrapping_mul(FACTOR).wrapping_neg() & (self.count - 1);
            class == first
        };
        (1..most).find(comes_back).unwrap_or(most)
    }

    fn fill(&mut self, positions: f64) -> Fill {
        // They are whole numbers.
        let index = positions as usize;
        if index >= RUN {
            return Fill::after(positions, self.odd);
        }
        while self.fills.len() <= index {
            let fill = Fill::after(self.fills.len() as f64, self.odd);
            self.fills.push(fill);
        }
        self.fills[index]
    }
}

/// Draws how many of some items are in a part that has this share of all.
fn binomial(items: f64, share: f64, state: &mut u64) -> f64 {
    let mut uniform = || ((split_mix(state) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    if share >= 1.0 {
        return items;
    }
    let (mean, others) = (items * share, items * (1.0 - share));
    if mean.min(others) > COUNTED {
        // The method of Box and Muller (1958).
        let normal = libm::sqrt(-2.0 * libm::log(uniform())) * libm::cos(TAU * uniform());
        let deviation = libm::sqrt(mean * (1.0 - share));
        return libm::round(mean + deviation * normal).clamp(0.0, items);
    }
    if others < mean {
        return items - binomial(items, 1.0 - share, state);
    }
    let odds = share / (1.0 - share);
    let mut probability = libm::exp(items * libm::log1p(-share));
    let (mut left, mut count) = (uniform(), 0.0);
    while left >= probability && count < items {
        left -= probability;
        probability *= odds * (items - count) / (count + 1.0);
        count += 1.0;
    }
    count
}

/// Returns the share of all sequences of positions that hit set bits alone, each c equally likely: exact for
/// uniform hashes.
///
/// The positions of one class modulo 2^e become those of another. Within a class, position y stands for the p with
/// p = y 2^64 modulo o, so that the next one is c - 1469 y modulo o: a sum over 1469 neighbours.
fn walked(shape: Shape, odd: u64, set: impl Fn(u64) -> bool) -> f64 {
    let (bits, length) = (shape.bits(), odd as usize);
    let power = bits / odd;
    // 2^e divides p - class, and x is the quotient: it grows by the same from y to y + 1.
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
        // An odd factor permutes the classes, and spreads the first ones evenly.
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
                // No processor predicts a branch at a random bit.
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
                // Those that leave the window are `rest` behind those that enter it, around the end.
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

/// Puts each share at -1469 times its index.
fn scatter(shares: &[f64], into: &mut [f64], factor: u64) {
    let length = shares.len() as u64;
    into.fill(0.0);
    let mut at = 0;
    for share in shares {
        into[at as usize] += share;
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
    fn the_mean_over_filters_is_that_of_random_filters() {
        // n, m, k and how many random filters: with few and many classes, small and large ones.
        for (items, bits, hashes, filters) in [
            (100, 1_160, 7, 8_000),
            (234, 3_028, 8, 4_000),
            (20, 288, 6, 12_000),
            (200, 2_112, 8, 8_000),
            (300, 2_816, 6, 4_000),
            (200, 2_048, 7, 4_000),
            (1_500, 12_288, 5, 600),
            (80, 2_633, 18, 8_000),
        ] {
            let shape = Shape::new(bits, hashes).unwrap();
            let odd = bits >> bits.trailing_zeros();
            let (mut state, mut sum, mut squares) = (99, 0.0, 0.0);
            for _ in 0..filters {
                let mut set = vec![false; bits as usize];
                for _ in 0..items {
                    let positions = positions(split_mix(&mut state), shape);
                    positions.for_each(|position| set[position as usize] = true);
                }
                let rate = walked(shape, odd, |position| set[position as usize]);
                sum += rate;
                squares += rate * rate;
            }
            let count = f64::from(filters);
            let mean = sum / count;
            let error = libm::sqrt((squares / count - mean * mean) / count);
            let expected = mean_of_filters(shape, items, 1 << 19);
            // Six standard errors of either, of which that of this mean is at most 1 %.
            let tolerance = 6.0 * error.max(0.01 * mean);
            assert!(
                (expected - mean).abs() < tolerance,
                "n = {items}, m = {bits}, k = {hashes}: {expected} for {mean} ± {error}"
            );
            assert!(
                6.0 * error < 0.15 * mean,
                "n = {items}, m = {bits}: {mean} ± {error}"
            );
        }
    }

    #[test]
    fn items_fall_in_classes_as_independent_ones_do() {
        for (items, share) in [
            (10.0, 0.5),
            (10.0, 0.9),
            (300.0, 0.02),
            (300.0, 0.3),
            (1.0, 1.0),
        ] {
            let (mut state, draws) = (4, 40_000);
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let count = binomial(items, share, &mut state);
                assert!((0.0..=items).contains(&count) && count.fract() == 0.0);
                sum += count;
                squares += count * count;
            }
            let mean = sum / f64::from(draws);
            let variance = squares / f64::from(draws) - mean * mean;
            let expected = items * share * (1.0 - share);
            let error = libm::sqrt(expected / f64::from(draws));
            assert!(
                (mean - items * share).abs() <= 6.0 * error,
                "{items}, {share}: {mean}"
            );
            // The variance of a sample deviates by some sqrt(2 / draws); a rounded normal one has 1/12 more.
            assert!(
                (variance - expected).abs() <= 0.06 * expected + 0.09,
                "{items}, {share}: {variance}"
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
            let walked = walked(shape, odd, |p| set[p as usize]);
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
