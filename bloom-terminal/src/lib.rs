#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`shells`]: completion scripts and manual pages.
//! - [`target`]: writes output to the standard output, or to a file; an existing file is replaced only when the output
//!   is complete.
//! - [`report`]: formats errors, hints, notes, warnings and the verdicts `met` and `not met` in colours, and returns
//!   the exit code of a command.
//! - [`progress`]: a progress bar on the standard error.

pub mod progress;
pub mod report;
pub mod shells;
pub mod target;
