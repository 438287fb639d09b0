//! A chart of a filter that grows by adding plain filters (its stages): the rate of all stages together, or the memory.

use bloom_core::math::scalable::{Growth, StageSize, compound_rate};
use bloom_core::math::{Model, exact};
use bloom_core::{BloomFilter, FixedState, ScalableBloomFilter, ScalableShape, Shape};
use bloom_params::numbers::grouped;

use crate::axes::{axis, by_ratio, check, curve, ends_listed, rate_axis};
use crate::curves::{Axis, Figure, Mark, Point, Scale, Series};
use crate::deviations::discs_note;
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Sample, Work};
use crate::measuring::Measurable;

/// The number of steps along a curve.
const POINTS: u32 = 400;

/// The number of steps from the first measured point to the last.
const MEASURED_POINTS: u32 = 9;

/// If there are more stages than this, their starts are not marked.
const MAX_MARKS: usize = 12;

/// What is plotted for a growing filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The compound rate: the rate of all stages together.
    Rate,
    /// The memory, in bits per item.
    Memory,
}

/// The question: how do the rate and the memory change while a filter grows?
///
/// Two kinds of growing filters are compared. In the first, the rate of each stage is lower than the rate of the stage before
/// (tightened), so that all stages together keep the target rate. In the second, each stage has the target rate. The parameters
/// must be in the ranges of [`Growth`]. Real filters are measured while they grow: the scalable filter of bloom-core, whose
/// stages are tightened, and a list of plain filters that each have the target rate. Measuring the memory needs no queries.
///
/// In the curves, a stage is full once it has its expected items. In the filter of bloom-core, a stage is also full once enough
/// of its bits are set, which is often a little earlier. The mean rate over all numbers of items at which stages may end has no
/// cheap formula, so the rate that is plotted for tightened stages is an upper bound: the sum of the rates of the stages. For a
/// target of 1 %, the measured rates of real filters were 0.69 to 0.88 of this bound with a first stage of 10 items, and 0.93
/// to 0.97 of it with a first stage of 100 items. Where a stage ends, the plotted memory does not include the next stage yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalableGrowth {
    /// The expected items of the first stage.
    pub first: u64,
    /// Rate p that all stages together keep.
    pub rate: f64,
    /// Items of a stage divided by the items of the stage before.
    pub growth: u32,
    /// Rate of a stage divided by the rate of the stage before.
    pub tightening: f64,
    /// Items n at the right end of the axis.
    pub items: u64,
    /// What is plotted: rate or memory.
    pub shown: Shown,
}

impl Measurable for ScalableGrowth {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (growth, items) = (self.growth(), self.items);
        let (ours, same) = self.stages()?;
        // The curves have a corner where a stage ends, so the places on both sides of each corner must be points of the curves.
        let left = (growth.items as f64 / 10.0).max(1.0);
        let last = items as f64;
        let mut places: Vec<f64> = by_ratio(left, last, POINTS).map(f64::round).collect();
        // The curves also have a point wherever filters are measured, so that measured and computed values can be compared.
        let measured = by_ratio(growth.items as f64, last, MEASURED_POINTS);
        let measured: Vec<u64> = measured.map(|items| items.round() as u64).collect();
        places.extend(measured.iter().map(|items| *items as f64));
        let mut marks = Vec::new();
        let mut capacity = 0_u64;
        for (index, stage) in ours.iter().enumerate() {
            if index > 0 && ours.len() <= MAX_MARKS {
                marks.push(Mark::new(capacity as f64, (index + 1).to_string()));
            }
            capacity = capacity.saturating_add(stage.items);
            places.extend([capacity as f64, capacity as f64 + 1.0]);
        }
        places.retain(|place| *place <= last);
        places.sort_by(f64::total_cmp);
        places.dedup();
        let mut series = self.curves(&places, &ours, &same)?;
        if let Some(effort) = effort {
            self.measure(effort, &same, &measured, &mut series)?;
        }
        let (target, times) = (growth.rate, growth.growth);
        let (what, known) = match self.shown {
            Shown::Rate => ("Compound rate", "upper bound"),
            Shown::Memory => ("Memory", "before the next stage"),
        };
        let mut ends = ends_listed(&series);
        if self.shown == Shown::Rate {
            ends = ends.replacen(',', " (upper bound),", 1);
        }
        let figure = Figure {
            title: format!("{what} of a growing filter, p = {target:?}, growth = {times}"),
            note: format!(
                "{}Tightened ({known}): stage i keeps p (1 - r) r^i, r = {}; a stage is often full a little early, by its set bits. Same rate: each stage keeps p.{}",
                if marks.is_empty() {
                    ""
                } else {
                    "Stages begin near the upright lines. "
                },
                growth.tightening,
                match self.shown {
                    Shown::Memory => discs_note(effort, "at each place"),
                    Shown::Rate => String::new(),
                }
            ),
            description: format!(
                "{what} of a growing Bloom filter by its items, from a first stage of {} items \
                 for p = {target:?}; with {} items in {} stages, before the next: {}.",
                grouped(growth.items),
                grouped(items),
                ours.len(),
                ends
            ),
            x: axis("items n", Scale::Log, left, last),
            y: self.upright(&series),
            series,
            marks,
        };
        Ok(match self.shown {
            Shown::Rate => figure.measured(effort),
            Shown::Memory => figure,
        })
    }
}

