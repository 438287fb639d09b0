#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`SYSTEMS`]: every known system but the filters of Hive's joins. Each of the [files](systems) describes a library in all its
//!   versions: names, version and source, what it takes and refuses, how it sizes, hashes and grows, and what its user writes.
//! - [`rule`]: the terms in which these files describe a system.
//! - [`Positions`]: how a system derives the k positions of an item, and what that adds to the rate of independent positions.
//! - [`double_hashing`], [`sums`], [`chain`], [`four_hashes`], [`walk`]: kinds of positions; [`links`]: several filters of
//!   double hashing, queried one after the other.
//! - [`hash`]: hash functions; [`divisor`]: remainders, which turn hashes into positions; [`random`]: random numbers for items.
//!
//! The folder `measured` of the repository has rates and sizes that were measured with the systems themselves. Tests compare
//! these with what is computed here.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

pub mod chain;
pub mod divisor;
pub mod double_hashing;
pub mod four_hashes;
pub mod hash;
pub mod links;
pub mod random;
pub mod rule;
pub mod sums;
pub mod systems;
pub mod walk;

mod build;
mod draw;
mod excess;
mod grown;
mod measured;
mod positions;
mod rates;
mod refusal;
mod request;
mod rotated;
mod search;
mod system;

pub use grown::First;
pub use positions::Positions;
pub use rates::{Judge, Rates, Verdict};
pub use refusal::Refusal;
pub use request::{Built, ByFormula, Formula, Request, Worked};
pub use search::Pass;
pub use system::{Layout, Limit, System, system};
pub use systems::{Related, SYSTEMS, related};
