//! What a filter reports about its bits: the share of set bits, the saturated counters and the estimated number of items.

use bloom_core::math::Estimate;

/// What a filter with bloom-core's layout reports about its bits or counters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readings {
    /// Whether no bit is set, or no counter is above 0.
    pub empty: bool,
    /// The share of set bits, or of counters above 0.
    pub fill: f64,
    /// The number of saturated counters; `None` if the filter has no counters.
    pub saturated: Option<u64>,
    /// The estimated number of distinct items.
    pub estimate: Option<Estimate>,
}

/// A filter that reports about its bits, unless it grows.
pub trait Read {
    /// Returns what the filter reports; `None` for a filter that grows.
    fn readings(&self) -> Option<Readings>;
}