impl ScalableGrowth {
    fn growth(&self) -> Growth {
        Growth {
            items: self.first,
            rate: self.rate,
            growth: self.growth,
            tightening: self.tightening,
        }
    }

    /// Returns the curves: a filter with tightened stages (`ours`), a filter whose stages all have the target rate (`same`)
    /// and, for comparison, the target rate itself or the memory of one plain filter with the target rate.
    fn curves(
        &self,
        places: &[f64],
        ours: &[StageSize],
        same: &[StageSize],
    ) -> Result<Vec<Series>, FigureError> {
        let of_stages = |stages: &[StageSize], together: fn(Vec<f64>) -> f64| {
            curve(places.iter().copied(), |items| match self.shown {
                Shown::Rate => Ok(together(rates(stages, items as u64)?)),
                Shown::Memory => Ok(memory(stages, items)),
            })
        };
        let compared = curve(places.iter().copied(), |items| match self.shown {
            Shown::Rate => Ok(self.rate),
            Shown::Memory => {
                let (bits, _) = Model::Exact.min_size(items as u64, self.rate)?;
                Ok(bits as f64 / items)
            }
        })?;
        let name = match self.shown {
            Shown::Rate => "target",
            Shown::Memory => "one filter",
        };
        Ok(vec![
            // The rates of tightened stages are summed, which gives an upper bound. No stage gets an item that an older stage
            // already finds, so the false positives of the stages are not independent.
            Series::line("tightened", of_stages(ours, |rates| rates.iter().sum())?),
            Series::line("same rate", of_stages(same, compound_rate)?),
            Series::dashed(name, compared),
        ])
    }

    /// Returns the vertical axis.
    fn upright(&self, series: &[Series]) -> Axis {
        if self.shown == Shown::Rate {
            return rate_axis(series, self.rate / 10.0);
        }
        // While the first stage has less than half of its items, its bits per item are so many that they would hide the rest.
        let first = self.first as f64 / 2.0;
        let late = series.iter().flat_map(|series| &series.curve);
        let late = late.filter(|point| point.x >= first).map(|point| point.y);
        let top = late.fold(0.0, f64::max);
        axis("bits per item", Scale::Linear, 0.0, (1.1 * top).ceil())
    }

    /// Returns the sizes of stages with tightened rates, and of stages that each have the target rate.
    fn stages(&self) -> Result<(Vec<StageSize>, Vec<StageSize>), FigureError> {
        let (growth, items) = (self.growth(), self.items);
        growth.check()?;
        let holds = items > growth.items;
        check("n", "above the items of the first stage", holds, items)?;
        let few = growth.stages(items).is_ok_and(|stages| stages <= 60);
        check("n", "at most what 60 stages hold", few, items)?;
        let ours = growth.all_stages(Model::Exact, items)?;
        let same = ours.iter().map(|stage| {
            let mut stage = *stage;
            stage.rate = growth.rate;
            (stage.bits, stage.hashes) = Model::Exact.min_size(stage.items, growth.rate)?;
            Ok(stage)
        });
        let same = same.collect::<Result<_, FigureError>>()?;
        Ok((ours, same))
    }

