//! Finds libraries and databases that have Bloom filters (here called systems) by name, and writes the call with which
//! each creates a filter. [`bloom_systems`] lists the systems.

pub(crate) mod call;

pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};
