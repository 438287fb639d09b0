//! The flags that describe a filter.

use bloom_core::math::{MAX_BITS, Model};
use clap::{Args, ValueEnum};

use crate::cli::filter::FilterArgs;
use crate::cli::value::{read, with_any_value};
use crate::error::InputError;
use crate::filters::Filter;
use crate::flag;
use crate::numbers::grouped;
use crate::query::{Query, QueryError, Round};
use crate::units;

/// What is known of a filter, as typed. Share it between commands with `#[command(flatten)]`.
#[derive(Debug, Clone, Default, Args)]
#[command(mut_args(with_any_value))]
pub struct Question {
    /// Items n: 2000, 2_000, 2k, 1.5M, 2e3, 2^20
    ///
    /// A whole number from 1 to 2^64 - 1. Groups of three digits may be separated by _ or commas.
    /// k, M, G, T and P (in either case) and E are powers of 1000.
    #[arg(short, long, visible_alias = "items", value_name = "ITEMS")]
    pub n: Option<String>,

    /// Bits m: 20000, 20kbit; or bytes: 2400B, 64kB, 16KiB
    ///
    /// From 1 to 2^63 bits, written as items are, or with a unit: b, bit or bits; B, byte or bytes (8 bits
    /// each). The unit may have a prefix: k, M, G, T, P or E (powers of 1000), or Ki, Mi, Gi, Ti, Pi or Ei
    /// (powers of 1024). Case matters only for b and B. 1G, 1Gb and 1gb are 1,000,000,000 bits, and a note
    /// says so; for bytes write 1GB. Beyond 2^46 bits a solved m is minimal within 1 part in 10^14.
    #[arg(short, long, visible_alias = "bits", value_name = "BITS")]
    pub m: Option<String>,

    /// Hashes k: 1 to 255
    ///
    /// A whole number. Without it the answer has the best k or, if p is given, the smallest k that keeps p.
    #[arg(short, long, visible_alias = "hashes", value_name = "HASHES")]
    pub k: Option<String>,

    /// False-positive rate p to keep: 0.01, 1%, 1e-2, 1/100, 2^-7
    ///
    /// Above 0 and below 1: a decimal (0.01, 1e-2), a percentage (0.7%), a fraction of whole numbers
    /// (1/100, 1/10k) or a power (2^-7). At least 2.2250738585072014e-308.
    ///
    /// The p of an answer is rounded up, so that its n, m, k and p are met when they are typed back. Three
    /// answers cannot be typed back: p = 1, of a filter so full that every query returns true; p = 0, where
    /// not even one item keeps the p asked for; and a p below that minimum.
    #[arg(short, long, visible_alias = "rate", value_name = "RATE")]
    pub p: Option<String>,

    /// What to build
    #[command(flatten)]
    pub filter: FilterArgs,

    /// The formula that sizes and judges a classic filter [default: exact]
    ///
    /// Exact is the rate of a filter with ideal hashes. Textbook and asymptotic are the two usual
    /// approximations; they are never too high, so most sizes computed by them miss the rate.
    #[arg(long, value_enum, value_name = "MODEL", hide_short_help = true)]
    pub model: Option<ModelName>,

    /// Round a solved m up, then choose k again
    ///
    /// To a multiple of 8 (whole bytes), 64 (words) or 512 (cache lines), or to a power of two.
    #[arg(long, value_enum, value_name = "TO", default_value_t)]
    #[arg(hide_short_help = true)]
    pub round: RoundName,

    /// Bits of memory per item, in place of m; without n, the rate for many items
    ///
    /// Above 0, with at most 6 decimals, up to 1,000,000. With n, m is n times that, rounded down.
    #[arg(long, value_name = "BITS", hide_short_help = true)]
    pub bits_per_item: Option<String>,

    /// The share of the inserts that are distinct items, like 80%
    ///
    /// An item that is inserted again sets no bit, so only distinct items count: n is the number of inserts,
    /// and the n of the answer that of distinct items.
    #[arg(long, value_name = "SHARE", hide_short_help = true)]
    pub distinct: Option<String>,

    /// The bits W of the hash that positions come from, like 32; p includes what it adds
    ///
    /// A query with the same hash as an item is a false positive in any filter. From 1 to 1024. Without it
    /// hashes are ideal.
    #[arg(long, value_name = "W", hide_short_help = true)]
    pub hash_bits: Option<String>,

    /// The share of single filters that must keep p, like 99%
    ///
    /// Each filter has its own rate, which depends on the bits that happen to be set; without this flag
    /// about half of the filters sized for p exceed it. For classic and counting filters.
    #[arg(long, value_name = "SHARE", hide_short_help = true)]
    pub confidence: Option<String>,
}

/// The values of `--round`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RoundName {
    /// Nothing
    #[default]
    None,
    /// Whole bytes
    #[value(name = "8")]
    Bytes,
    /// Words of 64 bits
    #[value(name = "64")]
    Words,
    /// Cache lines of 512 bits
    #[value(name = "512")]
    Lines,
    /// A power of two
    Pow2,
}

