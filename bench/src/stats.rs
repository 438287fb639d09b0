//! Computes medians and quartiles.

/// The number, the median and the quartiles of some measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    /// Number of measurements.
    pub(crate) count: usize,
    /// Lower quartile.
    pub(crate) lower: f64,
    /// Median.
    pub(crate) median: f64,
    /// Upper quartile.
    pub(crate) upper: f64,
}

impl Summary {
    /// Summarises measurements; `None` if there are none.
    pub(crate) fn of(measurements: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = measurements.into_iter().collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            count: sorted.len(),
            lower: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper: quantile(&sorted, 0.75),
        })
    }

    /// Returns half the interquartile range, divided by the median.
    pub(crate) fn spread(&self) -> f64 {
        (self.upper - self.lower) / 2.0 / self.median
    }
}

/// Returns a quantile of sorted measurements, by linear interpolation.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * position.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_sorted_measurements() {
        let summary = Summary::of([5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!(summary.count, 5);
        assert_eq!(
            (summary.lower, summary.median, summary.upper),
            (2.0, 3.0, 4.0)
        );
        assert_eq!(summary.spread(), 1.0 / 3.0);
        let even = Summary::of([1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((even.lower, even.median, even.upper), (1.75, 2.5, 3.25));
    }

    #[test]
    fn one_measurement_is_its_own_median_and_an_empty_list_has_no_summary() {
        let summary = Summary::of([7.0]).unwrap();
        assert_eq!((summary.median, summary.spread()), (7.0, 0.0));
        assert_eq!(Summary::of([]), None);
    }

    #[test]
    fn one_outlier_does_not_move_the_median_far() {
        let summary = Summary::of([1.0, 1.1, 0.9, 1.0, 1000.0]).unwrap();
        assert_eq!(summary.median, 1.0);
    }
}
