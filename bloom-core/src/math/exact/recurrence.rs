//! The exact rate for few throws: the probability that given bins are all hit, throw by throw.

use alloc::vec;
use alloc::vec::Vec;

use super::query::distinct;
use crate::math::double::Real;

/// Returns E[(X/m)^power] / 2^(exponent power) after `throws` throws.
///
/// With f_d the probability that d given bins are all hit, one more throw gives
///
/// ```text
/// f_d += (d/m) (f_(d-1) - f_d)
/// ```
///
/// The code adds the increment and does not compute the weighted sum (1 - d/m) f_d + (d/m) f_(d-1):
/// the rounding of 1 - d/m would be the same in every throw and accumulate. Each step is a positive
/// combination, so errors grow by a few roundings per throw. Running time: throws times power.
pub(in crate::math) fn scaled_sum<R: Real>(throws: u64, bits: u64, power: u32, exponent: i32) -> R {
    let c: Vec<R> = distinct(bits, power, exponent);
    let unit = R::from(libm::scalbn(1.0, -exponent));
    let share: Vec<R> = (0..c.len()).map(|d| R::ratio(d as u64, bits)).collect();
    // Two alternating rows instead of one updated in place, so that loop iterations can overlap.
    let mut f = vec![R::from(0.0); c.len()];
    f[0] = R::from(1.0);
    let mut next = f.clone();
    for throw in 1..=throws {
        let reached = throw.min(c.len() as u64 - 1) as usize;
        let below = &f[..reached];
        let here = &f[1..=reached];
        let steps = below.iter().zip(here).zip(&share[1..=reached]);
        for (next, ((&below, &here), &share)) in next[1..=reached].iter_mut().zip(steps) {
            *next = here + share * (unit * below - here);
        }
        core::mem::swap(&mut f, &mut next);
    }
    c.iter()
        .zip(&f)
        .fold(R::from(0.0), |sum, (&c, &f)| sum + c * f)
}
