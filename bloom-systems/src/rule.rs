//! The terms in which the file of a system states what it takes, how it sizes a filter and what its user writes.

use crate::refusal::Refusal;

/// The quantities that a system takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
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

/// How a system computes m and k. The rule has the system's own constants, because the last digit
/// of (ln 2)^2 can change m or k.
#[derive(Debug, Clone, Copy)]
pub struct Sizing {
    /// What it takes.
    pub takes: Takes,
    /// How it changes p before it computes anything.
    pub rate: &'static [RateStep],
    /// The bits before any step.
    pub bits: Bits,
    /// How it changes the whole number of bits.
    pub steps: &'static [Step],
    /// How it chooses the hashes.
    pub hashes: Hashes,
    /// What it does if its rule gives less than one hash.
    pub no_hash: NoHash,
    /// The most items it accepts.
    pub most_items: u64,
    /// The most bits it accepts.
    pub most_bits: u64,
    /// The most hashes it accepts.
    pub most_hashes: u64,
    /// The most hashes it uses, whatever its rule says.
    pub hashes_at_most: u64,
}

/// (ln 2)^2 as most systems compute it.
pub(crate) const SQUARE: f64 = core::f64::consts::LN_2 * core::f64::consts::LN_2;

/// The most bits of a system that sets no limit of its own: rates are computed up to this size.
const MAX_BITS: u64 = 1 << 63;

/// The bits of the largest Java array of longs.
pub(crate) const JAVA_LONGS: u64 = 64 * ((1 << 31) - 1);

/// The most common rule: m = -n ln p / (ln 2)^2 rounded down, k = (m/n) ln 2 rounded, and at least 1.
pub(crate) const USUAL: Sizing = Sizing {
    takes: Takes::Rate,
    rate: &[],
    bits: Bits::Usual(SQUARE, Rounded::Down),
    steps: &[],
    hashes: Hashes::OfWhole(Rounded::Nearest),
    no_hash: NoHash::One,
    most_items: u64::MAX,
    most_bits: MAX_BITS,
    most_hashes: u64::MAX,
    hashes_at_most: u64::MAX,
};

/// A change of p.
#[derive(Debug, Clone, Copy)]
pub enum RateStep {
    /// Lowered to at most this rate.
    AtMost(f64),
    /// Multiplied by a factor.
    Times(f64),
    /// Rounded to single precision.
    Single,
}

/// The bits before any step.
#[derive(Debug, Clone, Copy)]
pub enum Bits {
    /// -n ln p / (ln 2)^2 with the system's own (ln 2)^2, rounded.
    Usual(f64, Rounded),
    /// n times the bits per item, -ln p / (ln 2)^2, rounded.
    UsualPerItem(f64, Rounded),
    /// -k n / ln(1 - p^(1/k)) for a fixed k, rounded.
    OfHashes(u8, Rounded),
    /// n times the bits per item from a table, which gives the hashes, too.
    Table(&'static Table),
    /// The function returns the thousandths of a bit per item for the requested m/n. n times these are rounded up to whole
    /// bytes. The number is the least m/n that may be requested.
    Thousandths(fn(f64) -> u64, f64),
    /// k slices, where k is -log2 p, rounded up. Each slice has -n ln p / (k (ln 2)^2) bits, rounded up, with the system's own
    /// (ln 2)^2.
    Slices(f64),
    /// By a computation from n and p that no other system has. It gives the hashes, too.
    Own(Own),
    /// m as given.
    Given,
    /// One size for all filters.
    Fixed(u64),
}

/// A computation of m and k from n and p that no other system has.
#[derive(Debug, Clone, Copy)]
pub struct Own {
    /// What it computes, in words.
    pub rule: &'static str,
    /// Returns m and k.
    pub of: fn(u64, f64) -> Result<(u128, u64), Refusal>,
}

/// A table of rates by bits per item and hashes, from which a system chooses both.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// What it is called.
    pub name: &'static str,
    /// A row for each number of bits per item, from `first` on, with the rates for 1 hash, 2 hashes and so on.
    pub rates: &'static [&'static [f64]],
    /// The bits per item of the first row.
    pub first: u64,
    /// The lowest rate that is not looked up in the rows, and the bits per item and hashes for this rate and all higher ones.
    pub coarse: (f64, (u64, u64)),
    /// The bits per item and hashes for rates below all entries; `None` if the system refuses such rates.
    pub fine: Option<(u64, u64)>,
}

