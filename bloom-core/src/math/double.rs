//! Defines double-double numbers: each has 106 bits of precision and is stored as the unevaluated
//! sum of two `f64`.

use core::ops::{Add, Mul, Sub};

/// The arithmetic that the computation of the exact false-positive rate needs. With this trait, one
/// function body serves `f64` and [`Double`].
pub(super) trait Real:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Returns `numerator / denominator`, correctly rounded or nearly so.
    fn ratio(numerator: u64, denominator: u64) -> Self;
}

impl Real for f64 {
    fn ratio(numerator: u64, denominator: u64) -> Self {
        numerator as Self / denominator as Self
    }
}

/// An unevaluated sum `high + low` with |low| at most half an ulp of `high`.
///
/// The relative error of a sum, product or quotient is about 2^-104. For a difference, see
/// [`Double::sub`]. Source: Dekker (1971), *A floating-point technique for extending the available
/// precision*.
#[derive(Clone, Copy)]
pub(super) struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// Returns whether the exact value of the number is at most `limit`.
    pub(super) fn is_at_most(self, limit: f64) -> bool {
        self.high < limit || (self.high == limit && self.low <= 0.0)
    }

    /// Returns the nearest `f64`.
    pub(super) fn value(self) -> f64 {
        self.high
    }

    /// Returns the number divided by an integer above 0.
    pub(super) fn over(self, divisor: u64) -> Self {
        let whole = {
            let (high, low) = split(divisor);
            Self { high, low }
        };
        // The first quotient has the digits of one `f64`. Each of two corrections divides the
        // remainder, which adds the digits of another `f64`.
        let first = Self::from(self.high / whole.high);
        let rest = self - first * whole;
        let second = Self::from(rest.high / whole.high);
        let rest = rest - second * whole;
        first + second + Self::from(rest.high / whole.high)
    }

    /// Returns a + b for |a| at least |b|, split into `high` and `low`.
    fn of_ordered(a: f64, b: f64) -> Self {
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

/// Splits an integer into its nearest float and the remainder.
fn split(integer: u64) -> (f64, f64) {
    let high = integer as f64;
    (high, (i128::from(integer) - high as i128) as f64)
}

impl Real for Double {
    fn ratio(numerator: u64, denominator: u64) -> Self {
        let (n, n_low) = split(numerator);
        let (d, d_low) = split(denominator);
        let high = n / d;
        let rest = libm::fma(-high, d, n) + (n_low - high * d_low);
        Self::of_ordered(high, rest / d)
    }
}

impl Add for Double {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = self.high + other.high;
        let part = sum - self.high;
        let error = (self.high - (sum - part)) + (other.high - part);
        Self::of_ordered(sum, error + (self.low + other.low))
    }
}

impl Sub for Double {
    type Output = Self;

    /// The absolute error of a difference is about 2^-104 times the larger operand.
    fn sub(self, other: Self) -> Self {
        self + Self {
            high: -other.high,
            low: -other.low,
        }
    }
}

impl Mul for Double {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = self.high * other.high;
        let error = libm::fma(self.high, other.high, -product);
        Self::of_ordered(
            product,
            error + (self.high * other.low + self.low * other.high),
        )
    }
}
