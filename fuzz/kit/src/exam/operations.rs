//! Operations on filters of every size: the result is compared with a filter into which items were inserted one by one.

use std::ops::Range;

use super::by_number::ByNumber;
use super::caught::caught;
use super::scripts::is_plain;
use super::{Examination, Outcome, Report, SMALL};
use crate::key::Integer;
use crate::step::Step;
use crate::subject::{Candidate, Subject};

/// Absent items whose answers are compared.
pub(super) const ABSENT: u64 = 20_000;
/// How often one item is inserted, and then removed: even if two of its hashes share a counter of four bits, that counter
/// does not saturate.
const TIMES: usize = 7;

/// How often all items of a filter are removed and replaced.
const ROUNDS: u64 = 4;

/// An operation that some filters have.
struct Operation<F: Candidate> {
    name: &'static str,
    /// Tries the operation on an empty filter, with another empty one if it takes two; `None` if the filter lacks it.
    attempt: fn(&mut ByNumber<F>, &ByNumber<F>) -> Option<()>,
    /// Whether a step of a script belongs to this operation.
    takes: fn(&Step<Integer>) -> bool,
    /// Its check with filters for this number of items.
    check: fn(&Examination<F>, u64) -> Result<(), String>,
}

impl<F: Candidate> Operation<F> {
    fn all() -> [Self; 7] {
        [
            Self {
                name: "batches",
                attempt: |it, _| {
                    it.contains_many(&[&1])
                        .map(drop)
                        .or_else(|| it.insert_many(&[&1]).map(drop))
                },
                takes: |step| matches!(step, Step::InsertMany(_) | Step::ContainsMany(_)),
                check: Examination::batches,
            },
            Self {
                name: "clear",
                attempt: |it, _| it.clear(),
                takes: |step| *step == Step::Clear,
                check: Examination::clear,
            },
            Self {
                name: "copy",
                attempt: |it, _| it.copy().map(drop),
                takes: |step| *step == Step::Copy,
                check: Examination::copy,
            },
            Self {
                name: "remove",
                attempt: |it, _| it.remove(&1).map(drop),
                takes: |step| matches!(step, Step::Remove(_) | Step::InsertOften(..)),
                check: Examination::remove,
            },
            Self {
                name: "merge",
                attempt: |it, other| it.merge(other).map(drop),
                takes: |step| matches!(step, Step::Union(_)),
                check: Examination::merge,
            },
            Self {
                name: "intersect",
                attempt: |it, other| it.intersect(other).map(drop),
                takes: |step| matches!(step, Step::Intersect(_)),
                check: Examination::intersect,
            },
            Self {
                name: "save and load",
                attempt: |it, _| it.save().map(drop),
                takes: |step| *step == Step::Reload,
                check: Examination::save_and_load,
            },
        ]
    }
}

impl<F: Candidate> Examination<F> {
    pub(super) fn operate(&self, report: &mut Report) {
        for Operation {
            name,
            attempt,
            takes,
            check,
        } in Operation::all()
        {
            let attempted = caught(|| Ok(attempt(&mut self.empty(SMALL)?, &self.empty(SMALL)?)));
            // A panic shows that the filter has the operation.
            if attempted == Ok(None) {
                report.add(name, "", Outcome::NotOffered);
                continue;
            }
            let scripts = self.try_scripts(self.random(), |step| is_plain(step) || takes(step));
            report.add(name, "short scripts", scripts);
            report.add(name, "", self.at_sizes(|items| check(self, items)));
            if name == "batches" {
                let (items, rate) = (lengths().sum::<usize>() as u64, self.rates[0]);
                let held = format!("{} lengths", lengths().count());
                let outcome = Self::outcome(items, rate, || check(self, items).map(|()| held));
                report.add(name, "", outcome);
            }
        }
    }

    fn empty(&self, items: u64) -> Result<ByNumber<F>, String> {
        Self::build(self.random(), items, self.rates[0])
    }

    fn filled(&self, items: u64, numbers: Range<u64>) -> Result<ByNumber<F>, String> {
        let mut filter = self.empty(items)?;
        filter.fill(numbers)?;
        Ok(filter)
    }

