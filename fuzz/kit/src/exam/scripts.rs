//! Random short scripts, compared with a multiset; what fails is shrunk.

use std::cell::RefCell;

use arbitrary::{Arbitrary, Unstructured};

use super::by_number::ByNumber;
use super::caught::caught;
use super::{Examination, Outcome, Report, SMALL};
use crate::item::{Kind, mixed};
use crate::key::Integer;
use crate::script::Script;
use crate::step::Step;
use crate::subject::{Candidate, Subject};

/// Number of scripts for each operation and kind of items.
const SCRIPTS: u64 = 200;

/// Whether a filter has an operation, which may be tried on a filter without items and a second one.
pub(super) type IsOffered<F> = fn(&mut F, &F) -> bool;

/// The operations that are examined besides inserting and querying: the name, whether a filter has it, and its steps.
type Operation<F> = (&'static str, IsOffered<F>, fn(&Step<Integer>) -> bool);

impl<F: Candidate> Examination<F> {
    pub(super) fn run_scripts(&self, report: &mut Report) {
        let plain = |step: &Step<Integer>| matches!(step, Step::Insert(_) | Step::Contains(_));
        let operations: [Operation<ByNumber<F>>; 7] = [
            ("batches", is_batch_offered, |step| {
                matches!(step, Step::InsertMany(_) | Step::ContainsMany(_))
            }),
            (
                "clear",
                |filter, _| filter.clear().is_some(),
                |step| *step == Step::Clear,
            ),
            (
                "copy",
                |filter, _| filter.copy().is_some(),
                |step| *step == Step::Copy,
            ),
            (
                "remove",
                |filter, _| filter.remove(&1).is_some(),
                |step| matches!(step, Step::Remove(_) | Step::InsertOften(..)),
            ),
            (
                "merge",
                |filter, other| filter.merge(other).is_some(),
                |step| matches!(step, Step::Union(_)),
            ),
            (
                "intersect",
                |filter, other| filter.intersect(other).is_some(),
                |step| matches!(step, Step::Intersect(_)),
            ),
            (
                "save and load",
                |filter, _| filter.save().is_some(),
                |step| *step == Step::Reload,
            ),
        ];
        for kind in &self.kinds {
            let outcome = self.try_scripts(kind, plain);
            report.add("short scripts", kind.name(), outcome);
        }
        for (name, is_offered, takes) in operations {
            if !self.offers(is_offered) {
                report.add(name, "", Outcome::NotOffered);
                continue;
            }
            let outcome = self.try_scripts(self.random(), |step| plain(step) || takes(step));
            report.add(name, "short scripts", outcome);
        }
        // All operations that the filter has, mixed.
        let outcome = self.try_scripts(self.random(), |_| true);
        report.add("short scripts", "all operations", outcome);
    }

    /// Returns whether the filter has an operation; one that panics is one that it has.
    pub(super) fn offers(&self, is_offered: IsOffered<ByNumber<F>>) -> bool {
        let offers = caught(|| {
            let build = || Self::build(self.random(), SMALL, self.rates[0]);
            Ok(is_offered(&mut build()?, &build()?))
        });
        offers != Ok(false)
    }

    fn try_scripts(&self, kind: &Kind<F::Item>, takes: impl Fn(&Step<Integer>) -> bool) -> Outcome {
        match caught(|| Self::build(kind, SMALL, self.rates[0])) {
            Ok(_) => scripts_on(
                || Self::build(kind, SMALL, self.rates[0]).expect("it was built"),
                takes,
            ),
            Err(error) => Outcome::Breaks(error),
        }
    }
}

/// Whether there is a batch call of either kind.
pub(super) fn is_batch_offered<F: Subject<u64>>(filter: &mut F, _: &F) -> bool {
    filter.contains_many(&[&1]).is_some() || filter.insert_many(&[&1]).is_some()
}

/// Runs scripts of the steps that are taken on filters from `build`.
pub(super) fn scripts_on<F: Subject<u64>>(
    build: impl Fn() -> F,
    takes: impl Fn(&Step<Integer>) -> bool,
) -> Outcome {
    let run = |script: &Script<Integer>| {
        let check = || {
            script
                .check(&build)
                .map_err(|violation| violation.to_string())
        };
        caught(check)
    };
    for number in 0..SCRIPTS {
        let script = drawn(number, &takes);
        let Err(why) = run(&script) else {
            continue;
        };
        // A filter with a random seed may pass the same script the next time.
        let last = RefCell::new(why);
        let least = script.shrunk(|fewer| match run(fewer) {
            Ok(()) => false,
            Err(why) => {
                last.replace(why);
                true
            }
        });
        return Outcome::Breaks(format!("{least}: {}", last.into_inner()));
    }
    Outcome::Holds(format!("{SCRIPTS} scripts"))
}

/// Draws a script, always the same for one number.
fn drawn(number: u64, takes: impl Fn(&Step<Integer>) -> bool) -> Script<Integer> {
    let word = |index: u64| mixed(number << 32 | index);
    let bytes = (1..=word(0) % 60).flat_map(|index| word(index).to_le_bytes());
    let bytes: Vec<u8> = bytes.collect();
    let script = Script::arbitrary_take_rest(Unstructured::new(&bytes));
    let mut script: Script<Integer> = script.expect("any bytes are a script");
    script.steps.0.retain(takes);
    script.map_keys(|key| Integer(key.0 % Kind::<u64>::NUMBERS))
}
