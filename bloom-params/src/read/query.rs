//! Parses the texts of a question's flags, such as those of n, m, k and p, into a [`Query`].

use bloom_core::math::{MAX_BITS, Model};

use crate::error::InputError;
use crate::kind::filter::{Filter, LANES};
use crate::like::{self, system};
use crate::question::{Cost, Query, QueryError, Round};
use crate::read::decimal::Decimal;
use crate::read::flags::Part;
use crate::read::options::options;
use crate::read::typed::Typed;
use crate::read::units;
use crate::read::values;
use crate::say::numbers::{counted, grouped};
use crate::say::unbuilt;
use crate::say::words::dashed;

impl Typed {
    /// Returns a note on how m was read, if its text may mean bits or bytes.
    pub(crate) fn size_note(&self) -> Option<String> {
        units::size_note(self.text("m")?, self.filter().ok()?)
    }

    /// Parses the values into a query.
    ///
    /// # Errors
    ///
    /// A value does not parse or is out of range, an option belongs to another kind of filter, or one quantity has two values.
    /// The error is that of the first such value; n, m, k and p are checked in this order.
    pub(crate) fn query(&self) -> Result<Query, InputError> {
        let swapped = || swapped(self).unwrap_or_default();
        self.values().map_err(|error| error.with_hint(swapped()))
    }

    fn values(&self) -> Result<Query, InputError> {
        let items = self.read("n", units::parse_items)?;
        let bits = self.read("m", units::parse_bits)?;
        let distinct = self.share("distinct", "80% or 0.8")?;
        let inserts = items.filter(|_| distinct.is_some());
        let items =
            items.map(|inserts| distinct.map_or(inserts, |part| distinct_of(inserts, part)));
        let hashes = self.read("k", units::parse_hashes)?;
        let rate = self.read("p", units::parse_rate)?;
        let filter = self.filter()?;
        let model = self.one_of("model", &[Model::Exact, Model::Textbook, Model::Asymptotic])?;
        if model.is_some() && filter != Filter::Classic {
            return Err(QueryError::NotOfFilter {
                option: "model",
                filter,
                owners: "classic",
            }
            .into());
        }
        let each = self.read("bits_per_item", values::millionths)?;
        let bits = match (bits, each, items) {
            (Some(_), Some(_), _) => {
                let message = "--bits-per-item gives m, and --m is given too";
                return Err(InputError::new(message).with_hint("leave out one of them"));
            }
            (None, Some(each), Some(items)) => Some(bits_of(items, each, filter)?),
            (bits, ..) => bits.map(|bits| self.positions(bits, filter)).transpose()?,
        };
        let set_bits = self.set_bits(bits)?;
        let hash_bits = self.whole("hash_bits", 1..=1024)?;
        let round = self.one_of(
            "round",
            &[
                Round::Multiple(8),
                Round::Multiple(64),
                Round::Multiple(512),
                Round::PowerOfTwo,
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
            set_bits,
            cost: self.cost()?,
            confidence: self.share("confidence", "99% or 0.999")?,
        })
    }

    /// Returns the share of set bits that the flag `fill` gives.
    pub(crate) fn fill(&self) -> Result<Option<f64>, InputError> {
        self.share("fill", "47% or 0.47")
    }

    /// Returns the number of set bits, which is given itself or as a share of m.
    fn set_bits(&self, bits: Option<u64>) -> Result<Option<u64>, InputError> {
        let counted = self.whole("set_bits", 0..=MAX_BITS)?;
        let share = self.fill()?;
        match (counted, share, bits) {
            (None, None, _) => Ok(None),
            (Some(_), Some(_), _) => {
                let message = "--fill gives the set bits, and --set-bits is given too";
                Err(InputError::new(message).with_hint("leave out one of them"))
            }
            (None, Some(_), None) => Err(InputError::new(
                "--fill is a share of m, which is not given",
            )
            .with_hint("write m and k of the filter too, like --m 20000 --k 7 --fill 47%")),
            (None, Some(share), Some(bits)) => Ok(Some((share * bits as f64).round() as u64)),
            (Some(ones), None, Some(bits)) if ones > bits => Err(InputError::new(format!(
                "--set-bits must be at most m = {}, got {}",
                grouped(bits),
                grouped(ones)
            ))),
            (counted, None, _) => Ok(counted),
        }
    }

