#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`Query`], [`Solution`]: a question and its answer.
//! - [`flag`]: parses whole numbers that are the values of flags.
//! - [`explain`]: the derivation of an answer, step by step.
//! - [`units`]: parses what people write (`1.5M`, `16KiB`, `1%`) into exact numbers.
//! - [`numbers`]: formats numbers for people; a rate is rounded up, so that the filter keeps the printed rate.
//! - [`like`]: libraries and databases with Bloom filters (called systems) by name, and the calls that create their filters; a
//!   question with [`Filter::OfSystem`] asks what a system builds.
//! - [`structures`]: the bits per item of cuckoo, xor, ribbon and other filters, as their authors state them.
//! - [`math`]: the formulas of `bloom-core`.
//! - [`command`]: documentation of the program, its flags and commands, with examples.
//! - `json`: answers a question, given as texts, with the JSON object that the command prints.
//! - `report`: lays out rows, remarks and JSON like the program `bloom-params`, for other programs with a command line.
//! - `run`: runs a whole command line, from arguments to exit code.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub use bloom_core::math;

#[cfg(doc)]
#[doc = include_str!("../COMMAND.md")]
pub mod command {}

pub mod like;
pub mod structures;

mod answer;
mod error;
mod kind;
mod per_item;
mod question;
mod read;
mod say;
mod solve;

#[cfg(feature = "json")]
mod beyond;
#[cfg(feature = "cli")]
mod cli;

pub use answer::{HashesRange, Solution};
#[cfg(feature = "cli")]
pub use cli::{report, run};
pub use error::InputError;
pub use kind::filter::Filter;
pub use kind::of_system::{AsBuilt, WhyNoMore};
pub use per_item::PerItem;
pub use question::{Cost, Given, Quantity, Query, QueryError, Round, Unbuilt};
pub use read::{units, values as flag};
#[cfg(feature = "json")]
pub use say::object as json;
pub use say::{explain, numbers};
