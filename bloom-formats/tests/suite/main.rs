//! The files of other systems, compared with what these systems said of them.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-formats --test suite guava::` runs one.
//! Tests that count the memory of their whole process are in two more programs.

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