    /// Returns whether equal arguments give equal filters. If each has a random seed, two of them cannot be compared.
    pub(super) fn is_repeatable(&self) -> Result<bool, String> {
        let items = self.sizes[0];
        let seen = || Ok::<_, String>(self.filled(items, 0..items)?.seen(items..items + ABSENT));
        Ok(seen()?.check_equal(&seen()?).is_ok())
    }

    /// Batches of many lengths must leave what single insertions leave, and answer as single queries do.
    fn batches(&self, expected: u64) -> Result<(), String> {
        let items = Self::load(expected);
        let mut filter = self.empty(expected)?;
        let numbers: Vec<u64> = (0..items).collect();
        for batch in in_batches(&numbers) {
            let refs: Vec<&u64> = batch.iter().collect();
            match filter.insert_many(&refs) {
                None => batch
                    .iter()
                    .try_for_each(|item| filter.fill(*item..*item + 1))?,
                Some(outcome) => outcome.map_err(|error| format!("a batch is refused: {error}"))?,
            }
            let found = filter.check_found(batch.iter().copied());
            found.map_err(|error| format!("inserted in a batch of {}: {error}", batch.len()))?;
        }
        filter.check_found(0..items)?;
        let queried = items..items + ABSENT;
        filter.check_own_rate(queried.clone())?;
        if self.is_repeatable()? {
            let singly = self.filled(expected, 0..items)?;
            let alike = filter
                .seen(queried.clone())
                .check_equal(&singly.seen(queried));
            alike.map_err(|error| format!("filled by batches and one by one: {error}"))?;
        }
        // Present and absent items in turn.
        let turn = |it: &u64| {
            if it.is_multiple_of(3) {
                items + it
            } else {
                *it
            }
        };
        let queried: Vec<u64> = numbers.iter().map(turn).collect();
        for batch in in_batches(&queried) {
            let refs: Vec<&u64> = batch.iter().collect();
            let Some(answers) = filter.contains_many(&refs) else {
                return Ok(());
            };
            let singly: Vec<bool> = batch.iter().map(|it| filter.contains(it)).collect();
            if answers != singly {
                let mut both = answers.iter().zip(&singly);
                let at = both.position(|(many, one)| many != one);
                let lengths = (answers.len(), batch.len());
                return Err(format!(
                    "{lengths:?} answers to a batch; the first that differs is {at:?}"
                ));
            }
        }
        Ok(())
    }

    /// A cleared filter must be as a new one, also when it is filled again, several times.
    fn clear(&self, expected: u64) -> Result<(), String> {
        let items = Self::load(expected);
        let mut filter = self.filled(expected, 0..items)?;
        for round in 1..=3 {
            filter.clear();
            let queried = 0..4 * items;
            let alike = filter
                .seen(queried.clone())
                .check_equal(&self.empty(expected)?.seen(queried));
            alike.map_err(|error| format!("cleared and new: {error}"))?;
            let numbers = round * items..(round + 1) * items;
            filter.fill(numbers.clone())?;
            filter.check_found(numbers)?;
        }
        let queried = 4 * items..4 * items + ABSENT;
        filter.check_own_rate(queried.clone())?;
        if !self.is_repeatable()? {
            return Ok(());
        }
        let new = self.filled(expected, 3 * items..4 * items)?;
        let alike = filter.seen(queried.clone()).check_equal(&new.seen(queried));
        alike.map_err(|error| format!("filled after clearing and new: {error}"))
    }

    /// A copy and its original must not affect each other.
    fn copy(&self, expected: u64) -> Result<(), String> {
        let items = Self::load(expected);
        let half = items / 2;
        let mut filter = self.filled(expected, 0..half)?;
        let Some(mut copy) = filter.copy() else {
            return Err("cannot be copied when it holds items".to_owned());
        };
        let queried = 0..items + ABSENT;
        let before = filter.seen(queried.clone());
        filter.fill(half..items)?;
        let alike = copy.seen(queried.clone()).check_equal(&before);
        alike.map_err(|error| format!("a copy, after insertions into the original: {error}"))?;
        let before = filter.seen(queried.clone());
        copy.fill(items..items + half)?;
        let alike = filter.seen(queried).check_equal(&before);
        alike.map_err(|error| format!("the original, after insertions into a copy: {error}"))?;
        filter.clear();
        let found = copy.check_found((0..half).chain(items..items + half));
        found.map_err(|error| format!("a copy, after changes of the original: {error}"))?;
        copy.check_own_rate(2 * items..2 * items + ABSENT)
    }

