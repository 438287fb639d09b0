//! Examines the operations that only some filters have, such as merging, on filters of every size and rate. Most results are
//! compared with a filter into which the items were inserted one by one.

use super::by_number::ByNumber;
use super::caught::caught;
use super::scripts::is_plain;
use super::setting::{ABSENT, Setting};
use super::{Examination, Outcome, Report, SMALL};
use crate::key::Integer;
use crate::step::Step;
use crate::subject::{Candidate, Inserted, Subject};

/// How often one item is inserted, and then removed. With seven insertions, a counter of four bits does not saturate even if
/// two hashes of the item select it.
const TIMES: usize = 7;

/// How often all items of a filter are removed and replaced by others.
const ROUNDS: u64 = 4;

/// A merge or an intersection, which combines a filter with another one.
type Combine<F> = fn(&mut ByNumber<F>, &ByNumber<F>) -> Option<Result<(), String>>;

/// An operation that some filters have.
struct Operation<F: Candidate> {
    name: &'static str,
    /// Tries the operation on an empty filter, and on a second one if it takes two; `None` if the filter lacks the operation.
    attempt: fn(&mut ByNumber<F>, &ByNumber<F>) -> Option<()>,
    /// Whether a step of a script belongs to this operation.
    takes: fn(&Step<Integer>) -> bool,
    /// Checks the operation on filters for a size and a rate.
    check: fn(&Setting<F>) -> Result<(), String>,
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
                check: Setting::batches,
            },
            Self {
                name: "clear",
                attempt: |it, _| it.clear(),
                takes: |step| *step == Step::Clear,
                check: Setting::clear,
            },
            Self {
                name: "copy",
                attempt: |it, _| it.copy().map(drop),
                takes: |step| *step == Step::Copy,
                check: Setting::copy,
            },
            Self {
                name: "remove",
                attempt: |it, _| it.remove(&1).map(drop),
                takes: |step| matches!(step, Step::Remove(_) | Step::InsertOften(..)),
                check: Setting::remove,
            },
            Self {
                name: "merge",
                attempt: |it, other| it.merge(other).map(drop),
                takes: |step| matches!(step, Step::Union(_)),
                check: Setting::merge,
            },
            Self {
                name: "intersect",
                attempt: |it, other| it.intersect(other).map(drop),
                takes: |step| matches!(step, Step::Intersect(_)),
                check: Setting::intersect,
            },
            Self {
                name: "save and load",
                attempt: |it, _| it.save().map(drop),
                takes: |step| *step == Step::Reload,
                check: Setting::save_and_load,
            },
        ]
    }
}

impl<F: Candidate> Examination<F> {
    pub(super) fn operate(&self, report: &mut Report) {
        let repeats = self.is_repeatable();
        let empty = || self.setting(SMALL, self.rates[0], repeats).empty();
        for Operation {
            name,
            attempt,
            takes,
            check,
        } in Operation::all()
        {
            let attempted = caught(|| Ok(attempt(&mut empty()?, &empty()?)));
            // A panic shows that the filter has the operation.
            if attempted == Ok(None) {
                report.add(name, "", Outcome::NotOffered);
                continue;
            }
            let scripts = self.try_scripts(self.random(), |step| is_plain(step) || takes(step));
            report.add(name, "short scripts", scripts);
            let check = |items, rate| check(&self.setting(items, rate, repeats));
            report.add(name, "", self.at_settings(check));
            if name == "batches" {
                let (items, rate) = (lengths().sum::<usize>() as u64, self.rates[0]);
                let held = format!("{} lengths", lengths().count());
                let outcome = Self::outcome(items, rate, || check(items, rate).map(|()| held));
                report.add(name, "", outcome);
            }
        }
    }
}

