//! Estimates the mean false-positive rate of all filters of DCSO bloom that have one size.

use bloom_core::Shape;
use bloom_core::math::{Model, expected_fill};

use super::classes::Classes;
use super::samples::Effort;
use super::{FACTOR, first_order, odd_part};

/// The effort that [`expected`] spends.
const EFFORT: Effort = Effort {
    error: 0.003,
    most: 1 << 16,
};

/// Returns the mean rate of filters with `items` items, estimated from random samples. The standard error of the estimate is
/// 0.3 % as a rule, and was 2.1 % at most for 387 random sizes of up to 256 bits.
pub fn expected(shape: Shape, items: u64) -> f64 {
    mean_of_filters(shape, items, EFFORT).0
}

/// Returns the mean rate, estimated with this effort, and the standard error of the estimate.
fn mean_of_filters(shape: Shape, items: u64, effort: Effort) -> (f64, f64) {
    let bits = shape.bits();
    if items == 0 {
        return (0.0, 0.0);
    }
    // With 30 positions for each bit, one bit in 10^13 is left clear.
    let is_full = items as f64 * f64::from(shape.hashes()) > 30.0 * bits as f64;
    let has_classes = bits.is_multiple_of(2) && shape.hashes() > 1 && !is_full;
    let (mean, error) = if has_classes {
        Classes::new(shape, items).mean(effort)
    } else {
        let rate = Model::Exact.rate(items, bits, shape.hashes());
        (rate.expect("a shape is valid").value(), 0.0)
    };
    let factor = 1.0 + neighbours(shape, items);
    ((mean * factor).min(1.0), error * factor)
}

/// Returns what neighbouring positions add to the rate at first order in 1/m, as a share of the rate. Where o, the odd part of
/// m, is above 1469, an item that shares a position with a query shares the next one with probability 1/1469, not 1/o.
/// Elsewhere returns 0.
fn neighbours(shape: Shape, items: u64) -> f64 {
    let fill = expected_fill(items, shape.bits(), shape.hashes()).expect("a shape is valid");
    let more = (1.0 / FACTOR as f64 - 1.0 / odd_part(shape) as f64).max(0.0);
    let pairs = f64::from(shape.hashes()) - 1.0;
    first_order(shape, fill, pairs * pairs * more)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use bloom_core::math::rate_at_fill;

    use super::super::filter::walked;
    use super::super::positions;
    use super::super::samples::{FEW, Samples};
    use super::*;
    use crate::random::split_mix;

    /// Returns the mean rate of random filters, and the standard error of this mean. [`walked`] computes the rate of each
    /// filter from its bits.
    fn mean_of_random_filters(shape: Shape, items: u64, effort: Effort) -> (f64, f64) {
        let mut set = vec![false; shape.bits() as usize];
        let (mut state, mut samples, mut taken) = (1, Samples::default(), 0);
        loop {
            set.fill(false);
            for _ in 0..items {
                let positions = positions(split_mix(&mut state), shape);
                positions.for_each(|position| set[position as usize] = true);
            }
            samples.push(walked(shape, |position| set[position as usize]));
            taken += shape.bits();
            let (mean, error) = (samples.mean(), libm::sqrt(samples.variance_of_mean()));
            if taken >= effort.most || samples.count >= FEW && error <= effort.error * mean {
                return (mean, error);
            }
        }
    }

    /// Compares the estimated mean rate for each n, m and k with the mean rate of random filters.
    fn check(sizes: &[(u64, u64, u8)]) {
        let (error, most) = (0.003, 1 << 28);
        for &(items, bits, hashes) in sizes {
            let shape = Shape::new(bits, hashes).unwrap();
            let (mean, error_of_mean) =
                mean_of_random_filters(shape, items, Effort { error, most });
            let effort = Effort {
                error,
                most: 1 << 21,
            };
            let (expected, error_of_expected) = mean_of_filters(shape, items, effort);
            // Six standard errors of the difference, and 1 % because the estimate is not exact even with unlimited effort.
            let tolerance = 6.0 * libm::hypot(error_of_mean, error_of_expected) + 0.01 * mean;
            let what = format!(
                "n = {items}, m = {bits}, k = {hashes}: {expected} ± {error_of_expected} for {mean} ± {error_of_mean}"
            );
            assert!((expected - mean).abs() < tolerance, "{what}");
            assert!(tolerance < 0.04 * mean, "4 % more would pass: {what}");
        }
    }

    // Two tests, so that two processors can share the work.
    #[test]
    fn the_mean_over_filters_is_that_of_random_filters() {
        // A class is the positions with one remainder modulo the largest power of two that divides m. Some of these sizes have
        // few classes and others many, and some have small classes and others large ones.
        check(&[
            (100, 1_160, 7),
            (90, 1_008, 8),
            (40, 708, 10),
            (234, 3_028, 8),
            (20, 288, 6),
            (200, 2_112, 8),
            (300, 2_816, 6),
            (200, 2_048, 7),
            (1_500, 12_288, 5),
        ]);
    }

    #[test]
    fn the_mean_over_filters_with_classes_of_few_cells_is_that_of_random_filters() {
        // A class is the positions with one remainder modulo the largest power of two that divides m. In these sizes, a query
        // has several positions in one class.
        check(&[
            (1, 30, 27),
            (7, 176, 23),
            (3, 44, 9),
            (1, 134, 8),
            (20, 64, 10),
        ]);
    }

    #[test]
    fn an_item_that_shares_a_position_shares_the_next_more_often() {
        let (items, shape) = (460, Shape::new(20_001, 30).unwrap());
        let (mut state, mut samples) = (7, Samples::default());
        for _ in 0..60 {
            let mut set = vec![false; 20_001];
            for _ in 0..items {
                let positions = positions(split_mix(&mut state), shape);
                positions.for_each(|position| set[position as usize] = true);
            }
            let fill = set.iter().filter(|set| **set).count() as f64 / 20_001.0;
            let walked = walked(shape, |position| set[position as usize]);
            samples.push(walked / rate_at_fill(fill, 30) - 1.0);
        }
        let (mean, error) = (samples.mean(), libm::sqrt(samples.variance_of_mean()));
        let expected = neighbours(shape, items);
        assert!(
            (mean - expected).abs() < 6.0 * error + 5e-4,
            "{mean} ± {error}: {expected}"
        );
        assert!(6.0 * error + 5e-4 < 0.5 * expected, "{error} {expected}");
    }
}
