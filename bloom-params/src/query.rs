//! A question: the known quantities of a filter.

use std::error::Error;
use std::fmt;

use bloom_core::math::{MathError, Model, Rate};

use crate::filters::{Filter, Judge};
use crate::numbers::{grouped, nearest};
use crate::solution::Quantity;
use crate::words::{as_typed, counted, listed, rounded};

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
    /// The formula that sizes and judges a classic filter; each other kind has only one.
    pub model: Model,
    /// The kind of filter.
    pub filter: Filter,
    /// What a solved m is rounded up to; k is then solved again.
    pub round: Round,
    /// Bits of memory per item, in place of n and m: above 0, up to 1,000,000.
    pub bits_per_item: Option<f64>,
    /// The share of the inserts that are distinct items, which alone n counts; for remarks.
    pub distinct: Option<f64>,
    /// The inserts, if they and that share were given; for remarks alone.
    pub inserts: Option<u64>,
    /// The bits W of the hash that all positions come from, 1 to 1024: p is then the rate of filter and
    /// hash together. Without it, hashes are ideal.
    pub hash_bits: Option<u32>,
    /// The share of single filters that must keep the rate, between 0 and 1 (exclusive). Without
    /// it, the mean over all filters must keep the rate.
    pub confidence: Option<f64>,
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
    /// Returns `bits` rounded up, also to whole blocks of `unit` bits; `None` above 2^63, or if no
    /// power of two has whole blocks.
    pub fn up(self, bits: u64, unit: u64) -> Option<u64> {
        let rounded = match self {
            Self::None => bits,
            Self::Multiple(step) => bits.checked_next_multiple_of(least_common(step, unit))?,
            Self::PowerOfTwo => bits.checked_next_power_of_two()?,
        };
        (rounded <= 1 << 63 && rounded % unit == 0).then_some(rounded)
    }
}

