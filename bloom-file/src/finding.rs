//! Reports what a filter is and its true rate: as text for people and as JSON for programs.

use bloom_params::numbers::{bytes_of_bits, counted, grouped, nearest, one_in, rate_up};
use bloom_params::report::{Object, Row, Value, note, rows};
use bloom_terminal::report::verdict;

use crate::facts::{Facts, max_items};
use crate::file;
use crate::systems::{Opened, System};

/// One way to read the bytes as a filter of a system, with what is reported about this filter.
pub(crate) struct Finding {
    system: &'static System,
    pub(crate) facts: Facts,
    /// The bytes that follow the filter.
    rest: usize,
    /// The target rate, whether the filter's rate is at most the target, and the most items with which filters of this size
    /// meet the target on average (`None` if the filter grows).
    pub(crate) target: Option<(f64, bool, Option<u64>)>,
}

impl Finding {
    pub(crate) fn new(
        system: &'static System,
        filter: &Opened<'_>,
        rest: usize,
        target: Option<f64>,
    ) -> Self {
        let facts = filter.facts();
        let target = target.map(|target| {
            let items = filter.expected_rate(0).map(|_| {
                let expected = |items| filter.expected_rate(items).unwrap_or(1.0);
                max_items(target, facts.bits, facts.hashes, expected)
            });
            (target, facts.rate <= target, items)
        });
        Self {
            system,
            facts,
            rest,
            target,
        }
    }

    pub(crate) fn human(&self) -> String {
        let facts = &self.facts;
        let mut text = format!("{} (--format {})\n\n", facts.what, self.system.name);
        text += &rows(&self.rows());
        let mut notes: Vec<_> = facts.warnings.clone();
        let target = self.target.map(|(target, ..)| target);
        notes.extend(target.and_then(|target| facts.doubt(target)));
        notes.extend(self.about_target());
        if facts.needs_name {
            notes.push(
                "nothing in the bytes proves that they are such a filter: other bytes can be read as one, too"
                    .to_string(),
            );
        }
        notes.extend(file::ignored(self.rest, self.system));
        if !notes.is_empty() {
            text.push('\n');
        }
        text + &notes.iter().map(|text| note(text)).collect::<String>()
    }

    fn rows(&self) -> Vec<Row> {
        let facts = &self.facts;
        let plain = |text: &str| text.to_string();
        let estimated = match &facts.items {
            Some(items) => format!(
                "estimated from the set bits, ± {}",
                nearest(items.standard_deviation, 2)
            ),
            None if facts.fill == 1.0 => plain("every bit is set: no estimate"),
            // Either a part of the filter is full, or a note says why there is no estimate.
            None => plain("no estimate"),
        };
        let counted = facts.counted.map_or(String::new(), |count| {
            format!("; the system counted {}", grouped(count))
        });
        let n = facts.items.as_ref().map(|items| items.items.round() as u64);
        let per_item = match n {
            Some(n) if n > 0 => format!(
                ", {} bits per item",
                nearest(facts.bits as f64 / n as f64, 4)
            ),
            _ => String::new(),
        };
        let mut about = one_in(facts.rate, facts.rate.ln());
        let target = self.target.map(|(target, ..)| target);
        if let Some((target, met, _)) = self.target {
            about += &format!(", target {}: {}", nearest(target, 5), verdict(met));
        }
        if let Some(certainty) = facts.certainty() {
            about += &format!("; {certainty}");
        }
        vec![
            (
                "n",
                n.map_or(plain("-"), grouped),
                plain(if n == Some(1) { "item" } else { "items" }),
                estimated + &counted,
            ),
            (
                "m",
                grouped(facts.bits),
                plain("bits"),
                bytes_of_bits(facts.bits) + &per_item,
            ),
            (
                "k",
                facts.hashes.to_string(),
                plain(if facts.hashes == 1 { "hash" } else { "hashes" }),
                String::new(),
            ),
            (
                "fill",
                nearest(facts.fill, 4),
                String::new(),
                plain("of the bits set"),
            ),
            (
                "p",
                rate_up(facts.rate, facts.rate.ln(), target),
                String::new(),
                about,
            ),
        ]
    }

    /// Returns a note on the most items with which filters of this size meet the target rate on average.
    fn about_target(&self) -> Option<String> {
        let (target, _, items) = self.target?;
        let target = nearest(target, 5);
        let most = match items? {
            u64::MAX => "with any number of items".to_string(),
            most => format!("up to {}", counted(most, "item")),
        };
        let estimate = self.facts.items.as_ref();
        let present = estimate.map_or(0, |items| items.items.round() as u64);
        let so_far = match present {
            0 => String::new(),
            items => format!("; this one has about {}", grouped(items)),
        };
        Some(format!(
            "on average a filter of this size keeps p = {target} {most}{so_far}"
        ))
    }

    /// Returns whether the filter's rate is above the target rate.
    pub(crate) fn is_missed(&self) -> bool {
        matches!(self.target, Some((_, false, _)))
    }

    pub(crate) fn json(&self) -> Object {
        let facts = &self.facts;
        let mut pairs: Vec<(&'static str, Value)> = vec![("format", self.system.name.into())];
        pairs.extend(facts.fields.iter().cloned());
        let items = facts.items.as_ref();
        pairs.extend([
            ("n", items.map(|items| items.items).into()),
            ("n_sd", items.map(|items| items.standard_deviation).into()),
            ("n_counted", facts.counted.into()),
            ("m", facts.bits.into()),
            ("k", facts.hashes.into()),
            ("fill", facts.fill.into()),
            ("p", facts.rate.into()),
            ("p_sd", facts.deviation.into()),
            ("p_keys", facts.measured.into()),
            ("target", self.target.map(|(target, ..)| target).into()),
            ("met", self.target.map(|(_, met, _)| met).into()),
            (
                "n_at_target",
                self.target.and_then(|(.., items)| items).into(),
            ),
            ("trailing_bytes", self.rest.into()),
            ("warnings", facts.warnings.clone().into()),
        ]);
        pairs.into_iter().collect()
    }
}
