//! Defines [`Rate`], a false-positive rate stored as p and as ln p, so that even 1e-400 can be
//! represented.

use super::real::LN_2_HIGH;
use super::real::LN_2_LOW;

/// A false-positive rate, from 0 to 1, stored as p and as ln p.
///
/// A p below the range of `f64` (below about 5e-324) rounds to 0, but ln p keeps its value. The
/// rates of [blocked filters](crate::math::blocked::rate) are an exception: they are computed from
/// p alone, so if p rounds to 0, their ln p is minus infinity.
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

    /// Returns the rate `mantissa * 2^exponent`, or 1 if rounding made this product larger than 1.
    ///
    /// Multiplying by a power of two is exact unless p is below the normal numbers of `f64`. For ln
    /// p, the logarithm of the power is added in two parts. So ln p keeps the accuracy of the
    /// mantissa however small the rate is, and p keeps it down to 2e-308.
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
            // Adding 0.0 turns -0.0 into 0.0.
            ln: libm::log1p(-complement) + 0.0,
        }
    }

    /// Returns the rate with this p.
    pub(super) fn from_value(value: f64) -> Self {
        Self {
            value,
            ln: libm::log(value),
        }
    }

    /// Returns the rate with this ln p.
    pub(super) fn from_ln(ln: f64) -> Self {
        Self {
            value: libm::exp(ln),
            ln: ln + 0.0,
        }
    }

    /// Returns the lower of the rate and `bound`.
    ///
    /// [`Model::meets`](super::Model::meets) may compare a rate with the requested one in more
    /// digits than an `f64` holds. A rate that meets the request may then, as an `f64`, be one unit
    /// in the last place above it. With the request as `bound`, this method lowers such a rate to
    /// the request.
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
