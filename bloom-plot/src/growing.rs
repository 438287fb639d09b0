//! Measures real scalable filters at several numbers of items while they grow.

use bloom_core::math::scalable::{Growth, StageSize};
use bloom_core::{BloomFilter, FixedState, ScalableBloomFilter, ScalableShape, Shape};

use crate::curves::{Point, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Sample, Work};

/// What is plotted for a growing filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The compound rate.
    Rate,
    /// The bits per item.
    Memory,
}

impl Shown {
    /// What can be plotted, by name.
    pub(crate) const ALL: &[(&str, Self)] = &[("rate", Self::Rate), ("memory", Self::Memory)];
}

/// What to measure on filters that grow.
pub(crate) struct Growing<'a> {
    pub(crate) growth: Growth,
    /// The stages that each have the full rate.
    pub(crate) same: &'a [StageSize],
    /// The numbers of items to measure at, in increasing order.
    pub(crate) places: &'a [u64],
    pub(crate) shown: Shown,
}

/// The false positives and the bits of memory at each place.
type Seen = Vec<(u64, u64)>;

impl Growing<'_> {
    /// Adds the measurements to the first two series: tightened stages, and stages of one rate.
    pub(crate) fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let last = self.places.last().copied().unwrap_or_default();
        let words = self.same.iter().map(|stage| stage.bits.div_ceil(64));
        let asked = u128::from(self.queries(effort)) * self.places.len() as u128;
        let steps = u128::from(last) + words.map(u128::from).sum::<u128>() + asked;
        let steps = u128::from(effort.filters()) * steps;
        let mut work = Work::new(effort, 2 * steps)?;
        let seen = work.each("tightened", steps, |hasher| self.tightened(hasher, effort))?;
        self.add(&seen, effort, &mut series[0]);
        let seen = work.each("same rate", steps, |hasher| self.same_rate(hasher, effort))?;
        self.add(&seen, effort, &mut series[1]);
        Ok(())
    }

    /// Returns the queries per filter at each place: none for the memory, which needs no queries.
    fn queries(&self, effort: Effort) -> u64 {
        match self.shown {
            Shown::Rate => effort.queries(),
            Shown::Memory => 0,
        }
    }

    fn add(&self, seen: &[Seen], effort: Effort, series: &mut Series) {
        for (index, place) in self.places.iter().enumerate() {
            let x = *place as f64;
            let here = seen.iter().map(|seen| seen[index]);
            match self.shown {
                Shown::Rate => {
                    let sample = Sample {
                        hits: here.map(|(hits, _)| hits).collect(),
                        queries: effort.queries(),
                    };
                    series.measured.push(measured(x, &sample));
                }
                Shown::Memory => {
                    series.dots.extend(here.map(|(_, bits)| Point {
                        x,
                        y: bits as f64 / x,
                    }));
                }
            }
        }
    }

    /// Fills a scalable filter of this project.
    fn tightened(&self, hasher: FixedState, effort: Effort) -> Result<Seen, FigureError> {
        let growth = self.growth;
        let shape = ScalableShape::new(growth.items, growth.rate)?
            .with_growth(growth.growth)?
            .with_tightening(growth.tightening)?;
        self.fill(
            effort,
            ScalableBloomFilter::<u64>::with_seed(shape, hasher.seed())?,
            |filter, item| filter.insert(item).map(drop).map_err(FigureError::Grow),
            ScalableBloomFilter::contains,
            ScalableBloomFilter::memory_bytes,
        )
    }

    /// Fills plain filters one after another, each with the items of its stage.
    fn same_rate(&self, hasher: FixedState, effort: Effort) -> Result<Seen, FigureError> {
        let (mut stages, mut room) = (self.same.iter(), 0);
        self.fill(
            effort,
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

    /// Inserts items up to each place, and there queries others.
    fn fill<F>(
        &self,
        effort: Effort,
        mut filter: F,
        mut insert: impl FnMut(&mut F, &u64) -> Result<(), FigureError>,
        contains: impl Fn(&F, &u64) -> bool,
        memory_bytes: impl Fn(&F) -> u64,
    ) -> Result<Seen, FigureError> {
        let (mut held, mut seen) = (0, Seen::new());
        for place in self.places {
            for item in held..*place {
                insert(&mut filter, &item)?;
            }
            held = *place;
            let others = held..held.saturating_add(self.queries(effort));
            let hits = others.filter(|other| contains(&filter, other)).count();
            seen.push((hits as u64, 8 * memory_bytes(&filter)));
        }
        Ok(seen)
    }
}
