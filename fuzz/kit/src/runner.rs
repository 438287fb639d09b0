//! Runs a script on a filter and compares it with the multiset of its items and, for filters of bloom-core,
//! with the documented layout: the multiset reveals lost items, the layout every wrong bit.

use std::collections::BTreeMap;

use crate::documented::Documented;
use crate::key::{Key, Keys};
use crate::promise::{Checked, Promise, ensure};
use crate::state::AnyState;
use crate::step::Step;
use crate::subject::{Inserted, Subject};

/// A script ends after computing this many positions: longer ones take more time and find no more.
const MOST_POSITIONS: u64 = 10_000;
/// Filters of up to this many bits or counters are compared with the layout after each step, larger ones only
/// at the end.
const SMALL: u64 = 1 << 14;
/// Above this many bits or counters, no step or check visits all of them, because that takes too long.
const MOST_CELLS: u64 = 1 << 22;
/// Number of keys that are looked up in a filter after it was loaded or cleared, at most.
const MOST_ASKED: usize = 500;

/// The documented layout that a filter is compared with.
pub(crate) struct Beside {
    pub(crate) layout: Documented,
    pub(crate) state: AnyState,
    /// Whether to remove false positives too. This is documented to cause false negatives, so from then on
    /// only the layout is compared.
    pub(crate) loose: bool,
}

/// A filter, the function that builds another one, and how often each key is in it.
pub(crate) struct Runner<K, F, B> {
    filter: F,
    build: B,
    inside: BTreeMap<K, u64>,
    /// Whether other keys may be in it too, after a batch that was only partly inserted.
    may_hold_more: bool,
    beside: Option<Beside>,
    positions: u64,
    /// Keys that the script uses.
    asked: Vec<K>,
}

impl<K: Key, F: Subject<K::Item>, B: Fn() -> F> Runner<K, F, B> {
    pub(crate) fn new(build: B, beside: Option<Beside>, keys: impl Iterator<Item = K>) -> Self {
        Self {
            filter: build(),
            build,
            inside: BTreeMap::new(),
            may_hold_more: false,
            beside,
            positions: 0,
            asked: keys.take(MOST_ASKED).collect(),
        }
    }

    /// Returns whether the script has used up its budget of work.
    pub(crate) fn is_done(&self) -> bool {
        self.positions >= MOST_POSITIONS
    }

    /// Applies a step to the filter and its models, and compares them.
    pub(crate) fn apply(&mut self, step: &Step<K>) -> Checked {
        let layout = self.beside.as_ref().map(|it| &it.layout);
        let is_large = layout.is_some_and(|it| it.cells() > MOST_CELLS);
        self.positions += layout.map_or(0, |it| it.hashes() * step.uses());
        match step {
            Step::Insert(key) => self.insert(key),
            Step::InsertOften(key, times) => (0..*times).try_for_each(|_| self.insert(key)),
            Step::InsertMany(keys) => self.insert_many(&keys.keys()),
            Step::Contains(key) => self.check_key(key),
            Step::ContainsMany(keys) => self.contains_many(&keys.keys()),
            Step::Remove(key) => self.remove(key),
            _ if is_large => Ok(()),
            Step::Union(keys) => self.union(&keys.keys()),
            Step::Intersect(keys) => self.intersect(&keys.keys()),
            Step::Reload => self.reload(),
            Step::Copy => self.copy(),
            Step::Clear => self.clear(),
        }?;
        if is_large {
            return Ok(());
        }
        let rate = self.filter.predicted_rate();
        let share = rate.is_none_or(|rate| (0.0..=1.0).contains(&rate));
        ensure(share, Promise::ReadingsAreShares, || format!("{rate:?}"))?;
        self.check_bits(SMALL)
    }

    /// Runs the comparisons that are left for the end.
    pub(crate) fn finish(&self) -> Checked {
        self.check_all()?;
        self.check_bits(MOST_CELLS)
    }

    fn insert(&mut self, key: &K) -> Checked {
        self.check_key(key)?;
        let found = self.filter.contains(key.item());
        let answer = self.filter.insert(key.item());
        let is_known = answer == Inserted::New && self.holds(key);
        ensure(!is_known, Promise::KnownIsNotNew, || {
            format!("new for {key:?}")
        })?;
        let agrees = match answer {
            Inserted::New => !found,
            Inserted::Seen => found,
            Inserted::Taken | Inserted::Refused(_) => true,
        };
        ensure(agrees, Promise::NewIsNotFound, || {
            format!("found {found}, then {answer:?} for {key:?}")
        })?;
        if let Inserted::Refused(_) = answer {
            // The call must not lose any inserted item.
            return self.check_all();
        }
        self.learn(key);
        self.check_key(key)
    }

