//! Computes the range in which a binomial count is expected, and the confidence interval of the
//! probability behind a count. A count is, for instance, the hits of one filter: the queries for
//! absent items that it answers with yes.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::quantile::root;
use super::{Interval, check_error, check_hits, check_share};
use crate::math::MathError;

/// The range in which the number of hits of one filter is expected, for a given false-positive rate
/// or a range of rates. The filter is filled once and then queried for absent items.
///
/// Every query is a hit with the same probability, so the number of hits is exactly binomial.
///
/// # Examples
///
/// ```
/// use bloom_core::math::measured::Band;
///
/// let band = Band::new(100_000, 0.01, 0.01, 1e-9)?;
/// assert!(band.contains(1_050) && !band.contains(1_250));
/// // A filter with a rate of 1.4 % has more hits than the band allows, nearly always.
/// assert!(band.power(0.014) > 0.999);
/// assert!(band.detects_from(0.999) < 0.014);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    queries: u64,
    least: u64,
    most: u64,
}

impl Band {
    /// Returns the band for filters with a rate from `lowest` to `highest` that receive `queries`
    /// queries. The number of hits of such a filter is outside the band with a probability of at
    /// most `error`, if `error` is at least 1e-38.
    ///
    /// # Errors
    ///
    /// The rates must be from 0 to 1, `lowest` at most `highest`, `queries` from 1 to 2^40, and
    /// `error` between 0 and 1.
    pub fn new(queries: u64, lowest: f64, highest: f64, error: f64) -> Result<Self, MathError> {
        check_hits(0, queries)?;
        check_error(error)?;
        check_share(lowest)?;
        check_share(highest)?;
        if lowest > highest {
            return Err(MathError::LowestAboveHighest { lowest, highest });
        }
        Ok(Self {
            queries,
            least: Binomial::new(queries, lowest).lower_quantile(error / 2.0),
            most: Binomial::new(queries, highest).upper_quantile(error / 2.0),
        })
    }

    /// Returns whether this number of hits is within the band.
    #[must_use]
    pub fn contains(self, hits: u64) -> bool {
        (self.least..=self.most).contains(&hits)
    }

    /// Returns the probability that the number of hits of a filter with the rate `rate`, from 0 to
    /// 1, is outside the band.
    #[must_use]
    pub fn power(self, rate: f64) -> f64 {
        let hits = Binomial::new(self.queries, rate);
        hits.chance(0..self.least) + hits.chance(self.most + 1..self.queries + 1)
    }

    /// Returns the lowest rate, above the highest share of hits that the band allows, at which the
    /// number of hits is outside the band with a probability of at least `power`. The result is 1
    /// if there is no such rate.
    #[must_use]
    pub fn detects_from(self, power: f64) -> f64 {
        let most = self.most as f64 / self.queries as f64;
        root(most, 1.0, |rate| self.power(rate) >= power)
    }
}

/// Returns the confidence interval of Clopper and Pearson for the probability of an event that was
/// seen in `seen` of `trials` independent trials. For an `error` of at least 1e-38, the interval
/// misses the true probability with a probability of at most `error`.
///
/// If the event was seen in half of the trials, the running time is proportional to the square root
/// of `trials`: a second for 2^32 trials.
///
/// Source: Clopper and Pearson (1934), *The use of confidence or fiducial limits illustrated in the case of the
/// binomial*.
///
/// # Errors
///
/// `trials` must be from 1 to 2^40, `seen` at most `trials`, and `error` between 0 and 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::measured::{share_bound, share_interval};
///
/// let interval = share_interval(3, 1_000, 0.05)?;
/// assert_eq!(format!("{:.5} to {:.5}", interval.low, interval.high), "0.00062 to 0.00874");
/// // For an event never seen in 1,000 trials, the bound is near 3/1000 (the rule of three).
/// assert_eq!(format!("{:.4}", share_bound(1_000, 0.05)?), "0.0030");
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn share_interval(seen: u64, trials: u64, error: f64) -> Result<Interval, MathError> {
    check_hits(seen, trials)?;
    check_error(error)?;
    let tail = error / 2.0;
    // Chernoff's bounds on the expected number of events. If it is less than the lower bound,
    // `seen` or more events have a probability below `tail`; if it is more than the upper bound,
    // `seen` or fewer events have a probability below `tail`.
    let (number, log) = (seen as f64, -libm::log(tail));
    let share = |number: f64| (number / trials as f64).clamp(0.0, 1.0);
    let lowest = share(number - libm::sqrt(2.0 * number * log));
    let highest = share(number + log + libm::sqrt(log * log + 2.0 * number * log));
    let chance = |seen, share| Binomial::new(trials, share).chance(seen);
    Ok(Interval {
        low: if seen == 0 {
            0.0
        } else {
            root(lowest, share(number), |share| {
                chance(seen..trials + 1, share) >= tail
            })
        },
        high: if seen == trials {
            1.0
        } else {
            root(share(number), highest, |share| {
                chance(0..seen + 1, share) <= tail
            })
        },
    })
}

