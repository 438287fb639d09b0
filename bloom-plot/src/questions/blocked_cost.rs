//! A chart of what it costs that all bits of an item are in one block: the rate of blocked filters, or its ratio to the rate of
//! a plain filter.

use bloom_core::Shape;
use bloom_core::math::Model;
use bloom_core::math::blocked::{self, Block};
use bloom_params::numbers::{grouped, nearest};
use bloom_systems::systems::parquet::BLOCK as PARQUET;

use crate::axes::{axis, by_difference, check_each, ends, floor, rate_axis, ratio_axis, within};
use crate::curves::{Axis, Figure, MAX_SERIES, Point, Scale, Series};
use crate::error::FigureError;
use crate::filter::{Filter, OWN};
use crate::measure::Effort;
use crate::measuring::{MEASURED_POINTS, Measurable, Place, measure_places};

/// The number of steps along a curve.
const POINTS: u32 = 60;
/// The number of steps along a curve for which several numbers of hashes are tried at each step.
const SEARCHED_POINTS: u32 = 30;

/// The fewest bits per item on the axis.
const MIN: f64 = 4.0;

/// What is plotted for blocked filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockedShown {
    /// The rate of the blocked filter divided by the rate of a plain filter with as many bits.
    Ratio,
    /// The rate of the blocked filter, beside the rate of a plain filter.
    Rate,
}

/// The question: how much higher is the rate when all bits of an item are in one block?
///
/// The curves are exact rates of blocked filters, compared with a plain filter at its best k. There is a curve for each block
/// size, for blocks with independent positions and the best k. There are two curves for split blocks, which consist of 8 words,
/// each with one bit of an item: words of 64 bits in bloom-core, and of 32 bits in Parquet. Filters with both kinds of split
/// blocks are measured; those with Parquet's blocks are reimplemented here. Plain filters are measured only if rates, and not
/// ratios, are plotted.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockedCost {
    /// Items n.
    pub items: u64,
    /// Bits per item m/n at the right end of the axis.
    pub bits_per_item: f64,
    /// Up to 5 numbers of bits of a block, with a curve for each.
    pub blocks: Vec<u32>,
    /// What is plotted: the rate, or its ratio to the rate of a plain filter.
    pub shown: BlockedShown,
}

