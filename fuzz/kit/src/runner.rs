//! Runs a script (a sequence of operations) on a filter, and compares the filter with the multiset of the inserted items and,
//! if more is known about the filter, with a model. The multiset reveals lost items; a model of the bits reveals every wrong
//! bit.

use std::collections::BTreeMap;

use crate::key::{Key, Keys};
use crate::promise::{Checked, Promise, ensure};
use crate::step::Step;
use crate::subject::{Inserted, Subject};

/// The maximum number of keys that are queried in a filter after it was loaded or cleared.
const MAX_QUERIED: usize = 500;

/// A model of a filter: what is known about the filter besides the multiset of its items, such as the layout of its bits. A
/// script applies the same steps to the filter and to the model.
pub trait Model<K, F> {
    /// Returns whether the script ends before this step. A model ends a script whose remaining steps would take time but hardly
    /// find a new violation.
    fn is_done(&mut self, step: &Step<K>) -> bool
    where
        K: Key,
    {
        let _ = step;
        false
    }

    /// Returns whether the filter is so large that no step and no check may visit all of its bits.
    fn is_large(&self) -> bool {
        false
    }

    /// Returns whether a script also removes items that are false positives. Such a removal may lose other items, so the
    /// multiset is emptied after it.
    fn removes_false_positives(&self) -> bool {
        false
    }

    /// Inserts a key into the model.
    fn insert(&mut self, key: &K) {
        let _ = key;
    }

    /// Removes a key from the model, and returns whether the model found the key.
    fn remove(&mut self, key: &K) -> bool {
        let _ = key;
        false
    }

    /// Intersects the model with a filter of these keys.
    fn intersect(&mut self, keys: &[K]) {
        let _ = keys;
    }

    /// Clears the model.
    fn clear(&mut self) {}

    /// Compares the filter's answer to a query with the model's.
    ///
    /// # Errors
    ///
    /// The promise that is broken.
    fn check_answer(&self, key: &K, found: bool) -> Checked {
        let _ = (key, found);
        Ok(())
    }

    /// Compares the filter with the model after a step, or at the end of the script.
    ///
    /// # Errors
    ///
    /// The promise that is broken.
    fn check(&self, filter: &F, at_end: bool) -> Checked {
        let _ = (filter, at_end);
        Ok(())
    }
}

/// No model: the filter is compared with the multiset alone.
impl<K, F> Model<K, F> for () {}

/// A filter under test, the function that builds further empty filters like it, and the multiset of the keys that were
/// inserted.
pub(crate) struct Runner<K, F, B, M> {
    filter: F,
    build: B,
    inside: BTreeMap<K, u64>,
    /// Whether the filter may hold keys that are not in the multiset, because a batch was only partly inserted.
    may_hold_more: bool,
    model: M,
    /// Keys of the script, which are queried when two filters are compared.
    queried: Vec<K>,
}

impl<K: Key, F: Subject<K::Item>, B: Fn() -> F, M: Model<K, F>> Runner<K, F, B, M> {
    pub(crate) fn new(build: B, model: M, keys: impl Iterator<Item = K>) -> Self {
        Self {
            filter: build(),
            build,
            inside: BTreeMap::new(),
            may_hold_more: false,
            model,
            queried: keys.take(MAX_QUERIED).collect(),
        }
    }

    /// Returns whether the script is over before this step.
    pub(crate) fn is_done(&mut self, step: &Step<K>) -> bool {
        self.model.is_done(step)
    }

    /// Applies a step to the filter, the multiset and the model, and compares them.
    pub(crate) fn apply(&mut self, step: &Step<K>) -> Checked {
        let is_large = self.model.is_large();
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
        ensure(share, Promise::RateIsShare, || format!("{rate:?}"))?;
        self.model.check(&self.filter, false)
    }

    /// Runs the comparisons that are due at the end of the script.
    pub(crate) fn finish(&self) -> Checked {
        self.check_all()?;
        self.model.check(&self.filter, true)
    }

    fn insert(&mut self, key: &K) -> Checked {
        self.check_key(key)?;
        let found = self.filter.contains(key.item());
        let answer = self.filter.insert(key.item());
        let is_known = answer == Inserted::New && self.is_held(key);
        ensure(!is_known, Promise::KnownIsNotNew, || {
            format!("new for {key:?}")
        })?;
        let agrees = answer.agrees_with(found);
        ensure(agrees, Promise::NewIsNotFound, || {
            format!("found {found}, then {answer:?} for {key:?}")
        })?;
        if let Inserted::Refused(_) = answer {
            // A refused insertion must not lose an item.
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
            // Some of the keys were inserted, and it is unknown which.
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
        let held = self.is_held(key);
        let loose = self.model.removes_false_positives();
        // No promise covers the removal of a false positive.
        if !held && !loose && self.filter.contains(key.item()) {
            return Ok(());
        }
        let Some(removed) = self.filter.remove(key.item()) else {
            return Ok(());
        };
        let expected = self.model.remove(key) || held;
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
        // A union of counting filters adds their counters. So any union has the bits or counters of a filter into which the
        // keys of both filters were inserted.
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
        self.model.intersect(&keys);
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
        self.model.clear();
        self.compare(&(self.build)(), Promise::ClearedIsNew)
    }

    /// Builds another filter, inserts the keys, and returns the filter with the keys that it
    /// accepted.
    fn other(&mut self, keys: &[K]) -> (F, Vec<K>) {
        let mut other = (self.build)();
        let taken = |key: &&K| !matches!(other.insert(key.item()), Inserted::Refused(_));
        let keys = keys.iter().filter(taken).cloned().collect();
        (other, keys)
    }

    /// Returns whether a new filter accepts the keys of this filter and then `keys`, one by one.
    fn fits(&self, keys: &[K]) -> bool {
        let mut new = (self.build)();
        let times = |(key, count): (_, &u64)| std::iter::repeat_n(key, *count as usize);
        let mut both = self.inside.iter().flat_map(times).chain(keys);
        both.all(|key| !matches!(new.insert(key.item()), Inserted::Refused(_)))
    }

    fn learn(&mut self, key: &K) {
        *self.inside.entry(key.clone()).or_default() += 1;
        self.model.insert(key);
    }

    fn is_held(&self, key: &K) -> bool {
        self.inside.get(key).is_some_and(|count| *count > 0)
    }

    /// Returns the first key that was inserted and is not found.
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
        ensure(
            found || !self.is_held(key),
            Promise::InsertedIsFound,
            || format!("none for {key:?}"),
        )?;
        self.model.check_answer(key, found)
    }

    /// Checks that another filter gives the same answers as this one, for up to [`MAX_QUERIED`] keys of the script.
    fn compare(&self, other: &F, promise: Promise) -> Checked {
        self.queried.iter().try_for_each(|key| {
            let (ours, theirs) = (self.filter.contains(key.item()), other.contains(key.item()));
            ensure(ours == theirs, promise, || {
                format!("{ours} here and {theirs} there for {key:?}")
            })
        })
    }
}
