//! Computes the textbook rate, which treats the bits of a filter as independent. This rate is
//! approximate, and never above the exact rate.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::real::{ln_clear, ln_one_minus_exp, throws};

/// Returns the textbook false-positive rate.
///
/// ```text
/// p = (1 - (1 - 1/m)^(k n))^k
/// ```
///
/// The fill of a filter is its share of set bits. The formula raises the *expected* fill to the
/// power k, but the exact rate is the expected value of the k-th power of the fill. By Jensen's
/// inequality, the textbook rate never exceeds the exact rate. It is strictly below the exact rate
/// if k and m are at least 2 and n is at least 1. Source: Bloom (1970) in the form of Mullin
/// (1983). Bose et al. (2008) showed that the formula is an approximation.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{exact, textbook};
///
/// // One item and two hashes in two bits: half of the filters have both bits set, the others one.
/// assert_eq!(textbook::rate(1, 2, 2)?.value(), 0.5625);
/// assert_eq!(exact::rate(1, 2, 2)?.value(), 0.625);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
    check_size(bits, hashes)?;
    Ok(unchecked(items, bits, hashes.into()))
}

/// Computes [`rate`] from arguments already checked; `hashes` may exceed 255.
pub(super) fn unchecked(items: u64, bits: u64, hashes: u32) -> Rate {
    if items == 0 {
        return Rate::ZERO;
    }
    let clear = ln_clear(throws(items, hashes), bits);
    Rate::from_ln(f64::from(hashes) * ln_one_minus_exp(-clear))
}
