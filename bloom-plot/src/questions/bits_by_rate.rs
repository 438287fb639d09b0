//! The bits per item that a rate costs: several kinds of Bloom filters, other filters, and the
//! lower bound.

use bloom_core::math::blocked::min_blocks;
use bloom_core::math::{Model, lower_bound_bits};
use bloom_core::{BlockedShape, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve};
use crate::curves::{Figure, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Work, measure_as};
use crate::measuring::{fewest_hits, measure_blocked, measured_note};
use crate::split_block::{PARQUET, measure_split};

/// Points per curve: few where each needs a search, many where the curve has steps.
const SEARCHED_POINTS: u32 = 48;
const STEP_POINTS: u32 = 1_000;

/// Measured points per kind of filter, and the hits to expect at each, at least.
const MEASURED_POINTS: u32 = 5;
const HITS: f64 = 30.0;

/// The highest rate on the axis.
const HIGHEST: f64 = 0.5;

/// The top of the axis, as a multiple of the bits per item of a blocked filter at the right end. Curves
/// above it leave the picture.
const TOP: f64 = 1.05;

/// The question: how many bits per item does a rate cost?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BitsByRate {
    /// The items n.
    pub items: u64,
    /// The lowest rate on the axis, from 1e-12 to 0.1.
    pub rate: f64,
    /// What to measure beside the theory, if anything.
    pub effort: Option<Effort>,
}

impl BitsByRate {
    /// Computes the figure.
    ///
    /// Bloom filters have the smallest size that suffices by the exact models. The other curves are
    /// what their authors state for many items, with fingerprints of whole bits: a cuckoo filter
    /// with 4 fingerprints of f bits per bucket, 95 % full, with p = 8/2^f (Fan et al., 2014); xor
    /// with 1.23 f (Graf and Lemire, 2020) and binary fuse with 1.125 f bits, both p = 2^-f (Graf
    /// and Lemire, 2022). The lower bound is log2(1/p) (Carter et al., 1978).
    ///
    /// Measures the rates of real Bloom filters of three kinds, sized for rates high enough to
    /// expect about 30 hits.
    ///
    /// # Errors
    ///
    /// Every field must be in its range; 64-bit hashes must be able to keep the rates for this many
    /// items; the measurement must fit in memory and within the step limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (items, lowest) = (self.items, self.rate);
        check("n", "at least 1", items > 0, items)?;
        let holds = (1e-12..=0.1).contains(&lowest);
        check("p", "from 1e-12 to 0.1", holds, lowest)?;
        // Checked first, so that the error names the rate at the right end and not that of a point
        // nearby.
        BlockedShape::for_rate(items, lowest)?;
        let searched = || by_ratio(HIGHEST, lowest, SEARCHED_POINTS);
        let stepped = || by_ratio(HIGHEST, lowest, STEP_POINTS);
        let per_item = |bits: u64| bits as f64 / items as f64;
        let whole = |bits: f64| (bits - 1e-12).ceil();
        let curves = [
            (
                "Bloom",
                curve(searched(), |p| {
                    Ok(per_item(Model::Exact.min_size(items, p)?.0))
                })?,
            ),
            (
                "blocked",
                curve(searched(), |p| {
                    Ok(per_item(BlockedShape::for_rate(items, p)?.bits()))
                })?,
            ),
            (
                "split 8x32",
                curve(searched(), |p| {
                    Ok(per_item(min_blocks(items, PARQUET, p)? * PARQUET.bits()))
                })?,
            ),
            (
                "cuckoo",
                curve(stepped(), |p| Ok(whole((8.0 / p).log2()) / 0.95))?,
            ),
            ("xor", curve(stepped(), |p| Ok(1.23 * whole(-p.log2())))?),
            ("fuse", curve(stepped(), |p| Ok(1.125 * whole(-p.log2())))?),
        ];
        let mut series: Vec<Series> = curves
            .into_iter()
            .map(|(label, curve)| Series {
                label: label.to_owned(),
                curve,
                ..Series::default()
            })
            .collect();
        if let Some(effort) = self.effort {
            self.measure(effort, &mut series)?;
        }
        let ends: Vec<String> = series
            .iter()
            .filter_map(|series| {
                Some(format!(
                    "{} {}",
                    series.label,
                    nearest(series.curve.last()?.y, 3)
                ))
            })
            .collect();
        series.push(Series {
            label: "bound".to_owned(),
            curve: curve(searched(), |p| Ok(lower_bound_bits(1, p)?))?,
            dashed: true,
            ..Series::default()
        });
        let blocked = series[1].curve.last().map_or(1.0, |point| point.y);
        Ok(Figure {
            title: format!("Bits per item that a rate costs, n = {}", grouped(items)),
            note: format!(
                "Bloom, blocked (512 bits), split (Parquet's): sized by the exact models. Cuckoo, \
                 xor, fuse: their authors' figures, fingerprints of whole bits. Dashes: log2(1/p), \
                 which nothing beats.{}",
                measured_note(self.effort, &series)
            ),
            description: format!(
                "The bits per item rise as the false-positive rate p falls, evenly for Bloom \
                 filters, in steps for those of fingerprints, faster and faster for blocked ones; at \
                 p = {} they are: {}.",
                nearest(lowest, 3),
                ends.join(", ")
            ),
            x: axis("false-positive rate p", Scale::Log, HIGHEST, lowest),
            y: axis(
                "bits per item m/n",
                Scale::Linear,
                0.0,
                (TOP * blocked).ceil(),
            ),
            series,
            marks: Vec::new(),
        })
    }

    /// Measures filters sized for rates along the axis: plain, blocked and split block filters.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let items = self.items;
        let lowest = fewest_hits(effort, HITS).max(self.rate).min(HIGHEST);
        let step = (lowest / HIGHEST).ln() / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for point in 0..MEASURED_POINTS {
            // Staggered, so that points of close curves do not hide each other.
            let rate = |offset: f64| HIGHEST * ((f64::from(point) + offset) * step).exp();
            let (bits, hashes) = Model::Exact.min_size(items, rate(1.0 / 6.0))?;
            let blocked = BlockedShape::for_rate(items, rate(0.5))?;
            let split = min_blocks(items, PARQUET, rate(5.0 / 6.0))?;
            places.push((Shape::new(bits, hashes)?, blocked, split));
        }
        let bits = places.iter();
        let bits = bits.flat_map(|(plain, blocked, split)| {
            [plain.bits(), blocked.bits(), split * PARQUET.bits()]
        });
        let steps = bits.map(|bits| effort.steps(items, bits));
        let mut work = Work::new(effort, steps.sum())?;
        for (plain, blocked, split) in places {
            let samples = [
                (plain.bits(), measure_as(&mut work, items, plain)?),
                (
                    blocked.bits(),
                    measure_blocked(&mut work, items, blocked.blocks())?,
                ),
                (
                    split * PARQUET.bits(),
                    measure_split(&mut work, items, split)?,
                ),
            ];
            for (series, (bits, sample)) in series.iter_mut().zip(samples) {
                let point = measured(0.0, &sample).across(bits as f64 / items as f64);
                series.measured.push(point);
            }
        }
        Ok(())
    }
}
