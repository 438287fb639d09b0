//! Defines [`System`], the description of a library or database that builds Bloom filters: how it sizes its filters, which bits
//! an item sets, what it does with a full filter and what its user writes.

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{MathError, Model, Rate, partitioned};

use crate::Positions;
use crate::rule::{Expansion, Full, Sizing, Takes, Template};
use crate::systems::SYSTEMS;

/// A system that builds Bloom filters: a library, a program, or code that is printed in a document.
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
    /// The option that sets how many items an added filter is built for, if the system has such an option.
    pub expansion: Option<Expansion>,
    /// The limit on the size of its filters, if a setting can raise this limit.
    pub limit: Option<Limit>,
    /// What its user writes.
    pub call: Template,
}

/// A limit on the size of a system's filters, with the setting that raises it.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// What to set, with `{n}`, `{m}` and `{bytes}` in place of values.
    pub text: &'static str,
    /// The same system with its highest limit.
    pub raised: &'static System,
}

/// Which bits of a filter an item may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Any k bits of the filter.
    Whole,
    /// One bit in each of k slices of the filter.
    Slices,
    /// Any k bits of one block, where a block has this many bits.
    Blocks(u32),
    /// One bit in each of the 8 lanes of one block, where a block has this many bits.
    SplitBlocks(u32),
}

/// The lanes of a [split block](Layout::SplitBlocks).
pub const LANES: u8 = 8;

impl Layout {
    /// Returns the mean false-positive rate over all filters of this size, with k independent positions. Exact.
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
    /// Returns whether the code of this system is printed in a document.
    pub fn is_document(&self) -> bool {
        self.version == "as printed"
    }

    /// Returns whether the system takes n and p, or n alone, and so can be asked for a filter without m.
    pub fn takes_rate(&self) -> bool {
        !matches!(self.sizing.takes, Takes::Bits | Takes::WholeBitsPerItem)
    }

    /// Returns whether the system gets p, and so promises p, in a request whose bits are `bits`.
    pub fn promises(&self, bits: Option<u64>) -> bool {
        matches!(self.sizing.takes, Takes::Rate | Takes::RateOrBits) && bits.is_none()
    }
}

/// Returns the system with this name or alias, in upper or lower case.
pub fn system(name: &str) -> Option<&'static System> {
    let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
    let mut all = SYSTEMS.iter();
    all.find(|system| is_name(&system.name) || system.aliases.iter().any(is_name))
}
