//! The distribution of the number of set bits, where it can be computed.

use alloc::vec;
use alloc::vec::Vec;

/// The distribution is computed if it takes at most this many steps.
const FEW_STEPS: f64 = 2e6;

/// Returns the probability of every number of set bits, from 0 on, after `throws` throws; `None` if
/// they are too many.
///
/// Computed throw by throw: exact, all terms positive.
pub(super) fn set_bits(throws: f64, bits: u64) -> Option<Vec<f64>> {
    let m = bits as f64;
    if throws * throws.min(m) > FEW_STEPS {
        return None;
    }
    let throws = throws as usize;
    let top = (throws as u64).min(bits) as usize;
    // The probabilities that a throw lands on one of x set bits, and that it sets a new one.
    let meets: Vec<f64> = (0..=top).map(|x| x as f64 / m).collect();
    let sets: Vec<f64> = (0..=top).map(|x| (bits - x as u64) as f64 / m).collect();
    // Two alternating rows instead of one updated in place, so that loop iterations can overlap.
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
    fn only_what_takes_two_million_steps_is_worked_out() {
        assert!(set_bits(1_000.0, 1_000).is_some());
        assert!(set_bits(200_000.0, 10).is_some());
        assert!(set_bits(200_001.0, 10).is_none());
        assert!(set_bits(1_415.0, 1_415).is_none());
    }
}
