//! Tests whether a measured false-positive rate agrees with an expected rate, and computes how
//! certain the answer is. A *hit* is a query for an absent item that a filter answers with yes.
//!
//! Filters with the same n, m and k differ: each has its own rate, which depends on its set bits.
//! So the mean rate that is measured in F filters, with Q queries for each filter, varies with the
//! filters and with the queries:
//!
//! ```text
//! variance of the mean = V / F + (p - p^2 - V) / (Q F)
//! ```
//!
//! with p the expected value and V the variance of the rate of one filter
//! ([`spread`](super::spread)). The formula is exact: the number of hits of one filter is binomial,
//! and the law of total variance adds the variance between filters.
//!
//! | question | function |
//! | --- | --- |
//! | confidence interval of the mean rate of several filters | [`Sample::interval`] |
//! | does the mean rate of several filters agree with a rate? | [`Tolerance`] [by model](Tolerance::by_model) or [by sample](Tolerance::by_sample) |
//! | does one filter agree with a rate? | [`Band`] |
//! | confidence interval of the probability of any event | [`share_interval`] |
//! | upper bound on the probability of an event never seen | [`share_bound`] |
//! | how far the rate of one filter may be above the requested rate | [`single_filter_slack`] |
//!
//! ```
//! use bloom_core::math::measured::{Sample, Tolerance, single_filter_slack};
//! use bloom_core::math::{exact, spread};
//!
//! // The hits of five filters of 19,188 bits with 2,000 items, in 100,000 queries for each filter.
//! let sample = Sample::new(&[1_012, 987, 1_043, 951, 1_006], 100_000)?;
//! assert_eq!(sample.rate(), 0.009998);
//! let interval = sample.interval(0.05)?;
//! assert!(interval.low < 0.01 && 0.01 < interval.high);
//! assert!(sample.standard_error() < 2e-4 && sample.relative_variance() < 0.01);
//!
//! // The sample agrees with the model. The first tolerance is computed with the V of the model, the
//! // second with the V that the sample shows.
//! let (mean, spread) = (exact::rate(2_000, 19_188, 7)?.value(), spread(2_000, 19_188, 7)?);
//! let model = Tolerance::by_model(mean, spread.standard_deviation, 5, 100_000, 1e-6)?;
//! assert!((sample.rate() - mean).abs() < model.margin());
//! let measured = Tolerance::by_sample(&sample, 1e-6)?;
//! assert!(measured.margin() > model.margin()); // five filters say little about V
//! // If the true mean were 20 % above the model's, the test would notice it with a probability above 99 %.
//! assert!(model.power(0.2 * mean) > 0.99 && model.standard_error() < 2e-4);
//! // The rate of a filter for 2,000 items is at least twice the requested 1 % with a probability of at most 1e-6.
//! assert!(single_filter_slack(2_000, 0.01, 1e-6)? < 2.0);
//! # Ok::<(), bloom_core::math::MathError>(())
//! ```

mod binomial;
mod quantile;

use core::f64::consts::{LN_2, SQRT_2};

use super::error::{MAX_QUERIES, MathError, check_items, check_rate};
pub use binomial::{Band, share_bound, share_interval};
use quantile::{normal_quantile, student_quantile};

/// A confidence interval of a rate or of another probability.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The numbers of hits of several filters with the same n, m and k, each queried for the same
/// number of absent items.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'hits> {
    hits: &'hits [u64],
    queries: u64,
}

/// If a sample has at most this many hits, or at most this many queries without a hit, its interval
/// is at least as wide as [`share_interval`].
const FEW: u64 = 100;

impl<'hits> Sample<'hits> {
    /// Creates a sample from the number of hits of each filter. Each filter received `queries`
    /// queries.
    ///
    /// # Errors
    ///
    /// There must be at least 2 filters and 1 query, no more hits than queries, and at most 2^40
    /// queries of all filters together.
    pub fn new(hits: &'hits [u64], queries: u64) -> Result<Self, MathError> {
        check_filters(hits.len() as u64, 2)?;
        hits.iter()
            .try_for_each(|hits| check_hits(*hits, queries))?;
        check_hits(0, queries.saturating_mul(hits.len() as u64))?;
        Ok(Self { hits, queries })
    }

