//! From a request to a filter, by the rule in a library's row.

use std::f64::consts::LN_2;

use bloom_core::math::first_true;

use super::rule::{Bits, Hashes, Library, NoHash, RateStep, Rounded, Step};
use super::tables::{PEI_CAO, PROBES};
use crate::numbers::{grouped, nearest};
use crate::solution::Solution;
use crate::words::counted;

/// A request to a library.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Request {
    pub(crate) items: u64,
    pub(crate) bits: Option<u64>,
    pub(crate) rate: Option<f64>,
}

impl Request {
    /// A request for n and p.
    pub(crate) fn for_rate(items: u64, rate: f64) -> Self {
        Self {
            items,
            bits: None,
            rate: Some(rate),
        }
    }

    /// Returns the request that a library has answered.
    pub(super) fn of(solution: &Solution) -> Self {
        let asked = &solution.asked;
        Self {
            items: solution.items,
            // Without n, m is the room for the most items, and the library is given these.
            bits: match solution.like.as_ref().and_then(|like| like.given) {
                None => asked.bits.filter(|_| asked.items.is_some()),
                given => given,
            },
            rate: asked.rate,
        }
    }
}

/// The filter that a library builds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Built {
    pub(crate) bits: u64,
    pub(crate) hashes: u8,
    /// How the library computes it, step by step.
    pub(crate) story: Vec<String>,
    /// The upper bound on its bits, where its rule would take more.
    pub(crate) capped: Option<u128>,
}

impl Library {
    /// Returns the filter it builds, or why it builds none.
    pub(crate) fn build(&self, request: Request) -> Result<Built, String> {
        let mut work = Work::new(self, request.items);
        let built = work.size(request).and_then(|size| {
            let (bits, most) = (size.bits, self.most_bits);
            if bits == 0 || bits > most {
                let (bits, most) = (grouped(bits), grouped(most));
                return Err(format!(
                    "builds no filter of {bits} bits: it takes 1 to {most}"
                ));
            }
            let hashes = work.hashes(&size)?;
            Ok((bits, hashes, size.capped))
        });
        let (bits, hashes, capped) = built.map_err(|reason| format!("{} {reason}", self.name))?;
        Ok(Built {
            bits: u64::try_from(bits).unwrap_or(u64::MAX),
            hashes,
            story: work.story,
            capped,
        })
    }

    /// Returns the bits that its rule takes, or why it takes none.
    pub(super) fn bits(&self, request: Request) -> Result<u128, String> {
        Ok(Work::new(self, request.items).size(request)?.bits)
    }

    /// Returns the most items for which its rule for a rate takes at most `bits` bits.
    pub(super) fn most_items(&self, bits: u64, rate: f64) -> u64 {
        let most = self.most_bits.min(bits.into());
        let too_many = |items| {
            let size = Work::new(self, items).size(Request::for_rate(items, rate));
            size.map_or(true, |size| size.capped.is_some() || size.bits > most)
        };
        let guess = (bits / 10).clamp(1, self.most_items);
        let first = first_true(1, self.most_items, guess, too_many);
        first.map_or(self.most_items, |first| first - 1)
    }

    /// Returns the bits per item for which it builds the filter that it builds for `bits` bits.
    pub(super) fn per_item(&self, bits: u64, items: u64) -> f64 {
        let asked = bits as f64 / items as f64;
        match self.bits {
            Bits::Thousandths => thousandths(asked) as f64 / 1000.0,
            _ => asked,
        }
    }

    /// Returns p after the library's own changes; 1/2 if it takes no p.
    pub(super) fn rate_taken(&self, rate: Option<f64>) -> f64 {
        Work::new(self, 1).rate_taken(rate)
    }
}

/// Returns bits per item, from 1 to 100, in thousandths.
fn thousandths(per_item: f64) -> u64 {
    (per_item.clamp(1.0, 100.0) * 1000.0 + 0.500_001) as u64
}

/// Returns RocksDB's hashes for these thousandths of a bit per item.
fn probes(thousandths: u128) -> u64 {
    match PROBES
        .iter()
        .find(|(most, _)| thousandths <= u128::from(*most))
    {
        Some((_, hashes)) => *hashes,
        None if thousandths > 50_000 => 24,
        None => (thousandths as u64 - 1) / 2_000 - 1,
    }
}

/// The bits of a filter, and the values that the hashes may be computed from.
struct Size {
    /// p after the library's own changes.
    rate: f64,
    begun: Begun,
    bits: u128,
    /// The upper bound on its bits, where its rule would take more.
    capped: Option<u128>,
}

