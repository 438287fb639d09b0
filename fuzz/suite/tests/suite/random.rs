//! Runs the bodies of the fuzz targets on random bytes. Unlike a fuzzer, these tests do not prefer bytes that reach new code.

use std::env;
use std::hash::BuildHasher;

use bloom_core::FixedState;

use crate::targets::TARGETS;

/// The number of random cases of each target. The same seed always gives the same cases.
const CASES: u64 = 1_000;

/// The environment variable that sets the seed. The property tests take their seed from the same variable.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Returns the number of the first case that a seed gives: 0 for seed 1, the default.
fn first_case(seed: Option<&str>) -> u64 {
    let seed = seed.unwrap_or("1");
    let number: u64 = match seed.parse() {
        Ok(number) => number,
        Err(error) => panic!("{SEED} must be a number from 0 to 2^64 - 1, got {seed:?}: {error}"),
    };
    number.wrapping_sub(1).wrapping_mul(CASES)
}

/// Returns up to 392 random bytes for the case with this number. If the number is odd, all bytes are below 32.
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

/// Runs the target with this name on its random cases.
fn run(name: &str) {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, run) = target.expect("a target has this name");
    let first = first_case(env::var(SEED).ok().as_deref());
    (0..CASES).for_each(|number| run(&bytes(first.wrapping_add(number))));
}

#[test]
fn another_seed_draws_other_cases() {
    assert_eq!((first_case(None), first_case(Some("1"))), (0, 0));
    assert_eq!(first_case(Some("3")), 2 * CASES);
    // The numbers of cases wrap around at 2^64, so that the seeds 0 and 2^64 - 1 are valid, too.
    assert_eq!(first_case(Some("0")).wrapping_add(CASES), 0);
    first_case(Some("18446744073709551615"));
    assert_ne!(bytes(first_case(Some("2"))), bytes(0));
}

#[test]
#[should_panic(expected = "PROPTEST_RNG_SEED must be a number from 0 to 2^64 - 1, got \"one\"")]
fn a_seed_that_is_not_a_number_is_refused() {
    first_case(Some("one"));
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
    foreign_bytes_in
    foreign_round_trip
}
