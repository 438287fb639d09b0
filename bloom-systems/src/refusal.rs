//! Why there is no filter for a request to a system.

use core::error::Error;
use core::fmt::{self, Display, Formatter};

/// Why there is no filter for a request to a system.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The request has more items than the system takes.
    Items {
        /// The most items that the system takes.
        most: u64,
        /// The items of the request.
        got: u64,
    },
    /// The filter would have no bits, or more bits than a limit.
    Bits {
        /// The limit.
        most: u64,
        /// The bits by the system's rule.
        got: u128,
    },
    /// The system takes only rates above a limit.
    RateNotAbove {
        /// The limit, which is itself refused.
        least: f64,
        /// The rate of the request.
        got: f64,
    },
    /// The system takes only values of m/n from a limit on.
    BitsPerItemBelow {
        /// The limit.
        least: f64,
        /// The m/n of the request.
        got: f64,
    },
    /// The system takes only whole numbers of bits per item.
    WholeBitsPerItem {
        /// The m/n of the request.
        got: f64,
    },
    /// The system builds no filter without hashes, and its rule gives none.
    NoHash,
    /// The system builds a filter that has no bits or no hashes, and so returns true for every query. This crate refuses such a
    /// filter.
    AlwaysTrue,
    /// The system's rule gives more hashes than the system takes, or than this crate computes rates for.
    Hashes {
        /// The most hashes.
        most: u64,
        /// The hashes by the system's rule.
        got: u128,
        /// Whether this limit is the system's; if not, it is the most hashes that this crate computes rates for.
        is_own: bool,
    },
    /// The memory is too small for one item.
    Memory {
        /// The bits of the system's smallest filter, for the rate of the request if there is one.
        least: u64,
        /// The bits given.
        got: u64,
        /// Whether the size of the system's smallest filter depends on the rate.
        for_rate: bool,
    },
    /// The rate is too low for one item in this memory.
    RateInMemory {
        /// The bits given.
        bits: u64,
        /// The rate of the request.
        got: f64,
    },
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Items { most, got } => write!(f, "items must be at most {most}, got {got}"),
            Self::Bits { most, got } => write!(f, "bits must be from 1 to {most}, got {got}"),
            Self::RateNotAbove { least, got } => {
                write!(
                    f,
                    "false-positive rate must be above {least:?}, got {got:?}"
                )
            }
            Self::BitsPerItemBelow { least, got } => {
                write!(f, "bits per item must be at least {least}, got {got}")
            }
            Self::WholeBitsPerItem { got } => {
                write!(f, "bits per item must be a whole number, got {got}")
            }
            Self::NoHash => f.write_str("hashes must be at least 1, got 0"),
            Self::AlwaysTrue => f.write_str(
                "bits and hashes must be at least 1, got 0 of one of them: such a filter finds every key",
            ),
            Self::Hashes { most, got, .. } => write!(f, "hashes must be at most {most}, got {got}"),
            Self::Memory { least, got, .. } => {
                write!(f, "bits must be at least {least} for one item, got {got}")
            }
            Self::RateInMemory { bits, got } => {
                write!(
                    f,
                    "false-positive rate must be higher for a filter of {bits} bits, got {got:?}"
                )
            }
        }
    }
}

impl Error for Refusal {}
