//! The extension module of the Python package `bloom_suite`, which offers the crates of this repository to Python. The crates
//! do the work: these modules convert values of Python to values of the crates and back.
//!
//! - `size`: computes the size of a filter.
//! - `filter`: the filters of bloom-core, which `constructors` makes.
//! - `keys`, `part`: hash keys that are values of Python; `column` hashes Arrow columns.
//! - `system`: the filters of other systems.
//! - `lock`: the lock with which threads share a filter.
//! - `error`: turns errors of the crates into exceptions of Python.

mod column;
mod constructors;
mod error;
mod filter;
mod keys;
mod lock;
mod part;
mod size;
mod system;

use pyo3::prelude::*;

/// Bloom filters that keep the false-positive rate they promise.
#[pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use super::{
        filter::{
            BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
            ScalableBloomFilter,
        },
        size::{Size, size},
        system::{SystemFilter, build, open_file, read_bytes},
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "a name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
