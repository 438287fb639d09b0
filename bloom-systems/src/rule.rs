//! The types that describe a system, a library or database that builds Bloom filters: what the system takes, how it sizes a
//! filter, what it does with a full filter and what its user writes.

use crate::refusal::Refusal;

/// The quantities that a system takes: n is the number of items, p the false-positive rate and m the number of bits.
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
    /// n alone: all filters of the system have one size.
    OneSize,
}

/// How a system computes m and k, the bits and hashes of a filter. Constants such as (ln 2)^2 have the digits of the system's
/// source, because the last digit can change m or k.
#[derive(Debug, Clone, Copy)]
pub struct Sizing {
    /// The quantities that the system takes.
    pub takes: Takes,
    /// How it changes p before it computes anything.
    pub rate: &'static [RateStep],
    /// How it computes the bits, before any of the `steps`.
    pub bits: Bits,
    /// How it changes the bits after that, in this order.
    pub steps: &'static [Step],
    /// How it chooses the number of hashes.
    pub hashes: Hashes,
    /// What it does if its rule gives less than one hash.
    pub no_hash: NoHash,
    /// The most items it accepts.
    pub most_items: u64,
    /// The most bits it accepts.
    pub most_bits: u64,
    /// The most hashes it accepts: if its rule gives more, it refuses the request.
    pub most_hashes: u64,
    /// The most hashes it uses: if its rule gives more, it uses this many.
    pub hashes_at_most: u64,
}

/// (ln 2)^2 as most systems compute it.
pub(crate) const SQUARE: f64 = core::f64::consts::LN_2 * core::f64::consts::LN_2;

/// The most bits of a system that sets no limit: this crate computes rates only up to this size.
const MAX_BITS: u64 = 1 << 63;

/// The bits of the largest Java array of longs.
pub(crate) const JAVA_LONGS: u64 = 64 * ((1 << 31) - 1);

/// The most common rule: m = -n ln p / (ln 2)^2 rounded down, and k = (m/n) ln 2 rounded to the nearest whole number, but at
/// least 1.
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
    /// A p above this rate is lowered to it.
    AtMost(f64),
    /// p is multiplied by this factor.
    Times(f64),
    /// p is rounded to single precision.
    Single,
}

/// How a system computes the bits, before any [`Step`] changes them.
#[derive(Debug, Clone, Copy)]
pub enum Bits {
    /// -n ln p / (ln 2)^2 with the system's own digits of (ln 2)^2, rounded.
    Usual(f64, Rounded),
    /// The bits per item, -ln p / (ln 2)^2, are computed first, with the system's own digits of (ln 2)^2. Then n times these
    /// bits are rounded.
    UsualPerItem(f64, Rounded),
    /// -k n / ln(1 - p^(1/k)) for a fixed k, rounded.
    OfHashes(u8, Rounded),
    /// n times the bits per item from a table, which also gives the hashes.
    Table(&'static Table),
    /// The function turns the requested m/n into the m/n that the system uses, in thousandths of a bit. n times this m/n is
    /// rounded up to whole bytes. The number after the function is the least m/n that may be requested.
    Thousandths(fn(f64) -> u64, f64),
    /// k slices, where k is -log2 p, rounded up. Each slice has -n ln p / (k (ln 2)^2) bits, rounded up, with the system's own
    /// digits of (ln 2)^2.
    Slices(f64),
    /// By a computation from n and p that only this system has. It also gives the hashes.
    Own(Own),
    /// m as the request gives it.
    Given,
    /// One size for all filters.
    Fixed(u64),
}

/// A computation of m and k from n and p that only one system has.
#[derive(Debug, Clone, Copy)]
pub struct Own {
    /// What it computes, in words.
    pub rule: &'static str,
    /// Returns m and k.
    pub of: fn(u64, f64) -> Result<(u128, u64), Refusal>,
}

/// A table of false-positive rates, from which a system chooses the bits per item and the number of hashes.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// What it is called.
    pub name: &'static str,
    /// A row for each number of bits per item, from `first` on, with the rates for 1 hash, 2 hashes and so on.
    pub rates: &'static [&'static [f64]],
    /// The bits per item of the first row.
    pub first: u64,
    /// The lowest rate that is not looked up in the rows; and for this rate and all higher ones, the bits per item and the
    /// hashes.
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
    /// Adds this many bits.
    Add(u64),
    /// Raises the bits to this many if they are fewer.
    AtLeast(u64),
    /// Lowers the bits to this many if they are more.
    AtMost(u64),
    /// Rounds down to a multiple of this number.
    Down(u64),
    /// Rounds up to a multiple of this number.
    Up(u64),
    /// Rounds up to a power of two.
    PowerOfTwo,
    /// Rounds up to an odd multiple of this number.
    UpToOdd(u64),
    /// Clears the binary digit that has this value, such as 256.
    Clear(u64),
}

