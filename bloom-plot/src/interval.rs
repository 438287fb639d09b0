//! Computes the points that are measured on real filters, with confidence intervals from [`bloom_core::math::measured`].

use bloom_core::math::measured::{self, Interval, share_bound, share_interval};

use crate::curves::Measured;
use crate::measure::Sample;

/// The confidence level: how often an interval contains the true rate, or an upper bound is above the true rate.
pub const CONFIDENCE: f64 = 0.99;

const VALID: &str = "at least 2 filters and 1 query, and no more hits than queries";

/// Returns the point at `x`: the mean rate of a sample with its confidence interval, or the upper
/// bound if there was no false positive.
///
/// # Examples
///
/// ```
/// use bloom_plot::interval::measured;
/// use bloom_plot::measure::Sample;
///
/// let none = Sample { hits: vec![0; 20], queries: 1_000 };
/// let point = measured(5.0, &none);
/// assert!(point.is_bound && (point.high - 4.605 / 20_000.0).abs() < 1e-7);
/// ```
pub fn measured(x: f64, sample: &Sample) -> Measured {
    let sample = measured::Sample::new(&sample.hits, sample.queries).expect(VALID);
    let interval = sample.interval(1.0 - CONFIDENCE).expect(VALID);
    point(x, sample.rate(), interval)
}

/// Returns the share of `trials` in which an event was seen, with its confidence interval, or the
/// upper bound if it was never seen.
pub fn share(x: f64, seen: u64, trials: u64) -> Measured {
    let error = 1.0 - CONFIDENCE;
    let mut interval = share_interval(seen, trials, error).expect(VALID);
    if seen == 0 {
        interval.high = share_bound(trials, error).expect(VALID);
    }
    point(x, seen as f64 / trials as f64, interval)
}

fn point(x: f64, y: f64, interval: Interval) -> Measured {
    if y == 0.0 {
        return Measured::below(x, interval.high);
    }
    Measured::value(x, y, interval.low, interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hit_gives_an_upper_bound() {
        let hits = vec![0; 20];
        let none = Sample {
            hits,
            queries: 20_000,
        };
        for (point, expected) in [
            (measured(1.0, &none), 1.1513e-5),
            (share(1.0, 0, 100), 1.0 - 0.01_f64.powf(0.01)),
        ] {
            assert!(point.is_bound && point.x == 1.0);
            assert!((point.high - expected).abs() < 1e-9, "{point:?}");
        }
    }

    /// The ends of 99 % intervals, computed with mpmath 1.3 (Python). The intervals of rates follow the formula of
    /// `Sample::interval` with Student's t, whose 0.995 quantiles are 9.924843 for 2 degrees of freedom and 2.860935 for 19.
    /// For intervals of 95 %, these two quantiles would be smaller by factors of 2.3 and 1.4. The interval of a share is the
    /// interval of Clopper and Pearson, which follows from the incomplete beta function.
    #[test]
    fn an_interval_has_the_ends_for_its_confidence_level() {
        let sample = |hits: &[u64], queries| Sample {
            hits: hits.to_vec(),
            queries,
        };
        let twenty = [
            990, 1005, 1021, 968, 1013, 1000, 987, 1032, 975, 1009, 994, 1002, 1018, 981, 996,
            1007, 1011, 979, 1025, 988,
        ];
        let three = sample(&[900, 1_000, 1_100], 10_000);
        for (point, y, low, high) in [
            (
                measured(1.0, &three),
                0.1,
                0.056_382_515_220_371,
                0.177_359_948_574_748,
            ),
            (
                measured(1.0, &sample(&twenty, 100_000)),
                0.010_000_5,
                0.009_889_551_789_731,
                0.010_112_692_908_272,
            ),
            // With so few hits, the lower end is from the interval of Clopper and Pearson, and the upper end from Student's t.
            (
                measured(1.0, &sample(&[4, 4, 5], 1_000)),
                13.0 / 3_000.0,
                0.001_862_033_398_221,
                0.009_297_881_195_738,
            ),
            (
                share(1.0, 10, 100),
                0.1,
                0.038_195_653_205_082,
                0.201_953_520_781_344,
            ),
        ] {
            assert!(!point.is_bound && point.x == 1.0);
            for (is, expected) in [(point.y, y), (point.low, low), (point.high, high)] {
                // The ends of an interval of Clopper and Pearson are computed to 1 part in 10^9.
                assert!(
                    (is / expected - 1.0).abs() < 1e-9,
                    "{is} for {expected} of {point:?}"
                );
            }
        }
    }
}
