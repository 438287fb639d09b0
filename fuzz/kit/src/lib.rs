//! The bodies of the fuzz targets: random cases, the model that runs beside a filter, and the
//! promises that the two are held to.
//!
//! A target draws a case from raw bytes and runs it; `cargo test` runs the same body on random
//! cases, on the files of `regressions/`, and on filters broken on purpose, each of which it must
//! catch.
//!
//! # For any filter
//!
//! - [`Subject`]: what a filter must offer to be examined; two methods are enough.
//! - [`Script`] and [`Step`]: what is done to it, beside the multiset of what is in it.
//! - [`Violation`] and [`Promise`]: what a broken filter is caught at.
//! - [`Candidate`] and [`examine`]: all of it at once, with rates, hostile bytes and edge sizes.
//! - [`rate`]: is a measured rate the promised one, with what chance of a false alarm?
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use bloom_core::BlockedBloomFilter;
//! use bloom_fuzz_kit::{Integer, Script};
//!
//! let bytes = Unstructured::new(b"any bytes are a script");
//! let script = Script::<Integer>::arbitrary_take_rest(bytes)?;
//! script.check(|| BlockedBloomFilter::with_rate(100, 0.01).expect("a small filter"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For the filters of bloom-core
//!
//! - [`NoFalseNegatives`]: the body of the target `no_false_negatives`.
//! - [`Spec`], [`FamilyCase`]: which filter, and a script for it.
//! - [`Case`], [`Operation`], [`BitFilter`]: a filter whose every bit is checked.
//! - [`paste`]: a failing case as Rust.

mod bit_filter;
mod case;
mod conformance;
mod documented;
mod family;
mod hashes;
mod key;
mod model;
pub mod paste;
mod promise;
pub mod rate;
mod script;
mod spec;
mod state;
mod subject;
mod targets;

pub use bit_filter::BitFilter;
pub use case::{Case, Operation, Stranger};
pub use conformance::{Candidate, DEGENERATE, EDGES, Outcome, Report, examine};
pub use hashes::{Deed, Run};
pub use key::{Bytes, Integer, Key};
pub use promise::{Promise, Violation};
pub use script::{Script, Step};
pub use spec::{FamilyCase, Spec};
pub use state::{AnyHasher, AnyState};
pub use subject::{Inserted, Subject};
pub use targets::{
    BatchEqualsSingle, BytesIn, BytesInSource, CommandLine, CountingModel, Edit, Mend,
    NoFalseNegatives, ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, UnitParser,
};

/// Runs the sample of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
