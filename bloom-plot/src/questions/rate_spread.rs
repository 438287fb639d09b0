//! How much the rates of single filters of one kind differ, by their size.

use bloom_core::math::spread;
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve};
use crate::curves::{Figure, Point, Scale, Series};
use crate::error::FigureError;
use crate::measure::{Effort, Work, filled};

/// Points per curve, and places where single filters are shown.
const POINTS: u32 = 120;
const MEASURED_POINTS: u32 = 16;

/// The items at the left end of the axis.
const FEWEST: f64 = 10.0;

/// The question: how far is the rate of one filter from the mean?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateSpread {
    /// The bits per item m/n, from 1 to 1,000.
    pub bits_per_item: u64,
    /// The hashes k.
    pub hashes: u8,
    /// The items n at the right end of the axis, from 100 to 1e12.
    pub items: u64,
    /// Real filters to show beside the theory, if any; they are not queried, because the set bits
    /// determine the rate.
    pub effort: Option<Effort>,
}

impl RateSpread {
    /// Computes the figure: the exact mean with two standard deviations on either side. Discs are
    /// the rates (X/m)^k of real filters with X bits set.
    ///
    /// # Errors
    ///
    /// Every field must be in its range; filters to show must fit in memory and within the step
    /// limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (per_item, hashes) = (self.bits_per_item, self.hashes);
        let holds = (1..=1_000).contains(&per_item);
        check("bits per item", "from 1 to 1,000", holds, per_item)?;
        let holds = (100..=1_000_000_000_000).contains(&self.items);
        check("n", "from 100 to 1e12", holds, self.items)?;
        let relative = |items: f64| {
            let spread = spread(items as u64, items as u64 * per_item, hashes)?;
            Ok::<_, FigureError>(spread.standard_deviation / spread.mean.value())
        };
        let last = self.items as f64;
        let line = |label: &str, sigmas: f64| {
            let places = by_ratio(FEWEST, last, POINTS).map(f64::round);
            Ok::<_, FigureError>(Series {
                label: label.to_owned(),
                curve: curve(places, |items| Ok(1.0 + sigmas * relative(items)?))?,
                dashed: sigmas != 0.0,
                ..Series::default()
            })
        };
        let mut series = vec![
            line("mean", 0.0)?,
            line("+2 sd", 2.0)?,
            line("-2 sd", -2.0)?,
        ];
        if let Some(effort) = self.effort {
            let places: Vec<u64> = by_ratio(FEWEST, last, MEASURED_POINTS)
                .map(|items| items.round() as u64)
                .collect();
            let steps = places
                .iter()
                .map(|items| effort.steps(*items, items * per_item));
            let mut work = Work::new(effort, steps.sum())?;
            for items in places {
                let shape = Shape::new(items * per_item, hashes)?;
                let mean = spread(items, shape.bits(), hashes)?.mean.value();
                let rates = filled(&mut work, items, shape, BloomFilter::false_positive_rate)?;
                let x = items as f64;
                let dots = rates.into_iter().map(|rate| Point { x, y: rate / mean });
                series[0].dots.extend(dots);
            }
        }
        let first = relative(FEWEST)?;
        let dots = series[0].dots.iter().map(|dot| dot.y);
        let top = dots.fold(1.0 + 2.2 * first, f64::max);
        let dots_note = self.effort.map_or_else(String::new, |effort| {
            format!(
                " Discs: {} real filters at each size.",
                grouped(effort.filters())
            )
        });
        Ok(Figure {
            title: format!("Rates of single filters, m/n = {per_item}, k = {hashes}"),
            note: format!(
                "Over the exact mean of all such filters; dashes: two standard deviations.{dots_note}"
            ),
            description: format!(
                "Single Bloom filters of one size differ in their false-positive rate by a \
                 standard deviation of {} % with 10 items and {} % with {}.",
                nearest(100.0 * first, 2),
                nearest(100.0 * relative(last)?, 2),
                grouped(self.items),
            ),
            x: axis("items n", Scale::Log, FEWEST, last),
            y: axis(
                "rate / mean rate",
                Scale::Linear,
                0.0,
                (top * 10.0).ceil() / 10.0,
            ),
            series,
            marks: Vec::new(),
        })
    }
}
