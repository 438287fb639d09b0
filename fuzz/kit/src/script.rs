//! A script: what is done to any filter, beside the multiset of what is in it.

use std::collections::BTreeMap;
use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::key::Key;
use crate::paste::List;
use crate::promise::{Promise, Violation, ensure};
use crate::subject::{Inserted, Subject};

/// A script has at most so many steps, and a step so many keys, so that it stays quick.
const MOST_STEPS: usize = 256;
const MOST_KEYS: usize = 15;

/// What is done to one filter, in this order.
///
/// Every string of bytes is a script, read from front to back; steps end where the bytes do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script<K> {
    /// What is done.
    pub steps: List<Step<K>>,
}

/// One thing done to a filter. What a filter does not offer is passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<K> {
    /// Inserts a key.
    Put(K),
    /// Inserts keys in one call.
    PutMany(List<K>),
    /// Asks for a key.
    Ask(K),
    /// Asks for keys in one call.
    AskMany(List<K>),
    /// Takes a key out: one that is in, or one that the filter itself says is not.
    Take(K),
    /// Adds a filter of these keys.
    Merge(List<K>),
    /// Goes on with what was saved and loaded.
    Reload,
    /// Forgets every key.
    Wipe,
}

impl<K: Key> Script<K> {
    /// Creates a script of these steps.
    pub fn new(steps: impl IntoIterator<Item = Step<K>>) -> Self {
        Self {
            steps: List(steps.into_iter().collect()),
        }
    }

    /// Does every step to a filter from `build` and to a multiset beside it, and compares them.
    ///
    /// `build` makes an empty filter, the same each time.
    ///
    /// # Errors
    ///
    /// The filter must keep every [`Promise`] that it has the methods for.
    pub fn check<F: Subject<K::Item>>(
        &self,
        build: impl Fn() -> F,
    ) -> std::result::Result<(), Violation> {
        let mut run = Run {
            filter: build(),
            build,
            inside: BTreeMap::new(),
            may_hold_more: false,
        };
        for (number, step) in self.steps.0.iter().enumerate() {
            run.apply(step, self)
                .and_then(|()| run.check_rate())
                .map_err(|violation| violation.after(number, step))?;
        }
        run.check_all()
    }

    /// Leaves out steps and keys for as long as `fails` holds: what is left is all needed.
    #[must_use]
    pub fn shrunk(&self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut least = self.clone();
        let mut run = least.steps.0.len().next_power_of_two();
        while run > 0 {
            let mut from = 0;
            while from < least.steps.0.len() {
                let mut fewer = least.clone();
                let to = (from + run).min(fewer.steps.0.len());
                fewer.steps.0.drain(from..to);
                if fails(&fewer) {
                    least = fewer;
                } else {
                    from += run;
                }
            }
            run /= 2;
        }
        for number in 0..least.steps.0.len() {
            let mut key = 0;
            while least.steps.0[number]
                .keys()
                .is_some_and(|keys| key < keys.0.len())
            {
                let mut fewer = least.clone();
                if let Some(keys) = fewer.steps.0[number].keys_mut() {
                    keys.0.remove(key);
                }
                if fails(&fewer) {
                    least = fewer;
                } else {
                    key += 1;
                }
            }
        }
        least
    }

    /// Every key that the script names.
    fn keys(&self) -> impl Iterator<Item = &K> {
        self.steps.0.iter().flat_map(|step| match step {
            Step::Put(key) | Step::Ask(key) | Step::Take(key) => std::slice::from_ref(key),
            _ => step.keys().map_or(&[][..], |keys| &keys.0),
        })
    }
}

impl<K> Step<K> {
    fn keys(&self) -> Option<&List<K>> {
        match self {
            Self::PutMany(keys) | Self::AskMany(keys) | Self::Merge(keys) => Some(keys),
            _ => None,
        }
    }

    fn keys_mut(&mut self) -> Option<&mut List<K>> {
        match self {
            Self::PutMany(keys) | Self::AskMany(keys) | Self::Merge(keys) => Some(keys),
            _ => None,
        }
    }
}

