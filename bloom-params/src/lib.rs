//! Sizes Bloom filters: whatever is missing of items n, bits m, hashes k and false-positive rate
//! p is solved from the rest, exactly.
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
//! - [`units`]: what people write (`1.5M`, `16KiB`, `1%`) as exact numbers.
//! - [`numbers`]: numbers as people read them; a rate is rounded up, so that it stays a promise.
//! - [`like`]: what other libraries build for a question.
//! - [`Question`]: the flags of the question, for other command lines.
//! - [`run`]: the whole command line, from arguments to exit code.
//! - [`math`]: every formula (of `bloom-core`).

pub use bloom_core::math;

pub mod like;
pub mod numbers;
pub mod units;

mod args;
mod cli;
mod commands;
mod decimal;
mod explain;
mod extras;
mod filters;
mod flag;
mod help;
mod hint;
mod human;
mod json;
mod kind;
mod notes;
mod output;
mod per_item;
mod query;
mod rust;
mod sections;
mod solution;
mod solve;
mod words;

pub use args::{InputError, ModelName, Question, RoundName};
pub use cli::run;
pub use filters::{Filter, FilterArgs, FilterName, OptionOfOther};
pub use per_item::PerItem;
pub use query::{Query, QueryError, Round};
pub use solution::{HashesRange, Origin, Quantity, Solution, WhyNoMore};
