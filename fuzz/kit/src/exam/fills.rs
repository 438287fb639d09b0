//! Fills filters and queries each for everything that was inserted.

use super::caught::caught;
use super::{Examination, Report, SMALL};
use crate::item::Kind;
use crate::subject::{Candidate, Inserted, Subject};

/// How often one item is inserted: more often than a counter of 16 bits can count.
const REPETITIONS: u32 = 70_000;
/// Items of a full filter that are inserted a second time: none of them is new.
const AGAIN: u64 = 1_000;
/// Items that go into a large filter, and the items that it is built for, at a rate of 1 %. Its indices take more than 24
/// bits, which an `f32` cannot hold, or more than 32 bits.
const WIDE: (u64, u64) = (1 << 17, 1 << 22);
const BEYOND_32_BITS: (u64, u64) = (1 << 24, 460_000_000);
const RATE: f64 = 0.01;

impl<F: Candidate> Examination<F> {
    pub(super) fn fill(&self, report: &mut Report) {
        let (rate, random) = (self.rates[0], self.random());
        for kind in &self.kinds {
            let outcome = self.at_sizes(|items| Self::check_filled(kind, items, rate, items));
            report.add("every item found", kind.name(), outcome);
        }
        let outcome = Self::outcome(1, rate, || Self::check_small(random));
        report.add("every item found", "1 to 130 items", outcome);
        let mut large = vec![WIDE];
        large.extend(self.beyond_32_bits.then_some(BEYOND_32_BITS));
        for (items, expected) in large {
            let check = || Self::check_filled(random, expected, RATE, items);
            let outcome = Self::outcome(expected, RATE, || check().map(|()| String::new()));
            let case = format!("{items} where {expected} are expected");
            report.add("every item found", case, outcome);
        }
        let outcome = Self::outcome(SMALL, rate, || self.check_each_insertion(SMALL, rate));
        report.add("over capacity", "one by one", outcome);
        let most = self.sizes.iter().copied().fold(0, u64::max);
        for expected in [1, 1_000] {
            let outcome = Self::outcome(expected, rate, || {
                let mut filter = Self::build(random, expected, rate)?;
                let taken = (0..most).filter(|item| filter.insert(item).is_accepted());
                let taken: Vec<u64> = taken.collect();
                filter.check_found(taken.iter().copied())?;
                Ok(format!("{} of {most} taken", taken.len()))
            });
            report.add("over capacity", format!("{expected} expected"), outcome);
        }
        // Large enough that a filter which counts its insertions refuses none.
        let expected = 2 * u64::from(REPETITIONS);
        let outcome = Self::outcome(expected, rate, || self.check_repeated(expected, rate));
        report.add("repeated insertion", "", outcome);
    }

    /// A filter must accept the items that it was built for, and find them.
    fn check_filled(
        kind: &Kind<F::Item>,
        expected: u64,
        rate: f64,
        items: u64,
    ) -> Result<(), String> {
        let run = |items: u64| {
            let mut filter = Self::build(kind, expected, rate)?;
            filter.fill(0..items)?;
            filter.check_found(0..items)?;
            let new = (0..items.min(AGAIN)).find(|item| filter.insert(item) == Inserted::New);
            new.map_or(Ok(()), |item| {
                Err(format!("item {item}, inserted again, is said to be new"))
            })
        };
        let run = |items| caught(|| run(items));
        let Err(mut why) = run(items) else {
            return Ok(());
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
        Err(format!("insert {} 0..{fails}: {why}", kind.name()))
    }

    /// Filters of every small size, of few and of many hashes.
    fn check_small(kind: &Kind<F::Item>) -> Result<String, String> {
        let rates = [0.5, 0.01, 1e-6];
        let mut refused = 0;
        for (items, rate) in (1..=130).flat_map(|items| rates.map(|rate| (items, rate))) {
            if caught(|| F::with_rate(items, rate)).is_err() {
                refused += 1;
                continue;
            }
            let filled = Self::check_filled(kind, items, rate, items);
            filled.map_err(|why| format!("and with_rate({items}, {rate}): {why}"))?;
        }
        Ok(format!("at {rates:?}, {refused} sizes refused"))
    }

    /// What a small filter accepts must be found after every insertion, even if it is more than it was built for.
    fn check_each_insertion(&self, items: u64, rate: f64) -> Result<String, String> {
        let most = 10 * items;
        let mut filter = Self::build(self.random(), items, rate)?;
        let mut taken = Vec::new();
        for item in 0..most {
            if filter.insert(&item).is_accepted() {
                taken.push(item);
            }
            if let Some(lost) = taken.iter().find(|taken| !filter.contains(taken)) {
                return Err(format!("item {lost} is lost as item {item} is inserted"));
            }
        }
        Ok(format!(
            "{} of {most} taken where {items} are expected",
            taken.len()
        ))
    }

    /// One item, inserted very often, must stay, and so must its neighbours: also after a merge, and after all but one of
    /// its removals.
    fn check_repeated(&self, expected: u64, rate: f64) -> Result<String, String> {
        let neighbours = 1..SMALL;
        let mut filter = Self::build(self.random(), expected, rate)?;
        filter.fill(neighbours.clone())?;
        let mut inside = 0;
        for time in 1..=REPETITIONS {
            inside += u32::from(filter.insert(&0).is_accepted());
            if inside > 0 && !filter.contains(&0) {
                return Err(format!(
                    "item 0 is lost as it is inserted for the {time}th time"
                ));
            }
        }
        filter.check_found(neighbours.clone())?;
        let mut other = Self::build(self.random(), expected, rate)?;
        other.insert(&0);
        if self.is_repeatable()? && other.merge(&filter) == Some(Ok(())) {
            let found = other.check_found(0..SMALL);
            found
                .map_err(|error| format!("merged after {inside} insertions of item 0: {error}"))?;
        }
        for removed in 1..inside {
            if filter.remove(&0).is_none() {
                break;
            }
            if !filter.contains(&0) {
                return Err(format!(
                    "item 0, inserted {inside} times, is lost by removal {removed}"
                ));
            }
        }
        let found = filter.check_found(neighbours);
        found.map_err(|error| format!("after insertions and removals of item 0: {error}"))?;
        Ok(format!("{REPETITIONS} times"))
    }
}
