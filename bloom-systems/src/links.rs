//! Computes the false-positive rate of a chain: several filters with double hashing that are queried one after the other,
//! with the same two hash values of a key.
//!
//! Such filters hit together more often than independent ones. Let 2^v be the largest power of two that divides the second hash
//! value b of a query. In a filter whose m is a multiple of 2^v, the positions of a query are confined to 1/2^v of the bits.
//! The few queries with a large v account for what double hashing adds to the rate. If the filters of a chain are assumed to
//! hit independently of each other for a given v, the computed rate is within 4 % of that of simulated chains of RedisBloom.
//!
//! ```text
//! sum_v 2^-(v+1) [1 - product (1 - q - x 2.5^u / (3 1.25^f - 2))],  u = min(v, f)
//! ```
//!
//! The product is over the filters. 2^f is the largest power of two that divides the m of a filter, q is its rate with
//! independent positions, and x is what double hashing adds to q. The last v is the largest f of all filters,
//! and has the weight 2^-v. The divisor 3 1.25^f - 2 keeps the mean rate of each filter over all v at q + x.
//!
//! The factor 2.5 is fitted, not derived: if q + x is the upper bound of the rate of each filter, the formula gives an upper
//! bound of the rate of the chain. This was compared with 17 simulated chains of 4 to 31 filters. The chains were requested for
//! rates from 1e-5 to 0.1. Their first filters were for 10 to 300 items, and each further filter for 1 to 4 times the items of
//! the filter before it. The bound is 0.2 to 71 % above the simulated rates, and the bound for independent filters is 0.3 to
//! 136 % above them. Filters are assumed to be independent where the formula lowers the rate by less than 2 %. They are also
//! assumed to be independent in chains whose first filter is for fewer than 10 items, where the formula is not always an upper
//! bound. In 12 simulated chains for 1 to 8 items the bound for independent filters was 1.04 to 2.8 times the rate.

use bloom_core::math::scalable::compound_rate;

/// One filter of a chain.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Its bits.
    pub bits: u64,
    /// Its rate with independent positions.
    pub independent: f64,
    /// Its rate with double hashing.
    pub rate: f64,
}

/// The fewest items of the first filter for which the formula is an upper bound.
const MIN_ITEMS: u64 = 10;

/// The fitted rate is used only if it is at most this share of the rate of independent filters, which is always an
/// upper bound.
const COUNTED: f64 = 0.98;

/// What double hashing adds to the rate of a filter is multiplied by this for each factor 2 that b and m have in common.
const GROWTH: f64 = 2.5;

/// Returns the rate of a chain, the chance that at least one of its filters hits. The first filter is made for `items`.
pub fn rate(items: u64, links: &[Link]) -> f64 {
    let apart = compound_rate(links.iter().map(|link| link.rate));
    if items < MIN_ITEMS {
        return apart;
    }
    let most = links.iter().map(|link| link.bits.trailing_zeros()).max();
    let most = most.unwrap_or(0);
    let of_step = |step: u32| {
        let rate = |link: &Link| {
            let known = link.bits.trailing_zeros();
            let share = libm::pow(GROWTH, f64::from(step.min(known)))
                / (3.0 * libm::pow(GROWTH / 2.0, f64::from(known)) - 2.0);
            let rate = link.independent + (link.rate - link.independent) * share;
            rate.clamp(0.0, 1.0)
        };
        let weight = libm::scalbn(1.0, -((step + u32::from(step < most)) as i32));
        weight * compound_rate(links.iter().map(rate))
    };
    let together: f64 = (0..=most).map(of_step).sum();
    if together > COUNTED * apart {
        return apart;
    }
    let least = links.iter().map(|link| link.rate).fold(0.0, f64::max);
    together.max(least)
}
