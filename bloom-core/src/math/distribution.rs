//! Computes the distribution of the number of set bits of a filter, if the computation takes few
//! steps.

use alloc::vec;
use alloc::vec::Vec;

use super::error::{MathError, check_size};
use super::real::throws;

/// The distribution is computed only if this takes at most this many steps, as [`set_bits`] counts
/// them.
const FEW_STEPS: f64 = 2e6;

/// Returns the probability that none of q = `queries` queries for absent items is a false positive,
/// as the mean over filters with these n, m and k. Returns `None` if k n × min(k n, m) is above
/// 2e6, because the distribution of the number X of set bits would then take too long to compute.
///
/// ```text
/// sum over x of P(X = x) (1 - (x/m)^k)^q
/// ```
///
/// The formula is exact. For q of 1 or more, the result is at least (1 - p)^q, where p is the mean
/// rate. The result is far above (1 - p)^q if most filters have many false positives among the q
/// queries: only the few filters of low rate then have none.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::{exact, no_false_positive};
///
/// // Two throws into two bits: half of the filters have one bit set, the other half both.
/// let half = no_false_positive(2, 2, 1, 3.0)?.unwrap_or(0.0);
/// assert!((half - 0.5 * 0.125).abs() < 1e-15);
/// let p = exact::rate(50, 480, 7)?.value();
/// let none = no_false_positive(50, 480, 7, 1_000.0)?;
/// assert!(none > Some(3.6 * (1.0 - p).powf(1_000.0)));
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn no_false_positive(
    items: u64,
    bits: u64,
    hashes: u8,
    queries: f64,
) -> Result<Option<f64>, MathError> {
    check_size(bits, hashes)?;
    let Some(chances) = set_bits(throws(items, hashes.into()), bits) else {
        return Ok(None);
    };
    let none = |x: usize| {
        let rate = libm::pow(x as f64 / bits as f64, f64::from(hashes));
        // At a rate of 1, the logarithm is minus infinity, and its product with 0 queries would be
        // NaN. So the logarithm is kept finite.
        libm::exp(queries * libm::log1p(-rate).max(f64::MIN))
    };
    let chances = chances.iter().enumerate();
    Ok(Some(chances.map(|(x, chance)| chance * none(x)).sum()))
}

/// Returns the list of the probabilities that 0, 1, 2, ... bits are set after `throws` uniform
/// throws at `bits` bits; `None` if the steps, `throws` × min(`throws`, `bits`), are more than
/// [`FEW_STEPS`].
///
/// The method is exact. It goes throw by throw, and adds only positive terms.
pub(super) fn set_bits(throws: f64, bits: u64) -> Option<Vec<f64>> {
    let m = bits as f64;
    if throws * throws.min(m) > FEW_STEPS {
        return None;
    }
    let throws = throws as usize;
    let top = (throws as u64).min(bits) as usize;
    // With x bits set, `meets[x]` is the probability that a throw lands on a set bit, and `sets[x]`
    // the probability that it sets a clear bit.
    let meets: Vec<f64> = (0..=top).map(|x| x as f64 / m).collect();
    let sets: Vec<f64> = (0..=top).map(|x| (bits - x as u64) as f64 / m).collect();
    // Two lists take turns, one read and one written. With a single list, updated in place, the
    // iterations of the inner loop could not overlap.
    let mut chance = vec![0.0; top + 1];
    let mut next = chance.clone();
    chance[0] = 1.0;
    for throw in 1..=throws {
        let reached = throw.min(top);
        let here = chance[1..=reached].iter().zip(&meets[1..=reached]);
        let below = chance[..reached].iter().zip(&sets[..reached]);
        let both = next[1..=reached].iter_mut().zip(here).zip(below);
        for ((next, (here, meets)), (below, sets)) in both {
            *next = here * meets + below * sets;
        }
        next[0] = 0.0;
        core::mem::swap(&mut chance, &mut next);
    }
    Some(chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_throws_at_four_bits_set_one_to_three() {
        assert_eq!(
            set_bits(3.0, 4),
            Some(vec![0.0, 1.0 / 16.0, 9.0 / 16.0, 6.0 / 16.0])
        );
        assert_eq!(set_bits(2.0, 1), Some(vec![0.0, 1.0]));
        assert_eq!(set_bits(0.0, 4), Some(vec![1.0]));
    }

    #[test]
    fn zero_false_positives_are_certain_without_queries_or_items_and_impossible_in_full_filters() {
        let is = |chance: f64, items, bits, queries| {
            let found = no_false_positive(items, bits, 3, queries).unwrap().unwrap();
            (found - chance).abs() < 1e-15
        };
        assert!(is(1.0, 9, 64, 0.0) && is(1.0, 0, 64, 9.0) && is(1.0, 9, 1, 0.0));
        assert!(is(0.0, 9, 1, 9.0));
        assert_eq!(no_false_positive(1_000, 22_479, 16, 9.0), Ok(None));
    }

    #[test]
    fn a_distribution_of_over_two_million_steps_is_refused() {
        assert!(set_bits(1_000.0, 1_000).is_some());
        assert!(set_bits(200_000.0, 10).is_some());
        assert!(set_bits(200_001.0, 10).is_none());
        assert!(set_bits(1_415.0, 1_415).is_none());
    }
}