    /// Returns the mean of the measured rates.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.all_hits() as f64 / self.all_queries()
    }

    /// Returns the standard deviation of the mean rate, estimated from the variance of the filters'
    /// measured rates. This variance includes the part that the random choice of the queries adds.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        libm::sqrt(self.variance() / self.filters())
    }

    /// Returns an estimate of V / p^2, the variance of the true rates of the filters divided by the
    /// squared mean rate. The part that the random choice of the queries adds to the variance is
    /// subtracted. The result is never negative, and 0 if there is no hit. With F filters, the
    /// relative standard deviation of the estimate is about sqrt(2 / (F - 1)) or more.
    #[must_use]
    pub fn relative_variance(&self) -> f64 {
        let rate = self.rate();
        if rate == 0.0 {
            return 0.0;
        }
        let of_queries = rate * (1.0 - rate) / self.queries as f64;
        (self.variance() - of_queries).max(0.0) / (rate * rate)
    }

    /// Returns the confidence interval of the expected rate of filters with these n, m and k. The
    /// interval misses this rate with a probability of `error`. Without a hit, the interval is from
    /// 0 to [`share_bound`].
    ///
    /// ```text
    /// r exp(± t s / (r sqrt F))
    /// ```
    ///
    /// with the mean r and the standard deviation s of the measured rates of F filters, and
    /// Student's t for F - 1 degrees of freedom. The interval is computed for ln r, because rates
    /// vary by ratios, so it never extends below zero. The interval is approximate. With few hits,
    /// or few queries without a hit, the measured rates may by chance differ too little. The
    /// interval is then widened to the [`share_interval`] of all queries, which is exact for
    /// filters with equal rates.
    ///
    /// Source: Student (1908), *The probable error of a mean*.
    ///
    /// # Errors
    ///
    /// `error` must be between 0 and 1.
    pub fn interval(&self, error: f64) -> Result<Interval, MathError> {
        let (hits, queries) = (self.all_hits(), self.all_queries() as u64);
        if hits == 0 {
            let high = share_bound(queries, error)?;
            return Ok(Interval { low: 0.0, high });
        }
        let rate = self.rate();
        let t = student_quantile(self.hits.len() as u64 - 1, error)?;
        let ratio = libm::exp(t * self.standard_error() / rate);
        let (mut low, mut high) = (rate / ratio, rate * ratio);
        if hits.min(queries - hits) <= FEW {
            let counted = share_interval(hits, queries, error)?;
            low = low.min(counted.low);
            high = high.max(counted.high);
        }
        Ok(Interval {
            low,
            high: high.min(1.0),
        })
    }

    fn filters(&self) -> f64 {
        self.hits.len() as f64
    }

    fn all_hits(&self) -> u64 {
        self.hits.iter().sum()
    }

    fn all_queries(&self) -> f64 {
        self.filters() * self.queries as f64
    }

    /// Returns the variance of the measured rates of the filters.
    fn variance(&self) -> f64 {
        let mean = self.all_hits() as f64 / self.filters();
        let squares = self.hits.iter().map(|hits| {
            let off = *hits as f64 - mean;
            off * off
        });
        let queries = self.queries as f64;
        squares.sum::<f64>() / (self.filters() - 1.0) / (queries * queries)
    }
}

/// How far the mean rate measured in several filters may differ from the expected rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    standard_error: f64,
    quantile: f64,
}

impl Tolerance {
    /// Returns the tolerance of the mean rate of `filters` filters with `queries` queries each. The
    /// single filters must have rates with the mean `rate` and the standard deviation
    /// `standard_deviation`; the measured mean is then outside the tolerance with a probability of
    /// `error`. The measured mean is taken to be normal.
    ///
    /// # Errors
    ///
    /// `rate` must be from 0 to 1, `standard_deviation` from 0 to 1, `filters` at least 1, `queries` from 1 to 2^40, and
    /// `error` between 0 and 1.
    pub fn by_model(
        rate: f64,
        standard_deviation: f64,
        filters: u64,
        queries: u64,
        error: f64,
    ) -> Result<Self, MathError> {
        check_share(rate)?;
        if !(0.0..=1.0).contains(&standard_deviation) {
            return Err(MathError::DeviationOutOfRange(standard_deviation));
        }
        check_filters(filters, 1)?;
        check_hits(0, queries)?;
        let between = standard_deviation * standard_deviation;
        let of_queries = (rate - rate * rate - between).max(0.0) / queries as f64;
        Ok(Self {
            standard_error: libm::sqrt((between + of_queries) / filters as f64),
            quantile: normal_quantile(error)?,
        })
    }

    /// Returns the tolerance of the mean rate of a sample, computed from the variance of the sample
    /// and Student's t. If the filters have the expected rate, the measured mean is outside the
    /// tolerance with a probability of `error`.
    ///
    /// # Errors
    ///
    /// `error` must be between 0 and 1.
    pub fn by_sample(sample: &Sample<'_>, error: f64) -> Result<Self, MathError> {
        Ok(Self {
            standard_error: sample.standard_error(),
            quantile: student_quantile(sample.hits.len() as u64 - 1, error)?,
        })
    }

