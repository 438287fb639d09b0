//! The asymptotic rate: the textbook rate for m to infinity. Approximate, lower still.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::real::{ln_one_minus_exp, throws};

/// Returns the asymptotic false-positive rate.
///
/// ```text
/// p = (1 - e^(-k n / m))^k
/// ```
///
/// The limit of the [textbook](super::textbook) rate for large m at a fixed m/n, and lower than
/// that rate. Most calculators use this formula. Source: Broder and Mitzenmacher (2004).
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
    check_size(bits, hashes)?;
    Ok(unchecked(items, bits, hashes.into()))
}

/// [`rate`] for arguments already checked.
pub(super) fn unchecked(items: u64, bits: u64, hashes: u32) -> Rate {
    if items == 0 {
        return Rate::ZERO;
    }
    let load = throws(items, hashes) / bits as f64;
    Rate::from_ln(f64::from(hashes) * ln_one_minus_exp(load))
}
