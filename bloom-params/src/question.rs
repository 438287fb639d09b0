//! A question: the known quantities of a filter.

use std::error::Error;
use std::f64::consts::LN_2;

use bloom_core::math::{MathError, Model, Rate};
use bloom_systems::{Refusal, Request, System};

use crate::kind::filter::Filter;

/// The known quantities of a filter; the rest is solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Query {
    /// Items n, at least 1.
    pub items: Option<u64>,
    /// Bits m, from 1 to 2^63.
    pub bits: Option<u64>,
    /// Hashes k, from 1 to 255.
    pub hashes: Option<u8>,
    /// The false-positive rate p to keep, between 0 and 1 (exclusive).
    pub rate: Option<f64>,
    /// The formula that sizes and judges a classic filter. Every other kind has only one formula.
    pub model: Model,
    /// The kind of filter.
    pub filter: Filter,
    /// What a solved m is rounded up to. A k that is not given is then chosen for the rounded m.
    pub round: Round,
    /// Bits of memory per item, in place of n and m, above 0; the command accepts up to 1,000,000. [`Query::per_item`] uses them.
    pub bits_per_item: Option<f64>,
    /// The share of the inserts that are distinct items. n counts only distinct items; remarks and JSON show the
    /// share.
    pub distinct: Option<f64>,
    /// The number of inserts, if it was given with the share `distinct`. Remarks and JSON show it.
    pub inserts: Option<u64>,
    /// The width W, from 1 to 1024 bits, of the hash from which all positions are derived. p is
    /// then the rate of filter and hash together. If no width is given, hashes are ideal.
    pub hash_bits: Option<u32>,
    /// The share of filters that must keep the rate, between 0 and 1 (exclusive): filters of one size have different rates by
    /// chance. Without this share, the mean of these rates must be at most the rate to keep.
    pub confidence: Option<f64>,
    /// The number X of bits that are set in a filter of known m and k. Its items and its rate follow from X.
    pub set_bits: Option<u64>,
    /// What false positives and bits cost. The answer is the filter of n items with the least sum of both costs.
    pub cost: Option<Cost>,
}

/// What false positives and bits cost, both in the same unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The cost of a false positive, above 0.
    pub false_hit: f64,
    /// The cost, above 0, of keeping a bit for as long as all [`lookups`](Cost::lookups) take.
    pub per_bit: f64,
    /// The expected lookups of absent items, above 0.
    pub lookups: f64,
}

impl Cost {
    /// Returns the rate with the least cost for many items and the best real k, in a classic or a counting filter with w =
    /// `width` bits of memory for each of the m positions. Let Q be the number of lookups, C the cost of a false positive and B
    /// the cost of a bit. At the rate returned, the derivative of the cost Q C p - n w B ln p / (ln 2)^2 with respect to p is
    /// 0.
    pub(crate) fn rate_of_many(self, items: u64, width: u64) -> f64 {
        let bits = self.per_bit * width as f64 * items as f64;
        bits / (self.false_hits(1.0) * LN_2 * LN_2)
    }

    /// Returns what the false positives of all lookups cost at this rate.
    pub(crate) fn false_hits(self, rate: f64) -> f64 {
        self.lookups * self.false_hit * rate
    }
}

/// One of the four quantities of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Items n.
    Items,
    /// Bits m.
    Bits,
    /// Hashes k.
    Hashes,
    /// False-positive rate p.
    Rate,
}

impl Quantity {
    /// Returns the letter of the quantity: n, m, k or p.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Items => "n",
            Self::Bits => "m",
            Self::Hashes => "k",
            Self::Rate => "p",
        }
    }
}

/// What a solved m is rounded up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Round {
    /// Nothing.
    #[default]
    None,
    /// A multiple of this many bits.
    Multiple(u64),
    /// A power of two.
    PowerOfTwo,
}