    /// Returns the standard deviation of the measured mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.standard_error
    }

    /// Returns the largest difference between the measured mean and the expected rate, in either
    /// direction, that is within the tolerance.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.quantile * self.standard_error
    }

    /// Returns the probability that the measured mean differs from the expected rate by more than
    /// the [margin](Self::margin), if the true mean differs from the expected rate by `difference`.
    /// The measured mean is taken to be normal.
    #[must_use]
    pub fn power(&self, difference: f64) -> f64 {
        if self.standard_error == 0.0 {
            return if difference == 0.0 { 0.0 } else { 1.0 };
        }
        let beyond = |margin: f64| libm::erfc(margin / self.standard_error / SQRT_2) / 2.0;
        beyond(self.margin() - difference) + beyond(self.margin() + difference)
    }
}

/// Returns a factor f such that the own rate of a single filter is above f times the requested rate
/// with a probability of at most `error`. The filter must have the usual size (k = log2(1/p)
/// hashes, half of the bits set). The factor follows from this bound:
///
/// ```text
/// P(|X - E X| >= t) <= 2 exp(-2 t^2 / N),  N = k n throws
/// ```
///
/// It holds because the throws are independent, and each throw changes the number X of set bits by
/// at most 1. The rate is proportional to the k-th power of X, so f = (1 + t / E X)^k for the t at
/// which the bound is `error`. Source: McDiarmid (1989), *On the method of bounded differences*.
///
/// # Errors
///
/// `items` must be at least 1, and `rate` and `error` between 0 and 1.
pub fn single_filter_slack(items: u64, rate: f64, error: f64) -> Result<f64, MathError> {
    check_items(items)?;
    check_rate(rate)?;
    check_error(error)?;
    let hashes = (-libm::log2(rate)).max(1.0);
    let throws = hashes * items as f64;
    let off = libm::sqrt(throws * libm::log(2.0 / error) / 2.0);
    let half = throws / LN_2 / 2.0;
    Ok(libm::pow(1.0 + off / half, hashes))
}

/// Checks `filters >= least`.
fn check_filters(filters: u64, least: u64) -> Result<(), MathError> {
    if filters < least {
        return Err(MathError::TooFewFilters { filters, least });
    }
    Ok(())
}

/// Checks `0 <= rate <= 1`; NaN fails.
fn check_share(rate: f64) -> Result<(), MathError> {
    if (0.0..=1.0).contains(&rate) {
        return Ok(());
    }
    Err(MathError::ShareOutOfRange(rate))
}

/// Checks `hits <= queries` and `1 <= queries <= MAX_QUERIES`.
fn check_hits(hits: u64, queries: u64) -> Result<(), MathError> {
    if queries == 0 {
        return Err(MathError::NoQueries);
    }
    if queries > MAX_QUERIES {
        return Err(MathError::TooManyQueries(queries));
    }
    if hits > queries {
        return Err(MathError::TooManyHits { hits, queries });
    }
    Ok(())
}