impl From<RoundName> for Round {
    fn from(name: RoundName) -> Self {
        match name {
            RoundName::None => Self::None,
            RoundName::Bytes => Self::Multiple(8),
            RoundName::Words => Self::Multiple(64),
            RoundName::Lines => Self::Multiple(512),
            RoundName::Pow2 => Self::PowerOfTwo,
        }
    }
}

/// The values of `--model`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ModelName {
    /// E[(X/m)^k], the mean rate over all filters
    #[default]
    Exact,
    /// (1 - (1 - 1/m)^(kn))^k
    Textbook,
    /// (1 - e^(-kn/m))^k
    Asymptotic,
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Self {
        match name {
            ModelName::Exact => Self::Exact,
            ModelName::Textbook => Self::Textbook,
            ModelName::Asymptotic => Self::Asymptotic,
        }
    }
}

/// Returns the distinct items among the inserts, rounded up.
fn distinct_of(inserts: u64, part: f64) -> u64 {
    // A product that is a whole number but for its last digits is that number.
    let items = (inserts as f64 * part * (1.0 - 1e-12)).ceil();
    (items as u64).clamp(1, inserts)
}

/// Returns the positions for millionths of a bit per item.
fn bits_of(items: u64, millionths: u64, filter: Filter) -> Result<u64, InputError> {
    let bits = u128::from(items) * u128::from(millionths) / 1_000_000 / u128::from(filter.width());
    match u64::try_from(bits) {
        Ok(bits @ 1..=MAX_BITS) => Ok(bits),
        _ => Err(InputError::new(format!(
            "--bits-per-item must give n = {} items 1 to 2^63 bits, got {}",
            grouped(items),
            grouped(bits)
        ))),
    }
}

impl Question {
    /// Parses the values into a query.
    ///
    /// # Errors
    ///
    /// Returns the first value that does not parse, in the order n, m, k, p; or an option of
    /// another kind of filter.
    pub fn read(&self) -> Result<Query, InputError> {
        let items = read(self.n.as_deref(), units::parse_items)?;
        let bits = read(self.m.as_deref(), units::parse_bits)?.map(|bits| bits.bits);
        let distinct = read(self.distinct.as_deref(), |text| {
            flag::share(text, "--distinct", "80% or 0.8")
        })?;
        let inserts = items.filter(|_| distinct.is_some());
        let items =
            items.map(|inserts| distinct.map_or(inserts, |part| distinct_of(inserts, part)));
        let hashes = read(self.k.as_deref(), units::parse_hashes)?;
        let rate = read(self.p.as_deref(), units::parse_rate)?;
        let filter = self.filter.read()?;
        if self.model.is_some() && filter != Filter::Classic {
            return Err(QueryError::NotOfFilter {
                option: "--model",
                filter,
                owners: "classic",
            }
            .into());
        }
        let each = read(self.bits_per_item.as_deref(), flag::millionths)?;
        let bits = match (bits, each, items) {
            (Some(_), Some(_), _) => {
                let message = "--bits-per-item gives m, and --m is given too";
                return Err(InputError::new(message).with_hint("leave out one of them"));
            }
            (None, Some(each), Some(items)) => Some(bits_of(items, each, filter)?),
            (bits, ..) => bits.map(|bits| self.positions(bits, filter)).transpose()?,
        };
        Ok(Query {
            items,
            bits,
            bits_per_item: each
                .filter(|_| items.is_none())
                .map(|each| each as f64 / 1e6),
            distinct,
            inserts,
            hash_bits: read(self.hash_bits.as_deref(), |text| {
                flag::whole(text, "--hash-bits", 1..=1024)
            })?
            .map(|width| width as u32),
            hashes,
            rate,
            model: self.model.unwrap_or_default().into(),
            filter,
            round: self.round.into(),
            confidence: read(self.confidence.as_deref(), |text| {
                flag::share(text, "--confidence", "99% or 0.999")
            })?,
        })
    }

    /// Returns the number of counters for a memory given in bytes; any other m already counts bits
    /// or counters.
    fn positions(&self, bits: u64, filter: Filter) -> Result<u64, InputError> {
        let text = self.m.as_deref().unwrap_or_default().trim_ascii();
        let is_bytes = text.ends_with('B') || text.to_ascii_lowercase().contains("byte");
        match filter {
            Filter::Counting { counter_bits } if is_bytes => match bits / u64::from(counter_bits) {
                0 => Err(InputError::new(format!(
                    "m must hold a counter of {counter_bits} bits, got {}",
                    units::echo(text)
                ))),
                counters => Ok(counters),
            },
            _ => Ok(bits),
        }
    }

    /// Returns whether no quantity is given.
    pub fn is_empty(&self) -> bool {
        self.flags().iter().all(|(_, value)| value.is_none())
    }

    /// Returns the flags of n, m, k and p with their values.
    pub(crate) fn flags(&self) -> [(&'static str, &Option<String>); 4] {
        [
            ("--n", &self.n),
            ("--m", &self.m),
            ("--k", &self.k),
            ("--p", &self.p),
        ]
    }

    /// States how m was read, if it is a size like `1G` or `64mb`, which some users mean as bytes.
    pub fn size_note(&self) -> Option<String> {
        units::size_note(self.m.as_deref()?, self.filter.read().ok()?)
    }
}
