//! Parses what people type: numbers with their units, and flags, which become a query.

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
