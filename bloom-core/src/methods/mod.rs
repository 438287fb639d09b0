//! The methods that the filters have in common, written once as macros.
//!
//! A filter's own file has its fields, its positions and the methods that only this filter has. It provides
//! `with_hasher`, `insert_hash`, `contains_hash` and, for batches, the private `insert_each` and `contains_each`; the
//! macros add the methods that only hash items and pass the hashes on. They are macros and not a trait, so that
//! callers need no import and every page of the documentation is complete.

#[cfg(feature = "alloc")]
mod build;
#[cfg(feature = "alloc")]
mod inserts;
mod queries;
mod readings;

#[cfg(feature = "alloc")]
pub(crate) use build::{impl_constructors, impl_copies, impl_words};
#[cfg(feature = "alloc")]
pub(crate) use inserts::impl_inserts;
pub(crate) use queries::impl_queries;
pub(crate) use readings::{impl_blocked_readings, impl_readings};
