//! A filter beside the set it stands for, and the checks of every operation.

mod checks;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::mem;

use bloom_core::{IncompatibleError, Shape};

use crate::bit_filter::BitFilter;
use crate::case::{Operation, Stranger};
use crate::key::Key;
use crate::promise::{Promise, Violation, ensure};
use crate::state::AnyState;

/// A stranger holds these hashes, so that it would show if it were combined with.
const STRANGE_HASHES: std::ops::Range<u64> = 1_000..1_004;

/// A filter and what was inserted into it.
pub(crate) struct Model<K, F, B> {
    shape: Shape,
    state: AnyState,
    build: B,
    filter: F,
    // Ordered, so that a case that fails names the same key each time.
    keys: BTreeSet<K>,
    // Of the keys, and those inserted as such: keys that share a hash are one to the filter.
    hashes: BTreeSet<u64>,
}

impl<K, F, B> Model<K, F, B>
where
    K: Key,
    F: BitFilter<K::Item>,
    B: Fn(Shape, AnyState) -> F,
{
    pub(crate) fn new(shape: Shape, state: AnyState, build: B) -> Self {
        Self {
            shape,
            state,
            filter: build(shape, state),
            build,
            keys: BTreeSet::new(),
            hashes: BTreeSet::new(),
        }
    }

    /// Does an operation to the filter and the set, and compares them.
    pub(crate) fn apply(&mut self, operation: &Operation<K>) -> Result<(), Violation> {
        match operation {
            Operation::Insert(key) => self.insert(key),
            Operation::InsertHash(hash) => self.insert_hash(*hash),
            Operation::Contains(key) => self.contains(key),
            Operation::Extend(keys) => self.extend(&keys.0),
            Operation::Union(keys) => self.union(&keys.0),
            Operation::Intersect(keys) => self.intersect(&keys.0),
            Operation::Refuse(stranger) => self.refuse(stranger),
            Operation::Copy => self.copy(),
            Operation::Clear => self.clear(),
        }
    }

    fn insert(&mut self, key: &K) -> Result<(), Violation> {
        let (before, found) = (self.ones(), self.filter.contains(key.item()));
        let new = self.filter.insert(key.item());
        let known = self.keys.contains(key);
        ensure(!(new && known), Promise::KnownIsNotNew, || {
            format!("true for {key:?}")
        })?;
        self.keys.insert(key.clone());
        self.check_key(key)?;
        self.check_hash_of(key)?;
        self.check_inserted(self.hash(key), before, found, new)
    }

    fn insert_hash(&mut self, hash: u64) -> Result<(), Violation> {
        let (before, found) = (self.ones(), self.filter.contains_hash(hash));
        let new = self.filter.insert_hash(hash);
        self.check_inserted(hash, before, found, new)
    }

    fn contains(&mut self, key: &K) -> Result<(), Violation> {
        self.check_hash_of(key)?;
        let found = self.filter.contains(key.item());
        ensure(
            !(found && self.filter.is_empty()),
            Promise::EmptyFindsNothing,
            || format!("{key:?}"),
        )?;
        if self.keys.contains(key) {
            self.check_key(key)?;
        }
        Ok(())
    }

    fn extend(&mut self, keys: &[K]) -> Result<(), Violation> {
        let one_by_one = self.filter_after(keys);
        self.filter.extend(keys.iter().map(Key::item));
        self.check_equal(&one_by_one, Promise::ExtendIsInsert)?;
        self.learn(keys);
        self.check_all()
    }

    fn union(&mut self, keys: &[K]) -> Result<(), Violation> {
        let one_by_one = self.filter_after(keys);
        let outcome = self.filter.union_with(&self.filter_of(keys));
        ensure(outcome.is_ok(), Promise::UnionIsInsert, || {
            format!("{outcome:?}")
        })?;
        self.check_equal(&one_by_one, Promise::UnionIsInsert)?;
        self.learn(keys);
        self.check_all()
    }

    fn intersect(&mut self, keys: &[K]) -> Result<(), Violation> {
        const PROMISE: Promise = Promise::IntersectionIsBoth;
        let (before, other) = (self.filter.clone(), self.filter_of(keys));
        let outcome = self.filter.intersect_with(&other);
        ensure(outcome.is_ok(), PROMISE, || format!("{outcome:?}"))?;
        // No bit is set that one of them lacks: adding the intersection changes neither.
        for one in [&before, &other] {
            let united = self.union_of(one, &self.filter);
            ensure(united == *one, PROMISE, || format!("more than {one:?}"))?;
        }
        // And none is clear that both have, by inclusion and exclusion.
        let union = self.union_of(&before, &other);
        let ones = [&before, &other, &union, &self.filter].map(|filter| self.ones_of(filter));
        ensure(ones[0] + ones[1] == ones[2] + ones[3], PROMISE, || {
            format!("{ones:?} bits in one, the other, their union and their intersection")
        })?;
        let hashes: BTreeSet<u64> = keys.iter().map(|key| self.hash(key)).collect();
        self.keys.retain(|key| keys.contains(key));
        self.hashes.retain(|hash| hashes.contains(hash));
        self.check_all()
    }

    fn refuse(&mut self, stranger: &Stranger) -> Result<(), Violation> {
        let shape = stranger.shape.unwrap_or(self.shape);
        let state = stranger.state.unwrap_or(self.state);
        if (shape, state) == (self.shape, self.state) {
            return Ok(());
        }
        let mut other = (self.build)(shape, state);
        for hash in STRANGE_HASHES {
            other.insert_hash(hash);
        }
        ensure(self.filter != other, Promise::StrangerIsRefused, || {
            "an equal filter".to_owned()
        })?;
        let before = self.filter.clone();
        for outcome in [
            self.filter.union_with(&other),
            self.filter.intersect_with(&other),
        ] {
            // Where both differ, either answer is true.
            let told = match outcome {
                Err(IncompatibleError::Shape { ours, theirs }) => {
                    shape != self.shape && (ours, theirs) == (self.shape, shape)
                }
                Err(IncompatibleError::Hasher) => state != self.state,
                _ => false,
            };
            ensure(told, Promise::StrangerIsRefused, || format!("{outcome:?}"))?;
        }
        self.check_equal(&before, Promise::RefusalChangesNothing)
    }

    fn copy(&mut self) -> Result<(), Violation> {
        let copy = self.filter.try_clone().expect("a small filter fits twice");
        self.check_equal(&copy, Promise::CopyIsEqual)?;
        self.check_equal(&self.filter.clone(), Promise::CopyIsEqual)?;
        let before = self.ones();
        let mut original = mem::replace(&mut self.filter, copy);
        original.clear();
        let after = self.ones();
        ensure(before == after, Promise::CopyIsEqual, || {
            format!("{after} bits instead of {before} once the original was cleared")
        })?;
        self.check_all()
    }

    fn clear(&mut self) -> Result<(), Violation> {
        self.filter.clear();
        self.keys.clear();
        self.hashes.clear();
        let new = (self.build)(self.shape, self.state);
        ensure(self.filter.is_empty(), Promise::ClearedIsNew, || {
            format!("{} bits set", self.ones())
        })?;
        self.check_equal(&new, Promise::ClearedIsNew)
    }

    fn learn(&mut self, keys: &[K]) {
        let hashes: Vec<u64> = keys.iter().map(|key| self.hash(key)).collect();
        self.hashes.extend(hashes);
        self.keys.extend(keys.iter().cloned());
    }

    /// Returns a new filter of these keys.
    fn filter_of(&self, keys: &[K]) -> F {
        let mut filter = (self.build)(self.shape, self.state);
        filter.extend(keys.iter().map(Key::item));
        filter
    }

    /// Returns a copy of the filter after inserting these keys one by one.
    fn filter_after(&self, keys: &[K]) -> F {
        let mut filter = self.filter.clone();
        for key in keys {
            filter.insert(key.item());
        }
        filter
    }

    /// Returns the union of two filters of the model's shape and hasher.
    fn union_of(&self, one: &F, other: &F) -> F {
        let mut union = (self.build)(self.shape, self.state);
        for filter in [one, other] {
            // A refusal shows as a bit that is missing.
            let _ = union.union_with(filter);
        }
        union
    }

    fn hash(&self, key: &K) -> u64 {
        self.state.hash_one(key.item())
    }

    fn ones(&self) -> u64 {
        self.ones_of(&self.filter)
    }

    fn ones_of(&self, filter: &F) -> u64 {
        (filter.fill() * self.shape.bits() as f64).round() as u64
    }
}
