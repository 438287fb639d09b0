//! First order: positions of one item, or of one query, that coincide.

use alloc::vec;
use alloc::vec::Vec;

use super::enumeration::{gcd, totient};
use super::together::{Split, orders};

/// The pairs of hash values over which coincidences are averaged where sums overflow.
const SAMPLES: u64 = 1024;

/// Positions further apart than this in a long progression hardly matter: where they coincide, at
/// least as many are distinct. They are taken as independent.
const FAR: usize = 16;

/// The coincidences of positions of one item.
#[derive(Debug)]
pub(super) struct Repeated {
    /// For each z the expected number of values b, modulo m, for which exactly z positions repeat
    /// others.
    pub(super) ways: Vec<f64>,
    /// The pairs of positions considered, of which independent positions would have each coincide
    /// with probability 1/m.
    pub(super) pairs: f64,
}

impl Repeated {
    pub(super) fn new(split: Split, bits: u64, linked: usize) -> Self {
        let mut found = Self {
            ways: vec![0.0; linked],
            pairs: 0.0,
        };
        if split == Split::None {
            // A b of order o has o distinct positions.
            found.ways[linked - 1] = 1.0;
            for order in orders(split, bits, linked) {
                found.ways[linked - order] += totient(order as u64) as f64;
            }
            found.pairs = (linked * (linked - 1) / 2) as f64;
            return found;
        }
        let far = if linked > 32 { FAR } else { linked - 1 };
        let width = u64::MAX / SAMPLES + 1;
        for index in 0..SAMPLES {
            // Multiples of the golden ratio fill the range evenly.
            let a = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let b = index * width + width / 2;
            let sums = (0..linked as u64).map(|index| a.wrapping_add(index.wrapping_mul(b)));
            let sums: Vec<u64> = sums.collect();
            match split {
                Split::Reflected => found.add_reflected(&sums, b, bits, far),
                _ => found.add_wrapped(&sums, b, bits, far),
            }
        }
        for ways in &mut found.ways {
            *ways /= SAMPLES as f64;
        }
        found.pairs /= SAMPLES as f64;
        found
    }

    /// Adds `pairs` pairs of positions that coincide together, for `solutions` values b.
    fn add(&mut self, pairs: usize, solutions: f64) {
        self.ways[pairs] += solutions;
        self.pairs += pairs as f64;
    }

    /// Adds the coincidences of a progression that overflows.
    ///
    /// Positions `step` apart differ by `step` b less some overflows or by one overflow more. Those
    /// with equally many coincide for the same b modulo m.
    fn add_wrapped(&mut self, sums: &[u64], b: u64, bits: u64, far: usize) {
        for step in 1..=far {
            let fewer = ((u128::from(b) * step as u128) >> 64) as u64;
            let pairs = sums.iter().zip(&sums[step..]);
            let more = pairs.filter(|(one, other)| other < one).count();
            self.add(more, solutions(fewer + 1, step as u64, bits));
            self.add(
                sums.len() - step - more,
                solutions(fewer, step as u64, bits),
            );
        }
    }

    /// Adds the coincidences of a progression of signed numbers whose absolute values are taken.
    ///
    /// Numbers of the same sign coincide for the same b if they are equally many steps apart, numbers
    /// of opposite signs if their indices have the same sum.
    fn add_reflected(&mut self, sums: &[u64], b: u64, bits: u64, far: usize) {
        let negative = |index: usize| sums[index] >> 63 == 1;
        for step in 1..=far {
            let overflows = ((u128::from(b) * step as u128 + (1 << 63)) >> 64) as u64;
            let pairs = 0..sums.len() - step;
            let alike = pairs.filter(|one| negative(*one) == negative(one + step));
            self.add(alike.count(), solutions(overflows, step as u64, bits));
        }
        for sum in 1..2 * sums.len() - 2 {
            let first = sum.saturating_sub(sums.len() - 1)..sum.div_ceil(2);
            let opposite = first.filter(|one| negative(*one) != negative(sum - one));
            let even = sum.is_multiple_of(2) && bits.is_multiple_of(2);
            self.add(opposite.count(), if even { 2.0 } else { 1.0 });
        }
    }
}

/// Returns for how many values b modulo m the positions `step` apart coincide after `overflows`, and
/// none nearer to each other do.
///
/// Modulo the odd part of m this is one, at b = `overflows`/`step` times a constant; modulo its power
/// of two overflows leave no trace.
fn solutions(overflows: u64, step: u64, bits: u64) -> f64 {
    let common = gcd(overflows, step);
    let (of_step, of_bits) = (step.trailing_zeros(), bits.trailing_zeros());
    if common == 1 {
        (1_u64 << of_step.min(of_bits)) as f64
    } else if common.is_power_of_two() && of_step <= of_bits {
        (1_u64 << (of_step - 1)) as f64
    } else {
        0.0
    }
}
