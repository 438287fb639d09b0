//! The exact rate of double hashing, by enumeration of all pairs of hash values.

use alloc::vec;
use alloc::vec::Vec;

use super::scheme::Scheme;

/// The most steps that still count as quick: a few milliseconds for enhanced double hashing, which
/// has no good first order, and less than one for plain.
const QUICK: u64 = 8_000_000;
const QUICK_PLAIN: u64 = 500_000;

/// Returns the mean rate over all filters, or `None` where sums overflow or the enumeration would be
/// slow.
///
/// A query is a false positive if an item hits each of its k positions, and items are independent:
///
/// ```text
/// p = mean over queries of sum over T of (-1)^|T| A(T)^n
/// ```
///
/// where T runs over the subsets of the query's positions, and A(T) is the share of the m² pairs of
/// hash values whose positions avoid T. The rate is invariant under a shift of all positions, so
/// queries need only the second value b. For plain double hashing it is also invariant under
/// multiplication by numbers coprime to m, so all queries with the same greatest common divisor of
/// b and m are equivalent.
///
/// Exact up to rounding.
pub(super) fn rate(scheme: Scheme, items: u64, bits: u64, hashes: u8) -> Option<f64> {
    let quick = match scheme {
        Scheme::Enhanced => QUICK,
        _ => QUICK_PLAIN,
    };
    within(quick, scheme, items, bits, hashes)
}

/// [`rate`] if it takes at most this many steps.
pub(super) fn within(steps: u64, scheme: Scheme, items: u64, bits: u64, hashes: u8) -> Option<f64> {
    if !matches!(scheme, Scheme::Modular { .. } | Scheme::Enhanced) || hashes > 20 {
        return None;
    }
    let k = u64::from(hashes);
    // First check whether there are too many queries, even when only one of each class is
    // evaluated.
    let of_one = bits.saturating_mul(k * k).saturating_add(k << k);
    let queries = queries(scheme, bits, steps / of_one)?;
    let mut rate = 0.0;
    for (b, count) in queries {
        let query: Vec<u64> = scheme.positions(0, b, bits, hashes).collect();
        rate += count as f64 * found(scheme, &query, items, bits, hashes);
    }
    Some(rate / bits as f64)
}

/// Returns the second hash values b of queries, each with the number of equivalent ones, if there
/// are at most `most`.
fn queries(scheme: Scheme, bits: u64, most: u64) -> Option<Vec<(u64, u64)>> {
    // Plain double hashing has fewer equivalence classes than this.
    let largest = match scheme {
        Scheme::Enhanced => most,
        _ => most.saturating_mul(most),
    };
    if most == 0 || bits > largest {
        return None;
    }
    let all: Vec<_> = if scheme == Scheme::Enhanced {
        (0..bits).map(|b| (b, 1)).collect()
    } else {
        let divisors = (1..=bits).filter(|divisor| bits.is_multiple_of(*divisor));
        let kinds = divisors.map(|divisor| (divisor % bits, totient(bits / divisor)));
        kinds.collect()
    };
    (all.len() as u64 <= most).then_some(all)
}

/// Returns the probability that a query with these positions is a false positive.
fn found(scheme: Scheme, query: &[u64], items: u64, bits: u64, hashes: u8) -> f64 {
    // Counts the pairs by the subset of the query's positions that they hit, a bit mask as the
    // index.
    let mut pairs = vec![0_u64; 1 << hashes];
    let mut hit = vec![0_u32; bits as usize];
    let mut touched = Vec::new();
    for b in 0..bits {
        for from in scheme.positions(0, b, bits, hashes) {
            for (index, position) in query.iter().enumerate() {
                let a = (position + bits - from) % bits;
                if hit[a as usize] == 0 {
                    touched.push(a as usize);
                }
                hit[a as usize] |= 1 << index;
            }
        }
        pairs[0] += bits - touched.len() as u64;
        for a in touched.drain(..) {
            pairs[core::mem::take(&mut hit[a]) as usize] += 1;
        }
    }
    // Sums over subsets: the pairs that hit at most the positions of the mask.
    for index in 0..hashes {
        for set in 0..pairs.len() {
            if set >> index & 1 == 1 {
                pairs[set] += pairs[set ^ 1 << index];
            }
        }
    }
    let square = (bits as f64) * (bits as f64);
    let terms = pairs.iter().enumerate().map(|(allowed, count)| {
        let avoided = u32::from(hashes) - (allowed as u32).count_ones();
        let share = libm::pow(*count as f64 / square, items as f64);
        if avoided.is_multiple_of(2) {
            share
        } else {
            -share
        }
    });
    terms.sum()
}

/// Returns how many of the numbers from 1 to `order` are coprime to it.
pub(super) fn totient(order: u64) -> u64 {
    (1..=order).filter(|one| gcd(*one, order) == 1).count() as u64
}

pub(crate) fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 {
        return one;
    }
    gcd(other, one % other)
}
