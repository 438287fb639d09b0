//! Exercise (★★) of the chapter *Choosing sizes*: find the smallest size that keeps a rate.
//!
//! More bits never make the rate higher. So double the bits until the rate is low enough.
//! The answer is above the last size that was too small; find it by binary search.

/// Returns the fewest bits, at least 1 and below 2^62, for which `rate_of(bits)` is at
/// most `rate`.
pub fn bits(rate: f64, rate_of: &dyn Fn(u64) -> f64) -> u64 {
    let _ = (rate, rate_of);
    1
}
