//! Tests of the crate's charts and diagrams, and of the command `bloom-plot`, which draws them.
//!
//! Each file of tests is a module of this program, so that one program is linked instead of one per file. `cargo test -p
//! bloom-plot --test suite charts::` runs only the tests of `charts.rs`.

mod benchmarks;
mod charts;
mod cli;
mod cli_errors;
mod common;
mod diagrams;
mod every_chart;
mod figures;
mod hashing;
mod measured;
mod measured_kinds;
mod models;
mod papers;
mod questions;
mod shell;
mod snapshots;
mod vectors;
