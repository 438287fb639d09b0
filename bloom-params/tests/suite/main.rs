//! Tests of the questions and answers of the calculator and its command.
//!
//! Each file is a module of one program, which is linked once. `cargo test -p bloom-params --test suite explain::` runs one
//! module. `documents` is a program of its own, because it changes the current folder of the whole program.

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
