//! Computes the exact rate of a partitioned filter, which has one slice of the bits per hash.

use super::error::{MathError, check_size};
use super::rate::Rate;
use super::real::{ln_clear, ln_one_minus_exp};

/// Returns the exact false-positive rate of a filter with one slice of the bits per hash.
///
/// ```text
/// p = product over the slices of 1 - (1 - 1/s)^n
/// ```
///
/// for slices of s bits. The slices are independent, so the product is exact. If k does not divide
/// m, the first m mod k slices have one bit more. For k of 2 or more, the rate is higher than that
/// of a filter with the same n, m and k whose hashes share all bits; if half of the bits are set,
/// the relative difference is about k (k-1) / (5 m). Source: Mullin (1983).
///
/// # Errors
///
/// `hashes` must be at least 1 and `bits` from `hashes` to 2^63.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{exact, partitioned};
///
/// let shared = exact::rate(100, 1_000, 7)?;
/// let sliced = partitioned::rate(100, 1_000, 7)?;
/// assert!(sliced.value() > shared.value());
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
    check_size(bits, hashes)?;
    if bits < hashes.into() {
        return Err(MathError::FewerBitsThanHashes { bits, hashes });
    }
    Ok(unchecked(items, bits, hashes.into()))
}

/// Computes [`rate`] from arguments already checked, but allows fewer bits than hashes: a slice
/// then has no bits, and the rate is 1 if there are items.
pub(super) fn unchecked(items: u64, bits: u64, hashes: u32) -> Rate {
    let slices = u64::from(hashes);
    if items == 0 {
        return Rate::ZERO;
    }
    if bits < slices {
        return Rate::ONE;
    }
    let ln_set = |slice: u64| match slice {
        1 => 0.0,
        slice => ln_one_minus_exp(-ln_clear(items as f64, slice)),
    };
    let (slice, longer) = (bits / slices, bits % slices);
    let shorter = (slices - longer) as f64 * ln_set(slice);
    Rate::from_ln(shorter + longer as f64 * ln_set(slice + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_with_a_slice_of_no_bits_finds_everything() {
        assert_eq!(unchecked(1, 3, 7), Rate::ONE);
        assert_eq!(unchecked(0, 3, 7), Rate::ZERO);
    }
}
