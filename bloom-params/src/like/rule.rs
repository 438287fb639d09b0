//! The words in which a row of data says how a library sizes its filters.

use crate::filters::Filter;
use crate::numbers::grouped_wide;

/// What a library does with a request, as data. Sources and remarks stand beside the rules.
#[derive(Debug)]
pub struct Library {
    /// Its name on the command line.
    pub name: &'static str,
    /// The version whose source was read.
    pub version: &'static str,
    /// Where the rule was read: repository, file, version or commit.
    pub source: &'static str,
    /// What else its users should know.
    pub note: &'static str,
    pub(crate) takes: Takes,
    /// What becomes of p before anything is computed.
    pub(crate) rate: &'static [RateStep],
    pub(crate) bits: Bits,
    /// What becomes of the whole number of bits.
    pub(crate) steps: &'static [Step],
    pub(crate) hashes: Hashes,
    /// What becomes of less than one hash.
    pub(crate) no_hash: NoHash,
    /// More items than this are refused.
    pub(crate) most_items: u64,
    /// More bits than this are refused.
    pub(crate) most_bits: u128,
    /// More hashes than this are refused.
    pub(crate) most_hashes: u64,
    /// What it does with more items than it was asked for.
    pub(crate) full: Full,
    /// Where the bits of an item are.
    pub(crate) layout: Filter,
    /// Whether its positions are steps a + i b of two hashes.
    pub(crate) double_hashing: bool,
}

/// What a library does with a filter that holds all the items it is made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Full {
    /// It goes on filling it.
    TakesMore,
    /// It takes no more.
    Refuses,
    /// It adds another, and when that is full another: with so many times the items and the rate.
    Grows { items: u64, rate: f64 },
}

/// What a library is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// n and p.
    Rate,
    /// n and m.
    Bits,
    /// n and m, m/n being a whole number.
    WholeBitsPerItem,
    /// n and p, or n and m.
    RateOrBits,
    /// Nothing: all its filters have one size.
    OneSize,
}

/// What becomes of p.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RateStep {
    AtMost(f64),
    Times(f64),
    /// Rounded to single precision.
    Single,
}

/// The bits to begin with; of the formulas with the constants as the library has them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bits {
    /// -n ln p / (ln 2)^2, rounded.
    Usual(f64, Rounded),
    /// n times the bits of an item, -ln p / (ln 2)^2, rounded.
    UsualPerItem(f64, Rounded),
    /// -8 n / ln(1 - p^(1/8)), rounded: blocks of 8 lanes, all equally full.
    EvenBlocks(Rounded),
    /// n times the bits of an item in Pei Cao's table.
    Table,
    /// n times m/n, from 1 to 100 and rounded to thousandths, up to whole bytes.
    Thousandths,
    /// m as given.
    Given,
    /// One size for all.
    Fixed(u128),
}

/// How a number becomes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounded {
    Down,
    Nearest,
    Up,
    /// Up to whole bytes.
    UpToBytes,
}

/// What becomes of a whole number of bits.
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
    /// One binary digit is set to 0.
    Clear(u128),
}

/// How the hashes are chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hashes {
    /// -log2 p.
    OfRate(Rounded),
    /// The bits of an item by the formula, times ln 2 as the library has it.
    OfBitsPerItem(f64, Rounded),
    /// (m/n) ln 2, of m as soon as it is whole.
    OfWhole(Rounded),
    /// (m/n) ln 2, of m after all steps.
    OfStored(Rounded),
    /// With the bits of Pei Cao's table.
    Table,
    /// By a table of bits per item.
    Probes,
    Fixed(u64),
}

/// What becomes of less than one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoHash {
    /// It is one.
    One,
    /// The library refuses.
    Refused,
    /// It stays none, and the filter says yes to everything.
    Kept,
}

impl Rounded {
    /// Returns the whole number; those beyond 2^128 are as good as 2^128.
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
            Self::Down => "cut",
            Self::Nearest => "rounded",
            Self::Up => "rounded up",
            Self::UpToBytes => "up to whole bytes",
        }
    }
}

impl Step {
    /// Returns the bits after it.
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
            Self::AtLeast(least) => format!("at least {}", grouped_wide(least)),
            Self::AtMost(most) => format!("at most {}", grouped_wide(most)),
            Self::Down(unit) => format!("down to a multiple of {unit}"),
            Self::Up(unit) => format!("up to a multiple of {unit}"),
            Self::PowerOfTwo => "up to a power of two".to_string(),
            Self::Clear(digit) => format!("the binary digit of {digit} cleared"),
        }
    }
}
