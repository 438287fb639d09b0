//! Tests `in_child`, which runs a test in a child process: it reports how this process ended.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{abort, exit};

use crate::child::CHILD;
use crate::in_child;

fn failure(child: impl FnOnce()) -> String {
    let failed = catch_unwind(AssertUnwindSafe(child)).expect_err("the child fails");
    *failed.downcast::<String>().expect("a message")
}

#[test]
fn a_crash_is_reported_with_its_test_its_signal_and_its_last_output() {
    let message = failure(|| {
        in_child(|| {
            eprintln!("step 7");
            abort();
        });
    });
    let name = "child_tests::a_crash_is_reported_with_its_test_its_signal_and_its_last_output";
    let start = format!("{name}: its process was killed by signal 6, SIGABRT\n");
    assert!(message.starts_with(&start), "{message}");
    assert!(message.contains("step 7"), "{message}");
}

#[test]
fn a_child_that_stops_early_has_not_passed() {
    let message = failure(|| in_child(|| exit(0)));
    assert!(message.contains("no test of this name passed"), "{message}");
}

#[test]
fn the_exit_code_of_a_child_is_reported() {
    let message = failure(|| in_child(|| exit(3)));
    assert!(message.contains("failed with exit code 3"), "{message}");
}

#[test]
fn a_child_that_passes_passes() {
    in_child(|| assert!(env::var_os(CHILD).is_some(), "this is not a child"));
}

#[test]
fn a_failed_assertion_of_the_child_is_shown() {
    let message = failure(|| in_child(|| assert_eq!(1 + 1, 3, "in the child")));
    assert!(message.contains("failed with exit code 101"), "{message}");
    assert!(message.contains("in the child"), "{message}");
}
