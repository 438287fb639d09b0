//! Decides whether the p of an answer is the rate itself, an upper bound of the rate, or an
//! estimate. Text, remarks and JSON all use this decision.

use bloom_systems::Positions;

use crate::answer::Solution;

/// What the p of an answer is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Certainty {
    /// p is the mean rate of filters with this n, m and k, to the digits printed. If the number of set bits is given, p is the
    /// rate of the one filter that has them.
    Rate,
    /// p is an upper bound of the rate.
    Bound {
        /// Whether the bound was measured in simulated filters; otherwise it is derived.
        measured: bool,
    },
    /// p would be an upper bound of the rate of a scalable filter if its stages were independent. They are dependent, because
    /// no stage stores an item that an older stage finds. So p may be too low by some percent. The sum of the rates of the
    /// stages is an upper bound in any case.
    OfIndependentStages {
        /// The sum of the rates of the stages.
        sum: f64,
    },
    /// p is near the rate, and may be above or below it.
    Estimate,
}

impl Certainty {
    #[cfg(feature = "json")]
    pub(crate) fn is_bound(self) -> bool {
        matches!(self, Self::Bound { .. })
    }
}

impl Solution {
    /// Returns what p is.
    pub(crate) fn certainty(&self) -> Certainty {
        if let Some(grown) = self.grown.as_ref().filter(|_| self.items > 0) {
            let sum: f64 = grown.rates(self.items).sum();
            if sum > 1.01 * self.ideal.value() {
                return Certainty::OfIndependentStages { sum };
            }
            return Certainty::Bound { measured: false };
        }
        let positions = self.asked.filter.system().map(|system| system.positions);
        let width = self.excess.high - self.excess.low;
        match positions {
            _ if !self.is_dependent() => Certainty::Rate,
            Some(Positions::Walk) => Certainty::Estimate,
            _ if width <= self.rate.value() / 1000.0 => Certainty::Rate,
            _ => Certainty::Bound {
                measured: self.excess.measured,
            },
        }
    }
}
