//! Parses what people type: numbers with their units, and the flags of a question, from which a `Query` is made.

pub(crate) mod decimal;
#[cfg(feature = "json")]
pub(crate) mod flags;
#[cfg(feature = "json")]
pub(crate) mod options;
#[cfg(feature = "json")]
pub(crate) mod query;
#[cfg(feature = "json")]
pub(crate) mod typed;
pub mod units;
pub mod values;
