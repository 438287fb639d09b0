//! The distribution of the number of distinct bits that a query hits.

use alloc::vec;
use alloc::vec::Vec;

use crate::math::double::Real;

/// Returns c_d 2^(exponent (d - power)) for d = 0..=min(power, m): the probabilities that
/// `power` throws hit exactly d distinct bins out of m, scaled.
///
/// ```text
/// c_d = S(k, d) m (m-1) ... (m-d+1) / m^k,  S the Stirling numbers of the second kind
/// ```
///
/// Computed throw by throw: a throw repeats one of d hit bins with probability d/m. All terms are
/// positive, so the relative error is a few rounding errors per throw.
pub(super) fn distinct<R: Real>(bits: u64, power: u32, exponent: i32) -> Vec<R> {
    let most = u64::from(power).min(bits);
    let unit = R::from(libm::scalbn(1.0, -exponent));
    let repeat: Vec<R> = (0..=most).map(|d| R::ratio(d, bits) * unit).collect();
    let fresh: Vec<R> = (0..most).map(|d| R::ratio(bits - d, bits)).collect();
    // Two alternating rows instead of one updated in place, so that loop iterations can overlap.
    let mut c = vec![R::from(0.0); most as usize + 1];
    let mut next = c.clone();
    c[0] = R::from(1.0);
    for throw in 1..=power as usize {
        let reached = throw.min(most as usize);
        let ways = repeat[1..=reached].iter().zip(&fresh[..reached]);
        let steps = c[1..=reached].iter().zip(&c[..reached]).zip(ways);
        for (next, ((&here, &below), (&repeat, &fresh))) in next[1..=reached].iter_mut().zip(steps)
        {
            *next = here * repeat + below * fresh;
        }
        next[0] = R::from(0.0);
        core::mem::swap(&mut c, &mut next);
    }
    c
}
