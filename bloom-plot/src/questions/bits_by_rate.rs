//! A chart of the bits per item that a rate costs, for several kinds of Bloom filters, for cuckoo, xor and binary fuse filters,
//! and for the lower bound log2(1/p).

use bloom_core::math::blocked::min_blocks;
use bloom_core::math::{Model, lower_bound_bits};
use bloom_core::{BlockedShape, Shape};
use bloom_params::numbers::{grouped, nearest};
use bloom_params::structures::STRUCTURES;
use bloom_systems::systems::parquet::BLOCK as PARQUET;

use crate::axes::{axis, by_ratio, check, curve, ends_listed, within};
use crate::curves::{Figure, Scale, Series};
use crate::error::FigureError;
use crate::filter::Filter;
use crate::measure::Effort;
use crate::measuring::{MEASURED_POINTS, Measurable, Place, fewest_hits, measure_places};
use crate::sampling::staggered;

/// The number of steps along a curve on which each size is found by a search, which is slow.
const SEARCHED_POINTS: u32 = 48;
/// The number of steps along a curve that may jump between whole numbers of bits.
const STEP_POINTS: u32 = 1_000;

/// A point is measured at a rate for which at least this many false positives are expected.
const HITS: f64 = 30.0;

/// The highest rate on the axis.
const MAX: f64 = 0.5;

/// The top of the axis, as a multiple of the bits per item of a blocked filter at the right end. Parts of curves above this
/// height are not visible.
const TOP: f64 = 1.05;

/// The question: how many bits per item does a rate cost?
///
/// Bloom filters have the smallest size that suffices by the exact models. The lowest rate must be one that filters with 64-bit
/// hashes can keep for this many items. The curves of cuckoo, xor and binary fuse filters are what the authors of these filters
/// state for many items, as listed in [`STRUCTURES`]. The lower bound is log2(1/p) (Carter et al., 1978). Bloom filters of
/// three kinds (plain, blocked, and the split blocks of Parquet) are measured, at rates high enough to expect at least about 30
/// false positives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BitsByRate {
    /// Items n.
    pub items: u64,
    /// Lowest rate p on the axis.
    pub rate: f64,
}

type Size = fn(u64, f64) -> Result<Filter, FigureError>;

/// The kinds of Bloom filters, each with a function that returns the smallest filter for items and
/// a rate.
const SIZED: [(&str, Size); 3] = [
    ("Bloom", |items, rate| {
        let (bits, hashes) = Model::Exact.min_size(items, rate)?;
        Ok(Filter::Plain(Shape::new(bits, hashes)?))
    }),
    ("blocked", |items, rate| {
        let shape = BlockedShape::for_rate(items, rate)?;
        Ok(Filter::Blocked(shape.blocks()))
    }),
    ("split 8x32", |items, rate| {
        Ok(Filter::Split(min_blocks(items, PARQUET, rate)?))
    }),
];

/// The names in [`STRUCTURES`] of the other filters that are drawn, and their labels.
const STATED: [(&str, &str); 3] = [
    ("cuckoo", "cuckoo"),
    ("xor", "xor"),
    ("binary fuse, 3-wise", "fuse"),
];

impl Measurable for BitsByRate {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (items, lowest) = (self.items, self.rate);
        check("n", "at least 1", items > 0, items)?;
        within("p", 1e-12..=0.1, lowest)?;
        // The lowest rate is checked first. Otherwise, the error would name the rate of a point near the right end of the axis.
        BlockedShape::for_rate(items, lowest)?;
        let searched = || by_ratio(MAX, lowest, SEARCHED_POINTS);
        let stepped = || by_ratio(MAX, lowest, STEP_POINTS);
        let mut series = Vec::new();
        for (label, size) in SIZED {
            let bits = curve(searched(), |p| {
                Ok(size(items, p)?.bits() as f64 / items as f64)
            })?;
            series.push(Series::line(label, bits));
        }
        let stated = STRUCTURES.iter().filter_map(|structure| {
            let of_chart = STATED.iter().find(|(name, _)| *name == structure.name);
            Some((of_chart?.1, structure))
        });
        for (label, structure) in stated {
            let bits = curve(stepped(), |p| Ok(structure.bits_per_item(p)))?;
            series.push(Series::line(label, bits));
        }
        measure_places(effort, &mut series, |effort, _| self.places(effort))?;
        for point in series.iter_mut().flat_map(|series| &mut series.measured) {
            *point = point.across(point.x);
        }
        let ends = ends_listed(&series);
        let bound = curve(searched(), |p| Ok(lower_bound_bits(1, p)?))?;
        series.push(Series::dashed("bound", bound));
        let blocked = series[1].curve.last().map_or(1.0, |point| point.y);
        let top = (TOP * blocked).ceil();
        Ok(Figure {
            title: format!("Bits per item that a rate costs, n = {}", grouped(items)),
            note:
                "Bloom, blocked (512 bits), split (Parquet's): sized by the exact models. Cuckoo, \
                 xor, fuse: their authors' figures, the last two in whole bits. Dashes: log2(1/p), \
                 which nothing beats."
                    .to_owned(),
            description: format!(
                "The bits per item rise as the false-positive rate p falls, evenly for Bloom \
                 filters, in steps for those of whole bits, faster and faster for blocked ones; at \
                 p = {} they are: {}.",
                nearest(lowest, 3),
                ends
            ),
            x: axis("false-positive rate p", Scale::Log, MAX, lowest),
            y: axis("bits per item m/n", Scale::Linear, 0.0, top),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl BitsByRate {
    /// Returns the points to measure: filters of each kind, sized for rates along the axis.
    fn places(&self, effort: Effort) -> Result<Vec<Place>, FigureError> {
        let items = self.items;
        let lowest = fewest_hits(effort, HITS).max(self.rate).min(MAX);
        let place = |index: usize, rate| {
            let filter = SIZED[index].1(items, rate)?;
            let per_item = filter.bits() as f64 / items as f64;
            Ok(Place::new(index, per_item, items, filter))
        };
        staggered((MAX, lowest), MEASURED_POINTS, SIZED.len(), place)
    }
}
