//! How accurately a filter estimates the number of its items from its set bits.

use std::f64::consts::LN_2;

use bloom_core::math::{estimate_items, expected_fill};
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve};
use crate::curves::{Figure, Mark, Point, Scale, Series};
use crate::error::FigureError;
use crate::measure::{Effort, Work, filled};

/// Points per curve, and places where single filters are shown.
const POINTS: u32 = 150;
const MEASURED_POINTS: u32 = 20;

/// The axis runs from the items of a half-full filter, divided by `BELOW`, to `OVERFULL` times them.
const BELOW: f64 = 100.0;
const OVERFULL: f64 = 8.0;

/// The question: how far off is the estimated number of items?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EstimateError {
    /// The bits m.
    pub bits: u64,
    /// The hashes k.
    pub hashes: u8,
    /// Real filters to show beside the theory, if any; they are not queried.
    pub effort: Option<Effort>,
}

impl EstimateError {
    /// Computes the figure: twice the standard deviation that the estimate states, at the expected
    /// fill. Discs are the errors of real filters.
    ///
    /// # Errors
    ///
    /// The bits must be enough for 20 items at half fill; filters to show must fit in memory and
    /// within the step limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (bits, hashes) = (self.bits, self.hashes);
        let design = bits as f64 * LN_2 / f64::from(hashes.max(1));
        check("m", "enough for 20 items at k", design >= 20.0, bits)?;
        let (first, last) = ((design / BELOW).ceil(), (design * OVERFULL).round());
        let deviation = |items: f64| {
            let fill = expected_fill(items as u64, bits, hashes)?;
            // A full filter gives no estimate, so at least one bit stays clear.
            let ones = ((fill * bits as f64).round() as u64).clamp(1, bits - 1);
            let estimate = estimate_items(bits, hashes, ones)?;
            let deviation = estimate.map_or(f64::NAN, |known| known.standard_deviation);
            Ok::<_, FigureError>(100.0 * deviation / items)
        };
        let line = |label: &str, sigmas: f64| {
            let places = by_ratio(first, last, POINTS).map(f64::round);
            Ok::<_, FigureError>(Series {
                label: label.to_owned(),
                curve: curve(places, |items| Ok(sigmas * deviation(items)?))?,
                dashed: sigmas != 0.0,
                ..Series::default()
            })
        };
        let mut series = vec![
            line("true", 0.0)?,
            line("+2 sd", 2.0)?,
            line("-2 sd", -2.0)?,
        ];
        if let Some(effort) = self.effort {
            let shape = Shape::new(bits, hashes)?;
            let places: Vec<u64> = by_ratio(first, last, MEASURED_POINTS)
                .map(|items| items.round() as u64)
                .collect();
            let steps = places.iter().map(|items| effort.steps(*items, bits));
            let mut work = Work::new(effort, steps.sum())?;
            for items in places {
                let known = filled(&mut work, items, shape, BloomFilter::estimated_items)?;
                let x = items as f64;
                let dots = known.into_iter().flatten();
                let dots = dots.map(|known| Point {
                    x,
                    y: 100.0 * (known.items / x - 1.0),
                });
                series[0].dots.extend(dots);
            }
        }
        let dots_note = self.effort.map_or_else(String::new, |effort| {
            format!(" Discs: {} real filters each.", grouped(effort.filters()))
        });
        let all = series
            .iter()
            .flat_map(|series| series.curve.iter().chain(&series.dots));
        let most = all.map(|point| point.y.abs()).fold(0.0, f64::max);
        Ok(Figure {
            title: format!(
                "Error of the estimated items, m = {}, k = {hashes}",
                grouped(bits)
            ),
            note: format!(
                "Items read off the set bits, against those inserted. Dashes: two standard \
                 deviations.{dots_note}"
            ),
            description: format!(
                "The number of items read off the bits of a Bloom filter is within {} % of the \
                 true one for 95 of 100 filters that are half full, and worse for overfull \
                 ones.",
                nearest(2.0 * deviation(design.round())?, 2),
            ),
            x: axis("items n", Scale::Log, first, last),
            y: axis(
                "error of the estimate in %",
                Scale::Linear,
                -1.08 * most,
                1.08 * most,
            ),
            series,
            marks: vec![Mark {
                x: design.round(),
                label: "half full".to_owned(),
            }],
        })
    }
}
