//! Requests to a system that builds Bloom filters, the filters that it builds, and the steps by which it computes m and k.

use alloc::vec::Vec;

use crate::rule::{Rounded, Step};

/// A request to a system. The caller checks that it has at least one item, and that its rate is between 0 and 1 (exclusive).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// The items.
    pub items: u64,
    /// The bits, if the system is given any.
    pub bits: Option<u64>,
    /// The rate that the filter should keep. If bits are given, too, the system gets the bits and not this rate.
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
    /// How the system computes m and k, step by step.
    pub work: Vec<Worked>,
    /// The limit to which a step lowered the bits, if one did.
    pub capped: Option<u64>,
}

/// A value of a formula, rounded to m or k.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ByFormula {
    /// The formula.
    pub formula: Formula,
    /// Its value.
    pub value: f64,
    /// How it is rounded.
    pub rounded: Rounded,
    /// The rounded value.
    pub result: u128,
}

impl ByFormula {
    pub(crate) fn new(formula: Formula, value: f64, rounded: Rounded) -> Self {
        Self {
            formula,
            value,
            rounded,
            result: rounded.of(value),
        }
    }
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
    Bits(ByFormula),
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
        /// m after this step.
        bits: u128,
    },
    /// m from m/n in thousandths of a bit.
    BitsByThousandths {
        /// The requested m/n.
        requested: f64,
        /// The m/n that the system uses, in thousandths of a bit.
        thousandths: u64,
        /// m after this step.
        bits: u128,
    },
    /// m by a rule that only this system has.
    BitsByOwn {
        /// The rule, in words.
        rule: &'static str,
        /// m after this step.
        bits: u128,
    },
    /// A change of m.
    Changed {
        /// The change.
        step: Step,
        /// m after this step.
        bits: u128,
    },
    /// k is computed as if n were this limit, because n is above it.
    ItemsAtMost(u64),
    /// m/n after all changes of m, in thousandths of a bit; k follows from it.
    StoredThousandths(u128),
    /// k by a formula.
    Hashes(ByFormula),
    /// k without a formula: a constant, or from a table or a function.
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
        /// m after this step.
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
    /// k = (m/n) ln 2, with the system's own digits of ln 2.
    OfBits(f64),
    /// k = ((m/n) rounded down) ln 2.
    OfWholePerItem,
}
