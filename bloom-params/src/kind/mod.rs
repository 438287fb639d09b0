//! Defines the kinds of Bloom filters, such as classic, blocked and scalable. Computes the false-positive rate of each
//! from its size, and the size from a target rate.

pub(crate) mod filter;
pub(crate) mod judge;
pub(crate) mod of_system;
pub(crate) mod scalable;
pub(crate) mod stage_ends;
