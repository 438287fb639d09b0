//! Computes the asymptotic rate, the limit of the textbook rate for large m. This rate is
//! approximate, and never above the textbook rate.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::real::{ln_one_minus_exp, throws};

/// Returns the asymptotic false-positive rate.
///
/// ```text
/// p = (1 - e^(-k n / m))^k
/// ```
///
/// This is the limit of the [textbook](super::textbook) rate for large m at a fixed m/n, and for n
/// of 1 or more is lower than the textbook rate. Many calculators for Bloom filters use this
/// formula. Source: Broder and Mitzenmacher (2004).
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{asymptotic, textbook};
///
/// // Four items and two hashes in eight bits: the rate is (1 - 1/e)^2.
/// let rate = asymptotic::rate(4, 8, 2)?.value();
/// assert_eq!(format!("{rate:.4}"), "0.3996");
/// assert!(rate < textbook::rate(4, 8, 2)?.value());
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
    check_size(bits, hashes)?;
    Ok(unchecked(items, bits, hashes.into()))
}

/// Computes [`rate`] from arguments already checked; `hashes` may exceed 255.
pub(super) fn unchecked(items: u64, bits: u64, hashes: u32) -> Rate {
    let load = throws(items, hashes) / bits as f64;
    Rate::from_ln(f64::from(hashes) * ln_one_minus_exp(load))
}
