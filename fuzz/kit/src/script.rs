//! A script: a sequence of operations on any filter, as data that can be drawn, printed and shrunk.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::key::{Hashed, Key, Keys};
use crate::promise::Checked;
use crate::repro::List;
use crate::runner::{Beside, Runner};
use crate::subject::Subject;

/// Longest script, which keeps a run fast.
const MOST_STEPS: usize = 256;

/// A sequence of operations on one filter.
///
/// Every string of bytes is a script, read from front to back; the steps end where the bytes do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script<K: Key> {
    /// The operations, in order.
    pub steps: List<Step<K>>,
}

/// An operation on a filter. Operations that a filter lacks are skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<K: Key> {
    /// Inserts a key.
    Insert(K),
    /// Inserts a key several times.
    InsertOften(K, u16),
    /// Inserts keys in one call.
    InsertMany(K::Many),
    /// Looks up a key.
    Contains(K),
    /// Looks up keys in one call.
    ContainsMany(K::Many),
    /// Removes a key that is in the filter, or one that the filter does not find.
    Remove(K),
    /// Merges in a filter of these keys.
    Union(K::Many),
    /// Intersects with a filter of these keys.
    Intersect(K::Many),
    /// Saves and loads the filter, and continues with the loaded one.
    Reload,
    /// Continues with a copy, and clears the original.
    Copy,
    /// Removes every key.
    Clear,
}

/// An operation on a filter by hashes.
pub type HashOp = Step<Hashed>;

impl<K: Key> Script<K> {
    /// Creates a script from these steps.
    pub fn new(steps: impl IntoIterator<Item = Step<K>>) -> Self {
        Self {
            steps: List(steps.into_iter().collect()),
        }
    }

    /// Applies every step to a filter from `build` and to a multiset, and compares them.
    ///
    /// `build` makes an empty filter; every call must return an equal one.
    ///
    /// # Errors
    ///
    /// The filter must keep every [`Promise`](crate::Promise) that it has the methods for.
    pub fn check<F: Subject<K::Item>>(&self, build: impl Fn() -> F) -> Checked {
        self.check_beside(build, None)
    }

    /// [`check`](Self::check), plus a bit-by-bit comparison with a filter of the documented layout.
    pub(crate) fn check_beside<F: Subject<K::Item>>(
        &self,
        build: impl Fn() -> F,
        beside: Option<Beside>,
    ) -> Checked {
        let keys = self.steps.0.iter().flat_map(Step::keys);
        let mut runner = Runner::new(build, beside, keys);
        for (number, step) in self.steps.0.iter().enumerate() {
            if runner.is_done() {
                break;
            }
            runner
                .apply(step)
                .map_err(|violation| violation.after(number, step))?;
        }
        runner.finish()
    }

    /// Draws a script of at most this many steps from all remaining bytes.
    pub(crate) fn up_to(u: &mut Unstructured<'_>, most: usize) -> Result<Self> {
        let steps = List::rest(u, most)?;
        Ok(Self { steps })
    }
}

impl<K: Key<Many = List<K>>> Script<K> {
    /// Removes steps and keys as long as `fails` holds: everything left is needed.
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
            while let Some(fewer) = least.without(number, key) {
                if fails(&fewer) {
                    least = fewer;
                } else {
                    key += 1;
                }
            }
        }
        least
    }

    /// The script without one key of a step with several; `None` if it has no such key.
    fn without(&self, number: usize, key: usize) -> Option<Self> {
        let mut fewer = self.clone();
        let keys = fewer.steps.0[number].many()?;
        (key < keys.0.len()).then(|| keys.0.remove(key))?;
        Some(fewer)
    }
}

impl<K: Key> Step<K> {
    fn many(&mut self) -> Option<&mut K::Many> {
        match self {
            Self::InsertMany(keys)
            | Self::ContainsMany(keys)
            | Self::Union(keys)
            | Self::Intersect(keys) => Some(keys),
            _ => None,
        }
    }

    /// Number of keys that the step inserts, looks up or removes.
    pub(crate) fn uses(&self) -> u64 {
        match self {
            Self::InsertOften(_, times) => (*times).into(),
            _ => self.keys().len() as u64,
        }
    }

    /// Every key in the step.
    pub(crate) fn keys(&self) -> Vec<K> {
        match self {
            Self::Insert(key)
            | Self::InsertOften(key, _)
            | Self::Contains(key)
            | Self::Remove(key) => vec![key.clone()],
            _ => self.clone().many().map_or(Vec::new(), |keys| keys.keys()),
        }
    }
}

impl<'a, K: Key> Arbitrary<'a> for Script<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Self::up_to(u, MOST_STEPS)
    }
}

impl<'a, K: Key> Arbitrary<'a> for Step<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=31)? {
            0..=10 => Self::Insert(u.arbitrary()?),
            11 => Self::InsertOften(u.arbitrary()?, u.int_in_range(0..=300)?),
            12..=14 => Self::Contains(u.arbitrary()?),
            15 => Self::Copy,
            16..=20 => Self::Remove(u.arbitrary()?),
            21..=23 => Self::InsertMany(u.arbitrary()?),
            24..=25 => Self::ContainsMany(u.arbitrary()?),
            26..=27 => Self::Union(u.arbitrary()?),
            28 => Self::Intersect(u.arbitrary()?),
            29..=30 => Self::Reload,
            _ => Self::Clear,
        })
    }
}

/// Prints the steps on one line, for people.
impl<K: Key> fmt::Display for Script<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.0.iter().map(|step| format!("{step:?}"));
        f.write_str(&steps.collect::<Vec<_>>().join(", "))
    }
}
