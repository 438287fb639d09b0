//! Defines [`Model`], the choice of a formula for the false-positive rate.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::{asymptotic, exact, partitioned, textbook};

/// A formula for the false-positive rate of n items in m bits with k hashes.
///
/// The methods that solve for a size, such as [`min_bits`](Self::min_bits), return the smallest
/// size that keeps a requested rate: m bits keep it, and m - 1 bits do not. They compare computed
/// rates with the requested one. If k n is at most 1024, all models but
/// [`Asymptotic`](Self::Asymptotic) compare close rates with 106 bits of precision, so the returned
/// size is exact. If k n is larger, and under the asymptotic model, the comparison is in `f64`, and
/// may be wrong for rates a few parts in 10^15 apart.
///
/// Up to about 2^46 bits, the rates of m and m - 1 bits are hardly ever so close to each other. In
/// a test with random requests, all 4,482 returned sizes below 2^43 bits were exact; one of 1,500
/// sizes up to 2^46 bits was slightly too large. Above 2^46 bits, the relative error of a returned
/// size is at most 1e-14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Model {
    /// [`exact::rate`]: the exact rate of a filter with independent hashes.
    #[default]
    Exact,
    /// [`textbook::rate`]: never above the exact rate.
    Textbook,
    /// [`asymptotic::rate`]: never above the textbook rate.
    Asymptotic,
    /// [`partitioned::rate`]: the exact rate of a filter with one slice of the bits per hash.
    Partitioned,
}

impl Model {
    /// Returns the false-positive rate under this model.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63 and `hashes` at least 1. A partitioned filter with fewer bits
    /// than hashes is not an error: it has a slice without bits, and its rate is 1 (0 without
    /// items).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// let exact = Model::Exact.rate(2_000, 20_000, 5)?;
    /// let textbook = Model::Textbook.rate(2_000, 20_000, 5)?;
    /// let asymptotic = Model::Asymptotic.rate(2_000, 20_000, 5)?;
    /// assert!(asymptotic.value() < textbook.value() && textbook.value() < exact.value());
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn rate(self, items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
        check_size(bits, hashes)?;
        Ok(self.unchecked(items, bits, hashes.into()))
    }

    /// Computes [`Self::rate`] from arguments already checked; `hashes` may exceed 255.
    pub(super) fn unchecked(self, items: u64, bits: u64, hashes: u32) -> Rate {
        match self {
            Self::Exact => exact::unchecked(items, bits, hashes),
            Self::Textbook => textbook::unchecked(items, bits, hashes),
            Self::Asymptotic => asymptotic::unchecked(items, bits, hashes),
            Self::Partitioned => partitioned::unchecked(items, bits, hashes),
        }
    }
}
