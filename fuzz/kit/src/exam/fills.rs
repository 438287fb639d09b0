//! Fills filters and asks each for everything that went in.

use super::by_number::ByNumber;
use super::caught::caught;
use super::{Examination, Outcome, Report, SMALL, first_broken, written};
use crate::item::Kind;
use crate::subject::{Candidate, Inserted, Subject};

/// How often one item is inserted: beyond the counters of 16 bits.
const REPETITIONS: u32 = 70_000;
/// Items that go into a large filter, and the items that it is built for: its indices need more than 24 bits.
const WIDE: (u64, u64) = (1 << 17, 1 << 22);
/// Items that are inserted into a full filter again: none of them is new.
const AGAIN: u64 = 1_000;
/// Items that go into a filter of more than 2^32 bits, and the items at 1 % that it is built for.
const BEYOND_32_BITS: (u64, u64) = (1 << 24, 460_000_000);

impl<F: Candidate> Examination<F> {
    pub(super) fn fill(&self, report: &mut Report) {
        let rate = self.rates[0];
        for kind in &self.kinds {
            let outcomes = self
                .sizes
                .iter()
                .map(|&items| Self::all_found(kind, items, rate, items));
            let outcome = first_broken(outcomes, &self.sizes);
            report.add("every item found", kind.name(), outcome);
        }
        report.add(
            "every item found",
            "1 to 130 items",
            Self::few_found(self.random()),
        );
        let outcome = Self::all_found(self.random(), WIDE.1, rate, WIDE.0);
        report.add(
            "every item found",
            format!("{} items where {} are expected", WIDE.0, WIDE.1),
            outcome,
        );
        report.add(
            "over capacity",
            "one by one",
            self.found_at_every_step(SMALL, rate),
        );
        let most = self.sizes.iter().copied().fold(0, u64::max);
        let case = format!("{most} items where 1000 are expected");
        report.add(
            "over capacity",
            case,
            Self::taken_are_found(self.random(), 1_000, rate, most),
        );
        let outcome = Self::taken_are_found(self.random(), 1, rate, most);
        report.add(
            "over capacity",
            format!("{most} items where 1 is expected"),
            outcome,
        );
        report.add("repeated insertion", "", self.repeated());
        if self.beyond_32_bits {
            let (items, expected) = BEYOND_32_BITS;
            let outcome = Self::all_found(self.random(), expected, 0.01, items);
            report.add(
                "every item found",
                format!("{items}, beyond 2^32 bits"),
                outcome,
            );
        }
    }

    /// A filter must accept the items that it was built for, and find them.
    fn all_found(kind: &Kind<F::Item>, expected: u64, rate: f64, items: u64) -> Outcome {
        let run = |items: u64| {
            caught(|| {
                let mut filter = Self::build(kind, expected, rate)?;
                filter.fill(0..items)?;
                filter.check_found(0..items)?;
                let again = 0..items.min(AGAIN);
                let new = again
                    .into_iter()
                    .find(|item| filter.insert(item) == Inserted::New);
                new.map_or(Ok(()), |item| {
                    Err(format!("item {item}, inserted again, is said to be new"))
                })
            })
        };
        let Err(mut why) = run(items) else {
            return Outcome::Holds(String::new());
        };
        // The least number of items that fails: fewer do not, as far as a search by halves can tell.
        let (mut passes, mut fails) = (0, items);
        while passes + 1 < fails {
            let middle = passes.midpoint(fails);
            match run(middle) {
                Ok(()) => passes = middle,
                Err(error) => (fails, why) = (middle, error),
            }
        }
        let name = kind.name();
        let built = written(expected, rate);
        Outcome::Breaks(format!("{built}, then insert {name} 0..{fails}: {why}"))
    }

