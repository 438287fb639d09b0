//! The Python package `bloom_suite`: what the crates of this repository do, for Python. Rust does the work; these modules
//! turn values of Python into those of the crates and back.
//!
//! - `size`: the calculator.
//! - `error`: errors as exceptions.

mod error;
mod size;

use pyo3::prelude::*;

/// Bloom filters that keep the false-positive rate they promise.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::size::{Size, size};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
