//! Compares floating-point numbers with reference values, up to a relative distance.

use approx::assert_relative_eq;

/// Checks that two numbers differ by at most `relative` times the larger of their magnitudes, even if both numbers are tiny.
/// With its default settings, the crate `approx` would accept any two numbers that differ by at most 2e-16.
///
/// # Panics
///
/// If the numbers differ by more, or if one of them is NaN.
#[track_caller]
pub fn assert_close(got: f64, reference: f64, relative: f64) {
    assert_relative_eq!(got, reference, epsilon = 0.0, max_relative = relative);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_close_up_to_the_relative_distance() {
        assert_close(1e-200, 1.000_9e-200, 1e-3);
        assert_close(-2.0, -2.0, 0.0);
    }

    #[test]
    #[should_panic(expected = "1.0011e-200")]
    fn small_numbers_are_not_all_the_same() {
        assert_close(1e-200, 1.001_1e-200, 1e-3);
    }

    #[test]
    #[should_panic(expected = "NaN")]
    fn nothing_is_close_to_nan() {
        assert_close(f64::NAN, f64::NAN, 1.0);
    }
}
