//! Examines a filter with weak hashers, with sizes at the edge of what is allowed or beyond, and with damaged bytes.

use std::ops::Range;

use super::by_number::ByNumber;
use super::caught::{caught, within};
use super::scripts::scripts_on;
use super::{Examination, Outcome, Report, SMALL};
use crate::state::AnyState;
use crate::subject::{Candidate, Subject};

/// Hashers with which a filter must not lose items or panic: weak ones, and hashers that give every item the same hash.
pub const DEGENERATE: [AnyState; 4] = [
    AnyState::Identity,
    AnyState::Fnv,
    AnyState::Zeros,
    AnyState::Ones,
];

/// Pairs of expected items and a rate with which constructors often go wrong.
pub const EDGES: [(u64, f64); 12] = [
    (0, 0.01),
    (1, 0.01),
    (2, 0.5),
    (1, 0.999_999),
    (10, 1e-15),
    (10, 1e-300),
    (10, 0.0),
    (10, 1.0),
    (10, 1.5),
    (10, -0.1),
    (10, f64::NAN),
    (10, f64::INFINITY),
];

/// The number of items in the filter whose bytes are changed.
const SAVED: u64 = 3;
/// The items of the filter whose `load` is called with the changed bytes.
const OTHERS: Range<u64> = 10..10 + SAVED;

impl<F: Candidate> Examination<F> {
    pub(super) fn try_hashers(&self, report: &mut Report) {
        // The last hasher is as good as the default one, but has another seed. It reveals a filter whose copy gets the default
        // hasher.
        for state in DEGENERATE.into_iter().chain([AnyState::Seeded(1)]) {
            let build = || F::with_hasher(SMALL, self.rates[0], state);
            let outcome = match caught(|| Ok(build())) {
                Ok(None) => {
                    report.add("degenerate hashers", "", Outcome::NotOffered);
                    return;
                }
                Ok(Some(Ok(_))) => {
                    let build = || {
                        let filter = build().expect("it was offered").expect("it was built");
                        ByNumber::new(filter, self.random().clone())
                    };
                    scripts_on(build, |_| true)
                }
                Ok(Some(Err(error))) | Err(error) => Outcome::Breaks(error),
            };
            report.add("degenerate hashers", format!("{state:?}"), outcome);
        }
    }

    /// Each pair of [`EDGES`] must be refused, or give a filter that finds an item that it accepts. If the rate is below 0.5 or
    /// NaN, the filter must not find all other items.
    pub(super) fn try_edges(&self, report: &mut Report) {
        let mut broken = Vec::new();
        for (items, rate) in EDGES {
            let kind = self.random().clone();
            let outcome = within(move || {
                let Ok(mut filter) = Self::build(&kind, items, rate) else {
                    return Ok(());
                };
                if filter.insert(&7).is_accepted() && !filter.contains(&7) {
                    return Err("an inserted item is not found".to_owned());
                }
                if filter.hits(1_000..2_000) == 1_000 && (rate.is_nan() || rate < 0.5) {
                    return Err("everything is found".to_owned());
                }
                Ok(())
            });
            if let Err(why) = outcome {
                broken.push(format!("n = {items}, p = {rate}: {why}"));
            }
        }
        let outcome = if broken.is_empty() {
            Outcome::Holds(format!("{} sizes", EDGES.len()))
        } else {
            Outcome::Breaks(broken.join("; "))
        };
        report.add("edge sizes", "", outcome);
    }

    /// Changed bytes of a saved filter must be refused, or give a filter that finds a further item if it accepts the item. If
    /// the number of the bytes was changed, they must not load as a filter that has lost saved items. If their number is
    /// unchanged, such a filter is tolerated, because a checksum is not required.
    pub(super) fn load_hostile_bytes(&self, report: &mut Report) {
        let saved = caught(|| {
            let mut filter = Self::build(self.random(), SAVED, self.rates[0])?;
            filter.fill(0..SAVED)?;
            Ok(filter.save())
        });
        let outcome = match saved {
            Ok(Some(bytes)) => self.load_changed(&bytes),
            Ok(None) => Outcome::NotOffered,
            Err(error) => Outcome::Breaks(error),
        };
        report.add("hostile bytes", "", outcome);
    }

    fn load_changed(&self, bytes: &[u8]) -> Outcome {
        let cases = changed(bytes);
        let (count, length) = (cases.len(), bytes.len());
        for (name, changed) in cases {
            let (kind, rate) = (self.random().clone(), self.rates[0]);
            let outcome = within(move || {
                let mut filter = Self::build(&kind, SAVED, rate)?;
                filter.fill(OTHERS)?;
                let before = filter.seen(0..100);
                let loaded = filter.load(&changed);
                let alike = filter.seen(0..100).check_equal(&before);
                alike.map_err(|error| format!("changes the filter that loads: {error}"))?;
                let Some(Ok(mut loaded)) = loaded else {
                    return Ok(());
                };
                if changed.len() != length {
                    let found = loaded.check_found(0..SAVED);
                    found.map_err(|error| format!("loads, and {error}"))?;
                }
                if loaded.insert(&7).is_accepted() && !loaded.contains(&7) {
                    return Err("loads, and an inserted item is not found".to_owned());
                }
                loaded.hits(1_000..1_100);
                Ok(())
            });
            if let Err(why) = outcome {
                return Outcome::Breaks(format!("{name}: {why}"));
            }
        }
        Outcome::Holds(format!("{count} changes"))
    }
}

/// Returns changed copies of the bytes of a saved filter, each with a name: cut short, extended, or with one byte or eight
/// bytes changed.
fn changed(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut cases = Vec::new();
    let lengths = 0..=bytes.len() + 8;
    let lengths = lengths.filter(|at| *at != bytes.len());
    for length in lengths.filter(|at| *at < 64 || *at + 64 >= bytes.len()) {
        let mut changed = bytes.to_vec();
        changed.resize(length, 0);
        let how = if length < bytes.len() {
            "cut"
        } else {
            "extended"
        };
        cases.push((format!("{how} to {length} bytes"), changed));
    }
    for at in 0..bytes.len().min(96) {
        for byte in [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80] {
            let mut changed = bytes.to_vec();
            changed[at] = byte;
            cases.push((format!("byte {at} set to {byte}"), changed));
        }
        if at + 8 <= bytes.len() && at % 8 == 0 {
            for byte in [0, 0xff] {
                let mut changed = bytes.to_vec();
                changed[at..at + 8].fill(byte);
                cases.push((format!("bytes {at} to {} set to {byte}", at + 7), changed));
            }
        }
    }
    cases
}
