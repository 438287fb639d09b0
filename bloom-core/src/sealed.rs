//! `Sealed` is required by public traits. Other crates cannot name it, so they cannot implement
//! those traits.

#[allow(unnameable_types)]
pub trait Sealed {}
