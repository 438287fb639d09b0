//! The charts that only the book has. Everybody's are in `bloom-plot`, which also draws these.
//!
//! [`HashBias`] is in no library because it needs the hashes of other programs, faults included,
//! which the book's listings rebuild.

mod hash_bias;
mod hashing;

pub use hash_bias::HashBias;
pub use hashing::{Hashing, Keys};
