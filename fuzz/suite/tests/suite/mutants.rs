//! The bodies of the targets catch filters that are broken on purpose, and pass a sound one.

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

/// Random cases of each kind: a fault must show in at least one of this many.
const CASES: u64 = 500;

/// Draws a case of up to 400 random bytes, always the same for one number.
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

/// Fails unless the target reports that a filter with this fault breaks this promise.
#[track_caller]
fn assert_caught(fault: Fault, promise: Promise) {
    let mut others = Vec::new();
    for violation in violations(fault) {
        if violation.promise() == promise {
            return;
        }
        others.push(violation.to_string());
    }
    others.truncate(5);
    panic!("{fault:?} is not caught, but: {others:#?}");
}

#[test]
fn a_sound_filter_passes() {
    assert_eq!(violations(Fault::None).next(), None);
}

#[test]
fn a_filter_that_loses_a_probe_is_caught() {
    assert_caught(Fault::LosesAProbe, Promise::InsertedIsFound);
}

#[test]
fn a_filter_that_forgets_an_old_bit_is_caught() {
    assert_caught(Fault::ForgetsAnOldBit, Promise::InsertedIsFound);
    assert_caught(Fault::ForgetsAnOldBit, BYTES_ARE_DOCUMENTED);
}

#[test]
fn a_filter_that_calls_every_item_new_is_caught() {
    assert_caught(Fault::CallsAllNew, Promise::KnownIsNotNew);
}

#[test]
fn a_filter_that_calls_no_item_new_is_caught() {
    assert_caught(Fault::CallsNoneNew, Promise::NewIsNotFound);
}

#[test]
fn a_filter_that_asks_one_probe_only_is_caught() {
    assert_caught(Fault::AsksOneProbe, FOUND_IS_SET);
}

#[test]
fn a_filter_that_finds_everything_is_caught() {
    assert_caught(Fault::FindsAll, FOUND_IS_SET);
}

#[test]
fn a_filter_that_sets_all_bits_is_caught() {
    assert_caught(Fault::SetsAllBits, BYTES_ARE_DOCUMENTED);
}

#[test]
fn a_filter_that_hashes_items_in_another_way_is_caught() {
    assert_caught(Fault::HashesApart, BYTES_ARE_DOCUMENTED);
}

#[test]
fn a_filter_that_drops_an_item_of_many_is_caught() {
    assert_caught(Fault::DropsTheLast, Promise::InsertedIsFound);
}

#[test]
fn a_filter_that_is_not_wholly_cleared_is_caught() {
    assert_caught(Fault::KeepsABit, Promise::ClearedIsNew);
}

#[test]
fn a_filter_whose_copy_differs_is_caught() {
    assert_caught(Fault::CopiesOneBitLess, Promise::CopyIsEqual);
}

#[test]
fn a_filter_that_loses_items_on_union_is_caught() {
    assert_caught(Fault::UnitesAWordLess, Promise::MergedAreFound);
    assert_caught(Fault::UnionReplaces, Promise::MergedAreFound);
}

#[test]
fn a_filter_that_intersects_to_the_wrong_bits_is_caught() {
    assert_caught(Fault::IntersectionClears, BYTES_ARE_DOCUMENTED);
    assert_caught(Fault::IntersectionKeeps, BYTES_ARE_DOCUMENTED);
    assert_caught(Fault::IntersectionMoves, BYTES_ARE_DOCUMENTED);
}

#[test]
fn a_filter_that_takes_another_shape_or_hasher_is_caught() {
    const REFUSED: Promise = Promise::Law("another size or hasher must be refused as such");
    assert_caught(Fault::TakesAnotherShape, REFUSED);
    assert_caught(Fault::TakesAnotherHasher, REFUSED);
}

#[test]
fn a_filter_that_changes_as_it_refuses_is_caught() {
    let promise = Promise::Law("a refusal must change nothing");
    assert_caught(Fault::ChangesAsItRefuses, promise);
}

#[test]
fn a_filter_with_readings_out_of_range_is_caught() {
    assert_caught(Fault::ReadsPercents, READINGS_ARE_SHARES);
    assert_caught(Fault::EstimatesInfinity, ESTIMATE_UNLESS_FULL);
}

/// A replay of the saved inputs would pass even if they no longer were the cases that their names describe; this test
/// would not.
#[test]
fn the_saved_inputs_alone_catch_every_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions");
    let read = |target: &str| {
        let files = fs::read_dir(folder.join(target)).unwrap();
        files.map(|file| fs::read(file.unwrap().path()).unwrap())
    };
    let mut missed = Fault::ALL.to_vec();
    for bytes in read("no_false_negatives") {
        let saved = NoFalseNegatives::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        if let NoFalseNegatives::OfIntegers(case) = saved
            && is_basic(case.spec)
        {
            assert_eq!(check_script(&case, Fault::None), Ok(()));
            missed.retain(|fault| check_script(&case, *fault).is_ok());
        }
    }
    for bytes in read("set_algebra") {
        let case = SetAlgebra::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        if is_basic(case.spec) {
            assert_eq!(check_laws(&case, Fault::None), Ok(()));
            missed.retain(|fault| check_laws(&case, *fault).is_ok());
        }
    }
    assert_eq!(missed, []);
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
