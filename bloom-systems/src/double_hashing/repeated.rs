//! Counts how often positions of one item, or of one query, coincide with double hashing. The false-positive rate at first
//! order in 1/m depends on this.

use alloc::vec;
use alloc::vec::Vec;

use super::enumeration::{gcd, totient};
use super::together::{Split, orders};

/// The number of steps b over which coincidences are averaged where sums a + i b overflow, unless the progression of the sums
/// is [long](LONG). For each b they are averaged over all starts a. Between two values of b at which a pattern of overflows
/// appears or vanishes, this average is linear in b.
const STEPS: u64 = 64;

/// A progression of more than this many positions counts as long. Then 1,024 steps b are used, with one start a for each step,
/// and positions further apart than [`FAR`] count as independent: even if they coincide, an item has at least [`FAR`] distinct
/// positions.
const LONG: usize = 32;
const FAR: usize = 16;

/// How often positions of one item coincide.
#[derive(Debug, Clone)]
pub(super) struct Repeated {
    /// For each z the expected number of values b, modulo m, for which exactly z positions repeat
    /// others.
    pub(super) ways: Vec<f64>,
    /// The number of pairs of positions that were compared. If positions were independent, each pair would coincide with
    /// probability 1/m.
    pub(super) pairs: f64,
}

impl Repeated {
    pub(super) fn new(split: Split, bits: u64, linked: usize) -> Self {
        let mut found = Self {
            ways: vec![0.0; linked],
            pairs: 0.0,
        };
        if split == Split::None {
            // A step b of order o modulo m leads to o distinct positions.
            found.ways[linked - 1] = 1.0;
            for order in orders(split, bits, linked) {
                found.ways[linked - order] += totient(order as u64) as f64;
            }
            found.pairs = (linked * (linked - 1) / 2) as f64;
            return found;
        }
        let far = if linked > LONG { FAR } else { linked - 1 };
        let all = (0..=far).flat_map(|step| (0..=far).map(move |overflows| (overflows, step)));
        let solutions = all.map(|(overflows, step)| solutions(overflows, step, bits));
        let solutions = Solutions {
            far,
            of: solutions.collect(),
        };
        let steps = if linked > LONG { 1024 } else { STEPS };
        // Only half of all steps b are needed: the progression of -b is that of b, read backwards.
        let width = (1 << 63) / steps;
        for index in 0..steps {
            let b = index * width + width / 2;
            let starts = if linked > LONG {
                // Multiples of the golden ratio fill the range evenly.
                vec![(index.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1.0)]
            } else {
                starts(split, b, linked)
            };
            for (a, share) in starts {
                let sums = (0..linked as u64).map(|index| a.wrapping_add(index.wrapping_mul(b)));
                let sums: Vec<u64> = sums.collect();
                let weight = share / steps as f64;
                match split {
                    Split::Reflected => found.add_reflected(&sums, b, bits, &solutions, weight),
                    _ => found.add_wrapped(&sums, b, &solutions, weight),
                }
            }
        }
        found
    }

    /// Adds `pairs` pairs of positions, which coincide for the same `solutions` values b.
    fn add(&mut self, pairs: usize, solutions: f64, weight: f64) {
        self.ways[pairs] += weight * solutions;
        self.pairs += weight * pairs as f64;
    }

    /// Adds the coincidences of a progression that overflows.
    ///
    /// Two positions `step` apart differ by `step` times b, less 2^W for each overflow between them, for sums of W bits. The
    /// number of these overflows takes one of two adjacent values. Pairs with the same number coincide for the same b modulo m.
    fn add_wrapped(&mut self, sums: &[u64], b: u64, solutions: &Solutions, weight: f64) {
        // Prefix sums of the overflows up to each sum: they give the overflows of all pairs `step` apart.
        let (mut overflows, mut total, mut before) = (0, 0, vec![0]);
        for (index, sum) in sums.iter().enumerate() {
            overflows += usize::from(index > 0 && *sum < sums[index - 1]);
            total += overflows;
            before.push(total);
        }
        for step in 1..=solutions.far {
            let fewer = ((u128::from(b) * step as u128) >> 64) as usize;
            let pairs = sums.len() - step;
            let more = total - before[step] - before[pairs] - pairs * fewer;
            self.add(more, solutions.get(fewer + 1, step), weight);
            self.add(sums.len() - step - more, solutions.get(fewer, step), weight);
        }
    }

