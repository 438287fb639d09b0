//! Formulas for the stages of a scalable filter: how many bits of a stage may be set, the rate of a
//! full stage, and an estimate of the items from the set bits of all stages. A scalable filter is a
//! list of filters, its stages; only the youngest stage takes new items.
//!
//! A stage counts an item only if the item sets a bit that was clear. So if n' distinct items are
//! offered to a stage, it counts n items: all of the n' but its false positives.

use super::bounds::rate_at_fill;
use super::estimate::{Estimate, estimate_items};
use super::exact;
use super::real::ln_clear;
use super::spread::spread;

/// Returns the maximum number of set bits X at which the filter's own rate, (X/m)^k, is at most p =
/// `rate`: floor(m p^(1/k)).
///
/// If the mean rate of filters of this size is at most p, the expected number of their set bits,
/// rounded down, is at most this maximum: the mean of (X/m)^k is at least the k-th power of the
/// mean of X/m.
pub(crate) fn most_ones(bits: u64, hashes: u8, rate: f64) -> u64 {
    let fill = libm::pow(rate, 1.0 / f64::from(hashes));
    libm::floor(bits as f64 * fill) as u64
}

/// Returns the mean rate of those filters that counted n = `items` items and whose own rate is at
/// most `most`. The mean over all filters that counted n items is the exact rate with n' items,
/// where n' is the number of distinct items offered to them:
///
/// ```text
/// n = sum over j < n' of (1 - p(j))
/// ```
///
/// Here p(j) is the rate with j items. The function derives from this mean the mean over the
/// filters whose own rate is at most `most`. The result is approximate in two respects: the sum is
/// replaced by an integral over the textbook rate, and the rates of single filters are assumed to
/// be log-normal.
pub(crate) fn counted_rate(items: u64, bits: u64, hashes: u8, most: f64) -> f64 {
    let offered = offered_items(items as f64, bits, hashes);
    let whole = libm::floor(offered);
    let rate = |items: f64| exact::unchecked(items as u64, bits, hashes.into()).value();
    let (below, above) = (rate(whole), rate(whole + 1.0));
    let mean = below + (above - below) * (offered - whole);
    let spread = spread(libm::round(offered) as u64, bits, hashes);
    let deviation = spread.map_or(0.0, |spread| spread.standard_deviation);
    mean_below(mean, deviation / mean, most)
}

/// Returns the mean of a log-normal variable under the condition that it is at most `most`. The
/// other two arguments are its mean and its relative standard deviation without this condition.
fn mean_below(mean: f64, relative_deviation: f64, most: f64) -> f64 {
    let variance = libm::log1p(relative_deviation * relative_deviation);
    let deviation = libm::sqrt(variance);
    let place = (libm::log(most / mean) + variance / 2.0) / deviation;
    let below = |place: f64| libm::erfc(-place / core::f64::consts::SQRT_2);
    let share = below(place - deviation) / below(place);
    // `share` is NaN if the probability of a value below `most` is 0 in `f64`, or if the deviation
    // is 0 and `most` is the mean.
    if share.is_finite() {
        mean * share
    } else {
        mean.min(most)
    }
}

/// Returns the number of distinct items that were offered to a filter, if it counted `counted` of
/// them.
fn offered_items(counted: f64, bits: u64, hashes: u8) -> f64 {
    let rate = |items: f64| {
        let fill = -libm::expm1(ln_clear(items * f64::from(hashes), bits));
        rate_at_fill(fill, hashes)
    };
    let mut offered = counted;
    // Newton's method converges from below, because the counted items are a concave function of the
    // offered items.
    for _ in 0..64 {
        let found = mean(rate, offered) * offered;
        let step = (counted - (offered - found)) / (1.0 - rate(offered));
        // The step is NaN or infinite if the filter finds nearly all offered items.
        if !step.is_finite() {
            break;
        }
        offered += step;
        if step <= 1e-6 * offered {
            break;
        }
    }
    offered
}

/// Returns the mean of a function over the range from 0 to `end`, by Simpson's rule in 64 steps.
fn mean(function: impl Fn(f64) -> f64, end: f64) -> f64 {
    const STEPS: u32 = 64;
    let inner = (1..STEPS).map(|step| {
        let weight = if step % 2 == 1 { 4.0 } else { 2.0 };
        weight * function(end * f64::from(step) / f64::from(STEPS))
    });
    (function(0.0) + inner.sum::<f64>() + function(end)) / (3.0 * f64::from(STEPS))
}

/// One stage as (bits, hashes, set bits).
pub(crate) type Ones = (u64, u8, u64);

