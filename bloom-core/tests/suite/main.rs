//! Tests what the filters and the formulas promise, through the public interface.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-core --test suite family::` runs one.
//! Tests with an allocator or features of their own, tests that CI builds without debug assertions, and tests that start
//! programs are programs of their own; each file says why.
//!
//! With `--cfg bloom_fewer_tests` only the tests that could fail on one processor, with one level of vectors or under a
//! sanitizer are built: CI builds them for each of these.

mod batches;
mod borrowed;
mod family;
mod family_algebra;
mod files_byte_order;
mod files_golden;
mod files_hostile;
mod files_rules;
mod forged;
mod growing_saved;
mod hash_by_hand;
mod promises;
mod readings;
mod saved;

// This module is in the folder of the tables that it reads.
#[path = "../vectors/mod.rs"]
mod vectors;

// These modules test what every processor computes alike.
#[cfg(not(bloom_fewer_tests))]
mod crate_page;
#[cfg(not(bloom_fewer_tests))]
mod documented;
#[cfg(not(bloom_fewer_tests))]
mod errors;
#[cfg(not(bloom_fewer_tests))]
mod family_rates;
#[cfg(not(bloom_fewer_tests))]
mod files;
#[cfg(not(bloom_fewer_tests))]
mod growing;
#[cfg(not(bloom_fewer_tests))]
mod math;
#[cfg(not(bloom_fewer_tests))]
mod math_errors;
#[cfg(not(bloom_fewer_tests))]
mod memory;
#[cfg(not(bloom_fewer_tests))]
mod rate;
#[cfg(not(bloom_fewer_tests))]
mod weak_hashes;
