//! Keeps other crates from implementing a trait.

#[allow(unnameable_types)]
pub trait Sealed {}
