//! The programs that come with the five documents behind this project, rebuilt from
//! what the documents say, each with its faults and, beside it, the version without
//! them.
//!
//! | document | its programs here |
//! | --- | --- |
//! | *A Golang Implemented Bloom Filter* | [`go`]: a calculator, a filter, one with counters, one that grows |
//! | *Probabilistic to-visit Queue* | [`visit_queue`] |
//! | *BloomFilter, a tool for large data* | [`polynomials`] |
//! | *Looking into Bloom filters* | [`digits`] |
//! | the textbook section on data streams | [`stream`] |
//!
//! A program keeps its hashing, its sizing and its behaviour. The tests of its name
//! in `tests/` show its faults; the book measures how far its rate is from the exact
//! model. The types called `Rebuilt` are specimens: use those called `Fixed`, or
//! `bloom-core` itself.
//!
//! [`exercises`] holds the book's exercises in code.

pub mod digits;
pub mod exercises;
pub mod go;
pub mod polynomials;
pub mod row;
pub mod stream;
pub mod visit_queue;
