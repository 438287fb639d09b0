//! Defines the kinds of filters that the calculator supports, and how the bits of each are laid
//! out.

use std::f64::consts::LN_2;

use bloom_core::math::blocked::Block;
use bloom_core::math::scalable::Growth;
use bloom_systems::{Layout, System};

/// A kind of filter.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Filter {
    /// k positions anywhere among m bits.
    #[default]
    Classic,
    /// A slice of the bits for each hash.
    Partitioned,
    /// k positions anywhere within one block.
    PlainBlocked {
        /// Bits of a block, from 1 to 65,536.
        block_bits: u32,
    },
    /// One position in each of the 8 lanes of one block; bloom-core's blocked filter has blocks of 512 bits.
    SplitBlock {
        /// Bits of a block: a multiple of 8, up to 65,536.
        block_bits: u32,
    },
    /// A counter in place of each bit; m is the number of counters.
    Counting {
        /// Bits of a counter, from 2 to 16.
        counter_bits: u8,
    },
    /// Classic filters, called stages, that are added as items are inserted.
    Scalable {
        /// Expected items of the first stage.
        initial: u64,
        /// The ratio between the items of a stage and those of the one before.
        growth: u32,
        /// The ratio between the rate of a stage and that of the one before.
        tightening: f64,
    },
    /// The filter that another system (a library or a database) builds: the system sizes it by its own rule and derives
    /// positions in its own way. Its bits are laid out as in one of the kinds above.
    OfSystem {
        /// The system.
        system: &'static System,
        /// For a system that adds a filter when one is full: the items of an added filter, divided
        /// by those of the filter before it; at least 1. `None` for the system's default.
        expansion: Option<u64>,
    },
}

/// The number of lanes of a split block, which is also the number of hashes.
pub(crate) const LANES: u8 = 8;

impl Filter {
    /// Returns a scalable filter with the usual ratios: twice the items and 0.85 of the rate of the stage before.
    pub const fn scalable(initial: u64) -> Self {
        Self::Scalable {
            initial,
            growth: 2,
            tightening: 0.85,
        }
    }

    /// Returns what a system builds, with the system's default expansion.
    pub const fn of_system(system: &'static System) -> Self {
        Self::OfSystem {
            system,
            expansion: None,
        }
    }

    /// Returns the system, if the filter is what another system builds.
    pub fn system(self) -> Option<&'static System> {
        match self {
            Self::OfSystem { system, .. } => Some(system),
            _ => None,
        }
    }

    /// Returns how a scalable filter grows to keep a rate, which is 0.5 if none is given. `None` for other filters.
    pub(crate) fn growth(self, rate: Option<f64>) -> Option<Growth> {
        let Self::Scalable {
            initial,
            growth,
            tightening,
        } = self
        else {
            return None;
        };
        Some(Growth {
            items: initial,
            rate: rate.unwrap_or(0.5),
            growth,
            tightening,
        })
    }

    /// Returns whether the filter consists of stages that are added as items are inserted.
    pub(crate) fn grows(self) -> bool {
        matches!(self, Self::Scalable { .. })
    }

    /// Returns the kind whose bits are laid out like those of this filter: its own kind, unless another system builds it.
    #[must_use]
    pub fn layout(self) -> Self {
        let Self::OfSystem { system, .. } = self else {
            return self;
        };
        match system.layout {
            Layout::Slices => Self::Partitioned,
            Layout::Blocks(block_bits) => Self::PlainBlocked { block_bits },
            Layout::SplitBlocks(block_bits) => Self::SplitBlock { block_bits },
            _ => Self::Classic,
        }
    }

    /// Returns the name of its [layout](Self::layout) on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Partitioned => "partitioned",
            Self::PlainBlocked { .. } => "plain-blocked",
            Self::SplitBlock { block_bits: 512 } => "blocked",
            Self::SplitBlock { .. } => "split-block",
            Self::Counting { .. } => "counting",
            Self::Scalable { .. } => "scalable",
            Self::OfSystem { .. } => self.layout().name(),
        }
    }

    /// Returns the bits of memory for one unit of m: 1, or the bits of a counter.
    pub fn width(self) -> u64 {
        match self {
            Self::Counting { counter_bits } => counter_bits.into(),
            _ => 1,
        }
    }

    /// Returns the number that m is a multiple of.
    pub fn unit(self) -> u64 {
        match self.layout() {
            Self::PlainBlocked { block_bits } | Self::SplitBlock { block_bits } => {
                block_bits.into()
            }
            _ => 1,
        }
    }

    /// Returns the number of hashes if it is fixed.
    pub fn fixed_hashes(self) -> Option<u8> {
        matches!(self.layout(), Self::SplitBlock { .. }).then_some(LANES)
    }

    /// Returns whether its bits are set like those of a classic filter.
    pub fn is_classic_inside(self) -> bool {
        matches!(self.layout(), Self::Classic | Self::Counting { .. })
    }

    pub(crate) fn block(self, hashes: u8) -> Option<Block> {
        match self.layout() {
            Self::PlainBlocked { block_bits } => Some(Block::Independent {
                bits: block_bits,
                hashes,
            }),
            Self::SplitBlock { block_bits } => Some(Block::Split {
                lanes: LANES,
                lane_bits: block_bits / u32::from(LANES),
            }),
            _ => None,
        }
    }
}

/// Returns the limit of m/n for large n: -k / ln(1 - p^(1/k)).
pub(crate) fn bits_per_item(hashes: u8, rate: f64) -> f64 {
    let k = f64::from(hashes);
    let ln_fill = libm::log(rate) / k;
    let ln_clear = if ln_fill > -LN_2 {
        libm::log(-libm::expm1(ln_fill))
    } else {
        libm::log1p(-libm::exp(ln_fill))
    };
    -k / ln_clear
}
