//! The bodies of the fuzz targets: how random cases for the filters of this repository are drawn, and the models with which the
//! filters are compared.
//!
//! A fuzz target decodes raw bytes as a case, and runs the case. `cargo test` runs the bodies without a fuzzer: on random
//! cases, on the files of `regressions/`, and on filters that are broken on purpose, each of which must be caught. The checks
//! that suit any filter are in [`bloom_fuzz_kit`].
//!
//! - [`Spec`], [`FamilyCase`]: the kind and size of a filter of bloom-core, and such a filter with a script (a sequence of
//!   operations). Every bit is compared with the documented layout, unless the filter grows.
//! - [`ByItem`]: a filter of bloom-core, wrapped so that the kit can run scripts on it.
//! - [`Hashed`], [`HashOp`]: a hash that a script passes to a filter instead of an item, and an operation with such hashes.
//! - [`NoFalseNegatives`] and others: the bodies of the targets.
//! - [`System`], [`Size`]: a filter of bloom-formats.
//! - [`repro`]: prints a failing case as Rust source.

mod beside;
mod candidate;
mod case;
mod documented;
mod family;
mod foreign;
mod hashed;
mod readings;
pub mod repro;
mod spec;
mod targets;

pub use beside::{BYTES_ARE_DOCUMENTED, ESTIMATE_UNLESS_FULL, FOUND_IS_SET, READINGS_ARE_SHARES};
pub use case::FamilyCase;
pub use family::ByItem;
pub use foreign::{Size, System};
pub use hashed::{HashOp, Hashed, Run};
pub use readings::{Read, Readings};
pub use spec::{Spec, quality};
pub use targets::{
    BatchEqualsSingle, BytesIn, CommandLine, CountingModel, Edit, ForeignBytesIn, ForeignRoundTrip,
    Mend, NoFalseNegatives, ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, Source,
    UnitParser,
};
