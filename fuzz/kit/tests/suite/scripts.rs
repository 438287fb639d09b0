//! Tests of scripts (sequences of operations): they must catch filters that are broken on purpose, pass a sound filter, and be
//! shrunk to the steps that matter.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use bloom_core::FixedState;
use bloom_fuzz_kit::repro::*;
use bloom_fuzz_kit::{Inserted, Promise, Step, Subject, Violation};
use std::hash::BuildHasher;

/// How the filter [`Counted`] is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    ForgetsTheEighth,
    CallsAllNew,
    LosesOneAsItRefuses,
    TakesTwo,
    TakesNone,
    BatchDropsTheLast,
    AsksAllButTheLast,
    MergeReplaces,
    MergeRefuses,
    LosesOneAsItRefusesToMerge,
    LoadsOneLess,
    RefusesItsOwnBytes,
    KeepsOneWhenCleared,
    RateOverOne,
}

/// A filter that is a multiset of at most 12 different keys. Its answers are exact, unless it is broken in one way.
#[derive(Clone)]
struct Counted {
    fault: Fault,
    inside: BTreeMap<u64, u64>,
}

impl Subject<u64> for Counted {
    fn insert(&mut self, item: &u64) -> Inserted {
        let known = self.contains(item);
        if !known && self.inside.len() >= 12 {
            if self.fault == Fault::LosesOneAsItRefuses {
                self.inside.pop_first();
            }
            return Inserted::Refused("full".to_owned());
        }
        if self.fault == Fault::ForgetsTheEighth && self.inside.len() >= 8 {
            self.inside.pop_first();
        }
        *self.inside.entry(*item).or_default() += 1;
        Inserted::as_new(!known || self.fault == Fault::CallsAllNew)
    }

    fn contains(&self, item: &u64) -> bool {
        self.inside.contains_key(item)
    }

    fn clear(&mut self) -> Option<()> {
        let last = self.inside.pop_last();
        self.inside.clear();
        if self.fault == Fault::KeepsOneWhenCleared {
            self.inside.extend(last);
        }
        Some(())
    }

    fn remove(&mut self, item: &u64) -> Option<bool> {
        let Some(count) = self.inside.get_mut(item) else {
            return Some(false);
        };
        if self.fault == Fault::TakesNone {
            return Some(false);
        }
        let taken = if self.fault == Fault::TakesTwo { 2 } else { 1 };
        *count = count.saturating_sub(taken);
        if *count == 0 {
            self.inside.remove(item);
        }
        Some(true)
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        match self.fault {
            Fault::MergeRefuses => return Some(Err("no".to_owned())),
            Fault::MergeReplaces => self.inside.clear(),
            _ => {}
        }
        let new = other.inside.keys().filter(|item| !self.contains(item));
        if self.inside.len() + new.count() > 12 {
            if self.fault == Fault::LosesOneAsItRefusesToMerge {
                self.inside.pop_first();
            }
            return Some(Err("full".to_owned()));
        }
        for (item, count) in &other.inside {
            *self.inside.entry(*item).or_default() += count;
        }
        Some(Ok(()))
    }

    fn save(&self) -> Option<Vec<u8>> {
        let pairs = self.inside.iter();
        Some(
            pairs
                .flat_map(|(item, count)| [item.to_le_bytes(), count.to_le_bytes()])
                .flatten()
                .collect(),
        )
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        if self.fault == Fault::RefusesItsOwnBytes {
            return Some(Err("no".to_owned()));
        }
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let pairs = bytes
            .chunks_exact(16)
            .map(|pair| (word(&pair[..8]), word(&pair[8..])));
        let less = usize::from(self.fault == Fault::LoadsOneLess);
        let inside = pairs.skip(less).collect();
        Some(Ok(Self { inside, ..*self }))
    }

    fn insert_many(&mut self, items: &[&u64]) -> Option<Result<(), String>> {
        let less = usize::from(self.fault == Fault::BatchDropsTheLast);
        for item in &items[..items.len().saturating_sub(less)] {
            if let Inserted::Refused(error) = self.insert(item) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }

    fn contains_many(&self, items: &[&u64]) -> Option<Vec<bool>> {
        let mut answers: Vec<bool> = items.iter().map(|item| self.contains(item)).collect();
        if let (Fault::AsksAllButTheLast, Some(last)) = (self.fault, answers.last_mut()) {
            *last = false;
        }
        Some(answers)
    }

    fn predicted_rate(&self) -> Option<f64> {
        Some(if self.fault == Fault::RateOverOne {
            1.1
        } else {
            0.0
        })
    }
}

fn check(fault: Fault, script: &Script<Integer>) -> Result<(), Violation> {
    script.check(|| Counted {
        fault,
        inside: BTreeMap::new(),
    })
}

/// Draws 300 scripts, each from up to 392 random bytes. The scripts are the same in every run.
fn scripts() -> impl Iterator<Item = Script<Integer>> {
    (0..300).map(|number| {
        let state = FixedState::with_seed(number);
        let words = (0..state.hash_one(u64::MAX) % 50).map(|word| state.hash_one(word));
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        Script::arbitrary_take_rest(Unstructured::new(&bytes)).expect("any bytes are a script")
    })
}

#[test]
fn a_sound_subject_passes() {
    for script in scripts() {
        assert_eq!(check(Fault::None, &script), Ok(()));
    }
}

#[test]
fn every_fault_is_caught_at_its_promise() {
    let faults = [
        (Fault::ForgetsTheEighth, Promise::InsertedIsFound),
        (Fault::CallsAllNew, Promise::KnownIsNotNew),
        (Fault::LosesOneAsItRefuses, Promise::InsertedIsFound),
        (Fault::TakesTwo, Promise::InsertedIsFound),
        (Fault::TakesNone, Promise::InsertedIsRemoved),
        (Fault::BatchDropsTheLast, Promise::InsertedIsFound),
        (Fault::AsksAllButTheLast, Promise::BatchIsSingle),
        (Fault::MergeReplaces, Promise::MergedAreFound),
        (Fault::MergeRefuses, Promise::MergedAreFound),
        (Fault::LosesOneAsItRefusesToMerge, Promise::InsertedIsFound),
        (Fault::LoadsOneLess, Promise::LoadedIsSaved),
        (Fault::RefusesItsOwnBytes, Promise::LoadedIsSaved),
        (Fault::KeepsOneWhenCleared, Promise::ClearedIsNew),
        (Fault::RateOverOne, Promise::RateIsShare),
    ];
    for (fault, promise) in faults {
        let found = scripts().filter_map(|script| check(fault, &script).err());
        let promises: Vec<Promise> = found.map(|violation| violation.promise()).collect();
        assert!(promises.contains(&promise), "{fault:?}: {promises:?}");
    }
}

#[test]
fn a_failing_script_shrinks_to_the_steps_that_matter() {
    let fails = |script: &Script<Integer>| check(Fault::MergeReplaces, script).is_err();
    let failing = scripts().find(fails).expect("it is caught");
    let least = failing.shrunk(fails);
    assert!(fails(&least));
    // Two steps are left: the first inserts an item, and the second merges an empty filter.
    assert_eq!(least.steps.0.len(), 2, "{least:?}");
    assert_eq!(least.steps.0[1], Step::Union(List(vec![])));
}