/// How a number is rounded to a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounded {
    /// Down.
    Down,
    /// To the nearest whole number, and a half up.
    Nearest,
    /// Up.
    Up,
    /// Up to whole bytes.
    UpToBytes,
}

/// A change of the whole number of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Adds this many.
    Add(u64),
    /// Raises to at least this many.
    AtLeast(u64),
    /// Lowers to at most this many.
    AtMost(u64),
    /// Rounds down to a multiple.
    Down(u64),
    /// Rounds up to a multiple.
    Up(u64),
    /// Rounds up to a power of two.
    PowerOfTwo,
    /// Rounds up to an odd multiple.
    UpToOdd(u64),
    /// Clears one binary digit.
    Clear(u64),
}

/// How the hashes are chosen.
#[derive(Debug, Clone, Copy)]
pub enum Hashes {
    /// -log2 p.
    OfRate(Rounded),
    /// The bits per item, by the formula or as given, times the system's own ln 2.
    OfBitsPerItem(f64, Rounded),
    /// (m/n) ln 2, where m is rounded to a whole number but no step has changed it yet.
    OfWhole(Rounded),
    /// (m/n) ln 2 with the system's own ln 2, where m is the result of all steps.
    OfStored(f64, Rounded),
    /// (m/n) ln 2, rounded, where m is as for [`Self::OfWhole`], and m and n are lowered to limits.
    OfBounded {
        /// The most bits.
        bits: u64,
        /// The most items.
        items: u64,
    },
    /// ((m/n) rounded down) ln 2, rounded down, where m is the result of all steps.
    OfWholePerItem,
    /// As found with the bits, by [`Bits::Table`], [`Bits::Slices`] or [`Bits::Own`].
    WithBits,
    /// By a function of the thousandths of a bit per item after all steps.
    OfThousandths(fn(u128) -> u64),
    /// By a function of the requested bits per item.
    OfAsked(fn(f64) -> u64),
    /// Always this many.
    Fixed(u64),
}

/// What a system does if its rule gives less than one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoHash {
    /// It uses one.
    One,
    /// It refuses.
    Refused,
    /// It uses none, and every query returns true.
    Kept,
}

/// What a system does with a filter that holds all the items it was built for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Full {
    /// It inserts more items.
    TakesMore,
    /// It refuses more items.
    Refuses,
    /// It adds a filter whenever the last one is full, as long as all of them together have at most `most_bits`.
    Grows {
        /// The items of a filter, as a multiple of those of the filter before.
        items: u64,
        /// The rate of a filter, as a multiple of that of the filter before.
        rate: f64,
        /// The most bits of all filters together.
        most_bits: u64,
        /// Whether a key that a query finds already is neither inserted nor counted.
        rejects: bool,
    },
}

/// An option for the items of each further filter, as a multiple of those of the filter before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansion {
    /// The text between the call and the number.
    pub text: &'static str,
    /// The largest number.
    pub most: u64,
    /// The name of the system that the number 0 chooses, whose filters do not grow.
    pub none: &'static str,
}

/// The language of what a user writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// A command, a statement, properties, or a call whose numbers need not be whole.
    Other,
}

impl Language {
    /// Returns the name of the programming language; `None` for [`Self::Other`].
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Cpp => Some("c++"),
            Self::Go => Some("go"),
            Self::Java => Some("java"),
            Self::Python => Some("python"),
            Self::Rust => Some("rust"),
            Self::Other => None,
        }
    }
}

