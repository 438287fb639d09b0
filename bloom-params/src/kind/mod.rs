//! The kinds of filters, and how the rate and the size of each follow from one another.

pub(crate) mod filter;
pub(crate) mod judge;
pub(crate) mod of_system;
pub(crate) mod scalable;
pub(crate) mod stage_ends;
