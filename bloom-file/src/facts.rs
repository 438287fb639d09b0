//! The numbers that are reported of a filter.

use bloom_core::math::{Estimate, first_true};
use bloom_params::report::Value;

/// The readings of a filter.
pub(crate) struct Facts {
    /// The system, version and the like, for people.
    pub(crate) what: String,
    /// The same for programs: keys and values.
    pub(crate) fields: Vec<(&'static str, Value)>,
    pub(crate) bits: u64,
    pub(crate) hashes: u32,
    pub(crate) fill: f64,
    /// The estimated items; `None` if every bit is set.
    pub(crate) items: Option<Estimate>,
    /// The items that the system has counted, if it counts.
    pub(crate) counted: Option<u64>,
    /// Whether any bytes of this length would be read as such a filter, so that nothing proves the format.
    pub(crate) is_bare: bool,
    pub(crate) rate: f64,
    pub(crate) warnings: Vec<String>,
}

/// Returns the most items with which the mean rate of a filter of these bits and hashes is at most `rate`.
pub(crate) fn max_items(rate: f64, bits: u64, hashes: u32, expected: impl Fn(u64) -> f64) -> u64 {
    let hashes = f64::from(hashes);
    // The asymptotic rate of independent positions is close, which saves steps: each may take long.
    let guess = -(bits as f64) / hashes * (-rate.powf(1.0 / hashes)).ln_1p();
    let over = first_true(1, u64::MAX, guess as u64, |items| expected(items) > rate);
    over.map_or(u64::MAX, |items| items - 1)
}