/// What a user writes to get a filter, with `{n}`, `{m}`, `{m/n}`, `{bytes}`, `{k}` and `{p}` in place of values.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// Its language.
    pub language: Language,
    /// The call for n and p; empty if the system takes no p.
    pub rate: &'static str,
    /// The call for n and m; empty if the system takes no m.
    pub bits: &'static str,
    /// Imports, and a statement with the `{call}`; empty where there is nothing to import.
    pub code: &'static str,
}

impl Template {
    /// A call for n and p without imports.
    pub(crate) const fn of_rate(language: Language, rate: &'static str) -> Self {
        Self {
            language,
            rate,
            bits: "",
            code: "",
        }
    }

    /// A call for n and m without imports.
    pub(crate) const fn of_bits(language: Language, bits: &'static str) -> Self {
        Self {
            language,
            rate: "",
            bits,
            code: "",
        }
    }
}

impl Rounded {
    /// Returns the whole number, at most 2^128 - 1.
    pub(crate) fn of(self, real: f64) -> u128 {
        match self {
            Self::Down => real as u128,
            Self::Nearest => libm::floor(real + 0.5) as u128,
            Self::Up => libm::ceil(real) as u128,
            Self::UpToBytes => (libm::ceil(real / 8.0) as u128).saturating_mul(8),
        }
    }
}

impl Step {
    /// Returns the bits after the step.
    pub(crate) fn of(self, bits: u128) -> u128 {
        match self {
            Self::Add(more) => bits.saturating_add(more.into()),
            Self::AtLeast(least) => bits.max(least.into()),
            Self::AtMost(most) => bits.min(most.into()),
            Self::Down(unit) => bits / u128::from(unit) * u128::from(unit),
            Self::Up(unit) => bits.checked_next_multiple_of(unit.into()).unwrap_or(bits),
            Self::UpToOdd(unit) => (bits.div_ceil(unit.into()) | 1) * u128::from(unit),
            Self::PowerOfTwo => bits.checked_next_power_of_two().unwrap_or(bits),
            Self::Clear(digit) => bits & !u128::from(digit),
        }
    }
}

impl Table {
    /// Returns the bits per item and the hashes for a rate. From the rate of `coarse` on, they are
    /// those of `coarse`.
    ///
    /// For lower rates, the bits are those of the first row whose lowest entry keeps the rate. The hashes are counted down from
    /// those of this entry, as long as one hash less keeps the rate, too. If no row keeps it, returns `fine`. Without `fine`,
    /// the error is the lowest entry of the table, and only rates above it are taken.
    pub(crate) fn choose(self, rate: f64) -> Result<(u64, u64), f64> {
        if rate >= self.coarse.0 {
            return Ok(self.coarse.1);
        }
        let lowest = |row: &[f64]| row.iter().copied().fold(1.0, f64::min);
        let least = self.rates.iter().map(|row| lowest(row)).fold(1.0, f64::min);
        let is_taken = rate > least || self.fine.is_some();
        let row = self.rates.iter().position(|row| lowest(row) <= rate);
        let Some(row) = row.filter(|_| is_taken) else {
            return self.fine.ok_or(least);
        };
        let rates = self.rates[row];
        let best = rates.iter().position(|p| *p == lowest(rates));
        let mut hashes = best.unwrap_or(0);
        while hashes > 0 && rates[hashes - 1] <= rate {
            hashes -= 1;
        }
        Ok((self.first + row as u64, hashes as u64 + 1))
    }

    /// Returns the largest entry of the table that is at most this rate. Down to this entry the choice stays the same.
    pub(crate) fn entry_at_most(self, rate: f64) -> Option<f64> {
        let entries = self.rates.iter().flat_map(|row| row.iter().copied());
        entries.filter(|entry| *entry <= rate).reduce(f64::max)
    }
}
