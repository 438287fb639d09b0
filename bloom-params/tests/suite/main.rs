//! Tests of the questions and answers of the calculator and its command.
//!
//! Each file in this folder is a module of one test program, so that the library is linked once for all of them. One module is
//! run with `cargo test -p bloom-params --test suite explain::`. `tests/documents.rs` is a second test program, because it
//! changes the current folder, which all tests of a program share.

mod answers;
mod batch;
mod by_name;
mod cli;
mod commands;
mod common;
mod explain;
mod explain_steps;
mod extras;
mod extremes;
mod filters;
mod filters_refused;
mod growth;
mod help;
mod hint;
mod json;
mod library;
mod like;
mod like_beyond;
mod like_call;
mod like_full;
mod like_rules;
mod notes;
mod pages;
mod questions;
mod rust_code;
mod stage_ends;
mod table;
mod units;
mod units_laws;
mod vectors;
mod verify;
