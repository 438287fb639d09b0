//! Turns the numbers of an answer into rows, remarks, code, derivations and JSON objects. The command line and the web page
//! of the book both show these.

pub(crate) mod certainty;
#[cfg(feature = "json")]
pub(crate) mod code;
mod errors;
pub mod explain;
mod kind_notes;
mod notes;
pub mod numbers;
#[cfg(feature = "json")]
pub mod object;
#[cfg(feature = "json")]
pub(crate) mod rows;
mod rule;
pub(crate) mod system;
pub(crate) mod unbuilt;
#[cfg(feature = "json")]
pub(crate) mod value;
pub(crate) mod words;
