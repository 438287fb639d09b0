//! A script: a sequence of operations on a filter, as data that can be drawn from bytes, printed and shrunk.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::key::Key;
use crate::promise::Checked;
use crate::repro::List;
use crate::runner::{Model, Runner};
use crate::step::Step;
use crate::subject::Subject;

/// The maximum number of steps of a script. Longer scripts would make a run slow.
const MAX_STEPS: usize = 256;

/// A sequence of operations on one filter.
///
/// Every string of bytes can be decoded as a script, from front to back. The steps end where the bytes do, or after 256 steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script<K: Key> {
    /// The operations, in order.
    pub steps: List<Step<K>>,
}

impl<K: Key> Script<K> {
    /// Creates a script from these steps.
    pub fn new(steps: impl IntoIterator<Item = Step<K>>) -> Self {
        Self {
            steps: List(steps.into_iter().collect()),
        }
    }

    /// Applies every step to a filter from `build` and to a multiset, and compares them.
    ///
    /// Each call of `build` must return an empty filter, and all these filters must be equal.
    ///
    /// # Errors
    ///
    /// If the filter breaks a [`Promise`](crate::Promise) about a method that it offers.
    pub fn check<F: Subject<K::Item>>(&self, build: impl Fn() -> F) -> Checked {
        self.check_beside(build, ())
    }

    /// Does the same as [`check`](Self::check), and also applies each step to a model and compares the filter with the model.
    /// The model may end the script before its last step: see [`Model::is_done`].
    ///
    /// # Errors
    ///
    /// If the filter breaks a promise, or disagrees with the model.
    pub fn check_beside<F: Subject<K::Item>>(
        &self,
        build: impl Fn() -> F,
        model: impl Model<K, F>,
    ) -> Checked {
        let keys = self.steps.0.iter().flat_map(Step::keys);
        let mut runner = Runner::new(build, model, keys);
        for (number, step) in self.steps.0.iter().enumerate() {
            if runner.is_done(step) {
                break;
            }
            runner
                .apply(step)
                .map_err(|violation| violation.after(number, step))?;
        }
        runner.finish()
    }

    /// Draws a script of at most `most` steps from the remaining bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`Arbitrary`] for a step.
    pub fn up_to(u: &mut Unstructured<'_>, most: usize) -> Result<Self> {
        let steps = List::rest(u, most)?;
        Ok(Self { steps })
    }
}

impl<K: Key<Many = List<K>>> Script<K> {
    /// Removes steps, then keys of the remaining steps, as long as `fails` returns `true` for what is left. Nearly always, the
    /// script that is left needs all its steps and keys to fail.
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

    /// Replaces every key.
    pub(crate) fn map_keys(mut self, map: impl Fn(&K) -> K) -> Self {
        for step in &mut self.steps.0 {
            step.change_keys(&map);
        }
        self
    }

    /// Returns the script without one key of a step that takes several keys: step `number` and its key number `key`, both
    /// counted from 0. Returns `None` if the step takes one key or none, or has too few keys.
    fn without(&self, number: usize, key: usize) -> Option<Self> {
        let mut fewer = self.clone();
        let keys = fewer.steps.0[number].many()?;
        (key < keys.0.len()).then(|| keys.0.remove(key))?;
        Some(fewer)
    }
}

impl<'a, K: Key> Arbitrary<'a> for Script<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Self::up_to(u, MAX_STEPS)
    }
}

/// Prints the steps on one line, without the names of the types that contain them.
impl<K: Key> fmt::Display for Script<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.0.iter().map(|step| format!("{step:?}"));
        f.write_str(&steps.collect::<Vec<_>>().join(", "))
    }
}
