//! The programming exercises of the book. Each file but this one and `solutions` is a
//! starter: it compiles, but gives wrong answers.
//!
//! Replace the bodies of a starter's functions, and run its test, which is ignored by default:
//!
//! ```text
//! cargo test -p bloom-listings --test exercises -- --ignored packing
//! ```
//!
//! The first line of each starter shows its difficulty in stars, from ★ to ★★★. [`solutions`] has a solution of each exercise,
//! which every run of the tests checks.

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
