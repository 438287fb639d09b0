//! Computes 1 - p, where p is the exact false-positive rate, for filters in which nearly every bit
//! is set. The result has full relative accuracy.

use super::query::distinct;
use crate::math::row::Row;

/// Returns 1 - p, the probability that a query of `power` uniform probes hits a clear bit. The bits
/// were set by N = `throws` uniform throws at m = `bits` bits.
///
/// ```text
/// 1 - p = sum over j >= 1 of (-1)^(j+1) E[C(D, j)] (1 - j/m)^N
/// ```
///
/// where D is the number of distinct bits that the query hits, and C(D, j) a binomial coefficient.
/// The formula is exact: it is inclusion and exclusion over the sets of j bits of the query. The
/// bits of such a set are all clear with probability (1 - j/m)^N. The caller uses the formula where
/// the first term is at most 1/8. Each later term is then less than a sixteenth of the previous
/// one, so little cancels.
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
