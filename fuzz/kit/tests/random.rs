//! The bodies of the targets on random bytes, as the fuzzer runs them but without its guidance.

use std::hash::BuildHasher;

use bloom_core::FixedState;

mod targets;

use targets::TARGETS;

/// Cases of each target: random bytes, the same for ever.
const CASES: u64 = 1_000;

/// Returns up to 400 bytes, in every second case few different ones.
fn bytes(number: u64) -> Vec<u8> {
    let state = FixedState::with_seed(number);
    let words = (0..state.hash_one(u64::MAX) % 50).map(|word| state.hash_one(word));
    let bytes = words.flat_map(u64::to_le_bytes);
    bytes
        .map(|byte| {
            if number.is_multiple_of(2) {
                byte
            } else {
                byte % 32
            }
        })
        .collect()
}

/// Runs a target on its cases.
fn run(name: &str) {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, run) = target.expect("a target has this name");
    (0..CASES).for_each(|number| run(&bytes(number)));
}

macro_rules! random_cases_pass {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                run(stringify!($target));
            }
        )*

        #[test]
        fn every_target_is_run() {
            let run = [$(stringify!($target)),*];
            assert_eq!(TARGETS.map(|(target, _)| target), run);
        }
    };
}

random_cases_pass! {
    no_false_negatives
    counting_model
    scalable_growth
    set_algebra
    bytes_in
    shape_solver
    unit_parser
    command_line
    batch_equals_single
    simd_equals_portable
}
