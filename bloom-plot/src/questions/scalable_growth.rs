//! A scalable filter as it grows, stage by stage: its compound rate, or its memory.

use bloom_core::math::scalable::{Growth, compound_rate};
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve, rate_axis};
use crate::curves::{Axis, Figure, Mark, Scale, Series};
use crate::error::FigureError;
use crate::growing::{Growing, Stage};
use crate::measure::Effort;
use crate::measuring::measured_note;
use crate::words::counted;

/// Points per curve.
const POINTS: u32 = 400;

/// Steps between measured points.
const MEASURED_POINTS: u32 = 9;

/// The most stages that are marked.
const MOST_MARKS: usize = 12;

/// What is plotted for a growing filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The compound rate.
    Rate,
    /// The bits per item.
    Memory,
}

/// The question: how do the rate and the memory change while a filter grows?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalableGrowth {
    /// First items, requested rate, growth and tightening.
    pub growth: Growth,
    /// The items n at the right end of the axis, above those of the first stage.
    pub items: u64,
    /// What is plotted.
    pub shown: Shown,
    /// What to measure beside the theory, if anything; measuring the memory needs no queries.
    pub effort: Option<Effort>,
}

impl ScalableGrowth {
    /// Computes the figure: stages that share the requested rate by tightening, beside stages that
    /// each have the full rate.
    ///
    /// Measures real filters while they grow: this project's, and plain filters as stages that each
    /// have the full rate.
    ///
    /// # Errors
    ///
    /// Every field must be in its range, see also [`Growth`]; the measurement must fit in memory
    /// and within the step limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (growth, items) = (self.growth, self.items);
        let (ours, same) = self.stages()?;
        // The curves have a corner where a stage starts, so these places must be points.
        let left = (growth.items as f64 / 10.0).max(1.0);
        let mut places: Vec<f64> = by_ratio(left, items as f64, POINTS)
            .map(f64::round)
            .collect();
        // The curve has a point wherever filters are measured, for comparison.
        let measured: Vec<u64> = by_ratio(growth.items as f64, items as f64, MEASURED_POINTS)
            .map(|items| items.round() as u64)
            .collect();
        places.extend(measured.iter().map(|items| *items as f64));
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
        let mut series = self.curves(&places, &ours, &same)?;
        if let Some(effort) = self.effort {
            let growing = Growing {
                growth,
                same: &same,
                places: &measured,
                shown: self.shown,
            };
            growing.measure(effort, &mut series)?;
        }
        let asked = growth.rate;
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
                "{what} of a growing filter, p = {asked:?}, growth {}",
                growth.growth
            ),
            note: format!(
                "{}Tightened: stage i is sized for p (1 - r) r^i, \
                 r = {}. Same rate: each stage for p itself.{}",
                if marks.is_empty() {
                    ""
                } else {
                    "Stages begin at the upright lines. "
                },
                growth.tightening,
                match (self.shown, self.effort) {
                    (Shown::Memory, Some(effort)) => {
                        format!(
                            " Discs: {} at each place.",
                            counted(effort.filters(), "real filter")
                        )
                    }
                    (Shown::Memory, None) => String::new(),
                    (Shown::Rate, effort) => measured_note(effort, &series),
                }
            ),
            description: format!(
                "{what} of a growing Bloom filter by its items, from a first stage of {} items \
                 for p = {asked:?}; with {} items in {} stages: {}.",
                grouped(growth.items),
                grouped(items),
                ours.len(),
                ends.join(", ")
            ),
            x: axis("items n", Scale::Log, left, items as f64),
            y: self.upright(&series),
            series,
            marks,
        })
    }

    /// The curves: tightened stages, stages of one rate, and the curves to compare them with.
    fn curves(
        &self,
        places: &[f64],
        ours: &[Stage],
        same: &[Stage],
    ) -> Result<Vec<Series>, FigureError> {
        let asked = self.growth.rate;
        let draw = |label: &str, dashed, y: &dyn Fn(f64) -> Result<f64, FigureError>| {
            Ok::<_, FigureError>(Series {
                label: label.to_owned(),
                curve: curve(places.iter().copied(), y)?,
                dashed,
                ..Series::default()
            })
        };
        Ok(match self.shown {
            Shown::Rate => vec![
                draw("tightened", false, &|items| compound(ours, items as u64))?,
                draw("same rate", false, &|items| compound(same, items as u64))?,
                draw("asked", true, &|_| Ok(asked))?,
            ],
            Shown::Memory => vec![
                draw("tightened", false, &|items| Ok(memory(ours, items)))?,
                draw("same rate", false, &|items| Ok(memory(same, items)))?,
                draw("one filter", true, &|items| {
                    Ok(Model::Exact.min_size(items as u64, asked)?.0 as f64 / items)
                })?,
            ],
        })
    }

    /// The vertical axis.
    fn upright(&self, series: &[Series]) -> Axis {
        if self.shown == Shown::Rate {
            return rate_axis(series, self.growth.rate / 10.0);
        }
        // Before the first stage is half full, its bits per item are not informative.
        let first = self.growth.items as f64 / 2.0;
        let late = series.iter().flat_map(|series| &series.curve);
        let late = late.filter(|point| point.x >= first).map(|point| point.y);
        let top = late.fold(0.0, f64::max);
        axis("bits per item", Scale::Linear, 0.0, (1.1 * top).ceil())
    }

    /// Returns the stages with tightened rates, and the stages of one rate.
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

/// Returns the rate with this many items: full stages, and the last one with the rest.
fn compound(stages: &[Stage], mut items: u64) -> Result<f64, FigureError> {
    let mut rates = Vec::new();
    for (most, bits, hashes) in stages {
        let held = items.min(*most);
        rates.push(exact::rate(held, *bits, *hashes)?.value());
        items -= held;
    }
    Ok(compound_rate(rates))
}

/// Returns the bits per item of the stages that this many items need.
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
