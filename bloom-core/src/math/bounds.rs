//! Computes quantities of a Bloom filter that follow from short formulas: the bits that any data
//! structure needs for a rate, the expected share of set bits, the ideal real number of hashes, the
//! rate that collisions of w-bit hashes cause, and the size that the usual rule gives.

use core::f64::consts::LN_2;

use super::error::{MAX_BITS, MathError, check_bits, check_items, check_rate, check_size};
#[cfg(feature = "alloc")]
use super::exact;
use super::rate::Rate;
use super::real::{ln_clear, throws};

/// Returns the bits that every data structure needs to store n = `items` items with the
/// false-positive rate p = `rate` and without false negatives.
///
/// ```text
/// n log2(1/p)
/// ```
///
/// This lower bound holds if the possible items are far more than n/p. A Bloom filter with the
/// ideal real number of hashes needs 1/ln 2 = 1.4427 times as many bits. Source: Carter, Floyd,
/// Gill, Markowsky and Wegman (1978).
///
/// # Errors
///
/// `0 < rate < 1`.
///
/// # Examples
///
/// ```
/// use bloom_core::math::lower_bound_bits;
///
/// assert_eq!(lower_bound_bits(1_000, 1.0 / 1_024.0)?, 10_000.0);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn lower_bound_bits(items: u64, rate: f64) -> Result<f64, MathError> {
    check_rate(rate)?;
    Ok(lower_bound_bits_at(items, Rate::from_value(rate)))
}

/// Returns [`lower_bound_bits`] for a [`Rate`], which may also be 1 (0 bits are then enough) or
/// below the range of `f64`.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{exact, lower_bound_bits_at};
///
/// // About 1e-511, which `f64` cannot represent.
/// let rate = exact::rate(1, 25_600, 255)?;
/// assert_eq!(rate.value(), 0.0);
/// assert_eq!(format!("{:.1}", lower_bound_bits_at(1, rate)), "1696.8");
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[must_use]
pub fn lower_bound_bits_at(items: u64, rate: Rate) -> f64 {
    if items == 0 {
        return 0.0;
    }
    let value = rate.value();
    // The base-2 logarithm is exact for powers of 2. For p above 1/2 or below the normal numbers of
    // `f64`, ln p is more accurate than p.
    let bits = if (f64::MIN_POSITIVE..=0.5).contains(&value) {
        -libm::log2(value)
    } else {
        -rate.ln() / LN_2
    };
    // The addition turns -0.0 into 0.0.
    items as f64 * bits + 0.0
}

/// Returns the expected share of set bits (the fill) of a filter with `items` items: 1 - (1 -
/// 1/m)^(k n).
///
/// The formula is exact. See [`rate_at_fill`].
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
pub fn expected_fill(items: u64, bits: u64, hashes: u8) -> Result<f64, MathError> {
    check_size(bits, hashes)?;
    if items == 0 {
        return Ok(0.0);
    }
    Ok(-libm::expm1(ln_clear(throws(items, hashes.into()), bits)))
}

/// Returns the false-positive rate of a single filter whose share of set bits is `fill`: fill^k.
///
/// The formula is exact for independent uniform hashes.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{exact, expected_fill, rate_at_fill};
///
/// let rate = rate_at_fill(expected_fill(2_000, 19_188, 7)?, 7);
/// // Filters differ in fill, so their mean rate is slightly above the rate at the mean fill.
/// let mean = exact::rate(2_000, 19_188, 7)?.value();
/// assert!(rate < mean && mean / rate < 1.001);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[must_use]
pub fn rate_at_fill(fill: f64, hashes: u8) -> f64 {
    (0..hashes).fold(1.0, |rate, _| rate * fill)
}

/// Returns the real number of hashes that minimises the asymptotic rate: (m/n) ln 2.
///
/// The result is infinite for 0 items, and NaN if there is no bit either. A filter needs a whole
/// number of hashes: see [`Model::best_hashes`](super::Model::best_hashes).
#[must_use]
pub fn ideal_hashes(items: u64, bits: u64) -> f64 {
    bits as f64 / items as f64 * LN_2
}

