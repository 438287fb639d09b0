//! Computes quantiles of the normal distribution and of Student's t distribution, by bisection.

use core::f64::consts::{FRAC_PI_2, PI, SQRT_2};

use super::check_error;
use crate::math::error::MathError;

/// Returns z such that a normal variable is more than z standard deviations from its mean with a
/// probability of `error`.
pub(super) fn normal_quantile(error: f64) -> Result<f64, MathError> {
    check_error(error)?;
    // Beyond 39 standard deviations the probability is 0 in `f64`, so z is at most 39.
    Ok(root(0.0, 39.0, |z| libm::erfc(z / SQRT_2) <= error))
}

/// The limit between two ways to compute the probability p that Student's variable is outside ± t.
/// Below the limit, 1 - p as an `f64` would lose digits of p, so p itself is computed, as the sum
/// of an infinite series ([`beyond`]). From the limit on, 1 - p is computed, as a finite sum
/// ([`within_angle`]) that has fewer terms than the series.
const RARE: f64 = 1e-4;

/// Returns t such that Student's variable with `freedom` degrees of freedom is outside ± t with a
/// probability of `error`.
pub(super) fn student_quantile(freedom: u64, error: f64) -> Result<f64, MathError> {
    check_error(error)?;
    if error < RARE {
        // With v degrees of freedom, the unknown is ln(1 + t²/v). If `error` is the smallest
        // positive `f64`, the unknown is about 1,490 for v = 1, and less for larger v. So it is
        // always below 3,000.
        let ln = root(0.0, 3_000.0, |ln| beyond(ln, freedom) <= error);
        return Ok(libm::sqrt(freedom as f64 * -libm::expm1(-ln)) * libm::exp(ln / 2.0));
    }
    let angle = root(0.0, FRAC_PI_2, |angle| {
        within_angle(angle, freedom) >= 1.0 - error
    });
    Ok(libm::sqrt(freedom as f64) * libm::tan(angle))
}

/// Returns the probability that Student's variable with v degrees of freedom is within
/// ± sqrt(v) tan(angle): a finite sum of powers of the cosine. Exact.
///
/// Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
fn within_angle(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = libm::sincos(angle);
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    // The sum has every second power j of the cosine up to v - 2. The coefficient of a power is the
    // one of the previous power times (j - 1) / j.
    let mut power = freedom % 2;
    while power + 2 <= freedom {
        sum += term;
        power += 2;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    if odd {
        (angle + sine * sum) / FRAC_PI_2
    } else {
        sine * sum
    }
}

/// Returns the probability that Student's variable is outside ± t, where `ln` is ln(1 + t²/v). The
/// probability is an incomplete beta function, computed by its series.
///
/// Source: Abramowitz and Stegun (1964), 26.5.4 and 26.7.1.
fn beyond(ln: f64, freedom: u64) -> f64 {
    let (half, share) = (freedom as f64 / 2.0, libm::exp(-ln));
    let (mut term, mut sum, mut index) = (1.0, 1.0, 0.0);
    while term > 1e-17 * sum {
        term *= (half + 0.5 + index) / (half + 1.0 + index) * share;
        sum += term;
        index += 1.0;
    }
    let ln_beta = libm::lgamma(half) + libm::log(PI) / 2.0 - libm::lgamma(half + 0.5);
    let ln_power = libm::log(-libm::expm1(-ln)) / 2.0 - ln * half;
    libm::exp(ln_power - ln_beta) / half * sum
}

/// Returns the point at which a condition that is false at `low` and true at `high` becomes true.
pub(super) fn root(mut low: f64, mut high: f64, is_true: impl Fn(f64) -> bool) -> f64 {
    // Each step halves the range. The loop ends early if no `f64` is left between its ends.
    for _ in 0..64 {
        let middle = low.midpoint(high);
        if middle == low || middle == high {
            break;
        }
        if is_true(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Two-sided 99 %, as printed in tables of the t distribution.
        let table = [
            (1, 63.657),
            (2, 9.925),
            (3, 5.841),
            (4, 4.604),
            (9, 3.250),
            (10, 3.169),
            (19, 2.861),
            (30, 2.750),
            (120, 2.617),
        ];
        for (freedom, t) in table {
            assert_abs_diff_eq!(
                student_quantile(freedom, 0.01).unwrap(),
                t,
                epsilon = 0.0006
            );
        }
        // For one degree of freedom, t is cot(error × pi/2). The other values were computed with 50
        // digits.
        let rare = [
            (1, 1e-30, 6.366_197_723_675_814e29),
            (1, 1e-300, 6.366_197_723_675_814e299),
            (9, 1e-9, 25.656_267_699_613),
            (9, 1e-17, 199.856_809_687_6),
            (9_999, 1e-6, 4.894_688_921_525_87),
        ];
        for (freedom, error, t) in rare {
            let found = student_quantile(freedom, error).unwrap();
            assert_relative_eq!(found, t, max_relative = 1e-12);
        }
        for freedom in [1, 9, 120, 9_999] {
            let [above, below] =
                [RARE, RARE * (1.0 - 1e-12)].map(|error| student_quantile(freedom, error).unwrap());
            assert_relative_eq!(above, below, max_relative = 1e-9);
        }
        // For many degrees of freedom v, t is near the normal quantile z: the first term of the
        // difference is z (z^2 + 1) / (4 v).
        let normal = normal_quantile(0.01).unwrap();
        assert_abs_diff_eq!(normal, 2.575_829_303_548_9, epsilon = 1e-12);
        assert_abs_diff_eq!(
            student_quantile(9_999, 0.01).unwrap(),
            normal + 4.917e-4,
            epsilon = 1e-6,
        );
        assert_abs_diff_eq!(
            normal_quantile(1e-4).unwrap(),
            3.890_591_886_413,
            epsilon = 1e-11
        );
    }
}
