//! Defines [`Model`], the choice of a formula for the false-positive rate.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::{asymptotic, exact, partitioned, textbook};

/// A formula for the false-positive rate of n items in m bits with k hashes.
///
/// The methods that solve for a size ([`min_bits`](Self::min_bits) and related ones) return sizes
/// that are *minimal and sufficient* under the model: `bits` meets the rate and `bits - 1` misses
/// it. With at most 1024 throws (n k), all models but [`Asymptotic`](Self::Asymptotic) compare
/// close rates with 106 bits of precision, which is enough for the true answer. Otherwise the
/// comparison is in `f64`, where rates a few parts in 10^15 apart may compare as equal. Up to about
/// 2^46 bits, the rates of `bits` and `bits - 1` are hardly ever that close: all 4,482 random
/// queries below 2^43 bits had the true answer, and one of 1,500 up to 2^46 bits had an answer
/// slightly too large. For larger filters, the relative error of an answer is at most 1e-14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Model {
    /// [`exact::rate`]: the rate of a filter with independent hashes.
    #[default]
    Exact,
    /// [`textbook::rate`]: never above the exact rate.
    Textbook,
    /// [`asymptotic::rate`]: lower than the textbook rate.
    Asymptotic,
    /// [`partitioned::rate`]: a filter with one slice of the bits per hash.
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
