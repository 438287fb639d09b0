//! The checks of the fuzz targets `no_false_negatives` and `set_algebra` must catch filters that are broken on purpose, and
//! must pass a sound filter.

use std::fs;
use std::hash::BuildHasher;
use std::path::Path;

use crate::broken::{BrokenFilter, Fault};
use arbitrary::{Arbitrary, Unstructured};
use bloom_core::FixedState;
use bloom_fuzz_kit::{AnyState, Checked, Integer, Promise, Script, Step, Violation};
use bloom_fuzz_suite::{
    BYTES_ARE_DOCUMENTED, ESTIMATE_UNLESS_FULL, FOUND_IS_SET, FamilyCase, NoFalseNegatives,
    READINGS_ARE_SHARES, SetAlgebra, Spec,
};

/// The number of random cases of each of the two targets. Each fault must be reported in at least one case.
const CASES: u64 = 500;

/// Draws a case from up to 392 random bytes. The same number always gives the same case.
fn drawn<T: for<'a> Arbitrary<'a>>(number: u64) -> T {
    let state = FixedState::with_seed(number);
    let words = (0..state.hash_one(u64::MAX) % 50).map(|word| state.hash_one(word));
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    T::arbitrary_take_rest(Unstructured::new(&bytes)).expect("any bytes are a case")
}

fn is_basic(spec: Spec) -> bool {
    matches!(spec, Spec::Basic { .. })
}

fn check_script(case: &FamilyCase<Integer>, fault: Fault) -> Checked {
    case.check_with(|spec, state| BrokenFilter::build(fault, spec, state))
}

fn check_laws(case: &SetAlgebra, fault: Fault) -> Checked {
    case.check_with(|spec, state| BrokenFilter::build(fault, spec, state))
}

fn violations(fault: Fault) -> impl Iterator<Item = Violation> {
    let scripts = (0..).map(drawn::<FamilyCase<Integer>>);
    let scripts = scripts.filter(|case| is_basic(case.spec));
    let laws = (0..).map(drawn::<SetAlgebra>);
    let laws = laws.filter(|case| is_basic(case.spec));
    let scripts = scripts.take(CASES as usize);
    let broken = scripts.filter_map(move |case| check_script(&case, fault).err());
    let laws = laws.take(CASES as usize);
    broken.chain(laws.filter_map(move |case| check_laws(&case, fault).err()))
}

/// Fails unless a case reports that a filter with this fault breaks this promise.
fn assert_caught(fault: Fault, promise: Promise) {
    let mut others = Vec::new();
    for violation in violations(fault) {
        if violation.promise() == promise {
            return;
        }
        others.push(violation.to_string());
    }
    others.truncate(5);
    panic!("{fault:?} is not caught by {promise:?}, but by: {others:#?}");
}

#[test]
fn a_sound_filter_passes() {
    assert_eq!(violations(Fault::None).next(), None);
}

/// Promises, each with the faults that must be reported as breaking it.
const FAULTS: [(Promise, &[Fault]); 12] = [
    (
        Promise::InsertedIsFound,
        &[
            Fault::LosesAProbe,
            Fault::ForgetsAnOldBit,
            Fault::DropsTheLast,
        ],
    ),
    (
        BYTES_ARE_DOCUMENTED,
        &[
            Fault::ForgetsAnOldBit,
            Fault::SetsAllBits,
            Fault::HashesApart,
            Fault::IntersectionClears,
            Fault::IntersectionKeeps,
            Fault::IntersectionMoves,
        ],
    ),
    (Promise::KnownIsNotNew, &[Fault::CallsAllNew]),
    (Promise::NewIsNotFound, &[Fault::CallsNoneNew]),
    (FOUND_IS_SET, &[Fault::AsksOneProbe, Fault::FindsAll]),
    (Promise::ClearedIsNew, &[Fault::KeepsABit]),
    (Promise::CopyIsEqual, &[Fault::CopiesOneBitLess]),
    (
        Promise::MergedAreFound,
        &[Fault::UnitesAWordLess, Fault::UnionReplaces],
    ),
    (
        Promise::Law("another size or hasher must be refused with its own error"),
        &[Fault::TakesAnotherShape, Fault::TakesAnotherHasher],
    ),
    (
        Promise::Law("a refusal must change nothing"),
        &[Fault::ChangesAsItRefuses],
    ),
    (READINGS_ARE_SHARES, &[Fault::ReadsPercents]),
    (ESTIMATE_UNLESS_FULL, &[Fault::EstimatesInfinity]),
];

#[test]
fn every_fault_is_caught_by_the_promise_that_it_breaks() {
    for (promise, faults) in FAULTS {
        for fault in faults {
            assert_caught(*fault, promise);
        }
    }
}

/// If the saved inputs were no longer decoded as the cases that their names describe, a test that only runs them would still
/// pass. This test would fail, because some faults would not be caught.
#[test]
fn the_saved_inputs_alone_catch_every_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions");
    let read = |target: &str| {
        let files = fs::read_dir(folder.join(target)).unwrap();
        files.map(|file| fs::read(file.unwrap().path()).unwrap())
    };
    let mut missed: Vec<_> = FAULTS.iter().flat_map(|(_, faults)| *faults).collect();
    for bytes in read("no_false_negatives") {
        let saved = NoFalseNegatives::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        if let NoFalseNegatives::OfIntegers(case) = saved
            && is_basic(case.spec)
        {
            assert_eq!(check_script(&case, Fault::None), Ok(()));
            missed.retain(|fault| check_script(&case, **fault).is_ok());
        }
    }
    for bytes in read("set_algebra") {
        let case = SetAlgebra::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        if is_basic(case.spec) {
            assert_eq!(check_laws(&case, Fault::None), Ok(()));
            missed.retain(|fault| check_laws(&case, **fault).is_ok());
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_violation_names_step_promise_and_what_was_seen() {
    let case = FamilyCase {
        spec: Spec::Basic {
            bits: 64,
            hashes: 3,
        },
        state: AnyState::Identity,
        script: Script::new([Step::Insert(Integer(7)), Step::Insert(Integer(7))]),
    };
    let text = check_script(&case, Fault::CallsAllNew)
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "after step 1, Insert(Integer(7)): an item that was inserted before must not be new, \
         got new for Integer(7)"
    );
}
