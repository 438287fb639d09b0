//! The command, and the commands that pages show.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-file --test suite cli::` runs one.

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
#[cfg(not(feature = "parquet"))]
mod without_parquet;