impl<F: Candidate> Setting<F> {
    /// Batches of many lengths must leave the same filter as single insertions, and give the same answers as single queries.
    fn batches(&self) -> Result<(), String> {
        let items = self.load();
        let mut filter = self.empty()?;
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
        self.check_reports(&filter, items, items)?;
        if self.repeats {
            let queried = items..items + ABSENT;
            let singly = self.filled(0..items)?;
            let alike = filter
                .seen(queried.clone())
                .check_equal(&singly.seen(queried));
            alike.map_err(|error| format!("filled by batches and one by one: {error}"))?;
        }
        // Every third of the queried items was not inserted.
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
                    "a batch has {lengths:?} answers and queries; the first answer that differs is {at:?}"
                ));
            }
        }
        Ok(())
    }

    /// A cleared filter must equal a new one, also when it is cleared and filled several times.
    fn clear(&self) -> Result<(), String> {
        let items = self.load();
        let mut filter = self.filled(0..items)?;
        for round in 1..=3 {
            filter.clear();
            let queried = 0..4 * items;
            let alike = filter
                .seen(queried.clone())
                .check_equal(&self.empty()?.seen(queried));
            alike.map_err(|error| format!("cleared and new: {error}"))?;
            let numbers = round * items..(round + 1) * items;
            filter.fill(numbers.clone())?;
            filter.check_found(numbers)?;
        }
        self.check_reports(&filter, items, 4 * items)?;
        if !self.repeats {
            return Ok(());
        }
        let queried = 4 * items..4 * items + ABSENT;
        let new = self.filled(3 * items..4 * items)?;
        let alike = filter.seen(queried.clone()).check_equal(&new.seen(queried));
        alike.map_err(|error| format!("filled after clearing and new: {error}"))
    }

    fn copy(&self) -> Result<(), String> {
        self.check_twins("copied", |filter| {
            filter.copy().ok_or("cannot be copied".to_owned())
        })
    }

    fn save_and_load(&self) -> Result<(), String> {
        self.check_twins("saved and loaded", |filter| {
            let bytes = filter.save().ok_or("cannot be saved")?;
            let loaded = self.empty()?.load(&bytes);
            let loaded = loaded.ok_or("can be saved, but not loaded")?;
            loaded.map_err(|error| format!("its own bytes are refused: {error}"))
        })
    }

    /// A copied or loaded filter (the twin) must equal its original. After the same insertions into both, also of more items
    /// than they are built for, the two must still be equal, unless filters with equal arguments differ. A change of one of the
    /// two must not change the other. After a merge of the two, the items of both must be found.
    fn check_twins(
        &self,
        how: &str,
        twin_of: impl Fn(&ByNumber<F>) -> Result<ByNumber<F>, String>,
    ) -> Result<(), String> {
        let items = self.items;
        let end = self.load().max(items + (3 * items).min(ABSENT));
        for held in [0, items / 2, items] {
            let when = |error| format!("{how} with {held} items: {error}");
            let mut filter = self.filled(0..held)?;
            let mut twin = twin_of(&filter).map_err(when)?;
            let at_first = filter.seen(0..held + ABSENT);
            let unchanged = |twin: &ByNumber<F>| twin.seen(0..held + ABSENT).check_equal(&at_first);
            unchanged(&twin).map_err(when)?;
            self.check_reports(&twin, held, end).map_err(when)?;
            let when = |error| format!("{how} with {held} items, then filled to {end}: {error}");
            let answers: Vec<Inserted> = (held..end).map(|item| filter.insert(&item)).collect();
            unchanged(&twin).map_err(|error| {
                when(format!(
                    "changed when only its original was filled: {error}"
                ))
            })?;
            let queried = 0..end + ABSENT;
            let full = filter.seen(queried.clone());
            let mut taken: Vec<u64> = (0..held).collect();
            for (item, theirs) in (held..end).zip(&answers) {
                let ours = twin.insert(&item);
                if (self.repeats || item < items) && ours != *theirs {
                    return Err(when(format!(
                        "item {item} is {ours:?}, and {theirs:?} in the original"
                    )));
                }
                if ours.is_accepted() {
                    taken.push(item);
                }
            }
            let accepted = answers.iter().filter(|it| it.is_accepted()).count() as u64;
            let accepted = [taken.len() as u64, held + accepted];
            if accepted[0].abs_diff(accepted[1]) > end / 20 {
                return Err(when(format!(
                    "{accepted:?} items are accepted, by this filter and by the original"
                )));
            }
            let alike = filter.seen(queried.clone()).check_equal(&full);
            alike.map_err(|error| when(format!("its original changed after that: {error}")))?;
            if self.repeats {
                twin.seen(queried).check_equal(&full).map_err(when)?;
            }
            filter.clear();
            let found = twin.check_found(taken.into_iter());
            found.map_err(when)?;
            if twin.remove(&0).is_some() && items > 1 {
                for item in 1..items / 2 {
                    twin.remove(&item);
                }
                twin.check_found((items / 2).max(1)..items).map_err(when)?;
            }
        }
        // For the merge, the two filters have different items, and have room for the items of both.
        let third = items / 3;
        let mut filter = self.filled(0..third)?;
        let mut twin = twin_of(&filter)?;
        twin.fill(third..2 * third)?;
        let when = |error| format!("{how}, then merged with its original: {error}");
        match filter.merge(&twin) {
            None => return Ok(()),
            Some(merged) => merged.map_err(when)?,
        }
        filter.check_found(0..2 * third).map_err(when)?;
        self.check_reports(&filter, 2 * third, items).map_err(when)
    }

    /// Removed items must not be found, except a few false positives, and the other items must be found. This must also hold
    /// after all items were replaced several times.
    fn remove(&self) -> Result<(), String> {
        let items = self.items;
        let mut filter = self.empty()?;
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
        let mut filter = self.filled(0..items)?;
        let evens = (0..items).step_by(2);
        for item in evens.clone() {
            if filter.remove(&item) == Some(false) {
                return Err(format!(
                    "item {item} was inserted, and its removal is refused"
                ));
            }
        }
        let odds = (0..items).skip(1).step_by(2);
        filter.check_found(odds.clone())?;
        // The filter may still find some removed items: false positives, and items whose counters are saturated and are not
        // lowered. So it is compared with a new filter that gets only the other items.
        let mut new = self.empty()?;
        for item in odds {
            new.insert(&item);
        }
        let found = |filter: &ByNumber<F>| {
            let found = evens.clone().filter(|item| filter.contains(item));
            found.count() as f64
        };
        let (left, due) = (found(&filter), found(&new));
        if left > 1.3 * due + 8.0 * (due + 1.0).sqrt() {
            let removed = items.div_ceil(2);
            return Err(format!(
                "{left} of {removed} removed items are still found, but only {due} if they are never inserted"
            ));
        }
        self.check_reports(&filter, items / 2, items)?;
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
            found
                .map_err(|error| format!("after {round} rounds of replacing all items: {error}"))?;
        }
        let (last, all) = (ROUNDS * items, (ROUNDS + 1) * items);
        self.check_hits(&filter, last..all, all)
            .map_err(|error| format!("after {ROUNDS} rounds of replacing all items: {error}"))
    }

    /// A merged filter must find the items of both filters, and not far more absent items than a filter into which all items
    /// were inserted. Some of the items are in both filters.
    fn merge(&self) -> Result<(), String> {
        let (third, half) = (self.items / 3, self.items / 2);
        let end = third + half;
        let mut filter = self.filled(0..half)?;
        let other = self.filled(third..end)?;
        let queried = 0..self.items + ABSENT;
        let before = other.seen(queried.clone());
        if let Some(Err(error)) = filter.merge(&other) {
            return Err(format!("two halves are not merged: {error}"));
        }
        filter.check_found(0..end)?;
        let alike = other.seen(queried.clone()).check_equal(&before);
        alike.map_err(|error| format!("the filter that was merged in changed: {error}"))?;
        self.check_hits(&filter, 0..end, self.items)?;
        if filter.filter.classic().is_some() && self.repeats {
            let all = self.filled(0..end)?.seen(queried.clone());
            let alike = filter.seen(queried).check_equal(&all);
            alike.map_err(|error| format!("merged, and filled one by one: {error}"))?;
        }
        filter.merge(&self.empty()?);
        filter.check_found(0..end)?;
        // After the removal of the items that only the first filter had, the items of the other one must still be found.
        if third > 0 && filter.remove(&0).is_some() {
            for item in 1..third {
                filter.remove(&item);
            }
            filter.check_found(third..end)?;
        }
        self.check_refusals(Subject::merge)
    }

    /// An intersection must find the items that are in both filters, and no item that one of them does not find.
    fn intersect(&self) -> Result<(), String> {
        let items = self.items;
        let (third, two_thirds) = (items / 3, 2 * items / 3);
        let mut filter = self.filled(0..two_thirds)?;
        let other = self.filled(third..items)?;
        let queried = 0..items + ABSENT;
        let (ours, theirs) = (filter.seen(queried.clone()), other.seen(queried.clone()));
        if let Some(Err(error)) = filter.intersect(&other) {
            return Err(format!("is not intersected: {error}"));
        }
        filter.check_found(third..two_thirds)?;
        filter.check_own_rate(items..items + ABSENT)?;
        let in_both = |item: u64| ours.found(item) && theirs.found(item);
        if let Some(item) = queried
            .clone()
            .find(|it| filter.contains(it) && !in_both(*it))
        {
            return Err(format!(
                "item {item} is found in the intersection, but not in both filters"
            ));
        }
        let alike = other.seen(queried).check_equal(&theirs);
        alike.map_err(|error| format!("the other filter of an intersection changed: {error}"))?;
        self.check_refusals(Subject::intersect)
    }

    /// If a filter refuses to be combined with another one, neither of the two may change.
    fn check_refusals(&self, combine: Combine<F>) -> Result<(), String> {
        let mut filter = self.filled(0..self.items)?;
        let seen = |filter: &ByNumber<F>| filter.seen(0..ABSENT);
        // A filter of another size or rate may be refused in any way: when it is built, by an error, or by a panic.
        for other in self.others().map_while(Result::ok) {
            let before = [seen(&filter), seen(&other)];
            let Ok(outcome) = caught(|| Ok(combine(&mut filter, &other))) else {
                break;
            };
            let Some(Err(why)) = outcome else {
                continue;
            };
            for (before, after) in before.iter().zip([seen(&filter), seen(&other)]) {
                let alike = after.check_equal(before);
                alike.map_err(|error| format!("changed by a refusal ({why}): {error}"))?;
            }
        }
        Ok(())
    }
}

/// The lengths of the batches that are tried: every length to 130; lengths around powers of two, because filters often process
/// batches in groups of such lengths; and two round numbers.
fn lengths() -> impl Iterator<Item = usize> + Clone {
    let around = (8..=16).flat_map(|log| (1 << log) - 1..=(1 << log) + 1);
    (0..=130).chain(around).chain([1_000, 10_000])
}

/// Cuts numbers into batches. Their lengths are the [`lengths`], one after the other, and again from the first.
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
