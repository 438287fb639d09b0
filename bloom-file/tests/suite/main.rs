//! Tests of the command and the library, and of the commands that the book and the READMEs show.
//!
//! All files are modules of one program, so that only one program is linked. `cargo test -p bloom-file --test suite cli::` runs
//! the tests of one module.

mod builds;
mod cli;
mod common;
mod core_filter;
#[cfg(all(unix, feature = "parquet"))]
mod documents;
mod golden;
mod keys;
#[cfg(feature = "parquet")]
mod parquet;
mod recognised;
#[cfg(not(feature = "parquet"))]
mod without_parquet;
