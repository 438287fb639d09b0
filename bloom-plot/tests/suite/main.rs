//! Charts, diagrams and the command that draws them.
//!
//! The files are modules of one program, so that only one is linked. `cargo test -p bloom-plot --test suite charts::` runs the
//! tests of one file.

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