    /// Returns the costs of false positives and bits.
    fn cost(&self) -> Result<Option<Cost>, InputError> {
        let cost = |name| self.read(name, |text| values::positive(text, &dashed(name)));
        let (false_hit, per_bit) = (cost("cost_false_hit")?, cost("cost_per_bit")?);
        let lookups = self.whole("lookups", 1..=u64::MAX)?;
        // Only lookups of absent items have false positives.
        let present = self.share("prevalence", "1% or 0.01")?;
        let absent = |lookups: u64| lookups as f64 * (1.0 - present.unwrap_or(0.0));
        let lookups = lookups.map(absent);
        Ok(false_hit.zip(lookups).map(|(false_hit, lookups)| Cost {
            false_hit,
            per_bit: per_bit.unwrap_or(1.0),
            lookups,
        }))
    }

    /// Converts an m in bytes to counters, for a counting filter. Any other m counts bits or counters already, and stays as it
    /// is.
    fn positions(&self, bits: u64, filter: Filter) -> Result<u64, InputError> {
        let text = self.text("m").unwrap_or_default().trim_ascii();
        let is_bytes = text.ends_with('B') || text.to_ascii_lowercase().contains("byte");
        match filter {
            Filter::Counting { counter_bits } if is_bytes => match bits / u64::from(counter_bits) {
                0 => Err(InputError::new(format!(
                    "m must hold a counter of {counter_bits} bits, got {}",
                    units::displayed(text)
                ))),
                counters => Ok(counters),
            },
            _ => Ok(bits),
        }
    }