impl Round {
    /// Returns `bits` rounded up as this value requires and to whole blocks of `unit` bits; `None`
    /// if the result is above 2^63, or if no power of two has whole blocks.
    pub fn up(self, bits: u64, unit: u64) -> Option<u64> {
        let rounded = match self {
            Self::None => bits.checked_next_multiple_of(unit)?,
            Self::Multiple(step) => bits.checked_next_multiple_of(least_common(step, unit))?,
            Self::PowerOfTwo => bits.max(unit).checked_next_power_of_two()?,
        };
        (rounded <= 1 << 63 && rounded % unit == 0).then_some(rounded)
    }
}

pub(crate) fn least_common(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Which quantities of a question are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    is_given: [bool; 7],
    pub(crate) grows: bool,
}

/// The quantities that a question may give, in the order of [`Given`]; X is the number of set bits.
const LETTERS: [&str; 7] = ["n", "m", "m/n", "k", "p", "X", "costs"];

impl Given {
    pub(crate) fn letters(self) -> Vec<&'static str> {
        let given = LETTERS.into_iter().zip(self.is_given);
        given
            .filter_map(|(letter, is_given)| is_given.then_some(letter))
            .collect()
    }
}

impl Query {
    /// Returns which quantities are given.
    pub(crate) fn given(&self) -> Given {
        Given {
            is_given: [
                self.items.is_some(),
                self.bits.is_some(),
                self.bits_per_item.is_some(),
                self.hashes.is_some(),
                self.rate.is_some(),
                self.set_bits.is_some(),
                self.cost.is_some(),
            ],
            grows: self.filter.grows(),
        }
    }
}

