//! Writes the messages for questions without an answer, and hints on how to ask instead.

use std::fmt;

use bloom_core::math::MathError;

use crate::kind::filter::Filter;
use crate::question::{Given, Quantity, QueryError};
use crate::say::numbers::{counted, grouped, nearest};
use crate::say::unbuilt::unbuilt;
use crate::say::words::{as_typed, dashed, listed, rounded};

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().0)
    }
}

impl fmt::Display for Given {
    /// Writes the letters, like `n, k and p`, `n alone` or `nothing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.letters().as_slice() {
            [] => f.write_str("nothing"),
            [letter] => write!(f, "{letter} alone"),
            letters => f.write_str(&listed(letters)),
        }
    }
}

impl QueryError {
    /// Returns a hint: one line on how to ask instead.
    pub fn hint(&self) -> Option<String> {
        Some(self.words().1).filter(|hint| !hint.is_empty())
    }

    /// Returns the message and the hint, which is empty if there is none.
    #[expect(clippy::too_many_lines, reason = "one arm for each error")]
    fn words(&self) -> (String, String) {
        let (message, hint) = match *self {
            Self::OfSystem { system, why } => return unbuilt(system, why),
            Self::Underdetermined(given) => underdetermined(given),
            Self::Math(error) => (in_letters(error), ""),
            Self::NotOfFilter {
                option,
                filter,
                owners,
            } => {
                let name = filter.name();
                let flag = dashed(option);
                let message = format!("{flag} is an option of {owners}, and the filter is {name}");
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
                "--spread is for ideal hashes, and p includes dependent positions or --hash-bits"
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
            Self::SetBitsNeedSize(given) => (
                format!("set bits need m and k of the filter, got {given}"),
                "write m and k of the filter too, like --m 20000 --k 7 --set-bits 10000",
            ),
            Self::SetBitsAreOfOneFilter { option } => (
                format!(
                    "{} applies to all filters of a size, and set bits belong to one filter",
                    dashed(option)
                ),
                "leave out one of them",
            ),
            Self::EveryBitSet { bits } => (
                format!(
                    "set bits must be fewer than m = {0}, since a full filter does not tell how many items it holds, got {0}",
                    grouped(bits)
                ),
                "",
            ),
            Self::CostNeedsItems(given) => (
                format!("with costs, m and p are solved for n items, got {given}"),
                "write --n, without --m, --bits-per-item and --p",
            ),
            Self::NoFilterPays { without } => (
                format!(
                    "false positives cost {} without a filter, and every filter costs at least as much",
                    nearest(without, 6)
                ),
                "a filter pays off with more lookups, dearer false positives or cheaper bits",
            ),
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
                "leave out --round, or give n and p without --m or --bits-per-item",
            ),
            Self::NeedsSize { option } => needs_size(option),
            Self::ManyNeedTooManyBits { rate } => (
                format!(
                    "p must be high enough for 10^12 items to fit in 2^63 bits, got {}",
                    as_typed(rate)
                ),
                "write a higher --p, or --n for few items",
            ),
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
                    "p of every stage must be in the range of f64; p of stage {stage} is below it {rate} and \
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
                    "write a larger --m",
                )
            }
        };
        (message, hint.to_string())
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
        "add n; without n and m, only bits per item are solved",
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
            "write --k 8, or ask for --filter plain-blocked",
        ),
        None => (
            format!("a {name} filter chooses k itself, got {hashes}"),
            "leave out --k, and give two of n, m and p: each stage has its own number of hashes",
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
    let blocked = "ask for --filter blocked, whose blocks have 512 bits and k = 8";
    match filter {
        Filter::Counting { counter_bits } => (
            format!("--counter-bits must be 4 or 8 for a filter of bloom-core, got {counter_bits}"),
            "",
        ),
        Filter::SplitBlock { block_bits } => (
            format!("--block-bits must be 512 for a filter of bloom-core, got {block_bits}"),
            blocked,
        ),
        filter => {
            let name = filter.name();
            (
                format!("bloom-core has no {name} filter, so there is no Rust code for it"),
                blocked,
            )
        }
    }
}

fn underdetermined(given: Given) -> (String, &'static str) {
    let letters = listed(&given.letters());
    let hint = if given.grows {
        "give n and p to size it; m and p for the items it holds; n and m for its rate; all three to \
         check it"
    } else {
        "give n and p, or n, k and p, to size a filter; n and m, or n, m and k, for its rate; m and p, \
         or m, k and p, for the items it holds; n, m and p for its hashes; all four to check it"
    };
    let message = match letters.as_str() {
        "" => "nothing to solve: none of n, m, k and p is given".to_string(),
        letters if given.grows => {
            format!("nothing follows from {letters} alone for a scalable filter")
        }
        letters => format!("nothing follows from {letters} alone"),
    };
    (message, hint)
}

/// Returns a text like `at p = 0.01`, or `at any p` without a rate.
fn at_rate(rate: Option<f64>) -> String {
    rate.map_or("at any p".to_string(), |rate| {
        format!("at p = {}", as_typed(rate))
    })
}

/// Returns the message for a number out of range, with the letters n, m, k and p of the question.
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
