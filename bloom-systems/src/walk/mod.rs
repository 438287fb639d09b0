//! Derives the positions of an item as the Go library DCSO bloom does, each from the hash before it, and computes how that
//! changes the false-positive rate.
//!
//! ```text
//! h_i = (G h_(i-1) mod 2^64) mod P, position h_i mod m        G = 2^64 - 1469, P = 2^64 - 59
//! ```
//!
//! So h_i is c 2^64 - 1469 h_(i-1) with a c from 1 to 1469, except that the reduction modulo P changes one hash in
//! 2^58. A position modulo m follows from the position before it and from c, so that at most 1469 positions can follow a given
//! one. An item that shares a position with a query shares the next one with probability 1/1469 or more, whatever m
//! is. Let 2^e be the largest power of two that divides m. Modulo 2^e, c has no effect: once a position of an item and one of a
//! query agree modulo 2^e, all their further positions do. With o = m / 2^e, item and query then share each
//! further position with probability about 1/o instead of 1/m.
//!
//! - `filter`: the rate of one filter.
//! - `mean`: the mean rate of all filters of a size. It comes from `classes`, each of which is the positions with one remainder
//!   modulo 2^e, and from their `fill`, the share of set bits among the positions of a class.

mod binomial;
mod classes;
mod fill;
mod filter;
mod mean;
mod samples;

use bloom_core::Shape;

pub use filter::rate;
pub use mean::expected;

const G: u64 = 0u64.wrapping_sub(FACTOR);
const P: u64 = 0u64.wrapping_sub(59);

/// The most positions that may follow a given one. It is also -G modulo 2^64.
const FACTOR: u64 = 1469;

/// Returns the positions of an item with this hash.
pub fn positions(hash: u64, shape: Shape) -> impl Iterator<Item = u64> {
    hashes(hash)
        .map(move |hash| hash % shape.bits())
        .take(shape.hashes().into())
}

/// Returns the hashes that follow the first one.
fn hashes(first: u64) -> impl Iterator<Item = u64> {
    let next = |hash: &u64| Some(hash.wrapping_mul(G) % P);
    core::iter::successors(Some(first % P), next).skip(1)
}

/// Returns o, the odd part of m.
fn odd_part(shape: Shape) -> u64 {
    shape.bits() >> shape.bits().trailing_zeros()
}

/// Returns what pairs of positions add to the rate at first order in 1/m, as a share of r^k, the rate of independent positions.
/// It is more than 0 because an item that hits one position of a query is more likely to hit another one.
///
/// ```text
/// (n/m) (q / r)² sum_(t=1)^(k-1) (k - t)² u_t
/// ```
///
/// with r the fill, q = 1 - r, and `together` the sum. `u_t` is the probability that an item which
/// shares a position with a query shares the position t steps later, too.
fn first_order(shape: Shape, fill: f64, together: f64) -> f64 {
    if shape.hashes() < 2 || fill <= 0.0 || fill >= 1.0 {
        return 0.0;
    }
    let clear = 1.0 - fill;
    let items = -libm::log(clear) / f64::from(shape.hashes());
    items * (clear / fill) * (clear / fill) * together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_reduced_at_each_step() {
        // In the first case, the first hash is 2^64 - 1, which is 58 modulo P. In the second case, G times the first hash is
        // 2^64 - 1 modulo 2^64.
        assert!(hashes(u64::MAX).take(1).eq([58_u64.wrapping_mul(G)]));
        assert!(
            hashes(0x3289_ac00_b273_5d95)
                .take(2)
                .eq([58, 58_u64.wrapping_mul(G)])
        );
    }
}
