//! A request to a system, and its answers: a filter with the steps of its computation, or a refusal.

use alloc::vec::Vec;

use crate::rule::{Rounded, Step};

/// A request to a system: at least one item, and a rate between 0 and 1 (exclusive), which the caller checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// The items.
    pub items: u64,
    /// The bits, if it is given any.
    pub bits: Option<u64>,
    /// The rate. With bits it is what they should keep; the system is not given it.
    pub rate: Option<f64>,
}

impl Request {
    /// A request for n and p.
    pub fn for_rate(items: u64, rate: f64) -> Self {
        Self {
            items,
            bits: None,
            rate: Some(rate),
        }
    }

    /// A request for n and m.
    pub fn for_bits(items: u64, bits: u64) -> Self {
        Self {
            items,
            bits: Some(bits),
            rate: None,
        }
    }
}

/// The filter that a system builds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Built {
    /// The bits m.
    pub bits: u64,
    /// The hashes k.
    pub hashes: u8,
    /// How the system computes both, step by step.
    pub work: Vec<Worked>,
    /// The upper bound on its bits, where its rule would take more.
    pub capped: Option<u64>,
}

/// A step of the computation of m and k, with its result.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Worked {
    /// p is lowered to a limit.
    RateAtMost(f64),
    /// p is multiplied by a factor.
    RateTimes {
        /// The factor.
        factor: f64,
        /// The product.
        rate: f64,
    },
    /// p is rounded to single precision.
    RateSingle(f64),
    /// m by a formula.
    Bits {
        /// The formula.
        formula: Formula,
        /// Its value.
        value: f64,
        /// How it is rounded.
        rounded: Rounded,
        /// m so far.
        bits: u128,
    },
    /// m is always the same.
    FixedBits(u64),
    /// m by a table.
    BitsByTable {
        /// The name of the table.
        table: &'static str,
        /// m/n.
        per_item: u64,
        /// The hashes in the table.
        hashes: u64,
        /// m so far.
        bits: u128,
    },
    /// m by thousandths of m/n.
    BitsByThousandths {
        /// The m/n asked for.
        asked: f64,
        /// m/n in thousandths.
        thousandths: u64,
        /// m so far.
        bits: u128,
    },
    /// m by a rule that no other system has.
    BitsByOwn {
        /// The rule, in words.
        rule: &'static str,
        /// m so far.
        bits: u128,
    },
    /// A change of m.
    Changed {
        /// The change.
        step: Step,
        /// m so far.
        bits: u128,
    },
    /// k is computed for at most so many items.
    ItemsAtMost(u64),
    /// k is looked up by the thousandths of a bit per item that are stored.
    StoredThousandths(u128),
    /// k by a formula.
    Hashes {
        /// The formula.
        formula: Formula,
        /// Its value.
        value: f64,
        /// How it is rounded.
        rounded: Rounded,
        /// k.
        hashes: u128,
    },
    /// k is this.
    FixedHashes(u128),
    /// k is raised to 1.
    OneHash,
    /// k is lowered to a limit.
    HashesAtMost(u64),
    /// The bits of each of k slices.
    Slice {
        /// -n ln p / (k (ln 2)^2).
        value: f64,
        /// The bits of a slice.
        slice: u128,
        /// m so far.
        bits: u128,
    },
}

/// A formula of m or k.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Formula {
    /// m = -n ln p / (ln 2)^2.
    Usual,
    /// m = -k n / ln(1 - p^(1/k)), for this k.
    OfHashes(u8),
    /// k = -log2 p.
    OfRate,
    /// k = (m/n) ln 2, with the system's own ln 2.
    OfBits(f64),
    /// k = ((m/n) rounded down) ln 2.
    OfWholePerItem,
}

/// Why a system builds no filter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// It takes fewer items.
    Items {
        /// The most.
        most: u64,
        /// The items of the request.
        got: u64,
    },
    /// It takes no such number of bits, only from 1 to a limit.
    Bits {
        /// The limit.
        most: u64,
        /// The bits by its rule.
        got: u128,
    },
    /// It takes only higher rates.
    RateNotAbove {
        /// What a rate must be above.
        least: f64,
        /// The rate of the request.
        got: f64,
    },
    /// It takes no m/n as low.
    BitsPerItemBelow {
        /// The lowest.
        least: f64,
        /// The m/n of the request.
        got: f64,
    },
    /// It takes whole bits per item.
    WholeBitsPerItem {
        /// The m/n of the request.
        got: f64,
    },
    /// It refuses to use no hash.
    NoHash,
    /// It uses no hash, and returns true for every query.
    AlwaysTrue,
    /// It takes fewer hashes, or rates are computed for fewer.
    Hashes {
        /// The most.
        most: u64,
        /// The hashes by its rule.
        got: u128,
        /// Whether the limit is its own.
        is_own: bool,
    },
    /// The memory is too small for one item.
    Memory {
        /// The bits of its least filter, for the rate of the request if there is one.
        least: u64,
        /// The bits given.
        got: u64,
        /// Whether its least filter depends on the rate.
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
