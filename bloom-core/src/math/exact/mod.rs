//! Computes the exact false-positive rate of a filter whose k probes are independent and uniform.
//!
//! Every item is k throws at the m bits: each throw sets one random bit, which may be set already.
//! With X the number of bits set by the N = k n throws of n items, a query for an absent item is a
//! false positive with probability
//!
//! ```text
//! p = E[(X/m)^k] = sum over d of c_d f_d
//! ```
//!
//! where c_d is the probability that the k throws of the query hit d distinct bits, and f_d the
//! probability that d given bits are all hit by the N throws of the items. Three methods for this
//! sum together cover all n and m. The time of each has a bound that depends only on k, and none
//! loses digits to cancellation:
//!
//! | where | file | method |
//! | --- | --- | --- |
//! | nearly every bit set | `nearly_full.rs` | the probability that the query hits a clear bit |
//! | few throws N | `recurrence.rs` | f_d, updated throw by throw |
//! | elsewhere | `contour.rs` | a contour integral over the rate for a Poisson number of throws |
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

/// Up to this many throws, the recurrence is used and not the contour integral. The time of the
/// recurrence grows with the number of throws.
pub(super) const FEW_THROWS: f64 = 1024.0;

/// The contour integral needs at least this many throws of the items per probe of the query.
const THROWS_PER_PROBE: f64 = 8.0;

/// The series in `nearly_full.rs` is used if a query is expected to hit at most this many clear
/// bits.
const NEARLY_FULL: f64 = 0.125;

/// Returns the exact false-positive rate of a filter of `bits` bits and `hashes` hashes with
/// `items` items.
///
/// ```text
/// p = E[(X/m)^k],  X = bits set by k n independent uniform throws
/// ```
///
/// The formula is exact for independent uniform hashes. The absolute error of the computed ln p is
/// at most 4e-14 plus 2 ulp of ln p. The time has a bound that depends neither on `items` nor on
/// `bits`.
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
/// // The usual rule, m = -n ln p / (ln 2)^2, gives this size for p = 0.01.
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

/// Returns E[(X/m)^power], where X is the number of bits set after `throws` throws at m = `bits`
/// bits.
///
/// This is the mean rate of filters if the power is their number of hashes.
pub(super) fn mean_power(throws: f64, bits: u64, power: u32) -> Rate {
    if throws == 0.0 {
        return Rate::ZERO;
    }
    // Without an allocator, a `Row` has a fixed length. If the power is too high for this length,
    // the result is 1; `Shape::for_rate` refuses rates that need so many hashes.
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

/// Returns the e for which x = f × 2^e with 1/2 <= f < 1.
///
/// With x the expected share of set bits, the sums for the exact rate are divided by 2^(e × k) for
/// k probes. The sums and their terms then stay within the range of `f64`, and the multiplication
/// by 2^(e × k) at the end is exact.
pub(super) fn binary_exponent(x: f64) -> i32 {
    libm::frexp(x).1
}
