//! Limits of measurements. They have a module of their own because two others need them: the
//! measurement enforces them, and the errors name them.

/// The most filters per measured point.
pub const MOST_FILTERS: u64 = 10_000;

/// The most steps for all points of a figure together: minutes, not hours.
pub const MOST_STEPS: u64 = 2_000_000_000;
