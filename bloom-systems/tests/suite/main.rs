//! Compares the computed sizes, hashes and rates of other systems with measured and simulated
//! values.
//!
//! All files are modules of one program, so that only one is linked. This command runs one module:
//! `cargo test -p bloom-systems --test suite simulated::`.

mod chains;
mod double_hashing;
mod hashes;
mod measured;
mod simulated;
mod sizes;
