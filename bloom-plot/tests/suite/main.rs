//! Charts, diagrams and the command that draws them.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-plot --test suite charts::` runs one.

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
