//! A growing filter, stage by stage: its compound rate, or the bits it takes.

use bloom_core::math::scalable::{Growth, compound_rate};
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve, rate_axis, tops};
use crate::curves::{Figure, Mark, Scale, Series};
use crate::error::FigureError;

/// Points of a curve.
const POINTS: u32 = 400;

/// Up to so many stages are marked.
const MOST_MARKS: usize = 12;

/// What is plotted of a growing filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The compound rate.
    Rate,
    /// The bits an item.
    Memory,
}

/// The question: what becomes of the rate, or of the memory, while a filter grows?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalableGrowth {
    /// First items, asked rate, growth and tightening.
    pub growth: Growth,
    /// The items n at the right end of the axis, above those of the first stage.
    pub items: u64,
    /// What is plotted.
    pub shown: Shown,
}

/// A stage: items, bits, hashes.
type Stage = (u64, u64, u8);

impl ScalableGrowth {
    /// Works out the figure: stages that share the asked rate by tightening, beside stages that
    /// are each given the whole of it.
    ///
    /// # Errors
    ///
    /// See the fields and [`Growth`].
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (growth, items) = (self.growth, self.items);
        let (ours, same) = self.stages()?;
        // Where a stage starts the curves have a corner: it must be a point.
        let mut places: Vec<f64> = by_ratio(growth.items as f64 / 10.0, items as f64, POINTS)
            .map(|items| items.round().max(1.0))
            .collect();
        let mut marks = Vec::new();
        let mut capacity = 0_u64;
        for (stage, (stage_items, ..)) in ours.iter().enumerate() {
            if stage > 0 && ours.len() <= MOST_MARKS {
                let label = format!("{}", stage + 1);
                let x = capacity as f64;
                marks.push(Mark { x, label });
            }
            capacity = capacity.saturating_add(*stage_items);
            places.extend([capacity as f64, capacity as f64 + 1.0]);
        }
        places.retain(|place| *place <= items as f64);
        places.sort_by(f64::total_cmp);
        places.dedup();
        let draw = |label: &str, dashed, y: &dyn Fn(f64) -> Result<f64, FigureError>| {
            Ok::<_, FigureError>(Series {
                label: label.to_owned(),
                curve: curve(places.iter().copied(), y)?,
                dashed,
                ..Series::default()
            })
        };
        let asked = growth.rate;
        let (series, y) = match self.shown {
            Shown::Rate => {
                let series = vec![
                    draw("tightened", false, &|items| compound(&ours, items as u64))?,
                    draw("same rate", false, &|items| compound(&same, items as u64))?,
                    draw("asked", true, &|_| Ok(asked))?,
                ];
                let axis = rate_axis(&series, asked / 10.0);
                (series, axis)
            }
            Shown::Memory => {
                let series = vec![
                    draw("tightened", false, &|items| Ok(memory(&ours, items)))?,
                    draw("same rate", false, &|items| Ok(memory(&same, items)))?,
                    draw("one filter", true, &|items| {
                        Ok(Model::Exact.min_size(items as u64, asked)?.0 as f64 / items)
                    })?,
                ];
                // Before the first stage is half full its bits an item say little.
                let first = growth.items as f64 / 2.0;
                let late = series.iter().flat_map(|series| &series.curve);
                let late = late.filter(|point| point.x >= first).map(|point| point.y);
                let top = late
                    .fold(0.0, f64::max)
                    .min(tops(&series).fold(0.0, f64::max));
                let axis = axis("bits per item", Scale::Linear, 0.0, (1.1 * top).ceil());
                (series, axis)
            }
        };
        let what = match self.shown {
            Shown::Rate => "Compound rate",
            Shown::Memory => "Memory",
        };
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
        Ok(Figure {
            title: format!(
                "{what} of a growing filter, p = {asked}, growth {}",
                growth.growth
            ),
            note: format!(
                "Stages begin at the upright lines. Tightened: stage i is sized for p (1 - r) r^i, \
                 r = {}. Same rate: each stage for p itself.",
                growth.tightening
            ),
            description: format!(
                "{what} of a growing Bloom filter by its items, from a first stage of {} items \
                 for p = {asked}; with {} items in {} stages: {}.",
                grouped(growth.items),
                grouped(items),
                ours.len(),
                ends.join(", ")
            ),
            x: axis(
                "items n",
                Scale::Log,
                growth.items as f64 / 10.0,
                items as f64,
            ),
            y,
            series,
            marks,
        })
    }
}

impl ScalableGrowth {
    /// The stages with tightened rates, and with the same one.
    fn stages(&self) -> Result<(Vec<Stage>, Vec<Stage>), FigureError> {
        let (growth, items) = (self.growth, self.items);
        growth.check()?;
        let holds = items > growth.items;
        check("n", "above the items of the first stage", holds, items)?;
        let ours = growth.all_stages(Model::Exact, items)?;
        check("n", "reached within 60 stages", ours.len() <= 60, items)?;
        let ours: Vec<Stage> = ours
            .iter()
            .map(|stage| (stage.items, stage.bits, stage.hashes))
            .collect();
        let mut same = Vec::new();
        for (items, ..) in &ours {
            let (bits, hashes) = Model::Exact.min_size(*items, growth.rate)?;
            same.push((*items, bits, hashes));
        }
        Ok((ours, same))
    }
}

/// The rate with so many items: of full stages, and of the last with what is left.
fn compound(stages: &[Stage], mut items: u64) -> Result<f64, FigureError> {
    let mut rates = Vec::new();
    for (most, bits, hashes) in stages {
        let held = items.min(*most);
        rates.push(exact::rate(held, *bits, *hashes)?.value());
        items -= held;
    }
    Ok(compound_rate(rates))
}

/// The bits an item of the stages that so many items need.
fn memory(stages: &[Stage], items: f64) -> f64 {
    let (mut held, mut bits) = (0.0, 0.0);
    for (most, stage_bits, _) in stages {
        if held >= items {
            break;
        }
        held += *most as f64;
        bits += *stage_bits as f64;
    }
    bits / items
}
