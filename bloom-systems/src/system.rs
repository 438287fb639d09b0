//! What is known of a system.

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{MathError, Model, Rate, hash_floor, partitioned};

use crate::Positions;
use crate::double_hashing::{self, Excess, Scheme};
use crate::rule::{Expansion, Full, Sizing, Takes, Template};
use crate::systems::SYSTEMS;

/// A system that builds Bloom filters: a library, a program, or one that a document prints.
#[derive(Debug)]
pub struct System {
    /// Its name.
    pub name: &'static str,
    /// Other names that people use.
    pub aliases: &'static [&'static str],
    /// The version whose source was read.
    pub version: &'static str,
    /// Where its rule was read: repository, file, version or commit.
    pub source: &'static str,
    /// What else its users should know.
    pub note: &'static str,
    /// How it computes m and k.
    pub sizing: Sizing,
    /// Which bits an item may set.
    pub layout: Layout,
    /// How it derives the positions of an item.
    pub positions: Positions,
    /// What it does with more items than the filter was built for.
    pub full: Full,
    /// The option for the items of each further filter, if it has one.
    pub expansion: Option<Expansion>,
    /// What its user writes.
    pub call: Template,
}

/// Which of the bits an item may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Any k of them.
    Whole,
    /// One in each of k slices.
    Slices,
    /// Any k in one block of so many bits.
    Blocks(u32),
    /// One in each of the 8 lanes of a block of so many bits.
    SplitBlocks(u32),
}

/// The lanes of a [split block](Layout::SplitBlocks).
pub const LANES: u8 = 8;

impl Layout {
    /// Returns the mean rate of filters with k independent positions. Exact.
    ///
    /// # Errors
    ///
    /// No filter has this size.
    pub fn rate(self, items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
        let (block_bits, block) = match self {
            Self::Whole => return Model::Exact.rate(items, bits, hashes),
            Self::Slices => return partitioned::rate(items, bits, hashes),
            Self::Blocks(bits) => (bits, Block::Independent { bits, hashes }),
            Self::SplitBlocks(bits) => {
                let (lanes, lane_bits) = (LANES, bits / u32::from(LANES));
                (bits, Block::Split { lanes, lane_bits })
            }
        };
        blocked::rate(items, bits / u64::from(block_bits), block)
    }
}

impl PartialEq for System {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl System {
    /// Returns whether this is a program that a document prints.
    pub fn is_document(&self) -> bool {
        self.version == "as printed"
    }

    /// Returns whether it takes n and p.
    pub fn takes_rate(&self) -> bool {
        !matches!(self.sizing.takes, Takes::Bits | Takes::WholeBitsPerItem)
    }

    /// Returns whether it is given p for this request, and so promises it.
    pub fn promises(&self, bits: Option<u64>) -> bool {
        matches!(self.sizing.takes, Takes::Rate | Takes::RateOrBits) && bits.is_none()
    }
}

impl System {
    /// Returns the difference between the mean rate of its filters of this size and that of [`Layout::rate`], k independent
    /// positions.
    ///
    /// In blocks it is the mean over the items of a block, which are distributed binomially.
    ///
    /// # Errors
    ///
    /// No filter has this size.
    pub fn excess(&self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        let block_bits = match self.layout {
            Layout::Blocks(block_bits) | Layout::SplitBlocks(block_bits) => u64::from(block_bits),
            _ => return self.positions.excess(items, bits, hashes),
        };
        let mut excess = Excess::default();
        let blocks = bits / block_bits;
        if self.positions == Positions::Rotated {
            // In a block, sums have the bits of its positions.
            let scheme = Scheme::Wrapping {
                bits: block_bits.ilog2(),
            };
            let mut total = 0.0;
            for (inside, weight) in weights(items, blocks) {
                let added = double_hashing::excess(scheme, inside, block_bits, hashes)?;
                total += weight;
                excess.low += weight * added.low;
                excess.expected += weight * added.expected;
                excess.high += weight * added.high;
            }
            excess.low /= total;
            excess.expected /= total;
            excess.high /= total;
        }
        Ok(match self.positions.hash_bits() {
            None => excess,
            Some(width) => {
                let ideal = self.layout.rate(items, bits, hashes)?.value();
                excess.with_floor(ideal, hash_floor(items, width)?)
            }
        })
    }
}

/// Returns the numbers of items that a block may have, within ten deviations of the mean, each with its weight: the binomial
/// distribution over its value at the first one.
fn weights(items: u64, blocks: u64) -> impl Iterator<Item = (u64, f64)> {
    let mean = items as f64 / blocks as f64;
    let far = 10.0 * libm::sqrt(mean) + 10.0;
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

/// Returns the system of this name, or alias, in any case.
pub fn system(name: &str) -> Option<&'static System> {
    let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
    let mut all = SYSTEMS.iter();
    all.find(|system| is_name(&system.name) || system.aliases.iter().any(is_name))
}