    /// Returns the kind of filter with its options.
    pub(crate) fn filter(&self) -> Result<Filter, InputError> {
        if let Some(filter) = self.of_system()? {
            return Ok(filter);
        }
        let filter = self.one_of(
            "filter",
            &[
                Filter::Classic,
                Filter::Partitioned,
                Filter::SplitBlock { block_bits: 512 },
                Filter::SplitBlock { block_bits: 256 },
                Filter::PlainBlocked { block_bits: 512 },
                Filter::Counting { counter_bits: 4 },
                Filter::scalable(1_000),
            ],
        )?;
        let mut filter = filter.unwrap_or_default();
        let set = |own: &mut u32, name, most| {
            let given = self.whole(name, 1..=most)?;
            *own = given.map_or(*own, |given| given as u32);
            Ok::<_, InputError>(())
        };
        match &mut filter {
            Filter::Classic | Filter::Partitioned | Filter::OfSystem { .. } => {}
            Filter::SplitBlock { block_bits } | Filter::PlainBlocked { block_bits } => {
                set(block_bits, "block_bits", 65_536)?;
            }
            Filter::Counting { counter_bits } => {
                let given = self.whole("counter_bits", 2..=16)?;
                *counter_bits = given.map_or(*counter_bits, |given| given as u8);
            }
            Filter::Scalable {
                initial,
                growth,
                tightening,
            } => {
                let given = self.whole("initial", 1..=u64::MAX)?;
                *initial = given.unwrap_or(*initial);
                set(growth, "growth", 1_000_000)?;
                let given = self.share("tightening", "0.85 or 1/2")?;
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
        for (flag, _) in self.all() {
            if let Part::Option(owners) = flag.part
                && own.iter().all(|(known, _)| *known != flag.name)
            {
                return Err(QueryError::NotOfFilter {
                    option: flag.name,
                    filter,
                    owners,
                });
            }
        }
        Ok(())
    }

    /// Returns the filter that the library of `--like` builds, if the flag is given.
    fn of_system(&self) -> Result<Option<Filter>, InputError> {
        let Some(name) = self.text("like") else {
            return Ok(None);
        };
        let mut system = system(name).ok_or_else(|| unbuilt::unknown(name))?;
        let mut expansion = None;
        if self.has("expansion") {
            let option = system
                .expansion
                .ok_or_else(|| InputError::new(unbuilt::no_expansion(system)))?;
            let times = self.whole("expansion", 0..=option.most)?;
            expansion = times.filter(|times| *times > 0);
            if expansion.is_none() {
                system = like::system(option.none).unwrap_or(system);
            }
        }
        Ok(Some(Filter::OfSystem { system, expansion }))
    }
}

/// Returns the distinct items among the inserts, rounded up.
fn distinct_of(inserts: u64, part: f64) -> u64 {
    let written = format!("{part:e}");
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let digits = mantissa.replace('.', "");
    let exponent = exponent.parse::<i64>().unwrap_or(0) + 1 - digits.len() as i64;
    // A share of 16 digits or more was most likely written as a fraction. Rounding errors may lift its product with the inserts
    // above a whole number. So the product is first lowered by more than these errors, and then rounded up. The same is done
    // for more than 2^60 inserts, by which `Decimal::times` does not multiply.
    let is_exact = digits.len() < 16 && inserts <= 1 << 60;
    let exact = is_exact.then(|| Decimal::new(&digits, exponent).times(inserts).split());
    let items = match exact.flatten() {
        Some((whole, is_more)) => whole + u64::from(is_more),
        None => (inserts as f64 * part * (1.0 - 2.0 * f64::EPSILON)).ceil() as u64,
    };
    items.clamp(1, inserts)
}

/// Returns the m of a filter with this many millionths of a bit of memory per item.
fn bits_of(items: u64, millionths: u64, filter: Filter) -> Result<u64, InputError> {
    let bits = u128::from(items) * u128::from(millionths) / 1_000_000 / u128::from(filter.width());
    match u64::try_from(bits) {
        Ok(bits @ 1..=MAX_BITS) => Ok(bits),
        _ => Err(InputError::new(format!(
            "--bits-per-item must give n = {} 1 to 2^63 bits, got {}",
            counted(items, "item"),
            grouped(bits)
        ))),
    }
}

type Reads = fn(&str) -> bool;

/// The name of each quantity, and a test whether a text is a valid value for it.
pub(crate) const READERS: [(&str, Reads); 4] = [
    ("n", |text| units::parse_items(text).is_ok()),
    ("m", |text| units::parse_bits(text).is_ok()),
    ("k", |text| units::parse_hashes(text).is_ok()),
    ("p", |text| units::parse_rate(text).is_ok()),
];

/// Returns a hint with the corrected flags, if a value is invalid for its flag and an exchange with
/// the value of another flag makes both valid.
fn swapped(typed: &Typed) -> Option<String> {
    // A missing value is treated as an empty text, which no flag accepts.
    let values = READERS.map(|(name, _)| typed.text(name).unwrap_or_default().trim_ascii());
    let reads = |at: usize, text: &str| READERS[at].1(text);
    let at = (0..4).find(|at| !values[*at].is_empty() && !reads(*at, values[*at]))?;
    // Try the nearest flags first: swapped values are mostly neighbours.
    let mut others: Vec<usize> = (0..4).filter(|other| *other != at).collect();
    others.sort_by_key(|other| other.abs_diff(at));
    let fits = |other: &usize| reads(at, values[*other]) && reads(*other, values[at]);
    let other = others.into_iter().find(fits)?;
    if (READERS[at].0, READERS[other].0) == ("m", "n") {
        // The value of m is invalid, but would be valid for n, so it is above 2^63: m is too large, and not swapped.
        return None;
    }
    let (first, second) = (at.min(other), at.max(other));
    Some(format!(
        "the two seem to be swapped: write --{} {} --{} {}",
        READERS[first].0,
        values::shell_word(values[second])?,
        READERS[second].0,
        values::shell_word(values[first])?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Unbuilt;
    use crate::read::flags;

    /// The command refuses each option that a library decides, because of the table of flags. `Query::solve` must refuse the
    /// same options.
    #[test]
    fn what_a_library_decides_is_refused_in_a_question_too() {
        let decided = flags::FLAGS.iter().filter(|flag| flag.is_of_own_sizes);
        // The test leaves out `filter` and the options of a kind of filter. A `Query` holds them in its field `filter`, which
        // the library replaces.
        let decided =
            decided.filter(|flag| flag.name != "filter" && matches!(flag.part, Part::Question));
        let mut tried = 0;
        for flag in decided {
            let text = match flag.name {
                "model" => "textbook",
                "round" => "pow2",
                "set_bits" | "cost_false_hit" | "cost_per_bit" => "9",
                "fill" => "1/2",
                "hash_bits" => "32",
                "confidence" => "90%",
                other => panic!("no text for {other}"),
            };
            let mut given = vec![
                ("n", "1000"),
                ("m", "10000"),
                ("lookups", "5"),
                (flag.name, text),
            ];
            if flag.name == "cost_per_bit" {
                given.push(("cost_false_hit", "1"));
            }
            let query = Typed::from_names(&given)
                .and_then(|typed| typed.query())
                .unwrap();
            let filter = Filter::of_system(system("guava").unwrap());
            let refused = Query { filter, ..query }.solve().map(|built| built.rate);
            let Err(QueryError::OfSystem {
                why: Unbuilt::Decides { .. },
                ..
            }) = refused
            else {
                panic!("{}: {refused:?}", flag.name);
            };
            tried += 1;
        }
        assert!(tried > 5, "{tried}");
    }
}