    /// Adds the measurements to the first two series: tightened stages, and stages that each have the target rate.
    fn measure(
        &self,
        effort: Effort,
        same: &[StageSize],
        places: &[u64],
        series: &mut [Series],
    ) -> Result<(), FigureError> {
        let queries = match self.shown {
            Shown::Rate => effort.queries(),
            Shown::Memory => 0,
        };
        let at = (places, queries);
        let last = places.last().copied().unwrap_or_default();
        let words = same.iter().map(|stage| stage.bits.div_ceil(64));
        let queried = u128::from(queries) * places.len() as u128;
        let steps = u128::from(last) + words.map(u128::from).sum::<u128>() + queried;
        let steps = u128::from(effort.filters()) * steps;
        let mut work = Work::new(effort, 2 * steps)?;
        let growth = self.growth();
        let seen = [
            work.each("tightened", steps, |hasher| tightened(growth, at, hasher))?,
            work.each("same rate", steps, |hasher| same_rate(same, at, hasher))?,
        ];
        for (seen, series) in seen.iter().zip(series) {
            for (index, place) in places.iter().enumerate() {
                let x = *place as f64;
                let (hits, bits): (_, Vec<u64>) = seen.iter().map(|seen| seen[index]).unzip();
                if self.shown == Shown::Rate {
                    series.measured.push(measured(x, &Sample { hits, queries }));
                } else {
                    let heights = bits.into_iter().map(|bits| bits as f64 / x);
                    series.dots.extend(heights.map(|y| Point { x, y }));
                }
            }
        }
        Ok(())
    }
}

/// Returns the rate of each stage of a filter with this many items. Stages are filled one after another, and the last stage
/// that gets items receives the rest.
fn rates(stages: &[StageSize], mut items: u64) -> Result<Vec<f64>, FigureError> {
    let rates = stages.iter().map(|stage| {
        let held = items.min(stage.items);
        items -= held;
        Ok(exact::rate(held, stage.bits, stage.hashes)?.value())
    });
    rates.collect()
}

/// Returns the bits of the stages that this many items need, divided by the number of items.
fn memory(stages: &[StageSize], items: f64) -> f64 {
    let (mut held, mut bits) = (0.0, 0.0);
    for stage in stages {
        if held >= items {
            break;
        }
        held += stage.items as f64;
        bits += stage.bits as f64;
    }
    bits / items
}

/// The numbers of items at which a growing filter is measured, in increasing order, and how many other items to query at each
/// of these numbers.
type Readings<'a> = (&'a [u64], u64);

/// The false positives and the bits of memory at each of these numbers of items.
type Seen = Vec<(u64, u64)>;

/// Measures a scalable filter of bloom-core while it is filled. The rates of its stages are tightened.
fn tightened(growth: Growth, at: Readings<'_>, hasher: FixedState) -> Result<Seen, FigureError> {
    let shape = ScalableShape::new(growth.items, growth.rate)?
        .with_growth(growth.growth)?
        .with_tightening(growth.tightening)?;
    fill(
        at,
        ScalableBloomFilter::<u64>::with_seed(shape, hasher.seed())?,
        |filter, item| filter.insert(item).map(drop).map_err(FigureError::Grow),
        ScalableBloomFilter::contains,
        ScalableBloomFilter::memory_bytes,
    )
}

/// Measures a growing filter whose stages are plain filters. They are filled one after another, each with the expected items of
/// its stage.
fn same_rate(
    stages: &[StageSize],
    at: Readings<'_>,
    hasher: FixedState,
) -> Result<Seen, FigureError> {
    let (mut stages, mut room) = (stages.iter(), 0);
    fill(
        at,
        Vec::<BloomFilter<u64>>::new(),
        |filters, item| {
            if room == 0
                && let Some(stage) = stages.next()
            {
                let shape = Shape::new(stage.bits, stage.hashes)?;
                filters.push(BloomFilter::with_seed(shape, hasher.seed())?);
                room = stage.items;
            }
            if let (1.., Some(last)) = (room, filters.last_mut()) {
                last.insert(item);
                room -= 1;
            }
            Ok(())
        },
        |filters, item| filters.iter().any(|filter| filter.contains(item)),
        |filters| filters.iter().map(BloomFilter::memory_bytes).sum(),
    )
}

/// Inserts items up to each of the numbers in `places`. Then, at each number, queries other items and reads the memory.
fn fill<F>(
    (places, queries): Readings<'_>,
    mut filter: F,
    mut insert: impl FnMut(&mut F, &u64) -> Result<(), FigureError>,
    contains: impl Fn(&F, &u64) -> bool,
    memory_bytes: impl Fn(&F) -> u64,
) -> Result<Seen, FigureError> {
    let (mut held, mut seen) = (0, Seen::new());
    for place in places {
        for item in held..*place {
            insert(&mut filter, &item)?;
        }
        held = *place;
        let others = held..held.saturating_add(queries);
        let hits = others.filter(|other| contains(&filter, other)).count();
        seen.push((hits as u64, 8 * memory_bytes(&filter)));
    }
    Ok(seen)
}
