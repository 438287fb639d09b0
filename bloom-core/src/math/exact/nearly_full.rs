//! Computes the complement 1 - p of the exact rate where nearly every bit is set, with full
//! relative accuracy.

use super::query::distinct;
use crate::math::row::Row;

/// Returns 1 - E[(X/m)^power]: the probability that a query of `power` throws hits a clear bit.
///
/// ```text
/// 1 - p = sum over j >= 1 of (-1)^(j+1) E[C(D, j)] (1 - j/m)^N
/// ```
///
/// with D the number of distinct bins that the query hits. This is inclusion and exclusion over the
/// bins that stayed empty, and exact. It is used where the first term is at most 1/8, so that each
/// later term is less than a sixteenth of the previous one and nothing cancels.
pub(super) fn miss(throws: f64, bits: u64, power: u32) -> f64 {
    let c: Row<f64> = distinct(bits, power, 0, power);
    let m = bits as f64;
    // choose[d] holds C(d, j) for the current j.
    let mut choose: Row<f64> = Row::of(c.len(), |_| 1.0);
    let mut sum = 0.0;
    let mut sign = 1.0;
    for j in 1..c.len() {
        for (d, value) in choose.iter_mut().enumerate() {
            *value = if d < j {
                0.0
            } else {
                *value * (d - j + 1) as f64 / j as f64
            };
        }
        let subsets: f64 = c
            .iter()
            .zip(choose.iter())
            .map(|(c, choose)| c * choose)
            .sum();
        let term = subsets * libm::exp(throws * libm::log1p(-(j as f64) / m));
        sum += sign * term;
        sign = -sign;
        if term <= 1e-18 * sum {
            break;
        }
    }
    sum
}
