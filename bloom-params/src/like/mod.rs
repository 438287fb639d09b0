//! Finds other systems by name, and writes the call that creates a filter with each. The systems
//! are those of [`bloom_systems`].

pub(crate) mod call;

pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};
