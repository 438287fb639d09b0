//! Defines [`Excess`], the bounds of what dependent positions add to a rate.

/// The bounds of what dependent positions, such as those of double hashing, add to a rate; 0 by default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Excess {
    /// The lower bound; below 0 where dependent positions lower the rate, as in an overfull filter, or may lower it.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The best estimate: a fitted formula where one narrows the bounds; else a first order, the middle of two first orders, or
    /// a value between the bounds. If the bounds are equal, the estimate is exact, unless the documentation of the positions
    /// says that they have no bounds.
    pub expected: f64,
    /// Whether the bounds are measured: a formula that was fitted to simulated filters has narrowed them, or, for
    /// [rotated](crate::Positions::Rotated) hash values, their margins come from simulated filters.
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

    /// Returns an excess with equal bounds: it is exact, or its bounds are not known.
    pub fn without_bounds(excess: f64) -> Self {
        Self {
            low: excess,
            expected: excess,
            high: excess,
            measured: false,
        }
    }
}
