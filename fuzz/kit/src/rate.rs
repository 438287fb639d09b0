//! Rates that are measured on a filter: how sure a verdict is, and what is counted.

use crate::subject::Subject;

/// The chance that a correct filter fails one check of its rate: with a hundred of them, one in 10^8.
pub const ALARM: f64 = 1e-10;

/// Looks up `queries` items other than `0..items`, and returns how many the filter finds.
pub fn hits<F: Subject<u64>>(filter: &F, items: u64, queries: u64) -> u64 {
    let others = items..items + queries;
    others.filter(|item| filter.contains(item)).count() as u64
}
