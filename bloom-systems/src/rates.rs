//! Computes the rates of a system's filters, and judges whether the filters keep a target rate.

use alloc::vec::Vec;
use core::cell::RefCell;

use bloom_core::math::MathError;

use crate::double_hashing::{Excess, Known, Scheme, excess_by};
use crate::positions::Positions;
use crate::system::{Layout, System};

/// A judge's verdict on a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The upper bound of the mean rate over all filters of this size.
    pub rate: f64,
    /// Whether the filter keeps the target rate.
    pub keeps: bool,
}

/// A function that judges the filters with these items, bits and hashes, in this order; `None` for a size that no filter has.
pub type Judge<'a> = &'a dyn Fn(u64, u64, u8) -> Option<Verdict>;

/// The excesses of a system's filters: what positions that depend on each other add to the false-positive rate. They are
/// cached, because a search needs many of them again.
#[derive(Debug)]
pub struct Rates<'a> {
    /// The system.
    pub system: &'a System,
    /// The excesses of filters and of their blocks, sorted. A map would take more code than the rest of this module.
    known: RefCell<Vec<(Key, Excess)>>,
    /// A cache of what the computations of these excesses have in common.
    parts: Known,
}

/// Items, bits and hashes.
pub(crate) type Size = (u64, u64, u8);

/// A size, and whether it is the size of a block. A filter of one block has the size of this block, but the excess of the
/// filter also includes what collisions of hash values add.
type Key = (Size, bool);

/// The number of excesses at which the cache is cleared.
const MAX: usize = 1 << 11;

impl<'a> Rates<'a> {
    /// Creates an empty cache for a system.
    pub fn new(system: &'a System) -> Self {
        Self {
            system,
            known: RefCell::default(),
            parts: Known::default(),
        }
    }

    /// Returns [`System::excess`], from the cache if it was computed before.
    ///
    /// # Errors
    ///
    /// No filter has this size.
    pub fn excess(&self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        let key = ((items, bits, hashes), false);
        self.kept(key, || self.computed(items, bits, hashes))
    }

    /// Returns a judge for which a filter keeps the target rate if the upper bound of its mean rate is at most `target`.
    pub fn judge(&self, target: f64) -> impl Fn(u64, u64, u8) -> Option<Verdict> + '_ {
        move |items, bits, hashes| {
            let ideal = self.system.layout.rate(items, bits, hashes).ok()?.value();
            let added = self.excess(items, bits, hashes).ok()?;
            let rate = (ideal + added.high).min(1.0);
            let keeps = rate <= target;
            Some(Verdict { rate, keeps })
        }
    }

    fn kept(
        &self,
        key: Key,
        compute: impl FnOnce() -> Result<Excess, MathError>,
    ) -> Result<Excess, MathError> {
        let place = |known: &Vec<(Key, Excess)>| known.binary_search_by(|(one, _)| one.cmp(&key));
        let found = || {
            let known = self.known.borrow();
            Some(known[place(&known).ok()?].1)
        };
        if let Some(excess) = found() {
            return Ok(excess);
        }
        let excess = compute()?;
        let mut known = self.known.borrow_mut();
        if known.len() >= MAX {
            known.clear();
        }
        if let Err(at) = place(&known) {
            known.insert(at, (key, excess));
        }
        Ok(excess)
    }

    fn computed(&self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        let System {
            positions, layout, ..
        } = self.system;
        let block_bits = match layout {
            Layout::Blocks(block_bits) | Layout::SplitBlocks(block_bits) => u64::from(*block_bits),
            _ => return positions.excess_by(&self.parts, (items, bits, hashes)),
        };
        let (distinct, floor) = positions.hashes_of(items)?;
        let mut excess = Excess::default();
        if *positions == Positions::Rotated {
            // In a block, only the lowest bits of a sum matter: as many as a position in the block needs.
            let bits_of_sums = block_bits.ilog2();
            let scheme = Scheme::Wrapping { bits: bits_of_sums };
            let parts = &self.parts;
            let of_block = |inside| excess_by(parts, scheme, inside, block_bits, hashes);
            let mut total = 0.0;
            for (inside, weight) in weights(distinct, bits / block_bits) {
                let key = ((inside, block_bits, hashes), true);
                let added = self.kept(key, || of_block(inside))?;
                total += weight;
                excess.low += weight * added.low;
                excess.expected += weight * added.expected;
                excess.high += weight * added.high;
            }
            excess.low /= total;
            excess.expected /= total;
            excess.high /= total;
        }
        if floor == 0.0 {
            return Ok(excess);
        }
        let ideal = layout.rate(items, bits, hashes)?.value();
        let rate = layout.rate(distinct, bits, hashes)?.value();
        Ok(excess.with_floor(rate, floor, ideal))
    }
}

impl System {
    /// Returns the difference between the mean rate of the system's filters of this size and the rate with k independent
    /// positions, [`Layout::rate`].
    ///
    /// In a blocked filter with [`Positions::Rotated`], the difference is a mean over blocks, whose numbers of items are
    /// distributed binomially. In other blocked filters, the positions in a block count as independent.
    ///
    /// # Errors
    ///
    /// No filter has this size.
    pub fn excess(&self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        Rates::new(self).computed(items, bits, hashes)
    }
}

/// Returns the numbers of items that a block may have, up to seven standard deviations plus ten items above and below the mean.
/// Each number has a weight in proportion to its binomial probability.
fn weights(items: u64, blocks: u64) -> impl Iterator<Item = (u64, f64)> {
    let mean = items as f64 / blocks as f64;
    let far = 7.0 * libm::sqrt(mean) + 10.0;
    let last = ((mean + far) as u64).min(items);
    let first = match blocks {
        1 => items,
        _ => (mean - far).max(0.0) as u64,
    };
    let odds = 1.0 / (blocks as f64 - 1.0);
    let next = move |&(inside, weight): &(u64, f64)| {
        let ratio = (items - inside) as f64 / (inside + 1) as f64 * odds;
        Some((inside + 1, weight * ratio)).filter(|(inside, _)| *inside <= last)
    };
    core::iter::successors(Some((first, 1e-100)), next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::system;

    /// A filter of one block has the size of its block, but only the excess of the filter includes collisions of hash values.
    #[test]
    fn a_filter_of_one_block_has_its_own_excess_whatever_was_asked_before() {
        let pebble = system("pebble").expect("a known system");
        let size = (30, 512, 6);
        let alone = pebble.excess(size.0, size.1, size.2);
        for others in [&[size][..], &[(60, 1_024, 6)]] {
            let rates = Rates::new(pebble);
            for (items, bits, hashes) in others {
                rates.excess(*items, *bits, *hashes).expect("a size");
            }
            assert_eq!(rates.excess(size.0, size.1, size.2), alone, "{others:?}");
        }
    }
}
