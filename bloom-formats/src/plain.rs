//! Defines [`Plain`], a bit array with a number of hashes. In most formats it is a whole filter. A filter of RedisBloom, and a
//! dynamic filter of Hadoop, is a list of bit arrays. This module inserts and queries positions in a bit array, and computes
//! its fill, its false-positive rate and the estimated number of its items.

use alloc::vec::Vec;
use core::iter::repeat_with;

use bloom_core::Shape;
use bloom_core::math::{Estimate, estimate_items, rate_at_fill};
use bloom_systems::divisor::Divisor;
use bloom_systems::double_hashing::Excess;
use bloom_systems::sums::REACH;
use bloom_systems::{Positions, chain};

use crate::error::{Field, Format, FormatError};
use crate::rate::{Rate, is_mean};
use crate::sums;
use crate::warning::Warning;
use crate::words::Words;

/// The number of positions, from the first on, that a query examines without a branch between them.
const GROUP: u8 = 3;

/// A bit array and its number of hashes. `divisor` computes remainders modulo the number of bits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Plain<'a> {
    pub(crate) format: Format,
    pub(crate) shape: Shape,
    pub(crate) words: Words<'a>,
    pub(crate) divisor: Divisor,
}

impl<'a> Plain<'a> {
    /// Sets the bits at the positions of an item, and returns whether at least one of them was clear. Bits that are borrowed
    /// from a file are copied first.
    pub(crate) fn insert(
        &mut self,
        mut positions: impl Iterator<Item = u64>,
    ) -> Result<bool, FormatError> {
        self.own()?;
        let set = |new, position| self.words.insert(position) | new;
        Ok(positions.by_ref().fold(false, set))
    }

    /// Calls `position` once for each hash, and sets the bits at these positions like [`insert`](Self::insert).
    pub(crate) fn insert_next(
        &mut self,
        position: impl FnMut() -> u64,
    ) -> Result<bool, FormatError> {
        self.insert(repeat_with(position).take(self.shape.hashes().into()))
    }

    /// Returns an error if another filter has other numbers of bits or hashes.
    pub(crate) fn check_shape(&self, other: &Plain<'_>) -> Result<(), FormatError> {
        let (ours, theirs) = (self.shape, other.shape);
        self.format.equal(Field::Bits, ours.bits(), theirs.bits())?;
        self.format
            .equal(Field::Hashes, ours.hashes(), theirs.hashes())
    }

    pub(crate) fn new(format: Format, shape: Shape, words: Words<'a>) -> Self {
        let divisor = Divisor::new(shape.bits());
        Self {
            format,
            shape,
            words,
            divisor,
        }
    }