    /// Adds the coincidences of a progression of signed numbers whose absolute values are taken.
    ///
    /// Pairs of numbers of the same sign coincide for the same b if they are equally many steps apart. Pairs of numbers of
    /// opposite signs coincide for the same b if their indices have the same sum.
    fn add_reflected(
        &mut self,
        sums: &[u64],
        b: u64,
        bits: u64,
        solutions: &Solutions,
        weight: f64,
    ) {
        let signs = Signs::new(sums.iter());
        let reversed = Signs::new(sums.iter().rev());
        for step in 1..=solutions.far {
            let overflows = ((u128::from(b) * step as u128 + (1 << 63)) >> 64) as usize;
            let pairs = sums.len() - step;
            let alike = pairs - signs.differing(0, &signs, step, pairs);
            self.add(alike, solutions.get(overflows, step), weight);
        }
        for sum in 1..2 * sums.len() - 2 {
            let (more, less) = (
                (sum + 1).saturating_sub(sums.len()),
                (sums.len() - 1).saturating_sub(sum),
            );
            // Each pair is counted from both ends.
            let opposite = signs.differing(more, &reversed, less, sums.len() - more - less) / 2;
            let even = sum.is_multiple_of(2) && bits.is_multiple_of(2);
            self.add(opposite, if even { 2.0 } else { 1.0 }, weight);
        }
    }
}

/// The signs of up to 256 numbers, 64 in each word.
struct Signs([u64; 4]);

impl Signs {
    fn new<'a>(sums: impl Iterator<Item = &'a u64>) -> Self {
        let mut words = [0; 4];
        for (index, sum) in sums.enumerate() {
            words[index / 64] |= sum >> 63 << (index % 64);
        }
        Self(words)
    }

    /// Returns 64 signs from this index on, or fewer at the end.
    fn word(&self, from: usize) -> u64 {
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        let (index, bit) = (from / 64, from % 64);
        word(index) >> bit | word(index + 1).unbounded_shl(64 - bit as u32)
    }

    /// Compares `count` signs from index `from` on with `count` signs of `others` from index `others_from` on, and returns how
    /// many differ.
    fn differing(&self, from: usize, others: &Self, others_from: usize, count: usize) -> usize {
        let of_word = |at: usize| {
            let used = u64::MAX >> (64 - (count - at).min(64));
            let differing = self.word(from + at) ^ others.word(others_from + at);
            (differing & used).count_ones() as usize
        };
        (0..count).step_by(64).map(of_word).sum()
    }
}

/// Returns a start a for every pattern of overflows, or of overflows and signs, with the probability of the pattern.
fn starts(split: Split, b: u64, linked: usize) -> Vec<(u64, f64)> {
    let mut borders = Vec::new();
    for index in 0..linked as u64 {
        let overflow = 0_u64.wrapping_sub(index.wrapping_mul(b));
        borders.push(overflow);
        if split == Split::Reflected {
            borders.push(overflow ^ 1 << 63);
        }
    }
    borders.sort_unstable();
    let next = borders.iter().cycle().skip(1);
    let starts = borders.iter().zip(next).map(|(from, to)| {
        let width = to.wrapping_sub(*from);
        (
            from.wrapping_add(width / 2),
            width as f64 / (1_u128 << 64) as f64,
        )
    });
    starts.collect()
}

/// The values of [`solutions`] for every step up to `far`.
struct Solutions {
    far: usize,
    of: Vec<f64>,
}

impl Solutions {
    fn get(&self, overflows: usize, step: usize) -> f64 {
        self.of[step * (self.far + 1) + overflows]
    }
}

/// Returns the number of values b modulo m for which two positions that are `step` apart, with `overflows` between them,
/// coincide, and no two positions nearer to each other do.
///
/// Modulo the odd part of m there is one such b, `overflows`/`step` times a constant; modulo the power
/// of two in m overflows have no effect.
fn solutions(overflows: usize, step: usize, bits: u64) -> f64 {
    let common = gcd(overflows as u64, step as u64);
    let (of_step, of_bits) = (step.trailing_zeros(), bits.trailing_zeros());
    if common == 1 {
        (1_u64 << of_step.min(of_bits)) as f64
    } else if common.is_power_of_two() && of_step <= of_bits {
        (1_u64 << (of_step - 1)) as f64
    } else {
        0.0
    }
}
