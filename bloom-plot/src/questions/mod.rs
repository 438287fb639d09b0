//! The questions that have a figure as answer: one file each.

mod bits_by_rate;
mod rate_by_bits;
mod rate_by_hashes;
mod rate_by_items;
mod sizing_error;

pub use bits_by_rate::BitsByRate;
pub use rate_by_bits::RateByBits;
pub use rate_by_hashes::RateByHashes;
pub use rate_by_items::RateByItems;
pub use sizing_error::SizingError;