/// Returns the probability that an absent item has the same w-bit hash as one of n = `items` items.
///
/// ```text
/// 1 - (1 - 2^-w)^n
/// ```
///
/// The formula is exact for independent uniform hashes of w = `hash_bits` bits. A filter that
/// receives only such a hash of each item cannot have a lower rate, however large the filter is.
/// For n far below 2^w, the probability is about n/2^w. So it is linear in n, unlike the
/// probability that any two of n hashes are equal. Source: Dillinger and Manolios (2004). See
/// [`with_hash_floor`].
///
/// # Errors
///
/// `hash_bits` must be at least 1.
pub fn hash_floor(items: u64, hash_bits: u32) -> Result<f64, MathError> {
    if hash_bits == 0 {
        return Err(MathError::NoHashBits);
    }
    let width = i32::try_from(hash_bits).unwrap_or(i32::MAX);
    let one = libm::scalbn(1.0, -width);
    if items == 0 {
        return Ok(0.0);
    }
    Ok(-libm::expm1(items as f64 * libm::log1p(-one)))
}

/// Returns the expected number of different w-bit hashes among those of `items` items: 2^w times
/// the [`hash_floor`].
///
/// The formula is exact for independent uniform hashes. Items with the same hash set the same bits,
/// so only the different hashes fill a filter.
///
/// # Errors
///
/// As for [`hash_floor`].
///
/// # Examples
///
/// ```
/// let distinct = bloom_core::math::distinct_hashes(10_000, 16)?;
/// assert_eq!(distinct.round(), 9_274.0);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn distinct_hashes(items: u64, hash_bits: u32) -> Result<f64, MathError> {
    let floor = hash_floor(items, hash_bits)?;
    if floor == 0.0 {
        return Ok(items as f64);
    }
    let width = i32::try_from(hash_bits).unwrap_or(i32::MAX);
    Ok(libm::scalbn(floor, width).min(items as f64))
}

/// The filters of this crate accept a requested rate only if it is at least this many times the
/// [`hash_floor`] of their 64-bit hashes. Collisions of hashes then add at most 1 % to the
/// requested rate.
pub const HASH_FLOOR_MARGIN: f64 = 100.0;

/// Returns the rate of a filter including the collisions of hashes: `rate` is its rate p without
/// collisions, and `floor` the [`hash_floor`].
///
/// ```text
/// p + floor - p floor
/// ```
///
/// If p is computed for as many items as there are [different hashes](distinct_hashes), the only
/// error of the result is that the number of different hashes is taken to be its mean. In filters
/// with m from 8 to 300, n up to 40 and k = 7, the result is too high by up to 0.2 % for hashes of
/// 8 bits, 1.4 % for 4 bits, and 6 % for 1 bit.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{hash_floor, with_hash_floor};
///
/// // With a million items and 32-bit hashes, 1 in 4,295 absent items has the hash of an item.
/// let floor = hash_floor(1_000_000, 32)?;
/// assert_eq!(format!("{floor:.6}"), "0.000233");
/// assert_eq!(format!("{:.6}", with_hash_floor(0.001, floor)), "0.001233");
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[must_use]
pub fn with_hash_floor(rate: f64, floor: f64) -> f64 {
    rate + floor - rate * floor
}

/// The size that the [usual rule](usual_rule) gives, and the exact rate of a filter of this size.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct UsualRule {
    /// The number of bits m.
    pub bits: u64,
    /// The number of hashes k, at least 1. It may exceed 255.
    pub hashes: u32,
    /// The exact rate of the requested items with these bits and hashes.
    pub rate: Rate,
}

/// Returns the size that the usual rule gives for n = `items` and p = `rate`, and the exact rate of
/// a filter of this size.
///
/// ```text
/// m = ceil(-n ln p / (ln 2)^2),  k = round((m/n) ln 2)
/// ```
///
/// The rule assumes the ideal *real* number of hashes. With the nearest whole number, the exact
/// rate is usually above p, most of all where -log2 p is half-way between two integers. The result
/// is `None` if m is above 2^63.
///
/// # Errors
///
/// `items` must be at least 1 and `0 < rate < 1`.
///
/// # Examples
///
/// ```
/// let usual = bloom_core::math::usual_rule(2_000, 0.01)?.expect("far below 2^63 bits");
/// assert_eq!((usual.bits, usual.hashes), (19_171, 7));
/// assert!(usual.rate.value() > 0.01);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn usual_rule(items: u64, rate: f64) -> Result<Option<UsualRule>, MathError> {
    check_items(items)?;
    check_rate(rate)?;
    let bits = libm::ceil(items as f64 * -libm::log(rate) / (LN_2 * LN_2));
    if bits > MAX_BITS as f64 {
        return Ok(None);
    }
    let bits = bits as u64;
    check_bits(bits)?;
    let hashes = libm::round(ideal_hashes(items, bits)).max(1.0) as u32;
    Ok(Some(UsualRule {
        bits,
        hashes,
        rate: exact::unchecked(items, bits, hashes),
    }))
}