/// How a system chooses k, the number of hashes.
#[derive(Debug, Clone, Copy)]
pub enum Hashes {
    /// -log2 p.
    OfRate(Rounded),
    /// The bits per item times the system's own digits of ln 2. The bits per item are requested, or computed before m is
    /// rounded.
    OfBitsPerItem(f64, Rounded),
    /// (m/n) ln 2, where m is rounded to a whole number, but not yet changed by any step.
    OfWhole(Rounded),
    /// (m/n) ln 2 with the system's own digits of ln 2, where m is the result of all steps.
    OfStored(f64, Rounded),
    /// (m/n) ln 2, rounded to the nearest whole number. m is as for [`Self::OfWhole`], but an m or n above its limit counts as
    /// the limit.
    OfBounded {
        /// The most bits.
        bits: u64,
        /// The most items.
        items: u64,
    },
    /// ((m/n) rounded down) ln 2, rounded down, where m is the result of all steps.
    OfWholePerItem,
    /// k comes together with the bits, from [`Bits::Table`], [`Bits::Slices`] or [`Bits::Own`].
    WithBits,
    /// By a function of m/n in thousandths of a bit, where m is the result of all steps.
    OfThousandths(fn(u128) -> u64),
    /// By a function of the requested m/n.
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
    /// It builds a filter without hashes, in which every query returns true.
    Kept,
}

/// What a system does with further items once a filter has all the items that it was built for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Full {
    /// It inserts them.
    TakesMore,
    /// It refuses them.
    Refuses,
    /// It adds a filter whenever the last one is full, as long as all its filters together have at most `most_bits`.
    Grows {
        /// The items that an added filter is built for, divided by those of the filter before it.
        items: u64,
        /// The rate that an added filter is built for, divided by that of the filter before it.
        rate: f64,
        /// The most bits of all filters together.
        most_bits: u64,
        /// Whether the system neither inserts nor counts a key that a query already finds.
        rejects: bool,
    },
}

/// An option of a system that adds filters. It sets a factor: an added filter is built for the items of the filter before it,
/// times this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansion {
    /// The name of the option, which stands between the call and the number.
    pub text: &'static str,
    /// The largest number that the option takes.
    pub most: u64,
    /// The name of the [`System`](crate::System) for the number 0, with which no filters are added.
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
    /// Returns `real`, rounded in this way; at most 2^128 - 1.
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
    /// Returns the bits per item and the hashes for a rate. For the rate of `coarse` and all higher rates, they are those of
    /// `coarse`.
    ///
    /// For lower rates, the bits are those of the first row whose lowest entry is at most the rate. The hashes begin at those
    /// of this lowest entry, and are lowered by one as long as the entry for one hash less is at most the rate, too. If all
    /// entries of the table are above the rate, returns `fine`. If `fine` is `None`, a rate that is not above the lowest entry
    /// of the table is refused, and this entry is the error.
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

    /// Returns the largest entry of the table that is at most this rate. [`choose`](Self::choose) returns the same for all
    /// rates from this rate down to the entry. The exception is the lowest entry of a table without `fine`: it is refused.
    pub(crate) fn entry_at_most(self, rate: f64) -> Option<f64> {
        let entries = self.rates.iter().flat_map(|row| row.iter().copied());
        entries.filter(|entry| *entry <= rate).reduce(f64::max)
    }
}
