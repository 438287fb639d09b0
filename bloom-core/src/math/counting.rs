//! Computes the probability that the counters of a counting filter reach a value, and so the
//! probability that they overflow.

use super::binomial::tail;
use super::error::{MathError, check_size};

/// How likely the counters of a counting filter are to reach a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Overflow {
    /// The probability that a given counter reaches the threshold, by an exact formula.
    pub one: f64,
    /// The expected number of counters that reach the threshold, by an exact formula.
    pub expected: f64,
    /// A lower bound on the probability that at least one counter reaches the threshold.
    pub any_at_least: f64,
    /// An upper bound on the probability that at least one counter reaches the threshold.
    pub any_at_most: f64,
}

/// Returns how likely the m = `bits` counters of a counting filter are to reach `threshold` after
/// `items` items are inserted and none is removed. A counter of b bits can hold at most 2^b - 1, so
/// the threshold for its overflow is 2^b.
///
/// ```text
/// t = P(Bin(k n, 1/m) >= threshold)
/// 1 - (1 - t)^m <= P(any) <= min(1, m t)
/// ```
///
/// Here t is the result [`Overflow::one`], and P(any) is the probability that at least one counter
/// reaches the threshold. Each of the k probes of an item is taken to add 1 to its counter, so an
/// item whose probes coincide adds 2 or more to a counter. The lower bound holds because the
/// counters are negatively associated; the upper bound is the union bound. Fan, Cao, Almeida and
/// Broder (2000) also gave an upper bound on P(any); in the example below, it is 19 times higher
/// than m t. The relative error of a computed t above 1e-290 is below 3e-14 if the threshold is at
/// most 1024 and k n/m at most 128, and below 2e-12 if one of them is larger. The running time is
/// at most proportional to the square root of the threshold.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// // A million 4-bit counters, about half of them above 0, hardly ever overflow.
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
    let throws = u128::from(items) * u128::from(hashes);
    let one = tail(throws, bits, threshold.into());
    Ok(Overflow {
        one,
        expected: m * one,
        any_at_least: -libm::expm1(m * libm::log1p(-one)),
        any_at_most: (m * one).min(1.0),
    })
}
