//! Computes the range of items at which single scalable filters add a stage, and from it the range
//! of their memory.
//!
//! A stage is full when it holds its number of items, or when so many of its bits are set that its rate is reached. In about
//! half of the filters the bits end the stage, a little before the items do. An item that the filter finds by chance, though it
//! was never inserted, is not stored and takes no room, so a stage may also end later. [`Grown`] ignores both effects: it ends
//! each stage after its number of items.

use std::f64::consts::{PI, SQRT_2};

use bloom_core::math::scalable::{Growth, StageSize};

use super::scalable::{Grown, stage};

/// Half the width of a range, in standard deviations. If the number of items at which a stage ends is normally distributed,
/// fewer than 1 in 2,000 filters are outside the range.
const DEVIATIONS: f64 = 3.5;

/// The distribution of the number of items with which single filters have filled the stages so far.
#[derive(Default)]
struct Ends {
    /// The mean, if the set bits may also end a stage.
    mean: f64,
    /// The mean, if items alone end every stage.
    by_items: f64,
    variance: f64,
    /// The variance of the number of items that were not stored, because they were false positives.
    of_false: f64,
    /// The share of new items that the stages so far find by chance.
    found: f64,
}

impl Ends {
    /// Adds a full stage, whose rate is `full`.
    ///
    /// ```text
    /// E X = m (1 - q),  Var X = m q (1 - (1 + a) q),  a = k n/m,  q = e^-a
    /// ```
    ///
    /// The number X of set bits is taken as normally distributed. Near the end of a stage an item sets k q more bits.
    fn fill(&mut self, stage: &StageSize, full: f64) {
        let (n, m, k) = (
            stage.items as f64,
            stage.bits as f64,
            f64::from(stage.hashes),
        );
        let load = k * n / m;
        let (clear, set) = (libm::exp(-load), -libm::expm1(-load));
        let sets = k * clear;
        // The deviation stays above 0 even if hardly any bit is set.
        let deviation = (libm::sqrt(m * (libm::expm1(load) - load)) / k).max(f64::MIN_POSITIVE);
        let most = libm::floor(m * libm::pow(stage.rate, 1.0 / k));
        let by_bits = n + (most + 0.5 - m * set) / sets - 0.5;
        // The false positives among the items inserted while this stage fills. The rate grows e-fold, to `full`, in the last m
        // (1 - q) / (k^2 q) items, so there are about `full` times that many false positives.
        let own = full * m * set / (k * sets);
        let later = n + own - by_bits;
        // The mean of the smaller of two numbers: n + own, and the number of items at which the set
        // bits end the stage. The latter number is taken as normally distributed, with the mean
        // `by_bits`.
        let place = later / deviation;
        let density = libm::exp(-place * place / 2.0) / libm::sqrt(2.0 * PI);
        let items = by_bits - deviation * density + later * libm::erfc(place / SQRT_2) / 2.0;
        let passes = 1.0 - self.found;
        self.mean += items.clamp(1.0, n + own) / passes;
        self.by_items += (n + own) / passes;
        self.variance += deviation * deviation / (passes * passes);
        self.of_false += own + n * self.found / (passes * passes);
        self.found += passes * full;
    }

    /// Returns the range of items with which nearly all filters have filled the stages.
    fn range(&self) -> (f64, f64) {
        let all = DEVIATIONS * libm::sqrt(self.variance + self.of_false);
        // One item is added because the number of false positives is whole and mostly 0: a single one may be more than
        // `DEVIATIONS` standard deviations.
        let late = self.by_items + DEVIATIONS * libm::sqrt(self.of_false) + 1.0;
        (self.mean - all, late.min(self.mean + all))
    }
}

/// Returns the range of bits that nearly all filters with `items` items have.
pub(crate) fn bits_range(growth: Growth, items: u64) -> (u128, u128) {
    let (mut ends, mut fewest, mut most) = (Ends::default(), 0, 0);
    let (mut early, mut late) = (0.0, 0.0);
    for number in 0.. {
        // No filter adds a stage that cannot be sized.
        let Ok((stage, full)) = stage(growth, number) else {
            break;
        };
        if early >= items as f64 && number > 0 {
            break;
        }
        most += u128::from(stage.bits);
        if late < items as f64 || number == 0 {
            fewest = most;
        }
        ends.fill(&stage, full);
        (early, late) = ends.range();
    }
    (fewest, most)
}

impl Grown {
    /// Returns the range of items with which nearly all filters have filled these stages.
    pub(crate) fn full_range(&self) -> (u64, u64) {
        let mut ends = Ends::default();
        let stages = self.stages.iter().zip(&self.full);
        stages.for_each(|(stage, full)| ends.fill(stage, *full));
        let (early, late) = ends.range();
        (early.max(1.0) as u64, late.ceil() as u64)
    }
}
