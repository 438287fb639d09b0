//! How high the counters of a counting filter get, and how likely one overflows.

use super::error::{MathError, check_size};
use super::real::{LN_2_HIGH, LN_2_LOW, ln_clear, throws};

/// How likely the counters of a counting filter reach a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overflow {
    /// The probability that a given counter reaches the threshold. Exact.
    pub one: f64,
    /// The expected number of counters that do. Exact.
    pub expected: f64,
    /// A lower bound of the probability that any counter does.
    pub any_at_least: f64,
    /// An upper bound of the probability that any counter does.
    pub any_at_most: f64,
}

/// Returns how likely counters reach `threshold` after `items` items are inserted and none is
/// removed: 2^b for the first lost count of b-bit counters, 2^b - 1 for the first that sticks.
///
/// ```text
/// t = P(Bin(k n, 1/m) >= threshold)
/// 1 - (1 - t)^m <= P(any) <= min(1, m t)
/// ```
///
/// Each probe of an item counts once, so an item may count twice in one counter. The lower bound
/// holds because the counters are negatively associated, the upper one is the union bound. Source
/// for the question: Fan, Cao, Almeida and Broder (2000), whose own bound is some 19 times higher.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// // Half full, 4-bit counters: a million of them hardly ever overflow.
/// let overflow = bloom_core::math::counter_overflow(100_000, 1_000_000, 7, 16)?;
/// assert!(overflow.any_at_most < 1e-9);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn counter_overflow(
    items: u64,
    bits: u64,
    hashes: u8,
    threshold: u32,
) -> Result<Overflow, MathError> {
    check_size(bits, hashes)?;
    let m = bits as f64;
    let one = tail(throws(items, hashes.into()), bits, threshold);
    Ok(Overflow {
        one,
        expected: m * one,
        any_at_least: -libm::expm1(m * libm::log1p(-one)),
        any_at_most: (m * one).min(1.0),
    })
}

/// Returns P(Bin(throws, 1/bits) >= threshold).
fn tail(throws: f64, bits: u64, threshold: u32) -> f64 {
    let first = f64::from(threshold);
    if threshold == 0 {
        return 1.0;
    }
    if throws < first {
        return 0.0;
    }
    if bits == 1 {
        return 1.0;
    }
    // P(j+1) = P(j) (N - j)/(j + 1)/(m - 1). Summed on the side of the threshold away from the
    // mean, where the terms shrink.
    let others = bits as f64 - 1.0;
    let ratio = |j: f64| (throws - j) / (j + 1.0) / others;
    if ratio(first) < 1.0 {
        let mut term = point(throws, bits, threshold);
        let mut sum = 0.0;
        let mut j = first;
        while term > 1e-18 * sum && term > 0.0 {
            sum += term;
            term *= ratio(j);
            j += 1.0;
        }
        sum
    } else {
        let mut term = point(throws, bits, threshold - 1);
        let mut below = 0.0;
        for j in (0..threshold).rev() {
            below += term;
            if j > 0 {
                term /= ratio(f64::from(j - 1));
            }
        }
        1.0 - below
    }
}

/// Returns P(Bin(throws, 1/bits) = count).
fn point(throws: f64, bits: u64, count: u32) -> f64 {
    let others = bits as f64 - 1.0;
    // Powers of two are set aside at every step: nothing overflows, and nothing is rounded twice.
    let ln = ln_clear(throws, bits);
    let halvings = libm::round(ln / core::f64::consts::LN_2);
    let mut product = libm::exp((ln - halvings * LN_2_HIGH) - halvings * LN_2_LOW);
    let mut exponent = halvings as i32;
    for j in 0..count {
        let j = f64::from(j);
        let (mantissa, shift) = libm::frexp(product * ((throws - j) / (j + 1.0) / others));
        product = mantissa;
        exponent = exponent.saturating_add(shift);
    }
    libm::scalbn(product, exponent)
}
