//! A question as the texts of its flags, with or without a command line around them.

use std::borrow::Cow;

use bloom_core::math::{MAX_BITS, Model};

use crate::error::InputError;
use crate::filters::{Filter, LANES};
use crate::flag;
use crate::json::Value;
use crate::like::{self, system, words};
use crate::numbers::grouped;
use crate::per_item::PerItem;
use crate::query::{Query, QueryError, Round};
use crate::solution::Solution;
use crate::units;
use crate::words::listed;

/// The flags of a question, but for those of [`OPTIONS`] and [`OF_OWN_SIZES`].
const FLAGS: [&str; 15] = [
    "n",
    "m",
    "k",
    "p",
    "bits_per_item",
    "distinct",
    "like",
    "expansion",
    "overfill",
    "grow",
    "union",
    "spread",
    "lookups",
    "prevalence",
    "explain",
];

/// The flags that a library of `--like` decides, so that they exclude each other.
pub(crate) const OF_OWN_SIZES: [&str; 10] = [
    "filter",
    "model",
    "round",
    "hash_bits",
    "confidence",
    "block_bits",
    "counter_bits",
    "initial",
    "growth",
    "tightening",
];

/// The options that belong to some kinds of filter: key in JSON, flag, kinds.
pub(crate) const OPTIONS: [(&str, &str, &str); 5] = [
    (
        "block_bits",
        "--block-bits",
        "blocked, split-block or plain-blocked",
    ),
    ("counter_bits", "--counter-bits", "counting"),
    ("initial", "--initial", "scalable"),
    ("growth", "--growth", "scalable"),
    ("tightening", "--tightening", "scalable"),
];

/// Returns the options of this kind of filter, by their keys in JSON.
pub(crate) fn options(filter: Filter) -> Vec<(&'static str, Value)> {
    match filter {
        Filter::Classic | Filter::Partitioned => Vec::new(),
        Filter::PlainBlocked { block_bits } | Filter::SplitBlock { block_bits } => {
            vec![("block_bits", block_bits.into())]
        }
        Filter::Counting { counter_bits } => vec![("counter_bits", counter_bits.into())],
        Filter::Scalable {
            initial,
            growth,
            tightening,
        } => vec![
            ("initial", initial.into()),
            ("growth", growth.into()),
            ("tightening", tightening.into()),
        ],
    }
}

/// The texts of the flags that are given, by their names: without dashes, and with `_` within. A flag
/// without a value has any text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Typed<'a>(Vec<(&'a str, Cow<'a, str>)>);

/// The answer to a question.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Answer {
    Sized(Solution),
    PerItem(PerItem),
}

impl Answer {
    /// Returns the filter, or else the error of an option that needs one.
    #[cfg(feature = "cli")]
    pub(crate) fn into_sized(self, option: &'static str) -> Result<Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option }),
        }
    }
}

