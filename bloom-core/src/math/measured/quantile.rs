//! The quantiles of the normal distribution and of Student's, by bisection.

use core::f64::consts::{FRAC_PI_2, SQRT_2};

use super::check_error;
use crate::math::error::MathError;

/// Returns z such that a normal variable is outside ± z standard deviations with a probability of `error`.
pub(super) fn normal_quantile(error: f64) -> Result<f64, MathError> {
    check_error(error)?;
    // Beyond 39 the probability is 0 in `f64`.
    Ok(root(0.0, 39.0, |z| libm::erfc(z / SQRT_2) <= error))
}

/// Returns t such that Student's variable is outside ± t with a probability of `error`.
pub(super) fn student_quantile(freedom: u64, error: f64) -> Result<f64, MathError> {
    check_error(error)?;
    let angle = root(0.0, FRAC_PI_2, |angle| {
        within_angle(angle, freedom) >= 1.0 - error
    });
    Ok(libm::sqrt(freedom as f64) * libm::tan(angle))
}

/// Returns the probability that Student's variable is within ± sqrt(v) tan(angle), with v degrees of freedom: a
/// finite sum of powers of the cosine. Exact.
///
/// Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
fn within_angle(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = libm::sincos(angle);
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    // The powers below v; each coefficient is the previous one times (j - 1) / j.
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

/// Returns the point at which a condition that is false at `low` and true at `high` becomes true.
pub(super) fn root(mut low: f64, mut high: f64, is_true: impl Fn(f64) -> bool) -> f64 {
    // 64 steps halve each of the ranges above down to the resolution of `f64`.
    for _ in 0..64 {
        let middle = low.midpoint(high);
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
    use approx::assert_abs_diff_eq;

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
        // The normal quantile, and the first term of its correction.
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
