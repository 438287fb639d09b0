//! A chart of the spread of rates: how much single filters with the same n, m and k differ. n grows along the axis; m/n and k
//! are fixed.

use bloom_core::math::spread;
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, within};
use crate::curves::{Figure, Scale};
use crate::deviations::{deviations, discs_note, single_filters};
use crate::error::FigureError;
use crate::measure::Effort;
use crate::measuring::Measurable;
use crate::sampling::POINTS;

/// The number of steps along the axis. Single filters are shown at both ends of each step.
const MEASURED_POINTS: u32 = 16;

/// The number of items n at the left end of the axis.
const MIN: f64 = 10.0;

/// The question: how far is the rate of one filter from the mean over all filters with the same n, m and k?
///
/// All rates are divided by the exact mean rate. The curve is this mean, at 1, with a band of two standard deviations on either
/// side. Discs are the rates of real filters. A real filter is not queried: if X of its m bits are set, its rate is (X/m)^k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateSpread {
    /// Bits per item m/n.
    pub bits_per_item: u64,
    /// Hashes k.
    pub hashes: u8,
    /// Items n at the right end of the axis.
    pub items: u64,
}

impl Measurable for RateSpread {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (per_item, hashes) = (self.bits_per_item, self.hashes);
        within("bits per item", 1..=1_000, per_item)?;
        within("n", 100..=1_000_000_000_000, self.items)?;
        let relative = |items: f64| {
            let spread = spread(items as u64, items as u64 * per_item, hashes)?;
            Ok(spread.standard_deviation / spread.mean.value())
        };
        let last = self.items as f64;
        let mut mean = deviations("mean", 1.0, (MIN, last), POINTS, relative)?;
        let kind = |items| {
            let shape = Shape::new(items * per_item, hashes)?;
            Ok((shape, spread(items, shape.bits(), hashes)?.mean.value()))
        };
        let rate = |filter: &BloomFilter<u64>| Some(filter.false_positive_rate());
        mean.dots = single_filters(effort, (MIN, last), MEASURED_POINTS, kind, rate)?;
        let first = relative(MIN)?;
        let dots = mean.dots.iter().map(|dot| dot.y);
        let top = (10.0 * dots.fold(1.0 + 2.2 * first, f64::max)).ceil() / 10.0;
        Ok(Figure {
            title: format!("Rates of single filters, m/n = {per_item}, k = {hashes}"),
            note: format!(
                "Rate of each filter divided by the exact mean rate. Band: two standard deviations on either \
                 side.{}",
                discs_note(effort, "at each size")
            ),
            description: format!(
                "Single Bloom filters of one size differ in their false-positive rate by a \
                 standard deviation of {} % with 10 items and {} % with {}.",
                nearest(100.0 * first, 2),
                nearest(100.0 * relative(last)?, 2),
                grouped(self.items),
            ),
            x: axis("items n", Scale::Log, MIN, last),
            y: axis("rate / mean rate", Scale::Linear, 0.0, top),
            series: vec![mean],
            marks: Vec::new(),
        })
    }
}
