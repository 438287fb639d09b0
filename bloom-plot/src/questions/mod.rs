//! The questions that charts answer, such as how the rate rises with the items. Each file has one question: a struct with its
//! parameters and a method `figure`, which computes the chart.

mod bits_by_rate;
mod blocked_cost;
mod counter_overflow;
mod estimate_error;
mod hash_floor;
mod hashing_error;
mod model_error;
mod rate_by_bits;
mod rate_by_hashes;
mod rate_by_items;
mod rate_spread;
mod scalable_growth;
mod sizing_error;
mod speed;
mod trust;

pub use bits_by_rate::BitsByRate;
pub use blocked_cost::{BlockedCost, BlockedShown};
pub use counter_overflow::CounterOverflow;
pub use estimate_error::EstimateError;
pub use hash_floor::HashFloor;
pub use hashing_error::HashingError;
pub use model_error::ModelError;
pub use rate_by_bits::RateByBits;
pub use rate_by_hashes::RateByHashes;
pub use rate_by_items::RateByItems;
pub use rate_spread::RateSpread;
pub use scalable_growth::{ScalableGrowth, Shown};
pub use sizing_error::SizingError;
pub use speed::Speed;
pub use trust::Trust;