/// A filter, how to build another, and how often each key is in.
struct Run<K, F, B> {
    filter: F,
    build: B,
    inside: BTreeMap<K, u64>,
    /// Whether other keys may be in, too: of a batch that was not taken as a whole.
    may_hold_more: bool,
}

impl<K, F, B> Run<K, F, B>
where
    K: Key,
    F: Subject<K::Item>,
    B: Fn() -> F,
{
    fn apply(&mut self, step: &Step<K>, script: &Script<K>) -> std::result::Result<(), Violation> {
        match step {
            Step::Put(key) => self.put(key),
            Step::PutMany(keys) => self.put_many(keys),
            Step::Ask(key) => self.check_found(key),
            Step::AskMany(keys) => self.ask_many(keys),
            Step::Take(key) => self.take(key),
            Step::Merge(keys) => self.merge(keys),
            Step::Reload => self.reload(script),
            Step::Wipe => self.wipe(script),
        }
    }

    fn put(&mut self, key: &K) -> std::result::Result<(), Violation> {
        let found = self.filter.contains(key.item());
        let said = self.filter.insert(key.item());
        ensure(
            !(said == Inserted::New && self.holds(key)),
            Promise::KnownIsNotNew,
            || format!("new for {key:?}"),
        )?;
        let agrees = match said {
            Inserted::New => !found,
            Inserted::Seen => found,
            Inserted::Taken | Inserted::Refused(_) => true,
        };
        ensure(agrees, Promise::NewIsNotFound, || {
            format!("found {found}, then {said:?} for {key:?}")
        })?;
        if let Inserted::Refused(_) = said {
            // Nothing of what was in may be lost by it.
            return self.check_all();
        }
        self.learn(key);
        self.check_found(key)
    }

    fn put_many(&mut self, keys: &List<K>) -> std::result::Result<(), Violation> {
        let items: Vec<&K::Item> = keys.0.iter().map(Key::item).collect();
        match self.filter.insert_many(&items) {
            None => return keys.0.iter().try_for_each(|key| self.put(key)),
            Some(Ok(())) => keys.0.iter().for_each(|key| self.learn(key)),
            // Some of them are in, and nobody knows which.
            Some(Err(_)) => self.may_hold_more = true,
        }
        self.check_all()
    }

    fn ask_many(&mut self, keys: &List<K>) -> std::result::Result<(), Violation> {
        let items: Vec<&K::Item> = keys.0.iter().map(Key::item).collect();
        let Some(answers) = self.filter.contains_many(&items) else {
            return keys.0.iter().try_for_each(|key| self.check_found(key));
        };
        let singly: Vec<bool> = items
            .iter()
            .map(|item| self.filter.contains(item))
            .collect();
        ensure(answers == singly, Promise::BatchIsSingle, || {
            format!("{answers:?}, one by one {singly:?}")
        })?;
        keys.0.iter().try_for_each(|key| self.check_found(key))
    }

    fn take(&mut self, key: &K) -> std::result::Result<(), Violation> {
        let held = self.holds(key);
        // Of an item that is found by mistake, a removal promises nothing.
        if !held && self.filter.contains(key.item()) {
            return Ok(());
        }
        let Some(removed) = self.filter.remove(key.item()) else {
            return Ok(());
        };
        ensure(removed == held, Promise::InsertedIsRemoved, || {
            format!("{removed} for {key:?}")
        })?;
        if held {
            *self.inside.entry(key.clone()).or_default() -= 1;
        }
        self.check_all()
    }

    fn merge(&mut self, keys: &List<K>) -> std::result::Result<(), Violation> {
        let mut other = (self.build)();
        let taken = |key: &&K| !matches!(other.insert(key.item()), Inserted::Refused(_));
        let keys: Vec<&K> = keys.0.iter().filter(taken).collect();
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
        for key in keys {
            self.learn(key);
        }
        let lost = self.lost();
        ensure(lost.is_none(), Promise::MergedAreFound, || {
            format!("none for {lost:?}")
        })
    }

    /// Returns whether a new filter takes what is in and these keys, one by one.
    fn fits(&self, keys: &[&K]) -> bool {
        let mut new = (self.build)();
        let times = |(key, count): (_, &u64)| std::iter::repeat_n(key, *count as usize);
        let mut both = self
            .inside
            .iter()
            .flat_map(times)
            .chain(keys.iter().copied());
        both.all(|key| !matches!(new.insert(key.item()), Inserted::Refused(_)))
    }

    fn reload(&mut self, script: &Script<K>) -> std::result::Result<(), Violation> {
        const PROMISE: Promise = Promise::LoadedIsSaved;
        let Some(bytes) = self.filter.save() else {
            return Ok(());
        };
        let Some(outcome) = self.filter.load(&bytes) else {
            return Ok(());
        };
        let loaded = match outcome {
            Ok(loaded) => loaded,
            Err(error) => return ensure(false, PROMISE, || error),
        };
        for key in script.keys() {
            let (before, after) = (
                self.filter.contains(key.item()),
                loaded.contains(key.item()),
            );
            ensure(before == after, PROMISE, || {
                format!("{before} before and {after} after for {key:?}")
            })?;
        }
        self.filter = loaded;
        self.check_all()
    }

    fn wipe(&mut self, script: &Script<K>) -> std::result::Result<(), Violation> {
        if self.filter.clear().is_none() {
            return Ok(());
        }
        self.inside.clear();
        self.may_hold_more = false;
        let new = (self.build)();
        for key in script.keys() {
            let (ours, theirs) = (self.filter.contains(key.item()), new.contains(key.item()));
            ensure(ours == theirs, Promise::ClearedIsNew, || {
                format!("{ours}, of a new one {theirs} for {key:?}")
            })?;
        }
        Ok(())
    }

    fn learn(&mut self, key: &K) {
        *self.inside.entry(key.clone()).or_default() += 1;
    }

    fn holds(&self, key: &K) -> bool {
        self.inside.get(key).is_some_and(|count| *count > 0)
    }

    /// The first key that is in and not found.
    fn lost(&self) -> Option<&K> {
        let mut inside = self.inside.iter().filter(|(_, count)| **count > 0);
        inside.find_map(|(key, _)| (!self.filter.contains(key.item())).then_some(key))
    }

    fn check_found(&self, key: &K) -> std::result::Result<(), Violation> {
        let found = self.filter.contains(key.item());
        ensure(found || !self.holds(key), Promise::InsertedIsFound, || {
            format!("none for {key:?}")
        })
    }

    fn check_all(&self) -> std::result::Result<(), Violation> {
        let lost = self.lost();
        ensure(lost.is_none(), Promise::InsertedIsFound, || {
            format!("none for {:?}", lost.expect("one is lost"))
        })
    }

    fn check_rate(&self) -> std::result::Result<(), Violation> {
        let rate = self.filter.predicted_rate();
        let share = rate.is_none_or(|rate| (0.0..=1.0).contains(&rate));
        ensure(share, Promise::ReadingsAreShares, || format!("{rate:?}"))
    }
}

