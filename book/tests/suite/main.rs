//! Tests the pages of the book: the numbers and drawings that they show are computed again and compared, and the samples of
//! Python are run.
//!
//! Each file here is a module of one test program. `cargo test -p bloom-book --test suite tables::` runs one module.

mod common;
mod diagrams;
mod drawings;
mod faster;
mod growing;
mod hashing;
mod lecturers;
mod listings;
mod others;
mod pages;
mod path;
mod python;
mod scenes;
mod tables;
mod widgets;
