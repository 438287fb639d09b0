//! Double hashing in signed 32 bits, and the readings of a filter that is filled so: see [`bloom_systems::sums`].

use bloom_core::math::Estimate;
use bloom_systems::sums::Chances;

use crate::divisor::Divisor;
use crate::words::Words;

/// Returns the positions of an item.
#[inline]
pub(crate) fn positions(a: u32, b: u32, bits: Divisor) -> impl FnMut() -> u64 {
    let (bits, mut sum) = (bits.narrow(), a);
    move || {
        sum = sum.wrapping_add(b);
        // All ones if below 0.
        let sign = (sum as i32 >> 31) as u32;
        bits.remainder(sum ^ sign)
    }
}

/// Returns the probability that one probe finds a set bit. Exact.
pub(crate) fn hit(words: &Words<'_>, bits: u64) -> f64 {
    let chances = Chances::new(bits);
    chances.hit(words.ones(), words.ones_before(chances.favoured()))
}

/// Returns the same for hashes that seed one another. Exact.
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
