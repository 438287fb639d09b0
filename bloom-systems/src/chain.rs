//! Derives positions as Hadoop does, where each hash of a key seeds the next, and computes how that changes the false-positive
//! rate. The hashes of a key in this order are called a chain here.
//!
//! ```text
//! h_0 = 0, h_i = hash(key, seed h_(i-1)); position i is |h_i| mod m, for signed h_i of 32 bits
//! ```
//!
//! Of the 2^32 values of h, two lead to each |h| from 1 to 2^31 - 1, one to 0 and one to 2^31. So each position has
//! the same chance as with signed [sums](crate::sums), except that the chance of position 0 is lower by 2^-32, and that of
//! position 2^31 mod m is higher by 2^-32.
//!
//! Once a hash recurs in a chain, all hashes after it repeat. Two keys that share a hash seldom share the next one,
//! because the keys differ. This was measured on random pairs of keys that share a hash of Hadoop's MurmurHash2: 1 pair in
//! 3 million also shares the next hash if the keys have 8 bytes, and 1 pair in 80 million if the keys are longer. Each of these
//! two numbers is from 4 × 10^8 pairs. Keys that share the next hash add less than n × 10^-16 to the rate of a filter with n
//! items. This is not counted.

use crate::sums::{Chances, REACH};

/// The number of values of a hash.
const VALUES: f64 = (1_u64 << 32) as f64;

/// Returns the positions of an item.
pub fn positions(hash: impl Fn(u32) -> u32, bits: u64, hashes: u8) -> impl Iterator<Item = u64> {
    let mut seed = 0;
    (0..hashes).map(move |_| {
        seed = hash(seed);
        u64::from((seed as i32).unsigned_abs()) % bits
    })
}

/// Returns the probability that one probe finds a set bit, if `ones` bits are set, and `favoured` of them are
/// [favoured](Chances::favoured). `set` returns whether a bit is set. Exact.
pub fn hit(bits: u64, ones: u64, favoured: u64, set: impl Fn(u64) -> bool) -> f64 {
    let set = |position| f64::from(u8::from(set(position)));
    Chances::new(bits).hit(ones, favoured) + (set(REACH % bits) - set(0)) / VALUES
}

/// Returns what chains that repeat add to the rate r^k of independent hashes, where r is `hit`, the probability that
/// one hash finds a set bit.
///
/// ```text
/// 2^-32 [ sum_(j = 1 to k-1) z (r^(j-1) - r^(k-1)) + sum_(j = 2 to k) (j - 1) (r^(j-1) - r^(k-1)) ]
/// ```
///
/// In the first sum, hash j of the chain is 0, the seed of the first hash, so that position j is 0. z is `zero`, the chance
/// that bit 0 is set. In the second sum, hash j is equal to one of the j - 1 hashes before it. Where the hash is a
/// `permutation` of its seeds, which MurmurHash2 is for any key, a chain can only return to the seed 0, and the second sum is
/// left out. The result is of first order in k^2 / 2^32.
pub fn excess(hit: f64, zero: f64, hashes: u8, permutation: bool) -> f64 {
    of_values(VALUES, hit, zero, hashes, permutation)
}

fn of_values(values: f64, hit: f64, zero: f64, hashes: u8, permutation: bool) -> f64 {
    let all = libm::pow(hit, f64::from(hashes) - 1.0);
    // The probability that all hashes before hash j hit, and the sum of the formula.
    let (mut before, mut sum) = (1.0, 0.0);
    for index in 1..=hashes {
        let gain = before - all;
        sum += zero * gain;
        if !permutation {
            sum += f64::from(index - 1) * gain;
        }
        before *= hit;
    }
    sum / values
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::random::split_mix;

    /// Draws random functions, or permutations, of 256 values. Returns the share of them for which a chain of `hashes` hashes,
    /// with the first seed 0, stays below `set`.
    fn share(chains: u32, set: u8, hashes: u8, permutation: bool) -> f64 {
        let mut state = 1;
        let hit = |_| {
            let mut of: Vec<Option<u8>> = [None; 256].to_vec();
            let (mut seed, mut used) = (0_u8, [false; 256]);
            (0..hashes).all(|_| {
                let drawn = of[usize::from(seed)].unwrap_or_else(|| {
                    loop {
                        let value = split_mix(&mut state) as u8;
                        if !permutation || !used[usize::from(value)] {
                            break value;
                        }
                    }
                });
                used[usize::from(drawn)] = true;
                of[usize::from(seed)] = Some(drawn);
                seed = drawn;
                seed < set
            })
        };
        let hits = (0..chains).map(hit).filter(|&hit| hit).count();
        hits as f64 / f64::from(chains)
    }

    #[test]
    fn chains_of_few_values_repeat_as_often_as_computed() {
        let chains = 200_000;
        for (set, hashes, permutation) in [(64, 6, false), (64, 6, true), (128, 4, false)] {
            let (hit, zero) = (f64::from(set) / 256.0, 1.0);
            let independent = libm::pow(hit, f64::from(hashes));
            let added = of_values(256.0, hit, zero, hashes, permutation);
            let (rate, share) = (independent + added, share(chains, set, hashes, permutation));
            let deviation = libm::sqrt(rate / f64::from(chains));
            // Six standard deviations, plus a tenth of the first order, which allows for the second
            // order.
            let tolerance = 6.0 * deviation + 0.1 * added;
            assert!(
                (share - rate).abs() < tolerance,
                "{share} {rate} {independent}"
            );
            assert!(independent + tolerance < share, "{share} {independent}");
        }
    }

    #[test]
    fn every_position_has_the_chance_of_its_hashes() {
        // Counts the hash values that lead to the position `only`, for sizes that divide 2^32 and
        // sizes that do not.
        for bits in [1_u64, 2, 3, 100, 4_001] {
            let whole = (1_u64 << 32) / bits;
            for only in [0, REACH % bits, bits / 2] {
                let favoured = u64::from(only < Chances::new(bits).favoured());
                // Each |h| from 1 to 2^31 - 1 counts twice, 0 and 2^31 once.
                let below = |limit: u64| limit.saturating_sub(only).div_ceil(bits);
                let twice = below(REACH) - u64::from(only == 0);
                let ends = u64::from(only == 0) + u64::from(REACH % bits == only);
                let count = 2 * twice + ends;
                assert!(count.abs_diff(whole) <= 2);
                let hit = hit(bits, 1, favoured, |position| position == only);
                assert_eq!(hit, count as f64 / VALUES, "{bits} {only}");
            }
        }
    }
}
