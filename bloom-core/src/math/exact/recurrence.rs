//! Computes the exact rate for few throws: the probability that given bins are all hit, throw by
//! throw.

use super::query::distinct;
use crate::math::double::Real;
use crate::math::row::Row;

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
    let c: Row<R> = distinct(bits, power, exponent, power);
    let unit = R::from(libm::scalbn(1.0, -exponent));
    let share = Row::of(c.len(), |d| R::ratio(d as u64, bits));
    let mut f = Row::of(c.len(), |d| R::from(if d == 0 { 1.0 } else { 0.0 }));
    for throw in 1..=throws {
        // Downwards, so that each number is computed from two numbers of the previous throw.
        for d in (1..=throw.min(c.len() as u64 - 1) as usize).rev() {
            f[d] = f[d] + share[d] * (unit * f[d - 1] - f[d]);
        }
    }
    c.iter()
        .zip(f.iter())
        .fold(R::from(0.0), |sum, (&c, &f)| sum + c * f)
}
