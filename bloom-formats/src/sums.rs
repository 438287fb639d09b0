//! Computes the probability that a probe, the query of one position, finds a set bit, and estimates the items. This module is
//! for filters whose positions are not equally likely. The positions of such filters are signed sums of 32 bits
//! ([`bloom_systems::sums`]), or come from hashes, each of which is the seed of the next ([`bloom_systems::chain`]).

use bloom_core::math::Estimate;
use bloom_systems::sums::Chances;

use crate::words::Words;

/// Returns the exact probability that one probe finds a set bit, for positions that are signed sums.
pub(crate) fn hit(words: &Words<'_>, bits: u64) -> f64 {
    let chances = Chances::new(bits);
    chances.hit(words.ones(), words.ones_before(chances.favoured()))
}

/// Returns the exact probability that one probe finds a set bit, for hashes of which each is the seed of the next.
pub(crate) fn hit_of_chains(words: &Words<'_>, bits: u64) -> f64 {
    let favoured = words.ones_before(Chances::new(bits).favoured());
    bloom_systems::chain::hit(bits, words.ones(), favoured, |position| {
        words.contains(position)
    })
}

/// Estimates the number of items from those set bits that positions can reach.
/// [`estimate_items`](bloom_core::math::estimate_items) is the estimate for equally likely positions.
pub(crate) fn estimate(words: &Words<'_>, bits: u64, hashes: u8) -> Option<Estimate> {
    let chances = Chances::new(bits);
    let ones = words.ones_before(chances.reached());
    chances
        .estimate(hashes, ones)
        .expect("a filter has a valid shape")
}
