//! Computes the exact false-positive rate of double hashing in small filters, by enumeration of all pairs of hash values modulo
//! m.

use alloc::vec;
use alloc::vec::Vec;

use super::scheme::Scheme;

/// The most steps of an enumeration of enhanced double hashing that counts as quick: it takes a few milliseconds. The
/// limit is higher than for plain double hashing, because for enhanced double hashing the first order in 1/m is not a good
/// approximation.
const QUICK: u64 = 8_000_000;
/// The most steps of an enumeration of plain double hashing that counts as quick: it takes less than a millisecond.
const QUICK_PLAIN: u64 = 500_000;

/// For each kind of query, how many pairs of hash values hit only given positions of the query. Queries of one kind are
/// equivalent: they have the same false-positive rate.
#[derive(Debug)]
pub(super) struct Enumeration {
    /// For each kind, the number of its queries, and for each bit mask of the query's positions the number of pairs that hit
    /// only positions in the mask.
    kinds: Vec<(u64, Vec<u64>)>,
    bits: u64,
    hashes: u8,
}

impl Enumeration {
    /// Enumerates all pairs of hash values. Returns `None` where sums overflow or the enumeration
    /// would be slow.
    pub(super) fn new(scheme: Scheme, bits: u64, hashes: u8) -> Option<Self> {
        let quick = match scheme {
            Scheme::Enhanced => QUICK,
            _ => QUICK_PLAIN,
        };
        Self::within(quick, scheme, bits, hashes)
    }

    /// Enumerates all pairs of hash values. Returns `None` if that would take more than this many steps, if there are more than
    /// 20 hashes, or if sums overflow.
    pub(super) fn within(steps: u64, scheme: Scheme, bits: u64, hashes: u8) -> Option<Self> {
        if !matches!(scheme, Scheme::Modular { .. } | Scheme::Enhanced) || hashes > 20 {
            return None;
        }
        let k = u64::from(hashes);
        // First check whether it would take too many steps to evaluate one query of each kind.
        let of_one = bits.saturating_mul(k * k).saturating_add(k << k);
        let queries = queries(scheme, bits, steps / of_one)?;
        let kind = |(b, count)| {
            let query: Vec<u64> = scheme.positions(0, b, bits, hashes).collect();
            (count, pairs(scheme, &query, bits, hashes))
        };
        let kinds = queries.into_iter().map(kind).collect();
        Some(Self {
            kinds,
            bits,
            hashes,
        })
    }

    /// Returns the mean rate over all filters with `items` items.
    ///
    /// A query is a false positive if each of its k positions is a position of some item, and items are independent:
    ///
    /// ```text
    /// p = mean over queries of sum over T of (-1)^|T| A(T)^n
    /// ```
    ///
    /// where T runs over the subsets of the query's positions, and A(T) is the share of the m² pairs of hash values whose
    /// positions avoid T. A shift of all positions does not change the rate, so only queries whose first hash value a is 0 are
    /// needed, one for each second value b. With plain double hashing, a multiplication of all positions by a number coprime to
    /// m does not change the rate either. So all queries with the same greatest common divisor of b and m are equivalent.
    ///
    /// Exact up to rounding.
    pub(super) fn rate(&self, items: u64) -> f64 {
        let mut rate = 0.0;
        for (count, pairs) in &self.kinds {
            rate += *count as f64 * self.found(pairs, items);
        }
        rate / self.bits as f64
    }

    /// Returns the probability that a query is a false positive, from the numbers of pairs for its kind.
    fn found(&self, pairs: &[u64], items: u64) -> f64 {
        let square = (self.bits as f64) * (self.bits as f64);
        let terms = pairs.iter().enumerate().map(|(allowed, count)| {
            let avoided = u32::from(self.hashes) - (allowed as u32).count_ones();
            let share = libm::pow(*count as f64 / square, items as f64);
            if avoided.is_multiple_of(2) {
                share
            } else {
                -share
            }
        });
        terms.sum()
    }
}

/// Returns one second hash value b for each kind of query, with the number of queries of this kind; `None` if there are more
/// kinds than `most`.
fn queries(scheme: Scheme, bits: u64, most: u64) -> Option<Vec<(u64, u64)>> {
    // Plain double hashing has fewer kinds of queries than values b, so more bits are accepted than for enhanced double
    // hashing.
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

/// Returns, at the index of each bit mask, how many pairs of hash values hit only positions of the query that are in the mask.
fn pairs(scheme: Scheme, query: &[u64], bits: u64, hashes: u8) -> Vec<u64> {
    // First count the pairs by the set of the query's positions that they hit.
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
    // Then add up over the subsets of each mask: these are the pairs that hit only positions in the mask.
    for index in 0..hashes {
        for set in 0..pairs.len() {
            if set >> index & 1 == 1 {
                pairs[set] += pairs[set ^ 1 << index];
            }
        }
    }
    pairs
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
