//! The exercises of the book in code: starters that compile and give wrong answers.
//!
//! Take one, replace its body, and run its test, which is ignored until then:
//!
//! ```text
//! cargo test -p bloom-listings --test exercises -- --ignored packing
//! ```
//!
//! [`solutions`] has a solution of each exercise, which every run of the tests checks.

pub mod balls;
pub mod counters;
pub mod estimate;
pub mod exceptions;
pub mod judge;
pub mod packing;
pub mod position;
pub mod query_first;
pub mod smallest;
pub mod solutions;
pub mod stages;
pub mod words;
