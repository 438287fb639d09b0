//! Computes the exact false-positive rate of a filter after few throws, where a throw is one hash
//! of one item and sets one random bit.

use super::query::distinct;
use crate::math::double::Real;
use crate::math::row::Row;

/// Returns E[(X/m)^power] / 2^(exponent × power), where X is the number of bits set by `throws`
/// throws at m = `bits` bits. The expectation is the sum of c_d f_d: c_d is the probability that a
/// query of `power` probes hits d distinct bits, and f_d the probability that the throws hit all of
/// d given bits.
///
/// One more throw changes f_d by
///
/// ```text
/// f_d += (d/m) (f_(d-1) - f_d)
/// ```
///
/// The code stores f_d / 2^(exponent × d). It adds this increment and does not compute the weighted
/// sum (1 - d/m) f_d + (d/m) f_(d-1): the rounding error of 1 - d/m would be the same in every
/// throw and accumulate. The increment is never negative, so errors grow by a few roundings per
/// throw. The running time is proportional to `throws` times `power`.
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
