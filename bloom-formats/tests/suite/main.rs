//! Tests this crate with files that systems such as Spark wrote: what the crate reads is compared with what these systems
//! report about their files.
//!
//! The source files are modules of one test program, so that only one program is linked. `cargo test -p bloom-formats --test
//! suite guava::` runs one module. The tests that count the allocations of their whole process are in two other test programs,
//! `borrowed` and `damaged`.

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
