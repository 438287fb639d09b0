//! What a filter can be, and how its rate and its size follow from one another.

pub(crate) mod filter;
pub(crate) mod judge;
pub(crate) mod of_system;
pub(crate) mod scalable;
pub(crate) mod stage_ends;
