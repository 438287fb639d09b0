//! A solution of each programming exercise of the book; `src/exercises/` has the exercises.

pub mod balls;
pub mod counters;
pub mod estimate;
pub mod exceptions;
pub mod judge;
pub mod packing;
pub mod position;
pub mod query_first;
pub mod smallest;
pub mod stages;
pub mod words;
