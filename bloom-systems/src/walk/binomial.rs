//! The binomial distribution of the number of items that fall into a part of a filter: computes its probabilities, and draws
//! random numbers from it.

use core::f64::consts::TAU;

use crate::random::split_mix;

/// A binomial distribution with a variance above this is taken as normal.
const NORMAL: f64 = 1e5;

/// A number is drawn from the normal distribution if more than this many items are expected in the part of the filter, and more
/// than this many outside of it. Else the terms of the binomial distribution are added up one by one.
const COUNTED: f64 = 20.0;

/// Returns the logarithm of the probability that `count` of the items are in a part that has this
/// share of all bits.
pub(super) fn log_binomial(items: f64, count: f64, share: f64) -> f64 {
    if share >= 1.0 {
        return if count < items {
            f64::NEG_INFINITY
        } else {
            0.0
        };
    }
    let (mean, variance) = (items * share, items * share * (1.0 - share));
    if variance > NORMAL {
        return -(count - mean) * (count - mean) / (2.0 * variance)
            - 0.5 * libm::log(TAU * variance);
    }
    let ways =
        libm::lgamma(items + 1.0) - libm::lgamma(count + 1.0) - libm::lgamma(items - count + 1.0);
    ways + count * libm::log(share) + (items - count) * libm::log1p(-share)
}

/// Returns a random number between 0 and 1.
pub(super) fn uniform(state: &mut u64) -> f64 {
    ((split_mix(state) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Draws how many of these items are in a part that has this share of all bits.
pub(super) fn binomial(items: f64, share: f64, state: &mut u64) -> f64 {
    if share >= 1.0 {
        return items;
    }
    let (mean, others) = (items * share, items * (1.0 - share));
    if mean.min(others) > COUNTED {
        // The method of Box and Muller (1958).
        let normal = libm::sqrt(-2.0 * libm::log(uniform(state))) * libm::cos(TAU * uniform(state));
        let deviation = libm::sqrt(mean * (1.0 - share));
        return libm::round(mean + deviation * normal).clamp(0.0, items);
    }
    if others < mean {
        return items - binomial(items, 1.0 - share, state);
    }
    let odds = share / (1.0 - share);
    let mut probability = libm::exp(items * libm::log1p(-share));
    let (mut left, mut count) = (uniform(state), 0.0);
    while left >= probability && count < items {
        left -= probability;
        probability *= odds * (items - count) / (count + 1.0);
        count += 1.0;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_fall_in_classes_as_independent_ones_do() {
        for (items, share) in [
            (10.0, 0.5),
            (10.0, 0.9),
            (300.0, 0.02),
            (300.0, 0.3),
            (1.0, 1.0),
        ] {
            let (mut state, draws) = (4, 40_000);
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let count = binomial(items, share, &mut state);
                assert!((0.0..=items).contains(&count) && count.fract() == 0.0);
                sum += count;
                squares += count * count;
            }
            let mean = sum / f64::from(draws);
            let variance = squares / f64::from(draws) - mean * mean;
            let expected = items * share * (1.0 - share);
            let error = libm::sqrt(expected / f64::from(draws));
            assert!(
                (mean - items * share).abs() <= 6.0 * error,
                "{items}, {share}: {mean}"
            );
            // The variance of a sample deviates by a share of about sqrt(2 / draws). Rounding a normal number to a
            // whole one adds 1/12 to the variance.
            assert!(
                (variance - expected).abs() <= 0.06 * expected + 0.09,
                "{items}, {share}: {variance}"
            );
        }
    }
}