/// Returns the flag of a name, as it is written on the command line.
fn dashed(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

impl<'a> Typed<'a> {
    /// Takes the flags of a question, in any order; the command line checks the same in its own words.
    ///
    /// # Errors
    ///
    /// A flag is unknown, is given twice, or is in the way of another one.
    pub(crate) fn new(flags: &[(&'a str, &'a str)]) -> Result<Self, InputError> {
        let mut typed = Self::default();
        for (name, text) in flags {
            if !FLAGS.contains(name) && !OF_OWN_SIZES.contains(name) {
                let got = units::echo(name);
                return Err(InputError::new(format!("no flag has the name {got}")));
            }
            if typed.has(name) {
                let flag = dashed(name);
                return Err(InputError::new(format!("{flag} is given twice")));
            }
            typed.add(name, Some(*text));
        }
        for (flag, needs) in [("expansion", "like"), ("prevalence", "lookups")] {
            if typed.has(flag) && !typed.has(needs) {
                let (flag, needs) = (dashed(flag), dashed(needs));
                return Err(InputError::new(format!("{flag} needs {needs}")));
            }
        }
        let decided = OF_OWN_SIZES.into_iter().find(|flag| typed.has(flag));
        if let Some(flag) = decided.filter(|_| typed.has("like")) {
            let flag = dashed(flag);
            let message = format!("the library of --like decides what {flag} asks for");
            return Err(InputError::new(message).with_hint("leave out one of them"));
        }
        Ok(typed)
    }

    /// Adds a flag, if it is given.
    pub(crate) fn add(&mut self, name: &'a str, text: Option<impl Into<Cow<'a, str>>>) {
        self.0.extend(text.map(|text| (name, text.into())));
    }

    /// Returns whether a flag is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut flags = self.0.iter();
        flags
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text.as_ref())
    }

    /// Parses the value of a flag, if it is given.
    pub(crate) fn read<T, E: Into<InputError>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, InputError> {
        self.text(name)
            .map(|text| parse(text).map_err(Into::into))
            .transpose()
    }

    /// Returns the value of a flag that has one of a list of names.
    fn one_of<T: Copy>(&self, name: &str, values: &[(&str, T)]) -> Result<Option<T>, InputError> {
        self.read(name, |text| {
            let named = values.iter().find(|(known, _)| *known == text);
            named.map(|(_, value)| *value).ok_or_else(|| {
                let names: Vec<_> = values.iter().map(|(known, _)| *known).collect();
                let (flag, names, got) = (dashed(name), listed(&names), units::echo(text));
                InputError::new(format!("{flag} must be one of {names}, got {got}"))
            })
        })
    }

    /// States how an ambiguous size was read, if m has one.
    pub(crate) fn size_note(&self) -> Option<String> {
        units::size_note(self.text("m")?, self.filter().ok()?)
    }

    /// Parses the values into a query.
    ///
    /// # Errors
    ///
    /// Returns the first value that does not parse, in the order n, m, k, p; or an option of
    /// another kind of filter.
    pub(crate) fn query(&self) -> Result<Query, InputError> {
        let items = self.read("n", units::parse_items)?;
        let bits = self.read("m", units::parse_bits)?.map(|bits| bits.bits);
        let distinct = self.read("distinct", |text| {
            flag::share(text, "--distinct", "80% or 0.8")
        })?;
        let inserts = items.filter(|_| distinct.is_some());
        let items =
            items.map(|inserts| distinct.map_or(inserts, |part| distinct_of(inserts, part)));
        let hashes = self.read("k", units::parse_hashes)?;
        let rate = self.read("p", units::parse_rate)?;
        let filter = self.filter()?;
        let model = self.one_of(
            "model",
            &[
                ("exact", Model::Exact),
                ("textbook", Model::Textbook),
                ("asymptotic", Model::Asymptotic),
            ],
        )?;
        if model.is_some() && filter != Filter::Classic {
            return Err(QueryError::NotOfFilter {
                option: "--model",
                filter,
                owners: "classic",
            }
            .into());
        }
        let each = self.read("bits_per_item", flag::millionths)?;
        let bits = match (bits, each, items) {
            (Some(_), Some(_), _) => {
                let message = "--bits-per-item gives m, and --m is given too";
                return Err(InputError::new(message).with_hint("leave out one of them"));
            }
            (None, Some(each), Some(items)) => Some(bits_of(items, each, filter)?),
            (bits, ..) => bits.map(|bits| self.positions(bits, filter)).transpose()?,
        };
        let hash_bits = self.read("hash_bits", |text| {
            flag::whole(text, "--hash-bits", 1..=1024)
        })?;
        let round = self.one_of(
            "round",
            &[
                ("none", Round::None),
                ("8", Round::Multiple(8)),
                ("64", Round::Multiple(64)),
                ("512", Round::Multiple(512)),
                ("pow2", Round::PowerOfTwo),
            ],
        )?;
        Ok(Query {
            items,
            bits,
            bits_per_item: each
                .filter(|_| items.is_none())
                .map(|each| each as f64 / 1e6),
            distinct,
            inserts,
            hash_bits: hash_bits.map(|width| width as u32),
            hashes,
            rate,
            model: model.unwrap_or_default(),
            filter,
            round: round.unwrap_or_default(),
            confidence: self.read("confidence", |text| {
                flag::share(text, "--confidence", "99% or 0.999")
            })?,
        })
    }

    /// Returns the number of counters for a memory given in bytes; any other m already counts bits
    /// or counters.
    fn positions(&self, bits: u64, filter: Filter) -> Result<u64, InputError> {
        let text = self.text("m").unwrap_or_default().trim_ascii();
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

    /// Returns the kind of filter with its options.
    pub(crate) fn filter(&self) -> Result<Filter, InputError> {
        let filter = self.one_of(
            "filter",
            &[
                ("classic", Filter::Classic),
                ("partitioned", Filter::Partitioned),
                ("blocked", Filter::SplitBlock { block_bits: 512 }),
                ("split-block", Filter::SplitBlock { block_bits: 256 }),
                ("plain-blocked", Filter::PlainBlocked { block_bits: 512 }),
                ("counting", Filter::Counting { counter_bits: 4 }),
                (
                    "scalable",
                    Filter::Scalable {
                        initial: 1_000,
                        growth: 2,
                        tightening: 0.85,
                    },
                ),
            ],
        )?;
        let mut filter = filter.unwrap_or_default();
        let whole = |name, flag, range| self.read(name, |text| flag::whole(text, flag, range));
        let set = |own: &mut u32, name, flag, most| {
            let given = whole(name, flag, 1..=most)?;
            *own = given.map_or(*own, |given| given as u32);
            Ok::<_, InputError>(())
        };
        match &mut filter {
            Filter::Classic | Filter::Partitioned => {}
            Filter::SplitBlock { block_bits } | Filter::PlainBlocked { block_bits } => {
                set(block_bits, "block_bits", "--block-bits", 65_536)?;
            }
            Filter::Counting { counter_bits } => {
                let given = whole("counter_bits", "--counter-bits", 2..=16)?;
                *counter_bits = given.map_or(*counter_bits, |given| given as u8);
            }
            Filter::Scalable {
                initial,
                growth,
                tightening,
            } => {
                let given = whole("initial", "--initial", 1..=u64::MAX)?;
                *initial = given.unwrap_or(*initial);
                set(growth, "growth", "--growth", 1_000_000)?;
                let given = self.read("tightening", |text| {
                    flag::share(text, "--tightening", "0.85 or 1/2")
                })?;
                *tightening = given.unwrap_or(*tightening);
            }
        }
        self.refuse_options_of_others(filter)?;
        match filter {
            Filter::SplitBlock { block_bits } if block_bits % u32::from(LANES) != 0 => {
                let name = self.text("filter").unwrap_or_default();
                Err(InputError::new(format!(
                    "--block-bits of a {name} filter must be a multiple of {LANES}, got {block_bits}"
                )))
            }
            filter => Ok(filter),
        }
    }

    fn refuse_options_of_others(&self, filter: Filter) -> Result<(), QueryError> {
        let own = options(filter);
        for (key, option, owners) in OPTIONS {
            if self.has(key) && own.iter().all(|(known, _)| *known != key) {
                return Err(QueryError::NotOfFilter {
                    option,
                    filter,
                    owners,
                });
            }
        }
        Ok(())
    }

    /// Returns the answer of the library in `--like`, if there is one; otherwise the size or, for p
    /// alone, the bits per item.
    pub(crate) fn answer(&self, query: Query) -> Result<Answer, InputError> {
        let Some(name) = self.text("like") else {
            let without_size = query.items.is_none()
                && query.bits.is_none()
                && (query.rate.is_some() || query.bits_per_item.is_some());
            return Ok(if without_size {
                Answer::PerItem(query.per_item()?)
            } else {
                Answer::Sized(query.solve()?)
            });
        };
        let mut system = system(name).ok_or_else(|| words::unknown(name))?;
        let mut expansion = None;
        if let Some(text) = self.text("expansion") {
            let option = system
                .expansion
                .ok_or_else(|| words::no_expansion(system))?;
            let times = flag::whole(text, "--expansion", 0..=option.most)?;
            expansion = Some(times).filter(|times| *times > 0);
            if expansion.is_none() {
                system = like::system(option.none).unwrap_or(system);
            }
        }
        let mut solution = query.solve_like(system)?;
        if let Some(like) = &mut solution.like {
            like.expansion = expansion;
        }
        Ok(Answer::Sized(solution))
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
