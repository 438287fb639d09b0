//! Fills filters that grow, and reads them at several numbers of items.

use bloom_core::math::scalable::{Growth, StageSize};
use bloom_core::{BloomFilter, FixedState, ScalableBloomFilter, ScalableShape, Shape};

use crate::error::FigureError;

/// The false positives and the bits of memory at each place.
pub(crate) type Seen = Vec<(u64, u64)>;

/// Where to read a filter.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// The numbers of items, in increasing order.
    pub(crate) places: &'a [u64],
    /// How many other items to query at each.
    pub(crate) queries: u64,
}

impl Reading<'_> {
    /// Fills a scalable filter of this project.
    pub(crate) fn tightened(self, growth: Growth, hasher: FixedState) -> Result<Seen, FigureError> {
        let shape = ScalableShape::new(growth.items, growth.rate)?
            .with_growth(growth.growth)?
            .with_tightening(growth.tightening)?;
        self.fill(
            ScalableBloomFilter::<u64>::with_seed(shape, hasher.seed())?,
            |filter, item| filter.insert(item).map(drop).map_err(FigureError::Grow),
            ScalableBloomFilter::contains,
            ScalableBloomFilter::memory_bytes,
        )
    }

    /// Fills plain filters one after another, each with the items of its stage.
    pub(crate) fn same_rate(
        self,
        stages: &[StageSize],
        hasher: FixedState,
    ) -> Result<Seen, FigureError> {
        let (mut stages, mut room) = (stages.iter(), 0);
        self.fill(
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
        self,
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
            let others = held..held.saturating_add(self.queries);
            let hits = others.filter(|other| contains(&filter, other)).count();
            seen.push((hits as u64, 8 * memory_bytes(&filter)));
        }
        Ok(seen)
    }
}
