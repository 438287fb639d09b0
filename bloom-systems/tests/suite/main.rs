//! The sizes, hashes and rates of other systems, compared with what was measured and simulated.
//!
//! Each file is a module of one program, linked once; `cargo test -p bloom-systems --test suite simulated::` runs one.

mod chains;
mod double_hashing;
mod hashes;
mod measured;
mod simulated;
mod sizes;
