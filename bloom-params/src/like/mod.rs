//! Other systems by name, and what to write to get a filter from one: the calculator's view of [`bloom_systems`].

pub(crate) mod call;

pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};
