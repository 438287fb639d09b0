//! Computes the probability that a probe finds a set bit, and estimates the items, in filters whose positions are not equally
//! likely. Such positions are signed sums of 32 bits ([`bloom_systems::sums`]), or come from hashes that seed one another
//! ([`bloom_systems::chain`]).

use bloom_core::math::Estimate;
use bloom_systems::sums::Chances;

use crate::words::Words;

/// Returns the probability that one probe finds a set bit. Exact.
pub(crate) fn hit(words: &Words<'_>, bits: u64) -> f64 {
    let chances = Chances::new(bits);
    chances.hit(words.ones(), words.ones_before(chances.favoured()))
}

/// Returns the probability that one probe finds a set bit, for hashes that seed one another. Exact.
pub(crate) fn hit_of_chains(words: &Words<'_>, bits: u64) -> f64 {
    let favoured = words.ones_before(Chances::new(bits).favoured());
    bloom_systems::chain::hit(bits, words.ones(), favoured, |position| {
        words.contains(position)
    })
}

/// Estimates the items from the set bits, as [`estimate_items`](bloom_core::math::estimate_items) does for equally likely
/// positions.
pub(crate) fn estimate(words: &Words<'_>, bits: u64, hashes: u8) -> Option<Estimate> {
    let chances = Chances::new(bits);
    let ones = words.ones_before(chances.reached());
    chances
        .estimate(hashes, ones)
        .expect("a filter has a valid shape")
}