impl<'a, K: Key> Arbitrary<'a> for Script<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut steps = Vec::new();
        while !u.is_empty() && steps.len() < MOST_STEPS {
            steps.push(u.arbitrary()?);
        }
        Ok(Self { steps: List(steps) })
    }
}

impl<'a, K: Key> Arbitrary<'a> for Step<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=31)? {
            0..=11 => Self::Put(u.arbitrary()?),
            12..=15 => Self::Ask(u.arbitrary()?),
            16..=20 => Self::Take(u.arbitrary()?),
            21..=23 => Self::PutMany(keys(u)?),
            24..=25 => Self::AskMany(keys(u)?),
            26..=28 => Self::Merge(keys(u)?),
            29..=30 => Self::Reload,
            _ => Self::Wipe,
        })
    }
}

fn keys<K: Key>(u: &mut Unstructured<'_>) -> Result<List<K>> {
    let count = u.int_in_range(0..=MOST_KEYS)?;
    Ok(List(
        (0..count).map(|_| u.arbitrary()).collect::<Result<_>>()?,
    ))
}

/// One step a line, for people.
impl<K: fmt::Debug> fmt::Display for Script<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self
            .steps
            .0
            .iter()
            .map(|step| format!("{step:?}"))
            .collect();
        f.write_str(&steps.join(", "))
    }
}