fn least_common(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

impl Query {
    /// Returns the letters of the given quantities, as `n, k and p`.
    pub(crate) fn given(&self) -> String {
        match self.letters().as_slice() {
            [] => "nothing".to_string(),
            [letter] => format!("{letter} alone"),
            letters => listed(letters),
        }
    }

    fn letters(&self) -> Vec<&'static str> {
        let given = [
            ("n", self.items.is_some()),
            ("m", self.bits.is_some()),
            ("m/n", self.bits_per_item.is_some()),
            ("k", self.hashes.is_some()),
            ("p", self.rate.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(letter, _)| letter).collect()
    }

    pub(crate) fn judge(&self) -> Judge {
        Judge {
            filter: self.filter,
            model: self.model,
            confidence: self.confidence,
            hash_bits: self.hash_bits,
        }
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum QueryError {
    /// The given quantities do not determine an answer.
    Underdetermined(Query),
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
    /// The spread of single filters is known for ideal hashes only, and the rate includes others.
    SpreadOfIdealHashes,
    /// A share of single filters is known for ideal hashes only, and bits of the hash are given.
    ConfidenceBehindHash,
    /// The hash alone has at least the rate that the filter must keep.
    HashTooNarrow {
        /// The bits of the hash.
        hash_bits: u32,
        /// The items.
        items: u64,
        /// The rate of the hash alone.
        floor: f64,
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
    /// The option computes in `f64`, and the rate of the filter is below its range.
    RateTooLow {
        /// The option.
        option: &'static str,
        /// The rate.
        rate: Rate,
    },
    /// Rounding exceeds 2^63 bits, or no power of two has whole blocks.
    CannotRound {
        /// The bits to be rounded.
        bits: u64,
        /// The bits of a block; 1 without blocks.
        block_bits: u64,
    },
    /// A scalable filter has more stages than can be laid out.
    TooManyStages {
        /// The quantity that takes so many: items or bits.
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
        /// The rate given; `None` where that of the stage is too low at any rate.
        rate: Option<f64>,
        /// The ratio between the rate of a stage and that of the one before.
        tightening: f64,
    },
    /// The first stage of a scalable filter does not fit at any rate.
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
    /// Returns a hint: one line on how to ask instead.
    pub fn hint(&self) -> Option<&'static str> {
        Some(self.message_and_hint().1).filter(|hint| !hint.is_empty())
    }

    /// Returns the same error of a question without a rate, found by trying one.
    pub(crate) fn at_any_rate(mut self) -> Self {
        if let Self::FirstStageTooLarge { rate, .. } | Self::StageRateTooLow { rate, .. } =
            &mut self
        {
            *rate = None;
        }
        self
    }

    /// Returns the message and the hint; an empty text is no hint.
    fn message_and_hint(&self) -> (String, &'static str) {
        match *self {
            Self::Underdetermined(query) => underdetermined(query),
            Self::Math(error) => (in_letters(error), ""),
            Self::NotOfFilter {
                option,
                filter,
                owners,
            } => {
                let name = filter.name();
                let flag = option.replace('_', "-");
                let message =
                    format!("--{flag} is an option of {owners}, and the filter is {name}");
                (message, "")
            }
            Self::NotBuilt { filter } => not_built(filter),
            Self::FixedHashes { filter, hashes } => fixed_hashes(filter, hashes),
            Self::LessThanOneBlock { bits, block_bits } => {
                let got = grouped(bits);
                let message =
                    format!("m must be at least one block of {block_bits} bits, got {got}");
                (message, "")
            }
            Self::SpreadOfIdealHashes => (
                "--spread is for ideal hashes, and p includes double hashing or --hash-bits"
                    .to_string(),
                "",
            ),
            Self::ConfidenceBehindHash => (
                "--confidence is for ideal hashes, and --hash-bits is given".to_string(),
                "leave out one of them",
            ),
            Self::HashTooNarrow {
                hash_bits,
                items,
                floor,
            } => too_narrow(hash_bits, items, floor),
            Self::ConfidenceWithoutRate => (
                "--confidence needs a rate p to keep".to_string(),
                "write --p too: the rate to keep",
            ),
            Self::ConfidenceOutOfRange(share) => (
                format!("--confidence must be between 0 and 1 (exclusive), got {share}"),
                "",
            ),
            Self::NothingToRound => (
                "--round rounds a solved m, and m is given".to_string(),
                "leave out --m, which is then solved, or --round",
            ),
            Self::NeedsSize { option } => needs_size(option),
            Self::RateTooLow { option, rate } => {
                let (least, got) = (f64::MIN_POSITIVE, rounded(rate));
                let message = format!("{option} needs p to be at least {least:e}, got {got}");
                (message, "")
            }
            Self::CannotRound { bits, block_bits } => cannot_round(bits, block_bits),
            Self::TooManyStages {
                quantity,
                value,
                initial,
                growth,
            } => too_many_stages(quantity, value, initial, growth),
            Self::FirstStageTooLarge { initial, rate } => first_stage_too_large(initial, rate),
            Self::StageTooLarge {
                stage,
                initial,
                growth,
            } => {
                let message = format!(
                    "a stage must have at most 2^64 - 1 items, but stage {stage} has more with --initial \
                     {initial} and --growth {growth}"
                );
                (message, "write a smaller --growth")
            }
            Self::StageRateTooLow {
                stage,
                rate,
                tightening,
            } => {
                let rate = at_rate(rate);
                let message = format!(
                    "p of a stage must be in the range of f64, and that of stage {stage} is not, {rate} and \
                     --tightening {tightening:?}"
                );
                (
                    message,
                    "write a larger --tightening, --initial or --growth",
                )
            }
            Self::StagesDoNotFit { items, bits } => {
                let (items, bits) = (grouped(items), grouped(bits));
                (
                    format!(
                        "m must be enough for the stages of n = {items} at some rate below 1; got {bits}"
                    ),
                    "write a larger --m, or a smaller --initial",
                )
            }
        }
    }
}

fn too_many_stages(
    quantity: Quantity,
    value: u64,
    initial: u64,
    growth: u32,
) -> (String, &'static str) {
    let (letter, value) = (quantity.letter(), grouped(value));
    let message = format!(
        "stages must be at most 10,000, but {letter} = {value} takes more with --initial {initial} and \
         --growth {growth}"
    );
    (message, "write a larger --initial or --growth")
}

fn first_stage_too_large(initial: u64, rate: Option<f64>) -> (String, &'static str) {
    let (initial, rate) = (grouped(initial), at_rate(rate));
    let message = format!(
        "a stage must have at most 2^63 bits, but the first, of --initial {initial} items, needs more {rate}"
    );
    (message, "write a smaller --initial")
}

fn needs_size(option: &str) -> (String, &'static str) {
    let message = format!("{option} needs n or m");
    (
        message,
        "add n or m; without them an answer is bits per item",
    )
}

fn too_narrow(hash_bits: u32, items: u64, floor: f64) -> (String, &'static str) {
    let (bits, n) = (counted(hash_bits.into(), "bit"), grouped(items));
    let floor = nearest(floor, 4);
    let message =
        format!("p must be above the rate of a hash of {bits} alone, {floor} for n = {n}");
    (message, "write a larger --hash-bits or --p")
}

fn fixed_hashes(filter: Filter, hashes: u8) -> (String, &'static str) {
    let name = filter.name();
    match filter.fixed_hashes() {
        Some(only) => (
            format!("k of a {name} filter is always {only}, got {hashes}"),
            "leave out --k, or ask for --filter plain-blocked",
        ),
        None => (
            format!("a {name} filter chooses k itself, got {hashes}"),
            "leave out --k: each stage has its own number of hashes",
        ),
    }
}

fn cannot_round(bits: u64, block_bits: u64) -> (String, &'static str) {
    let bits = grouped(bits);
    let message = if block_bits.is_power_of_two() {
        format!("m must be at most 2^63 bits, but --round raises it beyond that, from {bits}")
    } else {
        format!(
            "--round must leave whole blocks of {block_bits} bits and at most 2^63 bits, got no such \
             number from m = {bits} up"
        )
    };
    (message, "leave out --round, or round to another number")
}

fn not_built(filter: Filter) -> (String, &'static str) {
    let other = "ask for --filter blocked";
    let (flag, built, got, hint) = match filter {
        Filter::Counting { counter_bits } => {
            let got = counter_bits.to_string();
            ("--counter-bits", "4 or 8", got, "")
        }
        Filter::SplitBlock { block_bits } => ("--block-bits", "512", block_bits.to_string(), other),
        filter => ("--filter", "blocked", filter.name().to_string(), other),
    };
    let message = format!("{flag} must be {built} for a filter of bloom-core, got {got}");
    (message, hint)
}

fn underdetermined(query: Query) -> (String, &'static str) {
    let letters = listed(&query.letters());
    let grows = matches!(query.filter, Filter::Scalable { .. });
    let hint = if grows {
        "give n and p to size it; m and p for the items it holds; n and m for its rate; all three to \
         check it"
    } else {
        "give n and p, or n, k and p, to size a filter; n and m, or n, m and k, for its rate; m and p, \
         or m, k and p, for the items it holds; n, m and p for its hashes; all four to check it"
    };
    let message = match letters.as_str() {
        "" => "some of n, m, k and p must be given, got none".to_string(),
        letters if grows => format!("nothing follows from {letters} alone for a scalable filter"),
        letters => format!("nothing follows from {letters} alone"),
    };
    (message, hint)
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message_and_hint().0)
    }
}

/// Returns `at p = 0.01`, or what holds without a rate.
fn at_rate(rate: Option<f64>) -> String {
    rate.map_or("at any p".to_string(), |rate| {
        format!("at p = {}", as_typed(rate))
    })
}

/// Returns the error of a number out of range, with the letters of the question.
fn in_letters(error: MathError) -> String {
    match error {
        MathError::NeedsTooManyBits { items, rate } => {
            let n = grouped(items);
            format!(
                "m must be at most 2^63 bits, but n = {n} {} needs more",
                at_rate(Some(rate))
            )
        }
        MathError::HoldsTooManyItems { bits, rate } => {
            let (most, m) = (grouped(u64::MAX), grouped(bits));
            format!(
                "n must be at most {most}, but m = {m} {} holds more",
                at_rate(Some(rate))
            )
        }
        MathError::FewerBitsThanHashes { bits, hashes } => format!(
            "m must be at least k in a partitioned filter, whose hashes have bits of their own; got \
             m = {bits} and k = {hashes}"
        ),
        _ => error.to_string(),
    }
}

impl Error for QueryError {}
