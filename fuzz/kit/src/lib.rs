//! The bodies of the fuzz targets: random cases, the models that a filter is compared with, and the
//! promises that it must keep.
//!
//! A target draws a case from raw bytes and runs it; `cargo test` runs the same body on random
//! cases, on the files of `regressions/`, and on filters broken on purpose, each of which it must
//! catch.
//!
//! # For any filter
//!
//! - [`Subject`]: what a filter must offer to be examined; two methods are enough.
//! - [`Script`] and [`Step`]: operations on it, compared with the multiset of its items.
//! - [`Promise`] and [`Violation`]: what a filter must keep, and the report of a broken promise.
//! - [`Candidate`] and [`examine`]: all checks at once, with rates, hostile bytes and edge sizes.
//! - [`rate`]: measures the rate of a filter, and gives the probability of a false alarm.
//! - [`guide`]: a filter of fifty lines is examined and mended; what each check does; three crates, examined.
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
//! - [`Spec`], [`FamilyCase`]: which filter, and a script for it; every bit is compared with the
//!   documented layout.
//! - [`HashOp`]: a step by hashes and not by items.
//! - [`NoFalseNegatives`] and others: the bodies of the targets.
//! - [`System`], [`Size`]: a filter of bloom-formats.
//! - [`repro`]: a failing case as Rust source.

mod case;
mod conformance;
mod documented;
mod family;
mod foreign;
mod key;
mod promise;
pub mod rate;
pub mod repro;
mod runner;
mod script;
mod spec;
mod state;
mod step;
mod subject;
mod targets;

pub use case::FamilyCase;
pub use conformance::{Candidate, DEGENERATE, EDGES, Outcome, Report, examine};
pub use foreign::{Size, System};
pub use key::{Bytes, Hashed, Integer, Key, Keys, Run};
pub use promise::{Checked, Promise, Violation};
pub use script::Script;
pub use spec::Spec;
pub use state::{AnyHasher, AnyState};
pub use step::{HashOp, Step};
pub use subject::{Inserted, Readings, Subject};
pub use targets::{
    BatchEqualsSingle, BytesIn, BytesInSource, CommandLine, CountingModel, Edit, ForeignBytesIn,
    ForeignRoundTrip, ForeignSource, Mend, NoFalseNegatives, ScalableGrowth, SetAlgebra,
    ShapeSolver, SimdEqualsPortable, UnitParser,
};

#[cfg(any(doc, doctest))]
#[doc = include_str!("../GUIDE.md")]
#[doc = include_str!("../PEERS.md")]
pub mod guide {}

/// Runs the sample of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
