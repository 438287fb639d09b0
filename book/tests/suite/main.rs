//! Checks the pages of the book: computes again what they state, and compares the two.
//!
//! Each file is a module of one program, which is linked once; `cargo test -p bloom-book --test suite tables::` runs one
//! module.

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
