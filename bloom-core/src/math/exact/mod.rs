//! Computes the exact rate of a filter whose k probes are independent and uniform.
//!
//! Every item throws k balls into m bins (the bits), with replacement. With X the number of bits
//! set by N = k n throws, a query for an absent item is a false positive with probability
//!
//! ```text
//! p = E[(X/m)^k] = sum over d of c_d f_d
//! ```
//!
//! where c_d is the probability that the k throws of the query hit d distinct bins, and f_d the
//! probability that d given bins are all hit by N throws. Three methods for this sum cover every
//! size, in a time with a bound that depends only on k. All of them avoid differences of nearly
//! equal numbers:
//!
//! | where | file | method |
//! | --- | --- | --- |
//! | nearly every bit set | `nearly_full.rs` | the probability that the query hits a clear bit |
//! | few throws | `recurrence.rs` | f_d throw by throw, all terms positive |
//! | elsewhere | `contour.rs` | Poisson throws, and a contour integral back to exactly N |
//!
//! Sources: Bose et al. (2008), *On the false-positive rate of Bloom filters*; Christensen,
//! Roginsky and Jimeno (2010), *A new analysis of the false positive rate of a Bloom filter*.

mod contour;
mod nearly_full;
mod query;
#[cfg(feature = "alloc")]
mod ratio;
mod recurrence;

#[cfg(feature = "alloc")]
pub(super) use ratio::relative_variance;
pub(super) use recurrence::scaled_sum;

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::real::{ln_clear, throws};
use super::row::is_too_long;

/// The recurrence is used up to this many throws, because its running time grows with their number.
pub(super) const FEW_THROWS: f64 = 1024.0;

/// The contour integral needs at least this many throws per probe of the query.
const THROWS_PER_PROBE: f64 = 8.0;

/// The series in `nearly_full.rs` is used if a query is expected to hit at most this many clear
/// bits.
const NEARLY_FULL: f64 = 0.125;

/// Returns the exact false-positive rate of `bits` bits and `hashes` hashes with `items` items.
///
/// ```text
/// p = E[(X/m)^k],  X = bits set by k n independent uniform throws
/// ```
///
/// Exact for independent uniform hashes; |error of ln p| is at most 4e-14 + 2 ulp for every
/// `items`, `bits` up to 2^63 and `hashes`. The time has a bound that does not depend on items and
/// bits.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::exact;
///
/// let p = exact::rate(2_000, 19_171, 7)?;
/// // For this size the usual rule promises 0.01.
/// assert!(p.value() > 0.010_041 && p.value() < 0.010_042);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
    check_size(bits, hashes)?;
    Ok(unchecked(items, bits, hashes.into()))
}

/// Computes [`rate`] from arguments already checked; `hashes` may exceed 255.
pub(super) fn unchecked(items: u64, bits: u64, hashes: u32) -> Rate {
    mean_power(throws(items, hashes), bits, hashes)
}

/// Returns E[(X/m)^power] after `throws` throws.
///
/// For the mean rate, the power is the number of hashes; for the second moment of the rate, twice
/// the number of hashes.
pub(super) fn mean_power(throws: f64, bits: u64, power: u32) -> Rate {
    if throws == 0.0 {
        return Rate::ZERO;
    }
    // Without an allocator, a `Row` has a fixed length. If the power is too high for it, the result
    // is 1; `Shape::for_rate` refuses rates that need so many hashes.
    if bits == 1 || is_too_long(power) {
        return Rate::ONE;
    }
    let clear = ln_clear(throws, bits);
    if f64::from(power) * libm::exp(clear) <= NEARLY_FULL {
        return Rate::one_minus(nearly_full::miss(throws, bits, power));
    }
    let exponent = binary_exponent(-libm::expm1(clear));
    let mantissa = if throws <= FEW_THROWS || throws < THROWS_PER_PROBE * f64::from(power) {
        recurrence::scaled_sum(throws as u64, bits, power, exponent)
    } else {
        contour::scaled_mean(throws, bits, power, exponent)
    };
    Rate::scaled(mantissa, exponent * power as i32)
}

/// Returns the e for which x = f 2^e and 1/2 <= f < 1.
///
/// For x the fill, the sums of the exact rate are divided by 2^e once per probe. The sums and their
/// terms then stay within the range of `f64`, and scaling back is exact.
pub(super) fn binary_exponent(x: f64) -> i32 {
    libm::frexp(x).1
}