    /// Filters of every small size, of few and of many hashes.
    fn few_found(kind: &Kind<F::Item>) -> Outcome {
        let rates = [0.5, 0.01, 1e-6];
        let mut refused = 0;
        for (items, rate) in (1..=130).flat_map(|items| rates.map(|rate| (items, rate))) {
            if caught(|| F::with_rate(items, rate)).is_err() {
                refused += 1;
                continue;
            }
            let outcome = Self::all_found(kind, items, rate, items);
            if let Outcome::Breaks(_) = outcome {
                return outcome;
            }
        }
        Outcome::Holds(format!("at {rates:?}, {refused} sizes refused"))
    }

    /// What a small filter accepts must be found after every insertion, even if it is more than it was built for.
    fn found_at_every_step(&self, items: u64, rate: f64) -> Outcome {
        let most = 10 * items;
        let run = caught(|| {
            let mut filter = Self::build(self.random(), items, rate)?;
            let mut taken = Vec::new();
            for item in 0..most {
                if filter.insert(&item).is_accepted() {
                    taken.push(item);
                }
                if let Some(lost) = taken.iter().find(|taken| !filter.contains(taken)) {
                    let built = written(items, rate);
                    return Err(format!(
                        "{built}: item {lost} is lost as item {item} is inserted"
                    ));
                }
            }
            Ok(taken.len())
        });
        match run {
            Ok(taken) => Outcome::Holds(format!(
                "{taken} of {most} taken where {items} are expected"
            )),
            Err(why) => Outcome::Breaks(why),
        }
    }

    fn taken_are_found(kind: &Kind<F::Item>, expected: u64, rate: f64, most: u64) -> Outcome {
        let run = caught(|| {
            let mut filter = Self::build(kind, expected, rate)?;
            let taken = |item: &u64| filter.insert(item).is_accepted();
            let taken: Vec<u64> = (0..most).filter(taken).collect();
            filter.check_found(taken.iter().copied())?;
            Ok(taken.len())
        });
        match run {
            Ok(taken) => Outcome::Holds(format!("{taken} taken")),
            Err(why) => Outcome::Breaks(format!("{}: {why}", written(expected, rate))),
        }
    }

    /// One item, inserted very often, must stay, and so must its neighbours; and with as many removals they still must.
    fn repeated(&self) -> Outcome {
        // Large enough for a filter that counts its insertions and refuses more.
        let (items, rate) = (2 * u64::from(REPETITIONS), self.rates[0]);
        let neighbours = 1..SMALL;
        let run = caught(|| {
            let mut filter = Self::build(self.random(), items, rate)?;
            filter.fill(neighbours.clone())?;
            let mut inside = 0;
            for time in 1..=REPETITIONS {
                if filter.insert(&0).is_accepted() {
                    inside += 1;
                }
                if inside > 0 && !filter.contains(&0) {
                    return Err(format!(
                        "item 0 is lost as it is inserted for the {time}th time"
                    ));
                }
            }
            filter.check_found(neighbours.clone())?;
            let mut other = Self::build(self.random(), items, rate)?;
            other.insert(&0);
            if self.is_repeatable()? && other.merge(&filter) == Some(Ok(())) {
                let found = other.check_found(0..SMALL);
                found.map_err(|error| {
                    format!("merged after {inside} insertions of item 0: {error}")
                })?;
            }
            if filter.remove(&0).is_none() {
                return Ok(());
            }
            // One insertion is left at the end; the first removal is done.
            for removed in 2..inside {
                filter.remove(&0);
                if !filter.contains(&0) {
                    return Err(format!(
                        "item 0, inserted {inside} times, is lost by removal {removed}"
                    ));
                }
            }
            check_neighbours(&filter, neighbours.clone())
        });
        match run {
            Ok(()) => Outcome::Holds(format!("{REPETITIONS} times")),
            Err(why) => Outcome::Breaks(format!("{}: {why}", written(items, rate))),
        }
    }
}

fn check_neighbours<F: Candidate>(
    filter: &ByNumber<F>,
    neighbours: std::ops::Range<u64>,
) -> Result<(), String> {
    let lost = filter.check_found(neighbours);
    lost.map_err(|error| format!("after insertions and removals of item 0: {error}"))
}