    fn insert_many(&mut self, keys: &[K]) -> Checked {
        let items: Vec<&K::Item> = keys.iter().map(Key::item).collect();
        match self.filter.insert_many(&items) {
            None => return keys.iter().try_for_each(|key| self.insert(key)),
            Some(Ok(())) => keys.iter().for_each(|key| self.learn(key)),
            // Some of the keys are in, and it is unknown which.
            Some(Err(_)) => {
                self.may_hold_more = true;
                return self.check_all();
            }
        }
        keys.iter().try_for_each(|key| self.check_key(key))
    }

    fn contains_many(&mut self, keys: &[K]) -> Checked {
        let items: Vec<&K::Item> = keys.iter().map(Key::item).collect();
        if let Some(answers) = self.filter.contains_many(&items) {
            let contains = |item: &&K::Item| self.filter.contains(item);
            let singly: Vec<bool> = items.iter().map(contains).collect();
            ensure(answers == singly, Promise::BatchIsSingle, || {
                format!("{answers:?}, one by one {singly:?}")
            })?;
        }
        keys.iter().try_for_each(|key| self.check_key(key))
    }

    fn remove(&mut self, key: &K) -> Checked {
        let held = self.holds(key);
        let loose = self.beside.as_ref().is_some_and(|it| it.loose);
        // Removing a false positive is not covered by a promise.
        if !held && !loose && self.filter.contains(key.item()) {
            return Ok(());
        }
        let Some(removed) = self.filter.remove(key.item()) else {
            return Ok(());
        };
        let documented = self
            .beside
            .as_mut()
            .is_some_and(|it| it.layout.remove(key.hash(it.state)));
        let expected = held || documented;
        ensure(removed == expected, Promise::InsertedIsRemoved, || {
            format!("{removed} for {key:?}")
        })?;
        if !removed {
            return Ok(());
        }
        if held {
            *self.inside.entry(key.clone()).or_default() -= 1;
        } else {
            self.inside.clear();
        }
        self.check_all()
    }

    fn union(&mut self, keys: &[K]) -> Checked {
        let (other, keys) = self.other(keys);
        let Some(outcome) = self.filter.merge(&other) else {
            return Ok(());
        };
        if outcome.is_err() {
            let may_be_full = self.may_hold_more || !self.fits(&keys);
            ensure(may_be_full, Promise::MergedAreFound, || {
                format!("{outcome:?}, though there is room for both")
            })?;
            return self.check_all();
        }
        // A union adds the counters: it has the layout of a filter into which both were inserted.
        for key in &keys {
            self.learn(key);
        }
        let lost = self.lost();
        ensure(lost.is_none(), Promise::MergedAreFound, || {
            format!("none for {lost:?}")
        })
    }

    fn intersect(&mut self, keys: &[K]) -> Checked {
        let (other, keys) = self.other(keys);
        let Some(outcome) = self.filter.intersect(&other) else {
            return Ok(());
        };
        ensure(outcome.is_ok(), Promise::AlikeAreCombined, || {
            format!("{outcome:?}")
        })?;
        let mut theirs = BTreeMap::<&K, u64>::new();
        for key in &keys {
            *theirs.entry(key).or_default() += 1;
        }
        for (key, count) in &mut self.inside {
            *count = (*count).min(theirs.get(key).copied().unwrap_or(0));
        }
        if let Some(Beside { layout, state, .. }) = &mut self.beside {
            let mut other = layout.empty();
            for key in &keys {
                other.insert(key.hash(*state));
            }
            layout.intersect_with(&other);
        }
        self.check_all()
    }

    fn reload(&mut self) -> Checked {
        let Some(outcome) = self.filter.save().and_then(|it| self.filter.load(&it)) else {
            return Ok(());
        };
        let loaded = match outcome {
            Ok(loaded) => loaded,
            Err(error) => return ensure(false, Promise::LoadedIsSaved, || error),
        };
        self.compare(&loaded, Promise::LoadedIsSaved)?;
        self.filter = loaded;
        self.check_all()
    }

    fn copy(&mut self) -> Checked {
        let Some(copy) = self.filter.copy() else {
            return Ok(());
        };
        let before = self.filter.save();
        let mut original = std::mem::replace(&mut self.filter, copy);
        original.clear();
        ensure(self.filter.save() == before, Promise::CopyIsEqual, || {
            "other bytes".to_owned()
        })?;
        self.check_all()
    }

    fn clear(&mut self) -> Checked {
        if self.filter.clear().is_none() {
            return Ok(());
        }
        self.inside.clear();
        self.may_hold_more = false;
        if let Some(Beside { layout, .. }) = &mut self.beside {
            *layout = layout.empty();
        }
        self.compare(&(self.build)(), Promise::ClearedIsNew)
    }

