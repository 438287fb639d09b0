//! Runs short random scripts (sequences of operations) on filters and on a multiset, compares the answers of the two, and
//! shrinks scripts that fail.

use std::cell::RefCell;

use arbitrary::{Arbitrary, Unstructured};

use super::caught::caught;
use super::{Examination, Outcome, Report, SMALL};
use crate::item::{Kind, mixed};
use crate::key::Integer;
use crate::script::Script;
use crate::step::Step;
use crate::subject::{Candidate, Subject};

/// The number of scripts of each check. There is a check for each kind of items, one for all operations together, one for each
/// of several operations, and one for each of several hashers.
const SCRIPTS: u64 = 200;

impl<F: Candidate> Examination<F> {
    pub(super) fn run_scripts(&self, report: &mut Report) {
        for kind in &self.kinds {
            let outcome = self.try_scripts(kind, is_plain);
            report.add("short scripts", kind.name(), outcome);
        }
        let outcome = self.try_scripts(self.random(), |_| true);
        report.add("short scripts", "all operations", outcome);
    }

    pub(super) fn try_scripts(
        &self,
        kind: &Kind<F::Item>,
        takes: impl Fn(&Step<Integer>) -> bool,
    ) -> Outcome {
        match caught(|| Self::build(kind, SMALL, self.rates[0])) {
            Ok(_) => scripts_on(
                || Self::build(kind, SMALL, self.rates[0]).expect("it was built"),
                takes,
            ),
            Err(error) => Outcome::Breaks(error),
        }
    }
}

/// Returns whether a step is an insertion or a query, which every filter has.
pub(super) fn is_plain(step: &Step<Integer>) -> bool {
    matches!(step, Step::Insert(_) | Step::Contains(_))
}

/// Runs scripts on filters from `build`, with only the steps that `takes` accepts.
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
        // If the filter has a random seed, a script that failed may pass when it is run again. So the error of the last failing
        // run is kept.
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

/// Draws a script; the same number always gives the same script.
fn drawn(number: u64, takes: impl Fn(&Step<Integer>) -> bool) -> Script<Integer> {
    let word = |index: u64| mixed(number << 32 | index);
    let bytes = (1..=word(0) % 60).flat_map(|index| word(index).to_le_bytes());
    let bytes: Vec<u8> = bytes.collect();
    let script = Script::arbitrary_take_rest(Unstructured::new(&bytes));
    let mut script: Script<Integer> = script.expect("any bytes are a script");
    script.steps.0.retain(takes);
    script.map_keys(|key| Integer(key.0 % Kind::<u64>::NUMBERS))
}
