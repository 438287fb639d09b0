//! What the tests of several crates share.
//!
//! - A test that lacks something says that it did not run: [`has`] and [`not_run`].
//! - A test that can crash runs in a process of its own: [`in_child`].
//! - Files are compared with the first byte that differs: [`assert_bytes!`].
//! - Files are damaged as a list of cases says: [`mutated`].

mod bytes;
mod child;
mod damage;
mod lack;

pub use bytes::compare;
pub use child::in_child;
pub use damage::{from_hex, mutated};
pub use lack::{Need, has, not_run};
