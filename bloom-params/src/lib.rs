//! Sizes Bloom filters: solves exactly for whatever is missing of items n, bits m, hashes k and
//! false-positive rate p.
//!
//! ```
//! use bloom_params::Query;
//!
//! let query = Query {
//!     items: Some(2_000),
//!     rate: Some(0.01),
//!     ..Query::default()
//! };
//! let solution = query.solve()?;
//! assert_eq!((solution.bits, solution.hashes), (19_188, 7));
//! # Ok::<(), bloom_params::QueryError>(())
//! ```
//!
//! - [`Query`], [`Solution`]: a question and its answer.
//! - [`flag`]: parses values of other flags, and quotes them.
//! - [`explain`]: the derivation of an answer, step by step.
//! - [`units`]: parses what people write (`1.5M`, `16KiB`, `1%`) into exact numbers.
//! - [`numbers`]: formats numbers for people; a rate is rounded up, so that the filter keeps it.
//! - [`like`]: what other libraries build for a question, and the code to get it.
//! - [`structures`]: what cuckoo, xor, ribbon and other filters take, as their authors state it.
//! - [`math`]: the formulas of `bloom-core`.
//! - [`command`]: documentation of the program, each flag and command by an example.
//! - `json`: questions as texts, answered by the JSON object that the command prints.
//! - `report`: rows and notes as this command prints them, and its JSON, for other commands.
//! - `run`: the whole command line, from arguments to exit code.
//!
//! The feature `cli` (on by default) has all of the last three and the program, `json` that module alone. With `json` or
//! without any of them the crate depends on `bloom-core` and libm alone and builds for `wasm32-unknown-unknown`.

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

pub use answer::{HashesRange, Origin, Solution, WhyNoMore};
#[cfg(feature = "cli")]
pub use cli::{report, run};
pub use error::InputError;
pub use kind::filter::Filter;
pub use per_item::PerItem;
pub use question::{Cost, Given, Quantity, Query, QueryError, Round, Unbuilt};
pub use read::{units, values as flag};
#[cfg(feature = "json")]
pub use say::object as json;
pub use say::{explain, numbers};
