//! Other systems by name, and the call that creates a filter with each: the calculator's view of [`bloom_systems`].

pub(crate) mod call;

pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};