impl Measurable for BlockedCost {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (items, most) = (self.items, self.bits_per_item);
        within("n", 1_000..=1_000_000_000, items)?;
        within("bits per item", 6.0..=60.0, most)?;
        let range = 8..=4_096;
        check_each("block bits", &self.blocks, MAX_SERIES - 3, range)?;
        let mut series = self.curves()?;
        measure_places(effort, &mut series, |_, series| self.places(series))?;
        let ends = ends(&series).map(|(label, y)| format!("{} for {label}", nearest(y, 2)));
        let ends = ends.collect::<Vec<_>>().join(", ");
        let (title, lines, trend) = match self.shown {
            BlockedShown::Ratio => (
                "What blocks cost",
                "Exact rate over that of a plain filter of the same bits with its best k. Lines: \
                 blocks with the best k.",
                "of blocked Bloom filters over that of a plain one rises",
            ),
            BlockedShown::Rate => (
                "Rate of blocked filters by bits per item",
                "Exact rates. Lines: blocks and a plain filter, each with the best k.",
                "of blocked Bloom filters falls more slowly than that of a plain one",
            ),
        };
        Ok(Figure {
            title: format!("{title}, n = {}", grouped(items)),
            note: format!(
                "{lines} Dashes: split blocks, always 8 hashes; 8x64 is this project's, 8x32 \
                 Parquet's."
            ),
            description: format!(
                "The false-positive rate {trend} with the bits per item; at \
                 {} bits per item it is {ends}.",
                nearest(most, 3),
            ),
            x: axis("bits per item m/n", Scale::Linear, MIN, most),
            y: self.upright(&series),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl BlockedCost {
    /// Returns the vertical axis.
    fn upright(&self, series: &[Series]) -> Axis {
        if self.shown == BlockedShown::Rate {
            return rate_axis(series, floor(series));
        }
        ratio_axis("rate / rate of a plain filter", series)
    }

    /// Returns the curves: blocks of each size, the split blocks of Parquet, those of bloom-core and, if rates themselves are
    /// plotted, the plain filter.
    fn curves(&self) -> Result<Vec<Series>, FigureError> {
        let mut series = Vec::new();
        for bits in &self.blocks {
            // The best number of hashes rises with the number of bits. So the search for each point starts with the best number
            // of the point before.
            let mut hashes = 1;
            let curve = self.curve(SEARCHED_POINTS, u64::from(*bits), |blocks| {
                let rate = |hashes| {
                    let bits = *bits;
                    let block = Block::Independent { bits, hashes };
                    self.logarithm(block, blocks)
                };
                let mut best = rate(hashes)?;
                loop {
                    let more = rate(hashes + 1)?;
                    if more >= best {
                        return Ok(best);
                    }
                    (best, hashes) = (more, hashes + 1);
                }
            });
            series.push(Series::line(format!("{bits} bits"), curve?));
        }
        for (label, block) in [("split 8x32", PARQUET), ("split 8x64", OWN)] {
            let rate = |blocks| self.logarithm(block, blocks);
            let curve = self.curve(POINTS, block.bits(), rate)?;
            series.push(Series::dashed(label, curve));
        }
        if self.shown == BlockedShown::Rate {
            let plain = self.curve(POINTS, 1, |bits| self.plain_logarithm(bits))?;
            series.push(Series::line("plain", plain));
        }
        Ok(series)
    }

    /// Computes a curve of filters with a whole number of blocks; `rate` returns the logarithm of the
    /// rate for a number of blocks.
    fn curve(
        &self,
        points: u32,
        block: u64,
        mut rate: impl FnMut(u64) -> Result<f64, FigureError>,
    ) -> Result<Vec<Point>, FigureError> {
        let places = by_difference(MIN, self.bits_per_item, points);
        let points = places.map(|per_item| {
            let blocks = self.blocks_of(block, per_item);
            let bits = blocks * block;
            Ok(Point {
                x: bits as f64 / self.items as f64,
                y: (rate(blocks)? - self.unit(bits)?).exp(),
            })
        });
        points.collect()
    }

    fn blocks_of(&self, block: u64, per_item: f64) -> u64 {
        (per_item * self.items as f64 / block as f64).round() as u64
    }

    /// Returns the logarithm of the rate of a blocked filter.
    fn logarithm(&self, block: Block, blocks: u64) -> Result<f64, FigureError> {
        Ok(blocked::rate(self.items, blocks, block)?.ln())
    }

    /// Returns the plain filter of this many bits with the best number of hashes.
    fn plain(&self, bits: u64) -> Result<Filter, FigureError> {
        let hashes = Model::Exact.best_hashes(self.items, bits)?;
        Ok(Filter::Plain(Shape::new(bits, hashes)?))
    }

    /// Returns the logarithm of the rate of the plain filter of this many bits.
    fn plain_logarithm(&self, bits: u64) -> Result<f64, FigureError> {
        Ok(self.plain(bits)?.rate(self.items)?.ln())
    }

    /// For the plot, the rate of a filter is divided by the rate of the plain filter of as many bits, or by 1. Returns the
    /// logarithm of this divisor.
    fn unit(&self, bits: u64) -> Result<f64, FigureError> {
        match self.shown {
            BlockedShown::Ratio => self.plain_logarithm(bits),
            BlockedShown::Rate => Ok(0.0),
        }
    }

    /// Returns the points to measure, at equal steps along the axis: filters with Parquet's split blocks, with those of
    /// bloom-core and, if the plain filter is drawn, plain filters.
    fn places(&self, series: &[Series]) -> Result<Vec<Place>, FigureError> {
        let first = self.blocks.len();
        let step = (self.bits_per_item - MIN) / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for point in 0..MEASURED_POINTS {
            // The points of each curve are shifted, so that the error bars of different curves do not cover each other.
            for (index, offset) in (first..series.len()).zip([0.75, 0.25, 0.5]) {
                let per_item = MIN + (f64::from(point) + offset) * step;
                let blocks = |block| self.blocks_of(block, per_item);
                let filter = match index - first {
                    0 => Filter::Split(blocks(PARQUET.bits())),
                    1 => Filter::Blocked(blocks(OWN.bits())),
                    _ => self.plain(blocks(1))?,
                };
                let x = filter.bits() as f64 / self.items as f64;
                let unit = self.unit(filter.bits())?.exp();
                places.push(Place::new(index, x, self.items, filter).over(unit));
            }
        }
        Ok(places)
    }
}
