//! A chart of how accurately the number of items in a filter is estimated from its set bits.

use bloom_core::math::{estimate_items, expected_fill};
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, check};
use crate::curves::{Figure, Mark, Scale};
use crate::deviations::{deviations, discs_note, single_filters};
use crate::error::FigureError;
use crate::filter::half_full;
use crate::measure::Effort;
use crate::measuring::Measurable;
use crate::sampling::POINTS;

/// The number of steps along the axis. Single filters are shown at both ends of each step.
const MEASURED_POINTS: u32 = 20;

/// The axis runs from n/`BELOW` to n × `OVERFULL` items, where n is the number of items with which the filter is half full.
const BELOW: f64 = 100.0;
const OVERFULL: f64 = 8.0;

/// The question: how far is the estimated number of items from the true one?
///
/// The band is two standard deviations on either side of the true number. The standard deviation is the one that an estimate
/// reports, for a filter whose number of set bits is the expected one. Discs are the errors of real filters: their set bits are
/// counted, and the filters are not queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EstimateError {
    /// Bits m and hashes k of the filter.
    pub shape: Shape,
}

impl Measurable for EstimateError {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let design = half_full(self.shape);
        check(
            "m",
            "large enough for 20 items with k hashes",
            design >= 20.0,
            bits,
        )?;
        let (first, last) = ((design / BELOW).ceil(), (design * OVERFULL).round());
        let deviation = |items: f64| {
            // A full filter gives no estimate, so at least one bit stays clear.
            let ones = expected_fill(items as u64, bits, hashes)? * bits as f64;
            let ones = ones.clamp(1.0, (bits - 1) as f64);
            let at = |ones: f64| -> Result<f64, FigureError> {
                let estimate = estimate_items(bits, hashes, ones as u64)?;
                Ok(estimate.map_or(f64::NAN, |known| known.standard_deviation))
            };
            let (below, above) = (at(ones.floor())?, at(ones.ceil())?);
            Ok(100.0 * (below + (above - below) * ones.fract()) / items)
        };
        let mut truth = deviations("true", 0.0, (first, last), POINTS, deviation)?;
        let kind = |items| Ok((self.shape, items as f64));
        let estimate = |filter: &BloomFilter<u64>| Some(filter.estimated_items().ok()?.items);
        let ends = (first, last);
        truth.dots = single_filters(effort, ends, MEASURED_POINTS, kind, estimate)?;
        for dot in &mut truth.dots {
            dot.y = 100.0 * (dot.y - 1.0);
        }
        let dots = truth.dots.iter().map(|dot| dot.y.abs());
        let bands = truth.band.iter().map(|span| span.high);
        let most = 1.08 * dots.chain(bands).fold(0.0, f64::max);
        let m = grouped(bits);
        Ok(Figure {
            title: format!("Error of the estimated items, m = {m}, k = {hashes}"),
            note: format!(
                "Items read off the set bits, against those inserted. Band: two standard \
                 deviations on either side.{}",
                discs_note(effort, "each")
            ),
            description: format!(
                "The number of items read off the bits of a Bloom filter is within {} % of the \
                 true one for 95 of 100 filters that are half full, and worse for overfull \
                 ones.",
                nearest(2.0 * deviation(design.round())?, 2),
            ),
            x: axis("items n", Scale::Log, first, last),
            y: axis("error of the estimate in %", Scale::Linear, -most, most),
            series: vec![truth],
            marks: vec![Mark::new(design.round(), "half full")],
        })
    }
}
