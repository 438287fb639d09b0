//! Computes how full a class of positions is. A class is all positions with one remainder modulo 2^e, the largest power of two
//! that divides m. A class has o = m / 2^e bits, called cells here.

use alloc::vec;
use alloc::vec::Vec;

/// The fill of a class in which items have fewer positions than this is computed once and kept.
const KEPT: usize = 1024;

/// The most cells of a class for which the exact distribution of its fill is computed.
const FEW_CELLS: f64 = 1024.0;

/// The distribution of the fill of a class, the share of its cells that are set, over random filters.
#[derive(Clone, Copy, Default)]
pub(super) struct Fill {
    mean: f64,
    /// The logarithm of the mean.
    pub(super) log: f64,
    /// v / (r (1 - r) - v), with r the mean and v the variance of the fill.
    spread: f64,
    /// The index of this fill among the kept ones, if it is kept.
    kept: Option<usize>,
}

impl Fill {
    /// Returns the distribution of the fill of a class of `odd` cells in which items have this many independent positions. The
    /// variance is that of the share of empty cells. Source: Johnson and Kotz (1977), *Urn Models and Their Application*.
    fn after(positions: f64, odd: f64) -> Self {
        // The probability that no position is in a part of the class that has this share of its cells.
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
            // For an empty class -1e4 takes the place of the logarithm of 0: e to this power is 0, and sums of logarithms stay
            // finite.
            log: if mean > 0.0 { libm::log(mean) } else { -1e4 },
            spread: if rest > 0.0 {
                variance.max(0.0) / rest
            } else {
                0.0
            },
            kept: None,
        }
    }
}

/// Computes the fill of classes that have `odd` cells each, and keeps what was computed.
pub(super) struct Fills {
    odd: f64,
    kept: Vec<Fill>,
    /// For classes of few cells: how many cells are set after 0, 1, 2 and so on positions.
    occupied: Vec<Occupied>,
}

/// The distribution of the number of set cells of a class, after some number of positions.
#[derive(Default)]
struct Occupied {
    /// The probabilities of 0, 1, 2 and so on set cells.
    cells: Vec<f64>,
    /// The probabilities of 0, 1, 2 and so on set cells, given that `after.len()` positions of a query hit set cells.
    among: Vec<f64>,
    /// The probabilities that a further position of a query hits a set cell, given that 0, 1, 2 and so on positions do.
    after: Vec<f64>,
}

impl Occupied {
    /// Returns the distribution after one more position. Source: Johnson and Kotz.
    fn next(&self, odd: f64) -> Self {
        let old = |set: usize| self.cells.get(set).copied().unwrap_or(0.0);
        let most = self.cells.len().min(odd as usize);
        let cells = (0..=most).map(|set| match set {
            0 => 0.0,
            _ => (old(set) * set as f64 + old(set - 1) * (odd - set as f64 + 1.0)) / odd,
        });
        Self::of(cells.collect())
    }

    fn of(cells: Vec<f64>) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }

    fn after_others(&mut self, others: usize, odd: f64) -> f64 {
        if self.among.is_empty() {
            self.among.clone_from(&self.cells);
        }
        while self.after.len() <= others {
            let mut mean = 0.0;
            for (set, share) in self.among.iter_mut().enumerate() {
                *share *= set as f64 / odd;
                mean += *share;
            }
            for share in &mut self.among {
                *share /= mean.max(f64::MIN_POSITIVE);
            }
            self.after.push(mean);
        }
        self.after[others]
    }
}

impl Fills {
    pub(super) fn new(odd: f64) -> Self {
        Self {
            odd,
            kept: Vec::new(),
            occupied: Vec::new(),
        }
    }

    /// Returns the probability that a position of a query hits a set cell, given that `others` other positions of the query in
    /// the class do. It is exact for few cells and a kept fill, and else as if the fill had a beta distribution.
    pub(super) fn after_others(&mut self, fill: Fill, others: usize) -> f64 {
        if let Some(index) = fill.kept
            && self.odd <= FEW_CELLS
        {
            while self.occupied.len() <= index {
                let next = match self.occupied.last() {
                    Some(last) => last.next(self.odd),
                    None => Occupied::of(vec![1.0]),
                };
                self.occupied.push(next);
            }
            return self.occupied[index].after_others(others, self.odd);
        }
        let others = others as f64 * fill.spread;
        (fill.mean + others) / (1.0 + others)
    }

    /// Returns the distribution of the fill after this many independent positions.
    pub(super) fn of(&mut self, positions: f64) -> Fill {
        // `positions` is a whole number, unless it is a mean over several classes.
        let index = positions as usize;
        if index >= KEPT || index as f64 != positions {
            return Fill::after(positions, self.odd);
        }
        while self.kept.len() <= index {
            let mut fill = Fill::after(self.kept.len() as f64, self.odd);
            fill.kept = Some(self.kept.len());
            self.kept.push(fill);
        }
        self.kept[index]
    }
}