/// The bits before any step, and the values that the hashes may be computed from.
#[derive(Default)]
struct Begun {
    whole: u128,
    per_item: f64,
    /// The hashes that a table gives.
    hashes: u64,
}

impl Begun {
    /// These bits, from which no hashes are computed.
    fn of(whole: u128) -> Self {
        Self {
            whole,
            ..Self::default()
        }
    }
}

/// The work of applying a rule to a number of items, with its steps in words.
struct Work<'a> {
    library: &'a Library,
    items: u64,
    story: Vec<String>,
}

impl<'a> Work<'a> {
    fn new(library: &'a Library, items: u64) -> Self {
        Self {
            library,
            items,
            story: Vec::new(),
        }
    }

    /// Returns the bits of the filter after all steps.
    fn size(&mut self, request: Request) -> Result<Size, String> {
        let most = self.library.most_items;
        if self.items > most {
            let (most, got) = (grouped(most), grouped(self.items));
            return Err(format!("takes at most {most} items, got {got}"));
        }
        let rate = self.rate_taken(request.rate.filter(|_| request.bits.is_none()));
        let begun = self.begin(rate, request.bits)?;
        let mut capped = None;
        let mut bits = begun.whole;
        for step in self.library.steps {
            let next = step.of(bits);
            if let (Step::AtMost(most), true) = (step, next < bits) {
                capped = Some(*most);
            }
            if next != bits {
                let (step, next) = (step.in_words(), grouped(next));
                self.story.push(format!("{step}: {next}"));
            }
            bits = next;
        }
        Ok(Size {
            rate,
            begun,
            bits,
            capped,
        })
    }

    fn rate_taken(&mut self, rate: Option<f64>) -> f64 {
        let Some(mut rate) = rate else {
            return 0.5;
        };
        for step in self.library.rate {
            let (next, words) = match step {
                RateStep::AtMost(most) => (rate.min(*most), format!("p is at most {most}")),
                RateStep::Times(factor) => {
                    let next = rate * factor;
                    (next, format!("p is first multiplied by {factor}: {next}"))
                }
                RateStep::Single => {
                    let next = f64::from(rate as f32);
                    (next, format!("p in single precision: {next}"))
                }
            };
            if next != rate {
                self.story.push(words);
            }
            rate = next;
        }
        rate
    }

    /// Returns the bits before any step.
    fn begin(&mut self, rate: f64, given: Option<u64>) -> Result<Begun, String> {
        let items = self.items as f64;
        let usual = "m = -n ln p / (ln 2)^2";
        Ok(match (self.library.bits, given) {
            (Bits::Usual(_, Rounded::UpToBytes), Some(bits)) => {
                Begun::of(u128::from(bits).next_multiple_of(8))
            }
            (Bits::Usual(..) | Bits::Given, Some(bits)) => Begun::of(bits.into()),
            (Bits::Usual(square, rounded), _) => {
                self.formula(usual, -items * libm::log(rate) / square, rounded)
            }
            (Bits::UsualPerItem(square, rounded), _) => {
                let per_item = -(libm::log(rate) / square);
                Begun {
                    per_item,
                    ..self.formula(usual, items * per_item, rounded)
                }
            }
            (Bits::EvenBlocks(rounded), _) => {
                let real = -8.0 * items / libm::log(1.0 - libm::pow(rate, 1.0 / 8.0));
                self.formula("m = -8 n / ln(1 - p^(1/8))", real, rounded)
            }
            (Bits::Table, _) => self.by_table(rate)?,
            (Bits::Thousandths, _) => self.by_thousandths(given)?,
            (Bits::Given, _) => Begun::default(),
            (Bits::Fixed(whole), _) => {
                let m = grouped(whole);
                self.story.push(format!("m is always {m}"));
                Begun::of(whole)
            }
        })
    }

    /// Returns the bits by a formula, whose value is `real`.
    fn formula(&mut self, text: &str, real: f64, rounded: Rounded) -> Begun {
        let whole = rounded.of(real);
        let (shown, how, bits) = (nearest(real, 9), rounded.in_words(), grouped(whole));
        self.story.push(format!("{text} = {shown}, {how}: {bits}"));
        Begun {
            whole,
            per_item: real / self.items as f64,
            hashes: 0,
        }
    }

