//! What the Bloom filters of other systems are: how each sizes them and derives positions, and the true rate of them.
//!
//! ```
//! use bloom_systems::{Request, system};
//!
//! let guava = system("guava").expect("a known system");
//! let built = guava.build(Request::for_rate(2_000, 0.01)).expect("within its limits");
//! assert_eq!((built.bits, built.hashes), (19_200, 7));
//! ```
//!
//! - [`SYSTEMS`]: every known system, in a file of its own: its names, version and source, what it takes and refuses, how it sizes,
//!   hashes and grows, and what its user writes.
//! - [`rule`]: the terms in which these files state it.
//! - [`Positions`]: how a system derives the k positions of an item, and what that adds to the rate of independent ones.
//! - [`double_hashing`], [`sums`], [`chain`], [`four_hashes`], [`walk`], [`links`]: the parts of it.
//! - [`hash`]: their hash functions; [`divisor`]: the remainders that make positions of hashes.
//!
//! `measured/` has the rates and sizes of the systems themselves, to which tests hold what is computed here.
#![no_std]

extern crate alloc;

pub mod chain;
pub mod divisor;
pub mod double_hashing;
pub mod four_hashes;
pub mod hash;
pub mod links;
#[doc(hidden)]
pub mod random;
pub mod rule;
pub mod sums;
pub mod systems;
pub mod walk;

mod build;
mod draw;
mod grown;
mod measured;
mod positions;
mod rates;
mod request;
mod search;
mod system;

pub use grown::First;
pub use positions::Positions;
pub use rates::{Judge, Rates, Verdict};
pub use request::{Built, Formula, Refusal, Request, Worked};
pub use search::Pass;
pub use system::{Layout, Limit, System, system};
pub use systems::{Related, SYSTEMS, related};