    /// Returns a copy that owns its bits.
    pub(crate) fn owned(&self) -> Result<Plain<'static>, FormatError> {
        let words = self.words.owned(self.format)?;
        Ok(Plain::new(self.format, self.shape, words))
    }

    /// Makes the bits writable: copies bits that are borrowed from a file, and allocates the bits that an empty filter does not
    /// have yet.
    pub(crate) fn own(&mut self) -> Result<(), FormatError> {
        self.words.own(self.format, self.shape.bits().div_ceil(64))
    }

    pub(crate) fn contains(&self, mut positions: impl Iterator<Item = u64>) -> bool {
        positions.all(|position| self.words.contains(position))
    }

    /// Calls `position` at most once for each hash, and returns whether the bits at all positions are set. After the first
    /// [`GROUP`] positions, stops at the first clear bit.
    ///
    /// These first positions are examined without a branch between them, as no branch predictor knows where the first clear bit
    /// is.
    #[inline]
    pub(crate) fn contains_next(&self, mut position: impl FnMut() -> u64) -> bool {
        let hashes = self.shape.hashes();
        let first = hashes.min(GROUP);
        // Counts the set bits: with a truth value the compiler would branch at each position.
        let set = |_| u8::from(self.words.contains(position()));
        let set: u8 = (0..first).map(set).sum();
        set == first && (first..hashes).all(|_| self.words.contains(position()))
    }

    pub(crate) fn fill(&self) -> f64 {
        self.words.ones() as f64 / self.shape.bits() as f64
    }

    /// Returns the probability that the query of one position finds a set bit.
    fn hit(&self, positions: Positions) -> f64 {
        match positions {
            Positions::Signed => sums::hit(&self.words, self.shape.bits()),
            Positions::Chained { .. } => sums::hit_of_chains(&self.words, self.shape.bits()),
            _ => self.fill(),
        }
    }

    pub(crate) fn estimated_items(&self, positions: Positions) -> Option<Estimate> {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        match positions {
            Positions::Signed | Positions::Chained { .. } => {
                sums::estimate(&self.words, bits, hashes)
            }
            _ => estimate_items(bits, hashes, self.words.ones())
                .expect("the shape is valid, and no more bits are set than it has"),
        }
    }

    /// Returns what the dependence of positions adds to the rate that independent positions would have at the present fill.
    pub(crate) fn excess(&self, positions: Positions) -> Excess {
        if let Positions::Chained { permutation } = positions {
            let zero = f64::from(u8::from(self.words.contains(0)));
            let hashes = self.shape.hashes();
            return Excess::without_bounds(chain::excess(
                self.hit(positions),
                zero,
                hashes,
                permutation,
            ));
        }
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let estimate = self.estimated_items(positions);
        estimate.map_or(Excess::default(), |estimate| {
            let items = libm::round(estimate.items) as u64;
            let excess = positions.dependence(items, bits, hashes);
            excess.expect("a shape is valid")
        })
    }

    /// Returns the rate at the present fill: the rate of independent positions, plus the excess, what their dependence adds. If
    /// only a mean excess over filters is known, it is the mean in filters of this size with the estimated number of items.
    pub(crate) fn rate(&self, positions: Positions) -> Rate {
        let independent = rate_at_fill(self.hit(positions), self.shape.hashes());
        let excess = self.excess(positions);
        let value = (independent + excess.expected).clamp(0.0, 1.0);
        if is_mean(positions) && (1..self.shape.bits()).contains(&self.words.ones()) {
            Rate::mean(value, self.shape.bits(), &excess)
        } else {
            Rate::computed(value)
        }
    }

    /// Returns the mean rate of filters of this size with `items` items, or an upper bound of this mean where only bounds are
    /// known.
    pub(crate) fn expected_rate(&self, positions: Positions, items: u64) -> f64 {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let independent = positions.independent(items, bits, hashes);
        let more = positions.dependence(items, bits, hashes);
        let (independent, more) = (
            independent.expect("a shape is valid"),
            more.expect("as above"),
        );
        let more = if more.measured {
            more.expected
        } else {
            more.high
        };
        (independent + more).clamp(0.0, 1.0)
    }

    pub(crate) fn warnings(&self, positions: Positions) -> Vec<Warning> {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let mut warnings = Vec::new();
        if self.hit(positions) >= 1.0 {
            warnings.push(Warning::Full);
        }
        if !matches!(positions, Positions::Signed | Positions::Chained { .. }) {
            return warnings;
        }
        warnings.extend(unreachable(bits));
        let even = rate_at_fill(self.fill(), hashes);
        let rate = rate_at_fill(self.hit(positions), hashes);
        if rate > 1.01 * even {
            warnings.push(Warning::UnevenPositions { even, rate });
        }
        warnings
    }

    /// Returns a warning if all bits are set.
    pub(crate) fn full_warning(&self) -> Vec<Warning> {
        let full = self.words.ones() == self.shape.bits();
        full.then_some(Warning::Full).into_iter().collect()
    }

    /// Returns the bytes of a file: the header, then the words.
    pub(crate) fn to_bytes(&self, header: &[u8]) -> Result<Vec<u8>, FormatError> {
        self.words.write(self.format, header)
    }
}

/// Returns a warning if the filter has bits from 2^31 on. Positions that are numbers of 31 bits do not reach these bits.
fn unreachable(bits: u64) -> Option<Warning> {
    (bits > REACH).then_some(Warning::UnreachableBits { bits })
}

/// Returns the sum of independent estimates; `None` if one of them is `None`.
pub(crate) fn sum_of_estimates(
    estimates: impl Iterator<Item = Option<Estimate>>,
) -> Option<Estimate> {
    let (mut items, mut variance) = (0.0, 0.0);
    for estimate in estimates {
        let estimate = estimate?;
        items += estimate.items;
        variance += estimate.standard_deviation * estimate.standard_deviation;
    }
    Some(Estimate::new(items, libm::sqrt(variance)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bits_beyond_the_last_sum_are_unreachable() {
        assert_eq!(unreachable(REACH), None);
        let bits = REACH + 1;
        assert_eq!(unreachable(bits), Some(Warning::UnreachableBits { bits }));
    }
}
