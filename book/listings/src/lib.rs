//! Rebuilds the programs of the five documents from which this project grew, by what the
//! documents say. Each program has its faults, and beside it is a version without the
//! faults.
//!
//! | document | its programs here |
//! | --- | --- |
//! | *A Golang Implemented Bloom Filter* | [`go`]: a calculator, a filter, one with counters, one that grows |
//! | *Probabilistic to-visit Queue* | [`visit_queue`] |
//! | *BloomFilter, a tool for large data* | [`polynomials`] |
//! | *Looking into Bloom filters* | [`digits`] |
//! | the textbook section on data streams | [`stream`] |
//!
//! A rebuilt program keeps its hashing, its sizing and its behaviour. The file of the
//! same name in `tests/` shows its faults; the book measures how far its rate is from the
//! exact model. The types called `Rebuilt` have the faults: use the types called `Fixed`,
//! or `bloom-core` itself.
//!
//! [`exercises`] has the exercises of the book that are written as code.

pub mod digits;
pub mod exercises;
pub mod go;
pub mod polynomials;
pub mod row;
pub mod stream;
pub mod visit_queue;
