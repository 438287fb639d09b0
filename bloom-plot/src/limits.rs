//! How much may be measured: for the measurement, which keeps to it, and for the errors, which name it.

/// The most filters a point is measured on.
pub const MOST_FILTERS: u64 = 10_000;

/// The most steps that all points of a figure may take together: minutes, not hours.
pub const MOST_STEPS: u64 = 2_000_000_000;
