//! Exercise (★★★) of the chapter *What the textbook misses*: compute the exact rate of a
//! filter with m bits, n items and k hashes.
//!
//! Positions are balls that are thrown into m bins. First throw the k balls of a query: c(d)
//! is the probability that they occupy d different bins. Begin with c(0) = 1, and update c
//! for each ball: it falls into one of d occupied bins with probability d/m.
//!
//! Then throw the k × n balls of the items: f(d) is the probability that they hit all of d
//! given bins. Begin with f(0) = 1 and f(d) = 0 for d > 0, and update f for each ball: it
//! hits one of the d bins with probability d/m, and then d - 1 bins are left to hit.
//!
//! The rate is the sum of c(d) × f(d) over d.

/// Returns the exact false-positive rate.
pub fn rate(items: u64, bits: u64, hashes: u8) -> f64 {
    let _ = (items, bits, hashes);
    0.0
}
