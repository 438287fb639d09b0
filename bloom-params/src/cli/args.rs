//! The flags that describe a filter.

use clap::{Args, ValueEnum};

use crate::cli::filter::FilterArgs;
use crate::cli::value::{named, with_any_value};
use crate::error::InputError;
use crate::query::Query;
use crate::typed::Typed;

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

impl Question {
    /// Parses the values into a query.
    ///
    /// # Errors
    ///
    /// Returns the first value that does not parse, in the order n, m, k, p; or an option of
    /// another kind of filter.
    pub fn read(&self) -> Result<Query, InputError> {
        self.typed().query()
    }

    /// Returns the texts of the flags that are given.
    fn typed(&self) -> Typed<'_> {
        let mut typed = Typed::default();
        for (flag, text) in self.flags() {
            typed.add(&flag[2..], text.as_deref());
        }
        self.filter.add_to(&mut typed);
        typed.add("model", self.model.as_ref().map(named));
        let round = Some(self.round).filter(|name| *name != RoundName::default());
        typed.add("round", round.as_ref().map(named));
        typed.add("bits_per_item", self.bits_per_item.as_deref());
        typed.add("distinct", self.distinct.as_deref());
        typed.add("hash_bits", self.hash_bits.as_deref());
        typed.add("confidence", self.confidence.as_deref());
        typed
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
        self.typed().size_note()
    }
}
