#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`shells`]: completion scripts and manual pages.
//! - [`target`]: where output goes: a file, which is never partial, or the standard output.
//! - [`report`]: errors, notes and verdicts in colours, and exit codes.
//! - [`progress`]: a progress bar on the standard error.

pub mod progress;
pub mod report;
pub mod shells;
pub mod target;
