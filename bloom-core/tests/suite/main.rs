//! Tests what the filters and the formulas promise, through the public interface.
//!
//! Each file of this folder is a module of one program, so that only one program is linked. The command
//! `cargo test -p bloom-core --test suite family::` runs the tests of the module `family`. Some tests of the crate are programs
//! of their own, because they need an allocator or features of their own, because CI builds them without debug assertions, or
//! because they start other programs; each file says why.
//!
//! CI also runs tests on several processors, with several sets of vector instructions, and under sanitizers. For these runs it
//! sets `--cfg bloom_fewer_tests`, which leaves out modules whose results do not depend on these conditions.

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

// The results of these modules are the same on every processor.
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
