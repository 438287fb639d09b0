//! Defines [`Excess`]: how much higher a filter's false-positive rate is because the k positions of an item depend on each
//! other.

/// How much higher a filter's false-positive rate is than with k independent positions, because the positions of an item depend
/// on each other, as with double hashing: two bounds and an estimate. All three are 0 by default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Excess {
    /// The lower bound; below 0 where dependent positions lower the rate, as in an overfull filter, or may lower it.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The best estimate. Where a fitted formula narrows the bounds, it is the value of this formula. Elsewhere it is of first
    /// order in 1/m, the middle of two such values, or a value between the bounds. If the bounds are equal, the estimate is
    /// exact, unless the documentation of [`Positions::dependence`](crate::Positions::dependence) says that there are no
    /// bounds.
    pub expected: f64,
    /// Whether the bounds come from simulated filters: a formula that was fitted to simulated filters has narrowed them, or,
    /// for [rotated](crate::Positions::Rotated) hash values, their margins come from simulated filters.
    pub measured: bool,
}

impl Excess {
    /// Turns an excess over `rate` into an excess over `base`, for filters in which a key shares
    /// the hash value of an item with probability `floor`, and is then a false positive.
    pub(crate) fn with_floor(self, rate: f64, floor: f64, base: f64) -> Self {
        let with = |more: f64| (rate - base) + more + floor * (1.0 - rate - more);
        Self {
            low: with(self.low),
            expected: with(self.expected),
            high: with(self.high),
            measured: self.measured,
        }
    }

    /// Returns an excess whose bounds are equal to its value: the value is exact, or no bounds are known.
    pub fn without_bounds(excess: f64) -> Self {
        Self {
            low: excess,
            expected: excess,
            high: excess,
            measured: false,
        }
    }
}