    /// What is removed must go, and the rest must stay; also when all items are replaced, again and again.
    fn remove(&self, items: u64) -> Result<(), String> {
        let mut filter = self.empty(items)?;
        for item in 0..items.min(SMALL) {
            let taken = (0..TIMES).filter(|_| filter.insert(&item).is_accepted());
            let taken = taken.count();
            let removed = (0..taken).filter(|_| filter.remove(&item) == Some(true));
            if removed.count() < taken || filter.contains(&item) {
                return Err(format!(
                    "item {item}, alone, is not gone after {taken} insertions and removals"
                ));
            }
        }
        let mut filter = self.filled(items, 0..items)?;
        for item in (0..items).step_by(2) {
            if filter.remove(&item) == Some(false) {
                return Err(format!("item {item} is in, and its removal is refused"));
            }
        }
        filter.check_found((0..items).skip(1).step_by(2))?;
        let removed = items.div_ceil(2);
        let evens = (0..items).step_by(2);
        let left = evens.clone().filter(|item| filter.contains(item)).count() as f64;
        // A filter at half of its load has far fewer false positives than `due`; saturated counters keep a few more items.
        let due = removed as f64 * self.rates[0];
        if left > due + 8.0 * due.sqrt() + 8.0 {
            return Err(format!("{left} of {removed} removed items are still found"));
        }
        for item in evens {
            filter.insert(&item);
        }
        let found = filter.check_found(0..items);
        found.map_err(|error| format!("removed and inserted again: {error}"))?;
        for round in 1..=ROUNDS {
            for item in (round - 1) * items..round * items {
                filter.remove(&item);
            }
            let numbers = round * items..(round + 1) * items;
            filter.fill(numbers.clone())?;
            let found = filter.check_found(numbers);
            found.map_err(|error| format!("after {round} rounds of replacing all: {error}"))?;
        }
        let all = (ROUNDS + 1) * items;
        self.check_hits(&filter, items, all)
            .map_err(|error| format!("after {ROUNDS} rounds of replacing all items: {error}"))
    }

    /// Checks that a filter with its expected items does not find far more absent items than a new one with as many items.
    fn check_hits(&self, filter: &ByNumber<F>, items: u64, first: u64) -> Result<(), String> {
        let queried = first..first + ABSENT;
        filter.check_own_rate(queried.clone())?;
        let new = self.filled(items, 0..items)?;
        let (seen, due) = (filter.hits(queried.clone()), new.hits(queried));
        if is_far_above(items, seen, due) {
            return Err(format!(
                "finds {seen} of {ABSENT} absent items, and a new one {due}"
            ));
        }
        Ok(())
    }

    /// A merged filter must find the items of both, and not much more than a filter into which all were inserted.
    fn merge(&self, items: u64) -> Result<(), String> {
        let half = items / 2;
        let mut filter = self.filled(items, 0..half)?;
        let other = self.filled(items, half..items)?;
        let before = other.seen(0..items);
        if let Some(Err(error)) = filter.merge(&other) {
            return Err(format!("two halves are not merged: {error}"));
        }
        filter.check_found(0..items)?;
        let alike = other.seen(0..items).check_equal(&before);
        alike.map_err(|error| format!("what was merged in: {error}"))?;
        self.check_hits(&filter, items, items)?;
        if filter.filter.classic().is_some() && self.is_repeatable()? {
            let queried = 0..items + ABSENT;
            let both = self.filled(items, 0..items)?.seen(queried.clone());
            let alike = filter.seen(queried).check_equal(&both);
            alike.map_err(|error| format!("merged, and inserted one by one: {error}"))?;
        }
        filter.merge(&self.empty(items)?);
        filter.check_found(0..items)?;
        // Removing the items of one half must not lose those of the other.
        if filter.remove(&0).is_some() {
            for item in 1..half {
                filter.remove(&item);
            }
            filter.check_found(half..items)?;
        }
        Ok(())
    }

