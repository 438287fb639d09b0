//! Every formula of a Bloom filter: rates, sizes and bounds.
//!
//! Letters, always in this order: items n, bits m, hashes k, false-positive rate p. Numbers go
//! in and numbers come out; rounding and validation of whole filters is
//! [`Shape`](crate::Shape)'s.
//!
//! | asked | function |
//! | --- | --- |
//! | p of n, m, k | [`exact::rate`], [`textbook::rate`], [`asymptotic::rate`], [`Model::rate`] |
//! | is p met by n, m, k? | [`Model::meets`] |
//! | m for n, k, p | [`Model::min_bits`] |
//! | m and k for n, p | [`Model::min_size`] |
//! | n for m, k, p | [`Model::max_items`] |
//! | n and k for m, p | [`Model::max_items_and_hashes`] |
//! | k for n, m | [`Model::best_hashes`] (up to 255: [`Model::wants_more_hashes`]), real: [`ideal_hashes`] |
//! | every k for n, m, p | [`Model::hashes_range`] |
//! | how much single filters differ; how many are above p | [`spread`]; [`share_above`] |
//! | n from the bits set; of two sets | [`estimate_items`]; [`estimate_pair`] |
//! | share of set bits | [`expected_fill`] |
//! | p of one slice a hash | [`partitioned::rate`] |
//! | p and size of blocks | [`blocked::rate`], [`blocked::min_blocks`]; of many questions [`blocked::Rates`] |
//! | stages, p and size of a growing filter | [`scalable`] |
//! | does a measured rate agree with the model? | [`measured`] |
//! | how likely counters overflow | [`counter_overflow`] |
//! | p of a share of set bits | [`rate_at_fill`] |
//! | what no structure beats | [`lower_bound_bits`], [`lower_bound_bits_at`] |
//! | what a w-bit hash adds | [`hash_floor`], [`with_hash_floor`], [`HASH_FLOOR_MARGIN`] |
//! | what other calculators say | [`usual_rule`] |

pub mod asymptotic;
pub mod blocked;
pub mod exact;
pub mod measured;
pub mod partitioned;
pub mod scalable;
pub mod textbook;

mod binomial;
mod bounds;
mod counting;
mod decide;
mod distribution;
mod double;
mod error;
mod estimate;
pub(crate) mod filling;
mod model;
mod rate;
mod real;
mod search;
mod share;
mod solve;
mod spread;

pub use bounds::{
    HASH_FLOOR_MARGIN, UsualRule, expected_fill, hash_floor, ideal_hashes, lower_bound_bits,
    lower_bound_bits_at, rate_at_fill, usual_rule, with_hash_floor,
};
pub use counting::{Overflow, counter_overflow};
pub use error::{MAX_BITS, MathError};
pub use estimate::{Estimate, PairEstimate, estimate_items, estimate_pair};
pub(crate) use estimate::{LanedBlocks, mean_estimate, mean_pair};
pub use model::Model;
pub use rate::Rate;
// For the other crates of this project, which search as the solvers here do.
#[doc(hidden)]
pub use search::first_true;
pub use share::share_above;
pub use spread::{Spread, spread};