/// Why another system, that is, a library or a database, does not build a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Unbuilt {
    /// The system does not take this mix of quantities.
    Mix(Given),
    /// The system decides by itself what the option would set.
    Decides {
        /// The option.
        option: &'static str,
    },
    /// The system has no option for the size of the filters that it adds as it grows, or the option
    /// does not take this value.
    Expansion {
        /// The largest value that the option takes; 0 if the system does not have the option.
        most: u64,
        /// The value given: the items of an added filter, divided by those of the filter before it.
        got: u64,
    },
    /// No size keeps the rate.
    NoBits {
        /// The items.
        items: u64,
        /// The rate.
        rate: Option<f64>,
    },
    /// The system refuses the request.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The most items that it would accept, if that is known.
        most: Option<u64>,
        /// The request.
        request: Request,
    },
}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum QueryError {
    /// The given quantities do not determine an answer.
    Underdetermined(Given),
    /// A number, or the answer, is outside the domain of the formulas.
    Math(MathError),
    /// This kind of filter does not have the option.
    NotOfFilter {
        /// The option.
        option: &'static str,
        /// The kind of filter.
        filter: Filter,
        /// The kinds of filters that have it.
        owners: &'static str,
    },
    /// bloom-core does not build this kind of filter.
    NotBuilt {
        /// The filter.
        filter: Filter,
    },
    /// The number of hashes of this kind of filter is fixed, and is not the number given.
    FixedHashes {
        /// The filter.
        filter: Filter,
        /// The hashes given.
        hashes: u8,
    },
    /// The bits do not hold a single block.
    LessThanOneBlock {
        /// The bits given.
        bits: u64,
        /// The bits of a block.
        block_bits: u64,
    },
    /// How much the rates of single filters differ by chance is known for ideal hashes only, and the hashes of this filter are
    /// not ideal.
    SpreadOfIdealHashes,
    /// The share of single filters that keep a rate is known for ideal hashes only, and the width of the hash is given.
    ConfidenceBehindHash,
    /// The rate of the hash alone is at least the rate that the filter must keep.
    HashTooNarrow {
        /// The bits of the hash.
        hash_bits: u32,
        /// The items.
        items: u64,
        /// The rate of the hash alone.
        floor: f64,
    },
    /// Set bits are of use only if the m and k of the filter are given.
    SetBitsNeedSize(Given),
    /// The option applies to all filters of a size, and set bits belong to one filter.
    SetBitsAreOfOneFilter {
        /// The option.
        option: &'static str,
    },
    /// Every bit is set, so the number of items cannot be estimated.
    EveryBitSet {
        /// The bits.
        bits: u64,
    },
    /// If costs are given, they decide the rate: the items must be given, the hashes may be given,
    /// and m and p must not be.
    CostNeedsItems(Given),
    /// Every filter costs at least as much as no filter.
    NoFilterPays {
        /// The cost without a filter.
        without: f64,
    },
    /// A share of filters that must keep a rate is given without a rate.
    ConfidenceWithoutRate,
    /// The share of filters is not strictly between 0 and 1 (or not a number).
    ConfidenceOutOfRange(f64),
    /// Rounding applies to a solved m, and m is given.
    NothingToRound,
    /// The option needs n or m, and the answer is only bits per item.
    NeedsSize {
        /// The option.
        option: &'static str,
    },
    /// The bits per item of a filter of blocks are solved for 10^12 items, and these need over 2^63 bits.
    ManyNeedTooManyBits {
        /// The rate.
        rate: f64,
    },
    /// The option computes in `f64`, and the rate of the filter is below the smallest normal `f64`.
    RateTooLow {
        /// The option.
        option: &'static str,
        /// The rate.
        rate: Rate,
    },
    /// The rounded m exceeds 2^63 bits, or no power of two has whole blocks.
    CannotRound {
        /// The bits to be rounded.
        bits: u64,
        /// The bits of a block; 1 without blocks.
        block_bits: u64,
    },
    /// A scalable filter has more than 10,000 stages.
    TooManyStages {
        /// The given quantity, items or bits, that needs too many stages.
        quantity: Quantity,
        /// Its value.
        value: u64,
        /// The expected items of the first stage.
        initial: u64,
        /// The ratio between the items of a stage and those of the one before.
        growth: u32,
    },
    /// The first stage of a scalable filter has more than 2^63 bits.
    FirstStageTooLarge {
        /// The expected items of the first stage.
        initial: u64,
        /// The rate given; `None` where the stage is too large at any rate.
        rate: Option<f64>,
    },
    /// A stage of a scalable filter has more items than a `u64` counts.
    StageTooLarge {
        /// The number of the stage, from 1.
        stage: u32,
        /// The expected items of the first stage.
        initial: u64,
        /// The ratio between the items of a stage and those of the one before.
        growth: u32,
    },
    /// The rate of a stage is below the range of `f64`.
    StageRateTooLow {
        /// The number of the stage, from 1.
        stage: u32,
        /// The rate given; `None` where the rate of the stage is too low at any rate.
        rate: Option<f64>,
        /// The ratio between the rate of a stage and that of the one before.
        tightening: f64,
    },
    /// Another system does not build the filter.
    OfSystem {
        /// The system.
        system: &'static System,
        /// Why it does not.
        why: Unbuilt,
    },
    /// The stages that a scalable filter needs for these items do not fit in these bits at any rate.
    StagesDoNotFit {
        /// The items given.
        items: u64,
        /// The bits given.
        bits: u64,
    },
}

impl From<MathError> for QueryError {
    fn from(error: MathError) -> Self {
        match error {
            MathError::StageRateTooLow {
                stage,
                rate,
                tightening,
            } => Self::StageRateTooLow {
                stage: stage.saturating_add(1),
                rate: Some(rate),
                tightening,
            },
            error => Self::Math(error),
        }
    }
}

impl QueryError {
    /// Returns the error without its rate. The rate is one that a search has tried, and nobody gave it.
    pub(crate) fn at_any_rate(mut self) -> Self {
        if let Self::FirstStageTooLarge { rate, .. } | Self::StageRateTooLow { rate, .. } =
            &mut self
        {
            *rate = None;
        }
        self
    }
}

impl Error for QueryError {}
