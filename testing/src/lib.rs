//! What the tests of several crates share.
//!
//! - A test that needs something that is lacking reports that it did not run: [`has`] and [`not_run`].
//! - A test that can crash runs in a process of its own: [`in_child`].
//! - Command lines and the expected messages are written as a text: [`cases`], [`rows`] and
//!   [`assert_has`].
//! - Numbers are compared relative to their reference: [`assert_close`].
//! - Files are compared, and the first byte that differs is shown: [`assert_bytes!`].
//! - Typed text must not control the terminal: [`terminal_control`].
//! - Files are damaged as a list of cases says: [`mutated`].

mod bytes;
mod cases;
mod child;
mod close;
mod damage;
mod lack;
mod terminal;

pub use bytes::compare;
pub use cases::{assert_has, cases, rows};
pub use child::in_child;
pub use close::assert_close;
pub use damage::{from_hex, mutated};
pub use lack::{Need, has, not_run};
pub use terminal::terminal_control;
