//! How full a class of positions is.

use alloc::vec::Vec;

/// The numbers of positions in a class up to which its fill is computed once.
const KEPT: usize = 1024;

/// The fill of a class over random filters.
#[derive(Clone, Copy, Default)]
pub(super) struct Fill {
    mean: f64,
    /// The logarithm of the mean.
    pub(super) log: f64,
    /// v / (r (1 - r) - v), with r the mean and v the variance.
    spread: f64,
}

impl Fill {
    /// Returns the fill after so many independent positions in a class of `odd`: its mean, and the variance of the
    /// number of cells that stay empty. Source: Johnson and Kotz (1977), *Urn Models and Their Application*.
    fn after(positions: f64, odd: f64) -> Self {
        // The probability that no position is in a part of the class.
        let none_in = |part: f64| match positions {
            0.0 => 1.0,
            _ if part >= 1.0 => 0.0,
            _ => libm::exp(positions * libm::log1p(-part)),
        };
        let (clear, both) = (none_in(1.0 / odd), none_in(2.0 / odd));
        let mean = 1.0 - clear;
        let variance = clear / odd + (1.0 - 1.0 / odd) * both - clear * clear;
        let rest = mean * clear - variance.max(0.0);
        Self {
            mean,
            // Of an empty class: e to it is 0, and sums of it stay finite.
            log: if mean > 0.0 { libm::log(mean) } else { -1e4 },
            spread: if rest > 0.0 {
                variance.max(0.0) / rest
            } else {
                0.0
            },
        }
    }

    /// Returns the probability of a set bit where so many others of the class are set: of a fill with the beta distribution.
    pub(super) fn after_others(self, others: usize) -> f64 {
        let others = others as f64 * self.spread;
        (self.mean + others) / (1.0 + others)
    }
}

/// The fill of classes that have `odd` cells each.
pub(super) struct Fills {
    odd: f64,
    kept: Vec<Fill>,
}

impl Fills {
    pub(super) fn new(odd: f64) -> Self {
        Self {
            odd,
            kept: Vec::new(),
        }
    }

    /// Returns the fill after so many independent positions.
    pub(super) fn of(&mut self, positions: f64) -> Fill {
        // A whole number, but for the mean of a cycle.
        let index = positions as usize;
        if index >= KEPT || index as f64 != positions {
            return Fill::after(positions, self.odd);
        }
        while self.kept.len() <= index {
            self.kept
                .push(Fill::after(self.kept.len() as f64, self.odd));
        }
        self.kept[index]
    }
}
