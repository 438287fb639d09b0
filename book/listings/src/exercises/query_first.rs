//! *What the textbook misses* (★★★): the exact rate, by throwing the query first.
//!
//! The k balls of the query occupy d different bins with some chance c(d). Begin with
//! c(0) = 1 and throw them one by one: a ball falls into one of d occupied bins with
//! chance d/m. Then f(d) is the chance that the N = kn balls of the items hit all of d
//! given bins. Throw these one by one, too: the next ball hits one of the d with chance
//! d/m, and then d - 1 are left to hit. Before the first ball f(0) is 1 and the others
//! are 0. The rate is the sum of c(d) f(d).

/// Returns the exact rate.
pub fn rate(items: u64, bits: u64, hashes: u8) -> f64 {
    let _ = (items, bits, hashes);
    0.0
}
