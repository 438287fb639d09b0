//! The data of a chart that only the book has. `bloom-plot` draws it, and has all other charts.
//!
//! [`HashBias`] is not in `bloom-plot` because it needs the hashes of other programs, which the
//! crate `bloom-listings` of the book rebuilds with their faults.

mod hash_bias;
mod hashing;

pub use hash_bias::HashBias;
pub use hashing::{Hashing, Keys};