    /// Another filter of these keys, and the keys that it took.
    fn other(&mut self, keys: &[K]) -> (F, Vec<K>) {
        let mut other = (self.build)();
        let taken = |key: &&K| !matches!(other.insert(key.item()), Inserted::Refused(_));
        let keys = keys.iter().filter(taken).cloned().collect();
        (other, keys)
    }

    /// Returns whether a new filter takes the present keys and these keys, one by one.
    fn fits(&self, keys: &[K]) -> bool {
        let mut new = (self.build)();
        let times = |(key, count): (_, &u64)| std::iter::repeat_n(key, *count as usize);
        let mut both = self.inside.iter().flat_map(times).chain(keys);
        both.all(|key| !matches!(new.insert(key.item()), Inserted::Refused(_)))
    }

    fn learn(&mut self, key: &K) {
        *self.inside.entry(key.clone()).or_default() += 1;
        if let Some(Beside { layout, state, .. }) = &mut self.beside {
            layout.insert(key.hash(*state));
        }
    }

    fn holds(&self, key: &K) -> bool {
        self.inside.get(key).is_some_and(|count| *count > 0)
    }

    /// The first key that is in the filter and not found.
    fn lost(&self) -> Option<&K> {
        let mut inside = self.inside.iter().filter(|(_, count)| **count > 0);
        inside.find_map(|(key, _)| (!self.filter.contains(key.item())).then_some(key))
    }

    fn check_all(&self) -> Checked {
        let lost = self.lost();
        ensure(lost.is_none(), Promise::InsertedIsFound, || {
            format!("none for {:?}", lost.expect("one is lost"))
        })
    }

    fn check_key(&self, key: &K) -> Checked {
        let found = self.filter.contains(key.item());
        ensure(found || !self.holds(key), Promise::InsertedIsFound, || {
            format!("none for {key:?}")
        })?;
        let is_set = |it: &Beside| it.layout.contains(key.hash(it.state));
        let agrees = self.beside.as_ref().is_none_or(|it| found == is_set(it));
        ensure(agrees, Promise::FoundIsSet, || {
            format!("{found} for {key:?}")
        })
    }

    /// Compares the answers of another filter with those of this one, for the script's keys.
    fn compare(&self, other: &F, promise: Promise) -> Checked {
        self.asked.iter().try_for_each(|key| {
            let (ours, theirs) = (self.filter.contains(key.item()), other.contains(key.item()));
            ensure(ours == theirs, promise, || {
                format!("{ours} here and {theirs} there for {key:?}")
            })
        })
    }

    /// Compares the bytes of a filter of at most this size with the layout, and checks its readings against
    /// them.
    fn check_bits(&self, most_cells: u64) -> Checked {
        let Some(Beside { layout, state, .. }) = &self.beside else {
            return Ok(());
        };
        if layout.cells() > most_cells {
            return Ok(());
        }
        let (bytes, plain) = (self.filter.save(), layout.to_bytes(*state));
        let is_same = bytes.as_ref().is_none_or(|bytes| *bytes == plain);
        ensure(is_same, Promise::BytesAreDocumented, || {
            let bytes = bytes.unwrap_or_default();
            let mut both = bytes.iter().zip(&plain);
            let differs = both.position(|(one, other)| one != other);
            let lengths = (bytes.len(), plain.len());
            format!("{lengths:?} bytes, the first that differs at {differs:?}")
        })?;
        let Some(readings) = self.filter.readings() else {
            return Ok(());
        };
        let rate = self.filter.predicted_rate().unwrap_or_default();
        let fill = layout.fill();
        let (empty, full) = (fill == 0.0, fill == 1.0);
        let agree = readings.fill == fill
            && readings.empty == empty
            && readings.saturated.is_none_or(|it| it == layout.saturated())
            && (!empty || rate == 0.0)
            && (!full || rate == 1.0);
        ensure(agree, Promise::ReadingsAreShares, || {
            format!("{readings:?} and rate {rate} at fill {fill}")
        })?;
        let finite = readings.estimate.is_none_or(|it| {
            let numbers = [it.items, it.standard_deviation];
            numbers.iter().all(|it| (0.0..=f64::MAX).contains(it))
        });
        // If a partition or block is full, there is no estimate, even before the whole filter is full.
        let is_none = readings.estimate.is_none();
        let fits = if layout.is_intersected() {
            is_none
        } else if layout.is_in_parts() {
            is_none || !full
        } else {
            is_none == full
        };
        ensure(finite && fits, Promise::EstimateUnlessFull, || {
            format!("{readings:?}")
        })
    }
}
