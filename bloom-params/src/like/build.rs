//! From a request to a filter, by the rule in a library's row.

use std::f64::consts::LN_2;

use bloom_core::math::first_true;

use super::rows::{PEI_CAO, PROBES};
use super::rule::{Bits, Hashes, Library, NoHash, RateStep, Rounded, Step};
use crate::numbers::{grouped_wide, nearest};

/// A request to a library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) items: u64,
    pub(crate) bits: Option<u64>,
    pub(crate) rate: Option<f64>,
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
        let mut story = Vec::new();
        let sized = self.size(request, &mut story)?;
        let bits = sized.bits;
        if bits == 0 || bits > self.most_bits {
            return Err(format!(
                "{} builds no filter of {} bits{}",
                self.name,
                grouped_wide(bits),
                if bits == 0 {
                    String::new()
                } else {
                    format!(": it takes at most {}", grouped_wide(self.most_bits))
                }
            ));
        }
        let hashes = self.hashes(request.items, sized.rate, &sized.begun, bits, &mut story)?;
        Ok(Built {
            bits: u64::try_from(bits).unwrap_or(u64::MAX),
            hashes,
            story,
            capped: sized.capped,
        })
    }

    /// Returns the bits of its filter after all steps.
    fn size(&self, request: Request, story: &mut Vec<String>) -> Result<Size, String> {
        let n = request.items;
        if n > self.most_items {
            return Err(format!(
                "{} takes at most {} items, got {}",
                self.name,
                grouped_wide(self.most_items.into()),
                grouped_wide(n.into())
            ));
        }
        let rate = request.rate.filter(|_| request.bits.is_none());
        let rate = self.rate_taken(rate, story);
        let begun = self.begin(n, rate, request.bits, story)?;
        let mut capped = None;
        let mut bits = begun.whole;
        for step in self.steps {
            let next = step.of(bits);
            if let (Step::AtMost(most), true) = (step, next < bits) {
                capped = Some(*most);
            }
            if next != bits {
                story.push(format!("{}: {}", step.in_words(), grouped_wide(next)));
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

    /// Returns the most items for which its rule for a rate takes at most `bits` bits.
    pub(super) fn most_items(&self, bits: u64, rate: f64) -> u64 {
        let most = self.most_bits.min(bits.into());
        let too_many = |items| {
            let request = Request {
                items,
                bits: None,
                rate: Some(rate),
            };
            let sized = self.size(request, &mut Vec::new());
            sized.map_or(true, |sized| sized.capped.is_some() || sized.bits > most)
        };
        let guess = (bits / 10).clamp(1, self.most_items);
        let first = first_true(1, self.most_items, guess, too_many);
        first.map_or(self.most_items, |first| first - 1)
    }

    /// Returns p after the library's own changes; 1/2 if it takes no p.
    pub(super) fn rate_taken(&self, rate: Option<f64>, story: &mut Vec<String>) -> f64 {
        let Some(mut rate) = rate else {
            return 0.5;
        };
        for step in self.rate {
            let next = match step {
                RateStep::AtMost(most) => rate.min(*most),
                RateStep::Times(factor) => rate * factor,
                RateStep::Single => f64::from(rate as f32),
            };
            if next != rate {
                story.push(match step {
                    RateStep::AtMost(most) => format!("p is at most {most}"),
                    RateStep::Times(factor) => {
                        format!("p is first multiplied by {factor}: {next}")
                    }
                    RateStep::Single => format!("p in single precision: {next}"),
                });
            }
            rate = next;
        }
        rate
    }

    /// Returns the bits before any step.
    fn begin(
        &self,
        n: u64,
        rate: f64,
        given: Option<u64>,
        story: &mut Vec<String>,
    ) -> Result<Begun, String> {
        let items = n as f64;
        let formula = |story: &mut Vec<String>, text: &str, real: f64, rounded: Rounded| {
            let whole = rounded.of(real);
            let real_text = nearest(real, 9);
            story.push(format!(
                "{text} = {real_text}, {}: {}",
                rounded.in_words(),
                grouped_wide(whole)
            ));
            Begun::of(whole, real / items)
        };
        if let (Some(bits), Bits::Usual(_, rounded)) = (given, self.bits) {
            return Ok(Begun::of(rounded.of(bits as f64), 0.0).exactly(bits, rounded));
        }
        Ok(match self.bits {
            Bits::Usual(square, rounded) => {
                let real = -items * rate.ln() / square;
                formula(story, "m = -n ln p / (ln 2)^2", real, rounded)
            }
            Bits::UsualPerItem(square, rounded) => {
                let each = -(rate.ln() / square);
                let begun = formula(story, "m = -n ln p / (ln 2)^2", items * each, rounded);
                Begun {
                    per_item: each,
                    ..begun
                }
            }
            Bits::EvenBlocks(rounded) => {
                let real = -8.0 * items / (1.0 - rate.powf(1.0 / 8.0)).ln();
                formula(story, "m = -8 n / ln(1 - p^(1/8))", real, rounded)
            }
            Bits::Table => self.by_table(n, rate, story)?,
            Bits::Thousandths => self.by_thousandths(n, given, story)?,
            Bits::Given => Begun::of(given.unwrap_or_default().into(), 0.0),
            Bits::Fixed(bits) => {
                story.push(format!("m is always {}", grouped_wide(bits)));
                Begun::of(bits, 0.0)
            }
        })
    }

    fn by_table(&self, n: u64, rate: f64, story: &mut Vec<String>) -> Result<Begun, String> {
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
            return Err(format!(
                "{} takes no p under {least:e}, got {rate:e}",
                self.name
            ));
        };
        let whole = u128::from(n) * u128::from(bits);
        story.push(format!(
            "Pei Cao's table: {bits} {} per item and {hashes} {}: {}",
            if bits == 1 { "bit" } else { "bits" },
            if hashes == 1 { "hash" } else { "hashes" },
            grouped_wide(whole)
        ));
        Ok(Begun {
            hashes,
            ..Begun::of(whole, bits as f64)
        })
    }

    fn by_thousandths(
        &self,
        n: u64,
        given: Option<u64>,
        story: &mut Vec<String>,
    ) -> Result<Begun, String> {
        let asked = given.unwrap_or_default() as f64 / n as f64;
        if asked < 0.5 {
            return Err(format!(
                "{} builds no filter for less than 0.5 bits per item, got m/n = {}",
                self.name,
                nearest(asked, 3)
            ));
        }
        let thousandths = (asked.clamp(1.0, 100.0) * 1000.0 + 0.500_001) as u64;
        let bytes = (u128::from(n) * u128::from(thousandths)).div_ceil(8_000);
        let each = thousandths as f64 / 1000.0;
        story.push(format!(
            "m/n = {}, from 1 to 100 and to thousandths {each}; n times that in whole bytes: {}",
            nearest(asked, 6),
            grouped_wide(bytes * 8)
        ));
        let probes = PROBES.iter().find(|(most, _)| thousandths <= *most);
        let hashes = match probes {
            Some((_, hashes)) => *hashes,
            None if thousandths > 50_000 => 24,
            None => (thousandths - 1) / 2_000 - 1,
        };
        Ok(Begun {
            hashes,
            ..Begun::of(bytes * 8, each)
        })
    }

    fn hashes(
        &self,
        n: u64,
        rate: f64,
        begun: &Begun,
        stored: u128,
        story: &mut Vec<String>,
    ) -> Result<u8, String> {
        let ideal = |bits: u128| bits as f64 / n as f64 * LN_2;
        let (text, real, rounded) = match self.hashes {
            Hashes::OfRate(rounded) => ("-log2 p", -rate.ln() / LN_2, rounded),
            Hashes::OfBitsPerItem(ln_2, rounded) => ("(m/n) ln 2", ln_2 * begun.per_item, rounded),
            Hashes::OfWhole(rounded) => ("(m/n) ln 2", ideal(begun.whole), rounded),
            Hashes::OfStored(rounded) => ("(m/n) ln 2", ideal(stored), rounded),
            Hashes::Table | Hashes::Probes => ("", begun.hashes as f64, Rounded::Nearest),
            Hashes::Fixed(hashes) => ("", hashes as f64, Rounded::Nearest),
        };
        let mut hashes = rounded.of(real);
        if text.is_empty() {
            story.push(format!("k = {hashes}"));
        } else {
            story.push(format!(
                "k = {text} = {}, {}: {hashes}",
                nearest(real, 6),
                rounded.in_words()
            ));
        }
        if hashes == 0 {
            match self.no_hash {
                NoHash::One => {
                    story.push("k is at least 1".to_string());
                    hashes = 1;
                }
                NoHash::Refused => return Err(format!("{} refuses k = 0 for this p", self.name)),
                NoHash::Kept => {
                    return Err(format!(
                        "{} takes k = 0 for this p: its filter says yes to everything",
                        self.name
                    ));
                }
            }
        }
        let most = self.most_hashes.min(u8::MAX.into());
        u8::try_from(hashes)
            .ok()
            .filter(|hashes| u64::from(*hashes) <= most)
            .ok_or_else(|| {
                let who = if self.most_hashes > most {
                    "rates are computed"
                } else {
                    "it goes"
                };
                format!(
                    "{} takes k = {hashes} for this p, and {who} up to k = {most} only",
                    self.name
                )
            })
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
struct Begun {
    whole: u128,
    per_item: f64,
    /// The hashes that a table gives.
    hashes: u64,
}

impl Begun {
    fn of(whole: u128, per_item: f64) -> Self {
        Self {
            whole,
            per_item,
            hashes: 0,
        }
    }

    /// Takes the bits given, which are whole already.
    fn exactly(self, bits: u64, rounded: Rounded) -> Self {
        let whole = match rounded {
            Rounded::UpToBytes => u128::from(bits).next_multiple_of(8),
            _ => bits.into(),
        };
        Self { whole, ..self }
    }
}
