//! Compares the files of other systems, as this crate reads them, with what these systems reported about them.
//!
//! The source files are modules of one test program, so that only one program is linked.
//! `cargo test -p bloom-formats --test suite guava::` runs one module. Tests that count the memory of their whole process are in
//! two further test programs.

mod common;
mod datasketches;
mod dcso;
mod every_format;
mod filter;
mod formats;
mod go;
mod guava;
mod hadoop;
mod hadoop_dynamic;
mod hive;
mod orc;
mod parquet;
mod redis;
mod sizes;
mod spark;
