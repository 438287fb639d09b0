//! Charts that appear only in the book. General ones are in `bloom-plot`, which also draws these.
//!
//! [`HashBias`] is not in `bloom-plot` because it needs the hashes of other programs, which the
//! book's listings reimplement with their faults.

mod hash_bias;
mod hashing;

pub use hash_bias::HashBias;
pub use hashing::{Hashing, Keys};
