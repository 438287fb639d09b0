//! Computes the distribution of the number of distinct bits that the k hashes of a query hit.

use crate::math::double::Real;
use crate::math::row::Row;

/// Returns c_d × 2^(exponent × (d - power)) for d = 0..=min(power, m), where c_d is the probability
/// that k = `power` uniform throws hit exactly d distinct bits out of m = `bits`.
///
/// ```text
/// c_d = S(k, d) m (m-1) ... (m-d+1) / m^k,  S the Stirling numbers of the second kind
/// ```
///
/// The exact rate is the sum of c_d f_d, where f_d is the probability that d given bits are set.
/// Callers divide f_d by 2^(exponent × d), so the sum of the products is the rate divided by
/// 2^(exponent × power). With these factors, the products for a small rate stay within the range of
/// `f64`.
///
/// The computation goes throw by throw: after throws that hit d distinct bits, the next throw hits
/// one of these bits again with probability d/m. All terms are positive, so the relative error is a
/// few rounding errors per throw. The c_d with d < power - `repeats`, in which more than `repeats`
/// throws hit a bit again, are left at 0; the other c_d do not depend on them.
pub(super) fn distinct<R: Real>(bits: u64, power: u32, exponent: i32, repeats: u32) -> Row<R> {
    let most = u64::from(power).min(bits);
    let unit = R::from(libm::scalbn(1.0, -exponent));
    let most = most as usize;
    let repeat = Row::of(most + 1, |d| R::ratio(d as u64, bits) * unit);
    let fresh = Row::of(most, |d| R::ratio(bits - d as u64, bits));
    let mut c = Row::of(most + 1, |d| R::from(if d == 0 { 1.0 } else { 0.0 }));
    for throw in 1..=power as usize {
        // Downwards, so that each number is computed from two numbers of the previous throw.
        let lowest = throw.saturating_sub(repeats as usize).max(1);
        for d in (lowest..=throw.min(most)).rev() {
            c[d] = c[d] * repeat[d] + c[d - 1] * fresh[d - 1];
        }
        c[lowest - 1] = R::from(0.0);
    }
    c
}