/// Estimates the number of distinct items offered to a scalable filter from the set bits of its
/// stages, oldest first. An item reaches a stage only if no older stage finds it. The result is
/// `None` if any stage has all its bits set.
///
/// The set bits of stage i give an estimate e_i, with standard deviation sd_i, of the items that
/// reached the stage. Let q_i be the probability that none of the older stages, whose bits are set
/// as they are now, finds an absent item. Then
///
/// ```text
/// n = sum of e_i / q_i,  variance = sum of (sd_i / q_i)^2 + e_i (1 - q_i) / q_i^2
/// ```
///
/// where the term with 1 - q_i is the variance of the number of items that did not reach stage i,
/// because an older stage found them by chance. The variance follows from the delta method, for
/// stages whose false positives are independent.
pub(crate) fn estimate_offered(stages: impl Iterator<Item = Ones>) -> Option<Estimate> {
    let (mut items, mut variance, mut reached) = (0.0, 0.0, 1.0);
    for (bits, hashes, ones) in stages {
        let came = estimate_items(bits, hashes, ones).ok().flatten()?;
        let deviation = came.standard_deviation / reached;
        items += came.items / reached;
        variance += deviation * deviation + came.items * (1.0 - reached) / (reached * reached);
        reached *= 1.0 - rate_at_fill(ones as f64 / bits as f64, hashes);
    }
    Some(Estimate {
        items,
        standard_deviation: libm::sqrt(variance),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_polynomial_of_the_third_degree_is_exact() {
        let expected = 27.0 / 4.0 - 9.0 / 3.0 + 5.0;
        assert!((mean(|x| x * x * x - x * x + 5.0, 3.0) - expected).abs() < 1e-13);
    }

    #[test]
    fn the_mean_below_a_bound_agrees_with_the_log_normal_density() {
        let (mean, relative_deviation) = (0.01, 0.3);
        let variance = libm::log1p(relative_deviation * relative_deviation);
        let middle = libm::log(mean) - variance / 2.0;
        for most in [0.005, 0.01, 0.02] {
            let (mut weights, mut values) = (0.0, 0.0);
            for slice in -80_000..80_000 {
                let place = (f64::from(slice) + 0.5) / 1e4;
                let value = libm::exp(middle + libm::sqrt(variance) * place);
                if value <= most {
                    let weight = libm::exp(-place * place / 2.0);
                    weights += weight;
                    values += weight * value;
                }
            }
            let got = mean_below(mean, relative_deviation, most);
            assert!((got / (values / weights) - 1.0).abs() < 1e-4, "{most}");
        }
        assert_eq!(mean_below(mean, 0.0, 0.02), mean);
        assert_eq!(mean_below(mean, 0.0, 0.005), 0.005);
    }

    #[test]
    fn every_offered_item_is_counted_or_found() {
        for (counted, bits, hashes) in [(3.0, 1_000, 5), (150.0, 1_000, 5), (400.0, 1_000, 1)] {
            let offered = offered_items(counted, bits, hashes);
            // The probability that the filter finds a new item, at the middle of each of 10,000
            // steps from no item to all offered items.
            let found = (0..10_000).map(|step| {
                let items = offered * (f64::from(step) + 0.5) / 1e4;
                let clear = libm::pow(1.0 - 1.0 / bits as f64, items * f64::from(hashes));
                libm::pow(1.0 - clear, hashes.into())
            });
            let found = found.sum::<f64>() * offered / 1e4;
            assert!(
                ((counted + found) / offered - 1.0).abs() < 1e-5,
                "{counted} and {found} of {offered}"
            );
        }
    }

    #[test]
    fn the_counted_rate_is_the_rate_at_the_items_that_were_offered() {
        for (bits, hashes, counted) in [(1_000, 5, 120), (1_000, 5, 250), (3_000, 1, 2_000)] {
            let rate = |items| exact::unchecked(items, bits, hashes.into()).value();
            let (mut offered, mut taken) = (0, 0.0);
            while taken + 1.0 - rate(offered) < f64::from(counted) {
                taken += 1.0 - rate(offered);
                offered += 1;
            }
            let part = (f64::from(counted) - taken) / (1.0 - rate(offered));
            let expected = rate(offered) + part * (rate(offered + 1) - rate(offered));
            let got = counted_rate(counted as u64, bits, hashes, 1.0);
            assert!((got / expected - 1.0).abs() < 1e-3, "{got} {expected}");
            // Now the filters with a rate above the mean, about half of all, are left out.
            let spread = spread(offered, bits, hashes).unwrap();
            let deviation = spread.standard_deviation / spread.mean.value();
            let got = counted_rate(counted as u64, bits, hashes, expected);
            let expected = mean_below(expected, deviation, expected);
            assert!((got / expected - 1.0).abs() < 2e-3, "{got} {expected}");
        }
    }

    #[test]
    fn an_estimate_adds_what_the_older_stages_found() {
        let (older, younger): (Ones, Ones) = ((1_000, 5, 400), (2_000, 6, 900));
        let came = |(bits, hashes, ones)| estimate_items(bits, hashes, ones).unwrap().unwrap();
        let (first, second) = (came(older), came(younger));
        let missed = 1.0 - libm::pow(0.4, 5.0);
        let got = estimate_offered([older, younger].into_iter()).unwrap();
        let items = first.items + second.items / missed;
        assert!((got.items / items - 1.0).abs() < 1e-12);
        let variance = libm::pow(first.standard_deviation, 2.0)
            + libm::pow(second.standard_deviation / missed, 2.0)
            + second.items * (1.0 - missed) / (missed * missed);
        assert!((got.standard_deviation / libm::sqrt(variance) - 1.0).abs() < 1e-12);
        assert_eq!(estimate_offered([older, (64, 3, 64)].into_iter()), None);
    }
}
