//! Compares the sizes, hashes and rates that this crate computes for systems such as Guava and RocksDB with measured and
//! simulated values.
//!
//! All files of this folder are modules of one program, so that only one program is linked. This command runs one module:
//! `cargo test -p bloom-systems --test suite simulated::`.

mod chains;
mod double_hashing;
mod hashes;
mod measured;
mod simulated;
mod sizes;
