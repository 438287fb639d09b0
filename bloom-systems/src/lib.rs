//! How the Bloom filters of other systems derive positions, and what that does to their rate.
//!
//! `measured/` has the rates and sizes of the systems themselves, to which tests hold what is computed here.
//!
//! - [`Positions`]: how a system derives the k positions of an item, and what that adds to the rate of independent ones.
//! - [`double_hashing`], [`sums`], [`chain`], [`four_hashes`], [`walk`]: the parts of it.
#![no_std]

extern crate alloc;

pub mod chain;
pub mod double_hashing;
pub mod four_hashes;
mod positions;
#[doc(hidden)]
pub mod random;
pub mod sums;
pub mod walk;

pub use positions::Positions;
