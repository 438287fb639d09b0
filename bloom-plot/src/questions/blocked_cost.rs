//! The cost of blocking: the rate of blocked filters, or its ratio to the rate of a plain filter.

use bloom_core::Shape;
use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_difference, check, check_list, floor, rate_axis, tops};
use crate::curves::{Axis, Figure, MOST_SERIES, Point, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Work, measure_as};
use crate::measuring::{measure_blocked, measured_note};
use crate::split_block::{PARQUET, measure_split};

/// Points per curve, and per curve that tries several numbers of hashes at each.
const POINTS: u32 = 60;
const SEARCHED_POINTS: u32 = 30;

/// Measured points per kind of block.
const MEASURED_POINTS: u32 = 5;

/// The fewest bits per item on the axis.
const FEWEST: f64 = 4.0;

/// This project's blocks.
const OWN: Block = Block::Split {
    lanes: 8,
    lane_bits: 64,
};

/// What is plotted for blocked filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockedShown {
    /// The ratio of the rate to that of a plain filter with the same bits.
    Ratio,
    /// The rate, beside that of a plain filter.
    Rate,
}

/// The question: how much higher is the rate when all bits of an item are in one block?
#[derive(Debug, Clone, PartialEq)]
pub struct BlockedCost {
    /// The items n, from 1,000 to 1e9.
    pub items: u64,
    /// The bits per item at the right end of the axis, from 6 to 60.
    pub bits_per_item: f64,
    /// The bits per block with independent positions, one curve for each, from 8 to 4,096, up to 5.
    pub blocks: Vec<u32>,
    /// What is plotted.
    pub shown: BlockedShown,
    /// What to measure beside the theory, if anything.
    pub effort: Option<Effort>,
}

impl BlockedCost {
    /// Computes the figure: exact rates of blocks of several sizes, with the best k for each and
    /// independent positions, and of split blocks, compared with a plain filter at its best k.
    ///
    /// Measures split block filters: this project's, and a reimplementation of Parquet's; and plain
    /// filters where their rate is plotted.
    ///
    /// # Errors
    ///
    /// Every field must be in its range; the measurement must fit in memory and within the step
    /// limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (items, most) = (self.items, self.bits_per_item);
        let holds = (1_000..=1_000_000_000).contains(&items);
        check("n", "from 1,000 to 1e9", holds, items)?;
        let holds = (6.0..=60.0).contains(&most);
        check("bits per item", "from 6 to 60", holds, most)?;
        check_list("block bits", &self.blocks, MOST_SERIES - 3)?;
        for bits in &self.blocks {
            let holds = (8..=4_096).contains(bits);
            check("block bits", "from 8 to 4,096", holds, *bits)?;
        }
        let mut series = self.curves()?;
        if let Some(effort) = self.effort {
            self.measure(effort, &mut series[self.blocks.len()..])?;
        }
        let ends = series.iter().filter_map(|series| {
            let end = series.curve.last()?;
            Some(format!("{} for {}", nearest(end.y, 2), series.label))
        });
        let ends = ends.collect::<Vec<_>>().join(", ");
        let (title, lines, told) = match self.shown {
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
                 Parquet's.{}",
                measured_note(self.effort, &series)
            ),
            description: format!(
                "The false-positive rate {told} with the bits per item, on a logarithmic axis; at \
                 {} bits per item it is {ends}.",
                nearest(most, 3),
            ),
            x: axis("bits per item m/n", Scale::Linear, FEWEST, most),
            y: self.upright(&series),
            series,
            marks: Vec::new(),
        })
    }

    /// The vertical axis.
    fn upright(&self, series: &[Series]) -> Axis {
        if self.shown == BlockedShown::Rate {
            return rate_axis(series, floor(series));
        }
        let top = tops(series).fold(1.0, f64::max).log10();
        let name = "rate / rate of a plain filter";
        axis(name, Scale::Log, 0.9, 10_f64.powf(top * 1.03 + 0.02))
    }

    /// The curves: blocks of each size, the split blocks of Parquet and of this project, and,
    /// unless rates are plotted relative to it, a plain filter.
    fn curves(&self) -> Result<Vec<Series>, FigureError> {
        let mut series = Vec::new();
        for bits in &self.blocks {
            // The best number of hashes rises with the bits, so each search starts from the
            // previous result.
            let mut hashes = 1;
            let curve = self.curve(SEARCHED_POINTS, u64::from(*bits), |blocks| {
                let rate = |hashes| {
                    let block = Block::Independent {
                        bits: *bits,
                        hashes,
                    };
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
            series.push(Series {
                label: format!("{bits} bits"),
                curve: curve?,
                ..Series::default()
            });
        }
        for (label, block) in [("split 8x32", PARQUET), ("split 8x64", OWN)] {
            let rate = |blocks| self.logarithm(block, blocks);
            series.push(Series {
                label: label.to_owned(),
                curve: self.curve(POINTS, block.bits(), rate)?,
                dashed: true,
                ..Series::default()
            });
        }
        if self.shown == BlockedShown::Rate {
            series.push(Series {
                label: "plain".to_owned(),
                curve: self.curve(POINTS, 1, |bits| Ok(self.plain(bits)?.1))?,
                ..Series::default()
            });
        }
        Ok(series)
    }

    /// Computes a curve of filters with a whole number of blocks, from the logarithm of the rate by
    /// that number.
    fn curve(
        &self,
        points: u32,
        block: u64,
        mut rate: impl FnMut(u64) -> Result<f64, FigureError>,
    ) -> Result<Vec<Point>, FigureError> {
        let places = by_difference(FEWEST, self.bits_per_item, points);
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

    /// Returns the best number of hashes of a plain filter, and the logarithm of its rate.
    fn plain(&self, bits: u64) -> Result<(u8, f64), FigureError> {
        let hashes = Model::Exact.best_hashes(self.items, bits)?;
        Ok((hashes, exact::rate(self.items, bits, hashes)?.ln()))
    }

    /// Returns the logarithm of the unit in which rates are plotted, for filters of this many bits.
    fn unit(&self, bits: u64) -> Result<f64, FigureError> {
        match self.shown {
            BlockedShown::Ratio => Ok(self.plain(bits)?.1),
            BlockedShown::Rate => Ok(0.0),
        }
    }

    /// Measures split block filters, Parquet's first, and plain ones if they have a series.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let items = self.items;
        let step = (self.bits_per_item - FEWEST) / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for point in 0..MEASURED_POINTS {
            // Staggered, so that error bars do not cover each other.
            let kinds = [(PARQUET.bits(), 0.75), (OWN.bits(), 0.25), (1, 0.5)];
            for (index, (block, offset)) in kinds.into_iter().enumerate().take(series.len()) {
                let per_item = FEWEST + (f64::from(point) + offset) * step;
                places.push((index, block, self.blocks_of(block, per_item)));
            }
        }
        let steps = places.iter();
        let steps = steps.map(|(_, block, blocks)| effort.steps(items, blocks * block));
        let mut work = Work::new(effort, steps.sum())?;
        for (index, block, blocks) in places {
            let bits = blocks * block;
            let sample = match index {
                0 => measure_split(&mut work, items, blocks)?,
                1 => measure_blocked(&mut work, items, blocks)?,
                _ => {
                    let shape = Shape::new(bits, self.plain(bits)?.0)?;
                    measure_as(&mut work, items, shape)?
                }
            };
            let unit = self.unit(bits)?.exp();
            let point = measured(bits as f64 / items as f64, &sample);
            series[index].measured.push(point.map_y(|rate| rate / unit));
        }
        Ok(())
    }
}
