//! A trait that other crates cannot name: they cannot implement the public traits that require it.

#[allow(unnameable_types)]
pub trait Sealed {}
