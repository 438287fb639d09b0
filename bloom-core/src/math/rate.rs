//! A false-positive rate, stored as p and as ln p so that even 1e-400 can be represented.

use super::real::LN_2_HIGH;
use super::real::LN_2_LOW;

/// A false-positive rate, from 0 to 1, stored as p and as ln p.
///
/// ln p stays meaningful where p is below the range of `f64` (about 5e-324) and rounds to 0, except
/// for the rates of [blocks](crate::math::blocked::rate), which are computed as sums of p.
///
/// # Examples
///
/// ```
/// use bloom_core::math::Model;
///
/// let rate = Model::Exact.rate(1, 25_600, 255)?;
/// assert_eq!(rate.value(), 0.0);
/// assert_eq!(format!("{:.0}", rate.ln()), "-1176");
/// assert_eq!(Model::Exact.rate(3, 8, 2)?.at_most(0.01).value(), 0.01);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    value: f64,
    ln: f64,
}

impl Rate {
    /// The rate of a filter that answers no to every query.
    pub(super) const ZERO: Self = Self {
        value: 0.0,
        ln: f64::NEG_INFINITY,
    };

    /// The rate of a filter that answers yes to every query.
    pub(super) const ONE: Self = Self {
        value: 1.0,
        ln: 0.0,
    };

    /// Returns the rate `mantissa * 2^exponent`.
    ///
    /// The power of two is exact in p, and its logarithm is added in two parts, so both p and ln p
    /// keep the accuracy of the mantissa however small the rate is.
    pub(super) fn scaled(mantissa: f64, exponent: i32) -> Self {
        let e = f64::from(exponent);
        Self {
            value: libm::scalbn(mantissa, exponent).min(1.0),
            ln: (e * LN_2_HIGH + (e * LN_2_LOW + libm::log(mantissa))).min(0.0),
        }
    }

    /// Returns the rate `1 - complement`. A complement too small to change p still changes ln p.
    pub(super) fn one_minus(complement: f64) -> Self {
        Self {
            value: 1.0 - complement,
            // The addition turns -0.0 into 0.0.
            ln: libm::log1p(-complement) + 0.0,
        }
    }

    /// Returns the rate with this value.
    pub(super) fn from_value(value: f64) -> Self {
        Self {
            value,
            ln: libm::log(value),
        }
    }

    /// Returns the rate with this natural logarithm.
    pub(super) fn from_ln(ln: f64) -> Self {
        Self {
            value: libm::exp(ln),
            ln: ln + 0.0,
        }
    }

    /// Returns the lower of the rate and `bound`.
    ///
    /// [`Model::meets`](super::Model::meets) compares with more digits than an `f64` has, so a rate
    /// that meets its target may be rounded to one unit in the last place above the target. This
    /// method lowers it to the target.
    #[must_use]
    pub fn at_most(self, bound: f64) -> Self {
        if self.value <= bound {
            return self;
        }
        Self::from_value(bound)
    }

    /// Returns p, from 0 to 1; 0 where p is below the range of `f64`.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// Returns the natural logarithm of p: 0 or less, and minus infinity for p = 0.
    #[must_use]
    pub fn ln(self) -> f64 {
        self.ln
    }
}
