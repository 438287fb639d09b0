//! What the filters and the formulas promise, through the public interface.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-core --test suite family::` runs one.
//! Apart from it stand the tests with an allocator of their own or other features, those that CI also builds in release,
//! and those that start programs; each says why.

mod batches;
mod borrowed;
mod crate_page;
mod documented;
mod errors;
mod family;
mod family_algebra;
mod family_rates;
mod files;
mod files_byte_order;
mod files_golden;
mod files_hostile;
mod files_rules;
mod forged;
mod growing;
mod growing_saved;
mod hash_by_hand;
mod math;
mod math_errors;
mod memory;
mod promises;
mod rate;
mod readings;
mod saved;
mod weak_hashes;

// Beside its tables and the programs that made them.
#[path = "../vectors/mod.rs"]
mod vectors;