    /// What is in both filters must be in their intersection.
    fn intersect(&self, items: u64) -> Result<(), String> {
        let (third, two_thirds) = (items / 3, 2 * items / 3);
        let mut filter = self.filled(items, 0..two_thirds)?;
        let other = self.filled(items, third..items)?;
        if let Some(Err(error)) = filter.intersect(&other) {
            return Err(format!("is not intersected: {error}"));
        }
        filter.check_found(third..two_thirds)?;
        filter.check_own_rate(items..items + ABSENT)?;
        let apart = (0..third).chain(two_thirds..items);
        let apart = apart.filter(|it| filter.contains(it)).count();
        // With a high rate the intersection has many bits that no common item has set.
        if self.rates[0] < 0.5 && third >= 100 && apart as u64 > (items - (two_thirds - third)) / 2
        {
            return Err(format!(
                "{apart} items that are in one of two filters are in their intersection"
            ));
        }
        Ok(())
    }

    /// A loaded filter must behave as the saved one: with the same answers and reports, also when both are over capacity.
    fn save_and_load(&self, items: u64) -> Result<(), String> {
        let end = Self::load(items).max(4 * items);
        let repeats = self.is_repeatable()?;
        for loaded_at in [0, items / 2, items] {
            let mut filter = self.filled(items, 0..loaded_at)?;
            let bytes = filter.save().ok_or("cannot be saved when it holds items")?;
            let mut loaded = match self.empty(items)?.load(&bytes) {
                Some(Ok(loaded)) => loaded,
                Some(Err(error)) => return Err(format!("its own bytes are refused: {error}")),
                None => return Err("can be saved, and not loaded".to_owned()),
            };
            let when = |error| format!("saved with {loaded_at} items and loaded: {error}");
            let compare = |loaded: &ByNumber<F>, filter: &ByNumber<F>, held: u64| {
                let queried = 0..held + ABSENT;
                loaded
                    .seen(queried.clone())
                    .check_equal(&filter.seen(queried))
            };
            compare(&loaded, &filter, loaded_at).map_err(when)?;
            loaded.check_own_rate(end..end + ABSENT).map_err(when)?;
            let mut accepted = [0, 0];
            for item in loaded_at..end {
                let (ours, theirs) = (loaded.insert(&item), filter.insert(&item));
                accepted[0] += u64::from(ours.is_accepted());
                accepted[1] += u64::from(theirs.is_accepted());
                if (repeats || item < items) && ours != theirs {
                    return Err(when(format!(
                        "item {item} is then {ours:?}, and {theirs:?} in the original"
                    )));
                }
            }
            let when = |error| {
                format!("saved with {loaded_at} items, loaded and filled to {end}: {error}")
            };
            if accepted[0].abs_diff(accepted[1]) > end / 20 {
                return Err(when(format!(
                    "{accepted:?} items are accepted, by this filter and by the original"
                )));
            }
            loaded.check_found(0..items).map_err(when)?;
            if repeats {
                compare(&loaded, &filter, end).map_err(when)?;
            }
            if loaded.remove(&0).is_some() && items > 1 {
                for item in 1..items / 2 {
                    loaded.remove(&item);
                }
                loaded
                    .check_found((items / 2).max(1)..items)
                    .map_err(when)?;
            }
        }
        Ok(())
    }
}

/// Returns whether a filter finds far more absent items than are due. Filters for a thousand items or more differ by a few
/// percent: 30 % and eight standard deviations of the count are beyond chance. Smaller filters differ more, so a single one
/// proves nothing.
pub(super) fn is_far_above(items: u64, seen: u64, due: u64) -> bool {
    let due = due as f64;
    items >= 1_000 && seen as f64 > 1.3 * due + 8.0 * (due + 1.0).sqrt()
}

/// Lengths of batches: every short length; lengths around powers of two, because batches work in groups of such sizes; and
/// round numbers.
fn lengths() -> impl Iterator<Item = usize> + Clone {
    let around = (8..=16).flat_map(|log| (1 << log) - 1..=(1 << log) + 1);
    (0..=130).chain(around).chain([1_000, 10_000])
}

/// Cuts numbers into batches of these lengths.
fn in_batches(mut numbers: &[u64]) -> Vec<&[u64]> {
    let mut batches = Vec::new();
    let mut lengths = lengths().cycle();
    while !numbers.is_empty() {
        let length = lengths.next().expect("they have no end");
        let (batch, rest) = numbers.split_at(length.min(numbers.len()));
        batches.push(batch);
        numbers = rest;
    }
    batches
}
