//! The bodies of the targets catch filters that are broken on purpose, and pass a sound one.

mod broken;

use std::fs;
use std::hash::BuildHasher;
use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use bloom_core::{FixedState, Shape};
use bloom_fuzz_kit::paste::List;
use bloom_fuzz_kit::{AnyState, Case, Integer, NoFalseNegatives, Operation, Promise, Violation};
use broken::{BrokenFilter, Fault};

/// A fault that shows in fewer than one case in so many is not counted on to be found.
const CASES: u64 = 500;

/// Returns a case of up to 400 random bytes, the same of each number for ever.
fn case(number: u64) -> Case<Integer> {
    let state = FixedState::with_seed(number);
    let words = (0..state.hash_one(u64::MAX) % 50).map(|word| state.hash_one(word));
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    Case::arbitrary_take_rest(Unstructured::new(&bytes)).expect("any bytes are a case")
}

fn violations(fault: Fault) -> impl Iterator<Item = Violation> {
    let check = move |number| {
        let case = case(number);
        let outcome = case.check(|shape, state| BrokenFilter::new(fault, shape, state));
        outcome.err()
    };
    (0..CASES).filter_map(check)
}

/// Fails unless a filter with this fault is caught at breaking this promise.
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
    assert_caught(Fault::ForgetsAnOldBit, Promise::InsertSetsItsPositions);
    assert_caught(Fault::ForgetsAnOldBit, Promise::InsertedIsFound);
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
    assert_caught(Fault::AsksOneProbe, Promise::NewIsNotFound);
}

#[test]
fn a_filter_that_finds_everything_is_caught() {
    assert_caught(Fault::FindsAll, Promise::EmptyFindsNothing);
}

#[test]
fn a_filter_that_sets_all_bits_is_caught() {
    assert_caught(Fault::SetsAllBits, Promise::InsertSetsItsPositions);
}

#[test]
fn a_filter_that_hashes_items_in_another_way_is_caught() {
    assert_caught(Fault::HashesApart, Promise::HashStandsForItem);
}

#[test]
fn a_filter_that_drops_an_item_of_many_is_caught() {
    assert_caught(Fault::DropsTheLast, Promise::ExtendIsInsert);
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
    assert_caught(Fault::UnitesAWordLess, Promise::UnionIsInsert);
    assert_caught(Fault::UnionReplaces, Promise::UnionIsInsert);
}

#[test]
fn a_filter_that_intersects_to_the_wrong_bits_is_caught() {
    assert_caught(Fault::IntersectionClears, Promise::IntersectionIsBoth);
    assert_caught(Fault::IntersectionKeeps, Promise::IntersectionIsBoth);
    assert_caught(Fault::IntersectionMoves, Promise::IntersectionIsBoth);
}

#[test]
fn a_filter_that_takes_another_shape_or_hasher_is_caught() {
    assert_caught(Fault::TakesAnotherShape, Promise::StrangerIsRefused);
    assert_caught(Fault::TakesAnotherHasher, Promise::StrangerIsRefused);
}

#[test]
fn a_filter_that_changes_as_it_refuses_is_caught() {
    assert_caught(Fault::ChangesAsItRefuses, Promise::RefusalChangesNothing);
}

#[test]
fn a_filter_with_readings_out_of_range_is_caught() {
    assert_caught(Fault::ReadsPercents, Promise::ReadingsAreShares);
    assert_caught(Fault::EstimatesInfinity, Promise::EstimateUnlessFull);
}

/// The files would pass too if they no longer meant what their names say.
#[test]
fn the_saved_inputs_alone_catch_every_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions/no_false_negatives");
    let mut missed = Fault::ALL.to_vec();
    for file in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let saved = NoFalseNegatives::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        if let NoFalseNegatives::OfIntegers(case) = saved {
            let passes = |fault: Fault| {
                case.check(|shape, state| BrokenFilter::new(fault, shape, state))
                    .is_ok()
            };
            assert!(passes(Fault::None));
            missed.retain(|fault| passes(*fault));
        }
    }
    assert_eq!(missed, []);
}

#[test]
fn a_violation_names_operation_promise_and_what_was_seen() {
    let case = Case {
        shape: Shape::new(64, 3).unwrap(),
        state: AnyState::Identity,
        operations: List(vec![
            Operation::Insert(Integer(7)),
            Operation::Insert(Integer(7)),
        ]),
    };
    let text = case
        .check(|shape, state| BrokenFilter::new(Fault::CallsAllNew, shape, state))
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "after operation 1, Insert(Integer(7)): an item that was inserted before must not be new, \
         got true for Integer(7)"
    );
}
