//! Contains the formulas of this crate for Bloom filters: rates, sizes and bounds.
//!
//! Letters: items n, bits m, hashes k, false-positive rate p. The functions take these parameters
//! in this order and as plain numbers, so no filter is needed. A [`Shape`](crate::Shape) holds the
//! m and k of a filter.
//!
//! | wanted | function |
//! | --- | --- |
//! | p for n, m, k | [`exact::rate`], [`textbook::rate`], [`asymptotic::rate`], [`Model::rate`] |
//! | is the rate for n, m, k at most p? | [`Model::meets`] |
//! | m for n, k, p | [`Model::min_bits`] |
//! | m and k for n, p | [`Model::min_size`] |
//! | n for m, k, p | [`Model::max_items`] |
//! | n and k for m, p | [`Model::max_items_and_hashes`] |
//! | best k from 1 to 255 for n, m | [`Model::best_hashes`] |
//! | would a k above 255 be better for n, m? | [`Model::wants_more_hashes`] |
//! | best real k for n, m | [`ideal_hashes`] |
//! | lowest and highest k for n, m, p | [`Model::hashes_range`] |
//! | mean and standard deviation of the rates of single filters | [`spread`] |
//! | share of filters whose own rate is above p | [`share_above`] |
//! | probability of no false positive in q queries | [`no_false_positive`] |
//! | n from the set bits | [`estimate_items`] |
//! | n of the union and intersection of two sets, from the set bits of their filters | [`estimate_pair`] |
//! | n from the set bits of a blocked filter whose blocks consist of lanes | [`estimate_split_blocks`] |
//! | expected share of set bits | [`expected_fill`] |
//! | p of a filter with one slice of the bits per hash | [`partitioned::rate`] |
//! | p and size of a blocked filter | [`blocked::rate`], [`blocked::min_blocks`]; for repeated calls [`blocked::Rates`] |
//! | p, m and k of each stage of a scalable filter, and p of all stages together | [`scalable`] |
//! | does a measured rate agree with an expected rate? | [`measured`] |
//! | probability that the counters of a counting filter overflow | [`counter_overflow`] |
//! | p of a filter, from its share of set bits | [`rate_at_fill`] |
//! | bits that any data structure for n and p needs | [`lower_bound_bits`], [`lower_bound_bits_at`] |
//! | p added by collisions of w-bit hashes | [`hash_floor`], [`distinct_hashes`], [`with_hash_floor`], [`HASH_FLOOR_MARGIN`] |
//! | m and k by the usual rule, m = -n ln p / (ln 2)^2, and their exact p | [`usual_rule`] |

pub mod asymptotic;
#[cfg(feature = "alloc")]
pub mod blocked;
#[cfg(feature = "alloc")]
pub mod exact;
#[cfg(not(feature = "alloc"))]
mod exact;
#[cfg(feature = "alloc")]
pub mod measured;
pub mod partitioned;
#[cfg(feature = "alloc")]
pub mod scalable;
pub mod textbook;

#[cfg(feature = "alloc")]
mod binomial;
mod bounds;
#[cfg(feature = "alloc")]
mod counting;
mod decide;
#[cfg(feature = "alloc")]
mod distribution;
mod double;
mod error;
mod estimate;
#[cfg(feature = "alloc")]
pub(crate) mod filling;
mod load;
mod model;
mod rate;
mod real;
mod row;
mod search;
#[cfg(feature = "alloc")]
mod share;
mod solve;
#[cfg(feature = "alloc")]
mod spread;

pub use bounds::{
    HASH_FLOOR_MARGIN, distinct_hashes, expected_fill, hash_floor, ideal_hashes, lower_bound_bits,
    lower_bound_bits_at, rate_at_fill, with_hash_floor,
};
#[cfg(feature = "alloc")]
pub use bounds::{UsualRule, usual_rule};
#[cfg(feature = "alloc")]
pub use counting::{Overflow, counter_overflow};
#[cfg(feature = "alloc")]
pub use distribution::no_false_positive;
pub use error::{MAX_BITS, MathError};
pub use estimate::{Estimate, PairEstimate, estimate_items, estimate_pair, estimate_split_blocks};
pub(crate) use estimate::{LanedBlocks, mean_estimate, mean_pair};
#[cfg(not(feature = "alloc"))]
pub(crate) use load::min_split_blocks;
#[cfg(feature = "alloc")]
pub use model::Model;
#[cfg(not(feature = "alloc"))]
pub(crate) use model::Model;
pub use rate::Rate;
pub use search::first_true;
#[cfg(feature = "alloc")]
pub use share::share_above;
#[cfg(feature = "alloc")]
pub use spread::{Spread, spread};
