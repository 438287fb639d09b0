//! The bodies of the fuzz targets: random cases, the model that runs beside a filter, and the
//! promises that the two are held to.
//!
//! A target draws a case from raw bytes and runs it; `cargo test` runs the same body on random
//! cases, on the files of `regressions/`, and on filters broken on purpose, each of which it must
//! catch.
//!
//! - [`NoFalseNegatives`]: the body of the target `no_false_negatives`.
//! - [`Case`] and [`Operation`]: what is done to a filter, in which shape and with which hasher.
//! - [`Subject`]: what a filter must offer to be checked.
//! - [`Violation`] and [`Promise`]: what a broken filter is caught at.
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use bloom_core::BloomFilter;
//! use bloom_fuzz_kit::{Case, Integer};
//!
//! let bytes = Unstructured::new(b"any bytes are a case");
//! let case = Case::<Integer>::arbitrary_take_rest(bytes)?;
//! case.check(|shape, state| BloomFilter::with_hasher(shape, state).expect("a small filter"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod case;
mod key;
mod model;
mod no_false_negatives;
mod promise;
mod state;
mod subject;

pub use case::{Case, Operation, Stranger};
pub use key::{Bytes, Integer, Key};
pub use no_false_negatives::NoFalseNegatives;
pub use promise::{Promise, Violation};
pub use state::{AnyHasher, AnyState};
pub use subject::Subject;
