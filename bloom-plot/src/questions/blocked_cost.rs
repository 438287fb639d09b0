//! What blocks cost: their rate over that of a plain filter of the same bits.

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_difference, check, curve, tops};
use crate::curves::{Figure, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Work};
use crate::measuring::{measure_blocked, measured_note};
use crate::rules::{PARQUET, Size};

/// Points of a curve, and of one that tries several numbers of hashes at each.
const POINTS: u32 = 60;
const SEARCHED_POINTS: u32 = 30;

/// Measured points of a kind of block.
const MEASURED_POINTS: u32 = 5;

/// The fewest bits an item on the axis.
const FEWEST: f64 = 4.0;

/// The question: how much higher is the rate when an item stays in one block?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockedCost {
    /// The items n, from 1,000 to 1e9.
    pub items: u64,
    /// The bits an item at the right end of the axis, from 6 to 60.
    pub bits_per_item: f64,
    /// What to measure beside the theory, if anything.
    pub effort: Option<Effort>,
}

impl BlockedCost {
    /// Works out the figure: exact rates of blocks of several sizes, with the best k for each
    /// and independent positions, and of split blocks, over the best of a plain filter.
    ///
    /// Measured are filters of split blocks: this project's, and Parquet's, rebuilt.
    ///
    /// # Errors
    ///
    /// See the fields; what is to be measured must fit in memory and in a bounded number of steps.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (items, most) = (self.items, self.bits_per_item);
        let holds = (1_000..=1_000_000_000).contains(&items);
        check("n", "from 1,000 to 1e9", holds, items)?;
        let holds = (6.0..=60.0).contains(&most);
        check("bits per item", "from 6 to 60", holds, most)?;
        let mut series = Vec::new();
        for block in [64, 256, 512] {
            // The best number rises with the bits: each point starts from the one before.
            let mut hashes = 1;
            series.push(Series {
                label: format!("{block} bits"),
                curve: curve(by_difference(FEWEST, most, SEARCHED_POINTS), |per_item| {
                    let rate = |hashes| {
                        let bits = block;
                        self.over_plain(Block::Independent { bits, hashes }, per_item)
                    };
                    let mut best = rate(hashes)?;
                    loop {
                        let more = rate(hashes + 1)?;
                        if more >= best {
                            return Ok(best);
                        }
                        (best, hashes) = (more, hashes + 1);
                    }
                })?,
                ..Series::default()
            });
        }
        for (label, lane_bits) in [("split 8x32", 32), ("split 8x64", 64)] {
            let block = Block::Split {
                lanes: 8,
                lane_bits,
            };
            series.push(Series {
                label: label.to_owned(),
                curve: curve(by_difference(FEWEST, most, POINTS), |per_item| {
                    self.over_plain(block, per_item)
                })?,
                dashed: true,
                ..Series::default()
            });
        }
        if let Some(effort) = self.effort {
            self.measure(effort, &mut series[3..])?;
        }
        let top = tops(&series).fold(1.0, f64::max).log10();
        let ends: Vec<String> = series
            .iter()
            .filter_map(|series| {
                let end = series.curve.last()?;
                Some(format!("{} for {}", nearest(end.y, 2), series.label))
            })
            .collect();
        Ok(Figure {
            title: format!("What blocks cost, n = {}", grouped(items)),
            note: format!(
                "Exact rate over that of a plain filter of the same bits with its best k. Lines: \
                 blocks with the best k. Dashes: split blocks, always 8 hashes; 8x64 is this \
                 project's, 8x32 Parquet's.{}",
                measured_note(self.effort, &series)
            ),
            description: format!(
                "The false-positive rate of blocked Bloom filters over that of a plain one rises \
                 with the bits per item, on a logarithmic axis; at {} bits per item it is {}.",
                nearest(most, 3),
                ends.join(", ")
            ),
            x: axis("bits per item m/n", Scale::Linear, FEWEST, most),
            y: axis(
                "rate / rate of a plain filter",
                Scale::Log,
                0.9,
                10_f64.powf(top * 1.03 + 0.02),
            ),
            series,
            marks: Vec::new(),
        })
    }

    /// The rate in whole blocks over the best of a plain filter of as many bits.
    fn over_plain(&self, block: Block, per_item: f64) -> Result<f64, FigureError> {
        let blocks = self.blocks(block, per_item);
        let plain = self.plain(blocks * block.bits())?;
        Ok((blocked::rate(self.items, blocks, block)?.ln() - plain).exp())
    }

    fn blocks(&self, block: Block, per_item: f64) -> u64 {
        (per_item * self.items as f64 / block.bits() as f64).round() as u64
    }

    /// The logarithm of the best rate of a plain filter.
    fn plain(&self, bits: u64) -> Result<f64, FigureError> {
        let hashes = Model::Exact.best_hashes(self.items, bits)?;
        Ok(exact::rate(self.items, bits, hashes)?.ln())
    }

    /// Measures filters of split blocks: Parquet's first.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let own = Block::Split {
            lanes: 8,
            lane_bits: 64,
        };
        let items = self.items;
        let step = (self.bits_per_item - FEWEST) / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for point in 0..MEASURED_POINTS {
            // Set apart, so that bars do not cover each other.
            for (index, block, offset) in [(0, PARQUET, 0.75), (1, own, 0.25)] {
                let per_item = FEWEST + (f64::from(point) + offset) * step;
                places.push((index, block, self.blocks(block, per_item)));
            }
        }
        let steps = places.iter();
        let steps = steps.map(|(_, block, blocks)| effort.steps(items, blocks * block.bits()));
        let mut work = Work::new(effort, steps.sum())?;
        for (index, block, blocks) in places {
            let sample = if block == PARQUET {
                Size::Split(blocks).measure(&mut work, items)?
            } else {
                measure_blocked(&mut work, items, blocks)?
            };
            let bits = blocks * block.bits();
            let plain = self.plain(bits)?.exp();
            let point = measured(bits as f64 / items as f64, &sample);
            series[index]
                .measured
                .push(point.map_y(|rate| rate / plain));
        }
        Ok(())
    }
}