/// Checks `0 < error < 1`; NaN fails.
fn check_error(error: f64) -> Result<(), MathError> {
    if error > 0.0 && error < 1.0 {
        return Ok(());
    }
    Err(MathError::ErrorOutOfRange(error))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn the_scatter_between_filters_sets_the_interval() {
        let sample = Sample::new(&[900, 1_000, 1_100], 10_000).unwrap();
        let Interval { low, high } = sample.interval(0.01).unwrap();
        // The three filters have 1000 hits on average, with a standard deviation s of 100, and t is
        // 9.925. The factor is therefore exp(9.925 * 100 / (1000 sqrt 3)) = exp(0.573).
        assert_abs_diff_eq!(sample.rate(), 0.1, epsilon = 1e-12);
        assert_abs_diff_eq!(low, 0.1 * libm::exp(-0.573), epsilon = 2e-5);
        assert_abs_diff_eq!(high, 0.1 * libm::exp(0.573), epsilon = 2e-5);
        let tolerance = Tolerance::by_sample(&sample, 0.01).unwrap();
        assert_abs_diff_eq!(
            tolerance.standard_error(),
            0.01 / libm::sqrt(3.0),
            epsilon = 1e-12
        );
        assert_abs_diff_eq!(tolerance.margin(), 0.0573, epsilon = 1e-4);
        // The variance of the three rates is 1e-4. The random choice of the queries adds 0.1 * 0.9
        // / 10,000 to it.
        assert_abs_diff_eq!(sample.relative_variance(), 0.01 - 9e-4, epsilon = 1e-12);
    }

    #[test]
    fn few_hits_or_misses_have_the_interval_of_their_count() {
        // For one event in many trials, the limits of the expected count are 0.00501 and 7.43
        // (Garwood 1936). If every query is a hit, the lower limit of the rate is about 1 - ln(2 /
        // error) / queries.
        let mut hits = [0; 20];
        hits[3] = 1;
        let single = Sample::new(&hits, 1_000).unwrap().interval(0.01).unwrap();
        assert_abs_diff_eq!(single.low * 20_000.0, 0.00501, epsilon = 1e-4);
        assert!(single.high * 20_000.0 >= 7.43);

        let always = Sample::new(&[1_000; 20], 1_000)
            .unwrap()
            .interval(0.01)
            .unwrap();
        assert_abs_diff_eq!(always.low, 1.0 - 5.298 / 20_000.0, epsilon = 1e-6);
        assert_abs_diff_eq!(always.high, 1.0, epsilon = 0.0);
    }

    #[test]
    fn no_hit_gives_a_bound() {
        // The bounds are 1 - 0.01^(1/n) for n queries of all filters together.
        for (filters, queries, bound) in [(20, 20_000, 1.1513e-5), (2, 1, 0.9)] {
            let hits = vec![0; filters];
            let interval = Sample::new(&hits, queries).unwrap().interval(0.01).unwrap();
            assert_abs_diff_eq!(interval.low, 0.0, epsilon = 0.0);
            assert_abs_diff_eq!(interval.high, bound, epsilon = 1e-9);
        }
    }

    #[test]
    fn the_models_tolerance_has_the_variance_of_filters_and_of_queries() {
        // 100 filters with 10,000 queries each. The rates of the filters have a standard deviation
        // of 4 % of the mean.
        let tolerance = Tolerance::by_model(0.01, 4e-4, 100, 10_000, 1e-4).unwrap();
        let variance = (1.6e-7 + (0.01 - 1e-4 - 1.6e-7) / 1e4) / 100.0;
        assert_abs_diff_eq!(
            tolerance.standard_error(),
            libm::sqrt(variance),
            epsilon = 1e-15
        );
        assert_abs_diff_eq!(
            tolerance.margin(),
            3.890_591_886_413 * libm::sqrt(variance),
            epsilon = 1e-13,
        );
        // A correct rate is rejected with the probability `error`, a rate that is off by the margin
        // with probability 1/2, and a rate that is off by 1.5 margins with probability Phi(3.89 /
        // 2) = 0.974.
        assert_abs_diff_eq!(tolerance.power(0.0), 1e-4, epsilon = 1e-12);
        assert_abs_diff_eq!(tolerance.power(tolerance.margin()), 0.5, epsilon = 1e-9);
        assert_abs_diff_eq!(
            tolerance.power(-1.5 * tolerance.margin()),
            0.974,
            epsilon = 1e-3
        );
        // Every full filter answers yes to every query, so the mean rate has no variance.
        let full = Tolerance::by_model(1.0, 0.0, 100, 10_000, 1e-4).unwrap();
        assert_eq!(
            [full.margin(), full.power(0.0), full.power(-0.1)],
            [0.0, 0.0, 1.0]
        );
    }

    #[test]
    fn a_single_filter_may_be_a_little_above_the_requested_rate() {
        let slack = single_filter_slack(50_000, 0.01, 1e-10).unwrap();
        assert!((1.04..1.07).contains(&slack), "{slack}");
    }

    #[test]
    fn arguments_outside_the_domain_are_errors() {
        let filters = |filters, least| MathError::TooFewFilters { filters, least };
        assert_eq!(Sample::new(&[1], 9).unwrap_err(), filters(1, 2));
        assert_eq!(Sample::new(&[1, 1], 0).unwrap_err(), MathError::NoQueries);
        let too_many = MathError::TooManyHits {
            hits: 10,
            queries: 9,
        };
        assert_eq!(Sample::new(&[1, 10], 9).unwrap_err(), too_many);
        let model = |rate, filters| Tolerance::by_model(rate, 0.0, filters, 9, 0.1).unwrap_err();
        assert_eq!(model(0.1, 0), filters(0, 1));
        assert_eq!(model(1.1, 1), MathError::ShareOutOfRange(1.1));
        for error in [0.0, 1.0, -1.0] {
            let out_of_range = MathError::ErrorOutOfRange(error);
            assert_eq!(share_interval(1, 9, error).unwrap_err(), out_of_range);
            assert_eq!(share_bound(9, error).unwrap_err(), out_of_range);
            assert_eq!(Band::new(9, 0.1, 0.1, error).unwrap_err(), out_of_range);
            let slack = single_filter_slack(1, 0.1, error);
            assert_eq!(slack.unwrap_err(), out_of_range);
        }
        assert!(matches!(
            Band::new(9, f64::NAN, 0.1, 0.1),
            Err(MathError::ShareOutOfRange(_))
        ));
    }
}
