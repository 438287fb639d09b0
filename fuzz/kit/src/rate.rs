//! Measures the rate of a filter, and states how certain a verdict on it is.

use crate::subject::Subject;

/// Probability that a correct filter fails one check of its rate; for a hundred checks it is 1 in 10^8.
pub const ALARM: f64 = 1e-10;

/// Looks up `queries` items other than `0..items`, and returns how many the filter finds.
pub fn hits<F: Subject<u64>>(filter: &F, items: u64, queries: u64) -> u64 {
    let others = items..items + queries;
    others.filter(|item| filter.contains(item)).count() as u64
}
