//! What the pages of the book state, computed again.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-book --test suite tables::` runs one.

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
