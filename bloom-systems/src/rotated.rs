//! Computes how the false-positive rate changes if positions come from two hash values of 32 bits, the second of which is the
//! first rotated.
//!
//! ```text
//! position j is (h + j b - 2^32 w_j) mod m        b = 2^15 h mod (2^32 - 1)
//! ```
//!
//! h and b are the two hash values of an item, and w_j is the number of overflows in the sum of position j.
//!
//! Where a divisor d of 2^32 - 1 divides m, position j is (1 + 2^15 j) h - w_j modulo d. So the first position of an item
//! determines its second hash value modulo d: an item shares both hash values of a query modulo m with probability d/m², and
//! not with the 1/m² of independent values. Where d also divides 1 + 2^15 j (d = 3 for j = 1, 4, ...; d = 5 for j = 3, 8, ...),
//! position j is -w_j modulo d. So some remainders modulo d are more frequent among positions than others. A class here is the
//! positions with one such remainder.

use crate::double_hashing::gcd;

/// With few hashes, only divisors of this number make classes uneven: the next prime divisor of 2^32 - 1, 17, divides
/// 1 + 2^15 j for only one j in 17.
const UNEVEN: u64 = 15;

/// The most bits of a filter for which bounds of the rate are computed: about the size of the largest simulated filters.
pub(crate) const MAX_BITS: u64 = 160_000;

/// Means are taken over all pairs of this many first hash values and this many second ones, evenly spaced from 0 to 2^32.
const STEPS: u32 = 16;

/// Returns d, the greatest common divisor of the bits and 2^32 - 1.
pub(crate) fn common(bits: u64) -> u64 {
    gcd(bits, u32::MAX.into())
}

/// Among the items that share both hash values of a query modulo m, returns the share whose second value is about equal to that
/// of the query also before it is reduced modulo m. The first values of such an item and of the query differ by a multiple of
/// m. Their second values are about equal if this difference is close to a multiple of 2^17, as one multiple of m in 2^17 / m
/// is.
pub(crate) fn alike(bits: u64) -> f64 {
    (bits as f64 / f64::from(1 << 17)).min(1.0)
}

/// Returns the factor by which the rate is higher because positions are spread unevenly over the classes modulo 3 and 5; 1 if
/// neither divides m. It is a mean over [`STEPS`]² pairs of hash values, and bits of the same class are taken as independent.
///
/// Source: own derivation. Not exact.
pub(crate) fn unevenness(items: u64, bits: u64, hashes: u8) -> f64 {
    let divisor = gcd(bits, UNEVEN) as u32;
    if divisor == 1 {
        return 1.0;
    }
    let (all, each_bit) = (STEPS * STEPS * divisor, items as f64 / bits as f64);
    let (mut hit, mut sum) = ([0.0; UNEVEN as usize], 0.0);
    // The first round counts the positions in each class, and the second computes the rate of queries.
    for is_query in [false, true] {
        let mut counts = [0.0; UNEVEN as usize];
        for index in 0..all {
            let part = |step: u32| (f64::from(step) + 0.5) / f64::from(STEPS);
            let pair = index / divisor;
            let (mut sums, step) = (part(pair / STEPS), part(pair % STEPS));
            let (mut class, mut product) = (index % divisor, 1.0);
            for _ in 0..hashes {
                // Sums are in units of 2^32, so the whole part of a sum is its number of overflows.
                let place = ((class + 255 * divisor - sums as u32) % divisor) as usize;
                counts[place] += 1.0;
                product *= hit[place];
                sums += step;
                class += (index % divisor) << 15;
            }
            if is_query {
                sum += product;
            }
        }
        let share = f64::from(divisor) / f64::from(all) * each_bit;
        hit = counts.map(|count| -libm::expm1(-count * share));
    }
    let even = -libm::expm1(-f64::from(hashes) * each_bit);
    sum / f64::from(all) / libm::pow(even, hashes.into())
}
