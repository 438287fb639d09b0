//! Examines any Bloom filter or similar structure, and reports which of its promises hold.
//!
//! ```
//! # struct Mine(std::collections::HashSet<u64>);
//! # impl Mine {
//! #     fn new(_: u64, _: f64) -> Self { Mine(Default::default()) }
//! #     fn add(&mut self, item: &u64) { self.0.insert(*item); }
//! #     fn has(&self, item: &u64) -> bool { self.0.contains(item) }
//! # }
//! bloom_fuzz_kit::subject!(Mine, items: u64, with_rate: Mine::new, insert: Mine::add, contains: Mine::has);
//!
//! # fn in_a_test() {
//! bloom_fuzz_kit::examine::<Mine>().assert_passed();
//! # }
//! ```
//!
//! - [`examine`], [`Examination`]: all checks at once. Every filled filter is queried for all items that were inserted. Rates
//!   are measured with so many queries that a rate that is too high by a stated share is noticed.
//! - [`Subject`], [`Candidate`], [`subject!`]: what a filter must offer, and what it may offer besides.
//! - [`Report`]: the outcomes, with the smallest case that breaks a promise.
//! - [`Item`], [`Kind`]: the items that filters are filled with; add kinds of your own.
//! - [`Script`], [`Step`], [`Promise`]: a sequence of operations as data, one operation of it, and what must hold after each
//!   operation. The answers are compared with a multiset. A script implements `Arbitrary`, so a fuzzer can draw it.
//! - [`guide`]: examines and mends a filter of fifty lines, says what each check does, and examines the filters of three other
//!   crates.

mod exam;
mod item;
mod key;
mod promise;
pub mod repro;
mod runner;
mod script;
mod state;
mod step;
mod subject;

pub use exam::{ALARM, DEGENERATE, EDGES, Examination, Outcome, Report, Row, examine};
pub use item::{Item, Kind};
pub use key::{Bytes, Integer, Key, Keys};
pub use promise::{Checked, Promise, Violation, ensure, law};
pub use runner::Model;
pub use script::Script;
pub use state::{AnyHasher, AnyState};
pub use step::Step;
#[doc(hidden)]
pub use subject::Built;
pub use subject::{Candidate, Inserted, Shared, Subject};

#[cfg(any(doc, doctest))]
#[doc = include_str!("../GUIDE.md")]
#[doc = include_str!("../PEERS.md")]
pub mod guide {}

/// Compiles the README's samples as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
