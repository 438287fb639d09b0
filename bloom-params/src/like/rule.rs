//! The terms in which a row of data states how a library sizes its filters.

use bloom_systems::Positions;

use super::call::Template;
use crate::filters::Filter;
use crate::numbers::grouped;

/// How a library answers a request, as data. Sources and remarks stand beside the rules.
#[derive(Debug)]
pub struct Library {
    /// Its name on the command line.
    pub name: &'static str,
    /// The version whose source was read.
    pub version: &'static str,
    /// Where the rule was read: repository, file, version or commit.
    pub source: &'static str,
    /// What else users of the library should know.
    pub note: &'static str,
    pub(crate) takes: Takes,
    /// How the library changes p before it computes anything.
    pub(crate) rate: &'static [RateStep],
    pub(crate) bits: Bits,
    /// How the library changes the whole number of bits.
    pub(crate) steps: &'static [Step],
    pub(crate) hashes: Hashes,
    /// What the library does with less than one hash.
    pub(crate) no_hash: NoHash,
    /// The most items it accepts.
    pub(crate) most_items: u64,
    /// The most bits it accepts.
    pub(crate) most_bits: u128,
    /// The most hashes it accepts.
    pub(crate) most_hashes: u64,
    /// What the library does with more items than the filter was built for.
    pub(crate) full: Full,
    /// Which bits an item may set.
    pub(crate) layout: Filter,
    /// How it derives the positions of an item.
    pub(crate) positions: Positions,
    /// How to ask it for a filter.
    pub(crate) call: Template,
}

/// What a library does with a filter that holds all the items it was built for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Full {
    /// It inserts more items.
    TakesMore,
    /// It refuses more items.
    Refuses,
    /// It adds a filter whenever the last one is full: `items` times its items, at `rate` times its rate.
    Grows { items: u64, rate: f64 },
}

/// The quantities that a library takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// n and p.
    Rate,
    /// n and m.
    Bits,
    /// n and m, where m/n is a whole number.
    WholeBitsPerItem,
    /// n and p, or n and m.
    RateOrBits,
    /// n alone: all its filters have one size.
    OneSize,
}

/// A change of p.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RateStep {
    AtMost(f64),
    Times(f64),
    /// Rounded to single precision.
    Single,
}

/// The bits before any step. Formulas use the library's own constants.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bits {
    /// -n ln p / (ln 2)^2, rounded.
    Usual(f64, Rounded),
    /// n times the bits per item, -ln p / (ln 2)^2, rounded.
    UsualPerItem(f64, Rounded),
    /// -8 n / ln(1 - p^(1/8)), rounded: blocks of 8 lanes, all equally full.
    EvenBlocks(Rounded),
    /// n times the bits per item from Pei Cao's table.
    Table,
    /// n times m/n, from 1 to 100 and rounded to thousandths, up to whole bytes.
    Thousandths,
    /// m as given.
    Given,
    /// One size for all filters.
    Fixed(u128),
}

/// How a number is rounded to a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounded {
    Down,
    Nearest,
    Up,
    /// Up to whole bytes.
    UpToBytes,
}

/// A change of the whole number of bits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Add(u128),
    AtLeast(u128),
    AtMost(u128),
    /// Down to a multiple.
    Down(u128),
    /// Up to a multiple.
    Up(u128),
    PowerOfTwo,
    /// Clears one binary digit.
    Clear(u128),
}

/// How the hashes are chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hashes {
    /// -log2 p.
    OfRate(Rounded),
    /// The bits per item by the formula, times ln 2 as in the library.
    OfBitsPerItem(f64, Rounded),
    /// (m/n) ln 2, with m right after it is rounded to a whole number.
    OfWhole(Rounded),
    /// (m/n) ln 2, with m after all steps.
    OfStored(Rounded),
    /// (m/n) ln 2, rounded, with m right after it is rounded to a whole number; of m and n, at most these.
    OfBounded {
        bits: u128,
        items: u64,
    },
    /// From the table that gives the bits per item.
    Table,
    /// From RocksDB's table, by the bits per item after all steps.
    Probes,
    Fixed(u64),
}

/// What a library does with less than one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoHash {
    /// It uses one.
    One,
    /// The library refuses.
    Refused,
    /// It uses none, and every query returns true.
    Kept,
}

impl Rounded {
    /// Returns the whole number, saturating at 2^128.
    pub(super) fn of(self, real: f64) -> u128 {
        match self {
            Self::Down => real as u128,
            Self::Nearest => (real + 0.5).floor() as u128,
            Self::Up => real.ceil() as u128,
            Self::UpToBytes => ((real / 8.0).ceil() as u128).saturating_mul(8),
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Down => "rounded down",
            Self::Nearest => "rounded",
            Self::Up => "rounded up",
            Self::UpToBytes => "up to whole bytes",
        }
    }
}

impl Step {
    /// Returns the bits after the step.
    pub(super) fn of(self, bits: u128) -> u128 {
        match self {
            Self::Add(more) => bits.saturating_add(more),
            Self::AtLeast(least) => bits.max(least),
            Self::AtMost(most) => bits.min(most),
            Self::Down(unit) => bits / unit * unit,
            Self::Up(unit) => bits.checked_next_multiple_of(unit).unwrap_or(bits),
            Self::PowerOfTwo => bits.checked_next_power_of_two().unwrap_or(bits),
            Self::Clear(digit) => bits & !digit,
        }
    }

    pub(super) fn in_words(self) -> String {
        match self {
            Self::Add(more) => format!("{more} bits more"),
            Self::AtLeast(least) => format!("at least {}", grouped(least)),
            Self::AtMost(most) => format!("at most {}", grouped(most)),
            Self::Down(unit) => format!("down to a multiple of {unit}"),
            Self::Up(unit) => format!("up to a multiple of {unit}"),
            Self::PowerOfTwo => "up to a power of two".to_string(),
            Self::Clear(digit) => format!("the binary digit of {digit} cleared"),
        }
    }
}