    fn by_table(&mut self, rate: f64) -> Result<Begun, String> {
        let lowest = |row: &[f64]| row.iter().copied().fold(1.0, f64::min);
        let (bits, hashes) = if rate >= PEI_CAO[0][0] {
            // As in the library: 1 bit and 2 hashes are taken where 2 bits and 1 hash would do.
            (1, 2)
        } else if let Some(row) = PEI_CAO.iter().position(|row| lowest(row) <= rate) {
            // From the best number of hashes down, as long as one hash less keeps p.
            let best = PEI_CAO[row].iter().position(|p| *p == lowest(PEI_CAO[row]));
            let mut hashes = best.unwrap_or(0);
            while hashes > 0 && PEI_CAO[row][hashes - 1] <= rate {
                hashes -= 1;
            }
            (row as u64 + 2, hashes as u64 + 1)
        } else {
            let least = PEI_CAO.iter().map(|row| lowest(row)).fold(1.0, f64::min);
            return Err(format!("takes no p under {least:e}, got {rate:e}"));
        };
        let whole = u128::from(self.items) * u128::from(bits);
        let (k, m) = (counted(hashes, "hash"), grouped(whole));
        let per_item = counted(bits, "bit");
        self.story
            .push(format!("Pei Cao's table: {per_item} per item and {k}: {m}"));
        Ok(Begun {
            whole,
            per_item: bits as f64,
            hashes,
        })
    }

    fn by_thousandths(&mut self, given: Option<u64>) -> Result<Begun, String> {
        let asked = given.unwrap_or_default() as f64 / self.items as f64;
        if asked < 0.5 {
            let asked = nearest(asked, 3);
            return Err(format!(
                "builds no filter for less than 0.5 bits per item, got m/n = {asked}"
            ));
        }
        let thousandths = thousandths(asked);
        let bytes = (u128::from(self.items) * u128::from(thousandths)).div_ceil(8_000);
        let per_item = thousandths as f64 / 1000.0;
        let (asked, bits) = (nearest(asked, 6), grouped(bytes * 8));
        self.story.push(format!(
            "m/n = {asked}, from 1 to 100 and to thousandths {per_item}; n times that in whole bytes: \
             {bits}"
        ));
        Ok(Begun {
            whole: bytes * 8,
            per_item,
            hashes: 0,
        })
    }

    fn hashes(&mut self, size: &Size) -> Result<u8, String> {
        let begun = &size.begun;
        let of = |bits: u128, items: u64| bits as f64 / items as f64 * LN_2;
        let ideal = |bits| of(bits, self.items);
        let by_bits = "(m/n) ln 2";
        let (text, real, rounded) = match self.library.hashes {
            Hashes::OfRate(rounded) => ("-log2 p", -libm::log(size.rate) / LN_2, rounded),
            Hashes::OfBitsPerItem(ln_2, rounded) => (by_bits, ln_2 * begun.per_item, rounded),
            Hashes::OfWhole(rounded) => (by_bits, ideal(begun.whole), rounded),
            Hashes::OfStored(rounded) => (by_bits, ideal(size.bits), rounded),
            Hashes::OfBounded { bits, items } => {
                let (bits, items) = (begun.whole.min(bits), self.items.min(items));
                if items < self.items {
                    let n = grouped(items);
                    self.story.push(format!("n is at most {n} for k"));
                }
                (by_bits, of(bits, items), Rounded::Nearest)
            }
            Hashes::Table => ("", begun.hashes as f64, Rounded::Nearest),
            Hashes::Probes => {
                let stored = size.bits * 1_000 / u128::from(self.items);
                let (text, real) = (grouped(stored), probes(stored) as f64);
                self.story
                    .push(format!("thousandths of a bit per item: {text}"));
                ("", real, Rounded::Nearest)
            }
            Hashes::Fixed(hashes) => ("", hashes as f64, Rounded::Nearest),
        };
        let mut hashes = rounded.of(real);
        self.story.push(if text.is_empty() {
            format!("k = {hashes}")
        } else {
            let (real, how) = (nearest(real, 6), rounded.in_words());
            format!("k = {text} = {real}, {how}: {hashes}")
        });
        match self.library.no_hash {
            _ if hashes > 0 => {}
            NoHash::One => {
                self.story.push("k is at least 1".to_string());
                hashes = 1;
            }
            NoHash::Refused => return Err("refuses k = 0 for this p".to_string()),
            NoHash::Kept => {
                let reason = "takes k = 0 for this p: its filter returns true for every query";
                return Err(reason.to_string());
            }
        }
        let most = self.library.most_hashes.min(u8::MAX.into());
        let who = if self.library.most_hashes > most {
            "rates are computed up to"
        } else {
            "its limit is"
        };
        let valid = u8::try_from(hashes).ok().filter(|k| u64::from(*k) <= most);
        valid.ok_or_else(|| format!("takes k = {hashes} for this p, and {who} k = {most}"))
    }
}
