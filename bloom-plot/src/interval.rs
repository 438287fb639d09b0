//! Measured points with their intervals, by [`bloom_core::math::measured`].

use bloom_core::math::measured::{self, Interval, share_bound, share_interval};

use crate::curves::Measured;
use crate::measure::Sample;

/// The confidence level: how often an interval contains the true rate, or a bound lies above it.
pub const CONFIDENCE: f64 = 0.99;

const VALID: &str = "there are 2 filters, 1 query and no more hits";

/// Returns the point at `x`: the mean rate of a sample with its confidence interval, or the upper
/// bound if there was no hit.
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
/// upper bound if there was none.
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

    #[test]
    fn hits_give_a_value_inside_its_interval() {
        let hits = vec![900, 1_000, 1_100];
        let some = Sample {
            hits,
            queries: 10_000,
        };
        for point in [measured(1.0, &some), share(1.0, 10, 100)] {
            let Measured {
                x, y, low, high, ..
            } = point;
            assert!(!point.is_bound && x == 1.0);
            assert!((y - 0.1).abs() < 1e-12 && low < y && y < high);
        }
    }
}
