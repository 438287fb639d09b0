//! What the tests of several crates share.
//!
//! - A test that needs what the machine lacks reports that it did not run: [`has`] and [`not_run`].
//! - A test that can crash runs in a process of its own: [`in_child`].
//! - Command lines and their expected output are written as a text: [`cases`], [`rows`] and [`assert_has`].
//! - A number is compared with its reference, up to a relative distance: [`assert_close`].
//! - Files are compared, and the first byte that differs is shown: [`assert_bytes!`].
//! - Text that a user types must not control the terminal: [`terminal_control`].
//! - Files are damaged as a list of cases describes: [`mutated`].

mod bytes;
mod cases;
// In bloom-core, so that its package has what its unit tests need.
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