/// Returns the one-sided upper confidence bound on the probability of an event that was never seen
/// in `trials` independent trials. An event with a higher probability would remain unseen with a
/// probability below `error`.
///
/// ```text
/// 1 - error^(1 / trials)
/// ```
///
/// The formula is exact. See [`share_interval`].
///
/// # Errors
///
/// `trials` must be from 1 to 2^40, and `error` between 0 and 1.
pub fn share_bound(trials: u64, error: f64) -> Result<f64, MathError> {
    check_hits(0, trials)?;
    check_error(error)?;
    Ok(-libm::expm1(libm::log(error) / trials as f64))
}

/// The probabilities of the numbers of hits around the most likely number of hits. In each
/// direction, the list ends with the first probability that is at most 1e-40 times the highest one,
/// or at the end of the range from 0 to all queries.
struct Binomial {
    first: u64,
    chances: Vec<f64>,
}

impl Binomial {
    fn new(queries: u64, rate: f64) -> Self {
        let mode = (((queries + 1) as f64 * rate) as u64).min(queries);
        let odds = rate / (1.0 - rate);
        // Starting at the mode with 1, each value follows from its neighbour. Dividing all values
        // by their sum makes them probabilities.
        let up = |hits: u64| (queries - hits) as f64 / (hits + 1) as f64 * odds;
        let (mut above, mut below) = (vec![1.0_f64], Vec::new());
        let mut hits = mode;
        while hits < queries && above[above.len() - 1] > 1e-40 && rate < 1.0 {
            above.push(above[above.len() - 1] * up(hits));
            hits += 1;
        }
        hits = mode;
        let mut chance = 1.0;
        while hits > 0 && chance > 1e-40 && rate > 0.0 && rate < 1.0 {
            chance /= up(hits - 1);
            below.push(chance);
            hits -= 1;
        }
        below.reverse();
        below.extend(above);
        let sum: f64 = below.iter().sum();
        for chance in &mut below {
            *chance /= sum;
        }
        Self {
            first: hits,
            chances: below,
        }
    }

    fn chance(&self, hits: Range<u64>) -> f64 {
        let numbered = (self.first..).zip(&self.chances);
        let inside = numbered.filter(|(number, _)| hits.contains(number));
        // The `sum` of an empty iterator is -0.
        inside.fold(0.0, |sum, (_, chance)| sum + chance)
    }

    /// Returns the largest x with P(hits < x) <= `tail`.
    fn lower_quantile(&self, tail: f64) -> u64 {
        self.quantile((self.first..).zip(&self.chances), tail)
    }

    /// Returns the smallest x with P(hits > x) <= `tail`.
    fn upper_quantile(&self, tail: f64) -> u64 {
        let last = self.first + self.chances.len() as u64;
        self.quantile((0..last).rev().zip(self.chances.iter().rev()), tail)
    }

