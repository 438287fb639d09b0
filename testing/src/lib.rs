//! Helpers for the tests of several crates.
//!
//! - [`has`] and [`not_run`] report that a test did not run, because the machine lacks what the test needs.
//! - [`in_child`] runs a test in a process of its own, because the test may crash.
//! - [`cases`] and [`rows`] read command lines and their expected output from a text.
//! - [`assert_has`] checks that an output contains all expected parts.
//! - [`assert_close`] compares a number with its reference value, up to a relative distance.
//! - [`assert_bytes!`] compares two files, and shows the first byte that differs.
//! - [`terminal_control`] finds characters of an output that could control the terminal.
//! - [`mutated`] damages the bytes of a file; [`from_hex`] reads hexadecimal digits.

mod bytes;
mod cases;
// `child.rs` and `lack.rs` are in bloom-core, because the unit tests in its package use them, too.
#[path = "../../bloom-core/src/storage/testing/child.rs"]
mod child;
#[cfg(all(test, unix))]
mod child_tests;
mod close;
mod damage;
#[path = "../../bloom-core/src/storage/testing/lack.rs"]
mod lack;
mod terminal;

pub use bytes::compare;
pub use cases::{assert_has, cases, rows};
pub use child::in_child;
pub use close::assert_close;
pub use damage::{from_hex, mutated};
pub use lack::{Need, has, not_run};
pub use terminal::terminal_control;
