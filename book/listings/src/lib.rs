//! Rebuilds the programs of five documents about Bloom filters, by what the documents say.
//! This project grew from these documents. Each program has its faults, and beside it is a
//! version without the faults.
//!
//! | document | its programs here |
//! | --- | --- |
//! | *A Golang Implemented Bloom Filter* | [`go`]: a calculator, a Bloom filter, a counting filter, a growing filter |
//! | *Probabilistic to-visit Queue* | [`visit_queue`] |
//! | *BloomFilter, a tool for large data* | [`polynomials`] |
//! | *Looking into Bloom filters* | [`digits`] |
//! | the textbook section on data streams | [`stream`] |
//!
//! A rebuilt program hashes, computes sizes and behaves as its document says. For each
//! module above, a file of the same name in `tests/` shows the faults. The types called
//! `Rebuilt` have the faults: use the types called `Fixed`, or `bloom-core` itself.
//!
//! [`exercises`] has the programming exercises of the book.

pub mod digits;
pub mod exercises;
pub mod go;
pub mod polynomials;
pub mod row;
pub mod stream;
pub mod visit_queue;