    fn quantile<'a>(&self, chances: impl Iterator<Item = (u64, &'a f64)>, tail: f64) -> u64 {
        let mut sum = 0.0;
        for (hits, chance) in chances {
            sum += chance;
            if sum > tail {
                return hits;
            }
        }
        self.first
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn shares_have_the_interval_of_clopper_and_pearson() {
        let of = |seen, trials| share_interval(seen, trials, 0.01).unwrap();
        // The interval for 5 events in 10 trials is from published tables. The other expected
        // values have closed forms, such as (error / 2)^(1 / n) for n events in n trials.
        assert_abs_diff_eq!(of(5, 10).low, 0.1283, epsilon = 5e-5);
        assert_abs_diff_eq!(of(5, 10).high, 0.8717, epsilon = 5e-5);
        assert_abs_diff_eq!(of(10, 10).low, libm::pow(0.005, 0.1), epsilon = 1e-9);
        assert_abs_diff_eq!(of(10, 10).high, 1.0, epsilon = 0.0);
        assert_abs_diff_eq!(of(0, 10).low, 0.0, epsilon = 0.0);
        assert_abs_diff_eq!(of(1, 100).low, 1.0 - libm::pow(0.995, 0.01), epsilon = 1e-9);
        assert_abs_diff_eq!(
            share_bound(100, 0.01).unwrap(),
            1.0 - libm::pow(0.01, 0.01),
            epsilon = 1e-9,
        );
        // The error may be so small that 1 - error rounds to 1.
        let low = share_interval(10, 10, 1e-20).unwrap().low;
        assert_abs_diff_eq!(low, libm::pow(5e-21, 0.1), epsilon = 1e-9);
        // In many trials, the count of a rare event is nearly Poisson. If the event was seen x
        // times, the limits of the expected count are then half the chi-squared quantiles at 0.5 %
        // with 2x degrees of freedom and at 99.5 % with 2x + 2 (Garwood 1936).
        let table = [
            (0, 0.0, 5.298),
            (1, 0.00501, 7.430),
            (2, 0.1035, 9.274),
            (10, 3.717, 21.398),
            (100, 76.12, 128.76),
        ];
        for (seen, low, high) in table {
            let trials = 100_000_000;
            assert_abs_diff_eq!(of(seen, trials).low * trials as f64, low, epsilon = 0.005);
            assert_abs_diff_eq!(of(seen, trials).high * trials as f64, high, epsilon = 0.005);
        }
    }

    #[test]
    fn a_band_is_as_wide_as_its_error_allows() {
        for (queries, rate) in [(100, 0.5), (1_000, 0.01), (1_000_000, 0.01), (500, 0.99)] {
            for error in [1e-2, 1e-6, 1e-10] {
                let band = Band::new(queries, rate, rate, error).unwrap();
                // The number of hits of a filter with the expected rate is outside the band (an
                // alarm) with a probability of at most `error`, and not much less: if the band were
                // one hit shorter at one end, the alarms at that end would have a probability above
                // `error / 2`.
                let alarms = band.power(rate);
                assert!(alarms <= error, "{queries}, {rate}: {alarms}");
                assert!(alarms > error / 20.0, "{queries}, {rate}: {alarms}");
            }
        }
        // P(X <= 30 or X >= 70), with X the heads of 100 fair coins, was computed with
        // arbitrary-precision integers.
        let band = Band::new(100, 0.5, 0.5, 1e-4).unwrap();
        assert!(band.contains(31) && band.contains(69));
        assert!(!band.contains(30) && !band.contains(70));
        assert_abs_diff_eq!(band.power(0.5), 7.85e-5, epsilon = 1e-7);
        // No number of hits is outside this band: the probability is 0, not -0.
        let all = Band::new(1, 0.1, 0.9, 1e-2).unwrap();
        assert_eq!(all.power(0.5).to_bits(), 0);
    }

    #[test]
    fn the_lowest_detected_rate_is_detected_with_the_given_power() {
        let band = Band::new(500_000, 0.01, 0.01, 1e-10).unwrap();
        let from = band.detects_from(0.999);
        assert_abs_diff_eq!(band.power(from), 0.999, epsilon = 1e-6);
        // A rate that is 15 % too high is detected with a probability of at least 0.999.
        assert!(from < 0.0115, "{from}");
    }
}
