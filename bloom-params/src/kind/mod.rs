//! Defines the kinds of filters, and computes the rate of each from its size and the size from the
//! rate.

pub(crate) mod filter;
pub(crate) mod judge;
pub(crate) mod of_system;
pub(crate) mod scalable;
pub(crate) mod stage_ends;
