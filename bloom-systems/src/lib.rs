#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`SYSTEMS`]: all described systems, except the filters of [Hive's joins](systems::hive). The module [`systems`] has a file
//!   for each library, or for a few related ones. Such a file states the names, versions and sources of its systems, what a
//!   system takes and refuses, how it sizes a filter and hashes an item, what it does with a full filter, and what its user
//!   writes.
//! - [`rule`]: the types in which these files describe a system.
//! - [`Positions`]: how a system derives the k positions of an item, and what that adds to the rate of independent positions.
//! - [`double_hashing`], [`sums`], [`chain`], [`four_hashes`], [`walk`]: the ways to derive positions that are not independent;
//!   [`links`]: the rate of several filters with double hashing that are queried one after the other.
//! - [`hash`]: hash functions; [`divisor`]: remainders, which turn hashes into positions; [`random`]: random numbers, which
//!   stand for keys in simulations.
//!
//! The folder `measured` of the repository has rates and sizes that were measured with the systems themselves. Tests compare
//! these with the rates and sizes that this crate computes.

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
