#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`shells`]: completion scripts and manual pages.
//! - [`target`]: writes output to the standard output, or to a file, which is replaced only by the complete output.
//! - [`report`]: formats errors, hints, notes, warnings and the verdicts `met` and `not met` in colours; exit codes.
//! - [`progress`]: a progress bar on the standard error.

pub mod progress;
pub mod report;
pub mod shells;
pub mod target;
