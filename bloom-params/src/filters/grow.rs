//! Filters that grow: their stages, and the rate and size of all of them.

use bloom_core::math::scalable::{Growth, Stage, compound_rate};
use bloom_core::math::{MathError, Model, Rate, exact};

/// More stages than this are not laid out one by one.
const MOST_STAGES: u32 = 10_000;

/// A growing filter with its stages for a number of items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grown {
    pub(crate) growth: Growth,
    pub(crate) stages: Vec<Stage>,
}

impl Grown {
    /// Lays out the stages for so many items; `None` where they are too many.
    pub(crate) fn for_items(growth: Growth, items: u64) -> Result<Option<Self>, MathError> {
        if growth.stages(items)? > MOST_STAGES {
            return Ok(None);
        }
        let stages = growth.all_stages(Model::Exact, items)?;
        Ok(Some(Self { growth, stages }))
    }

    /// Lays out as many stages as fit in so many bits; `None` where they are too many.
    pub(crate) fn for_bits(growth: Growth, bits: u64) -> Result<Option<Self>, MathError> {
        let mut stages = Vec::new();
        let mut used = 0_u64;
        for number in 0..MOST_STAGES {
            let stage = match growth.stage(Model::Exact, number) {
                Ok(stage) => stage,
                // The stages so far are all that a count of items can tell.
                Err(_) if number > 0 => return Ok(Some(Self { growth, stages })),
                Err(error) => return Err(error),
            };
            used = used.saturating_add(stage.bits);
            if used > bits {
                return Ok(Some(Self { growth, stages }));
            }
            stages.push(stage);
        }
        Ok(None)
    }

    /// Finds the lowest rate whose stages for so many items fit in so many bits; `None` where even
    /// a rate of nearly 1 does not fit, or the stages are too many.
    pub(crate) fn tightest(
        growth: Growth,
        items: u64,
        bits: u64,
    ) -> Result<Option<Self>, MathError> {
        let laid_out = |ln_rate: f64| {
            let rate = ln_rate.exp().min(1.0 - f64::EPSILON);
            Self::for_items(Growth { rate, ..growth }, items)
        };
        let fits = |grown: Option<Self>| grown.filter(|grown| grown.bits() <= bits);
        let (mut low, mut high) = (-690.0, 0.0);
        let Some(mut best) = fits(laid_out(high)?) else {
            return Ok(None);
        };
        // Each halving costs the sizes of all stages; 48 leave the rate exact to 3 parts in 10^12.
        for _ in 0..48 {
            let middle = f64::midpoint(low, high);
            match laid_out(middle) {
                Ok(grown) => match fits(grown) {
                    Some(grown) => (best, high) = (grown, middle),
                    None => low = middle,
                },
                Err(_) => low = middle,
            }
        }
        Ok(Some(best))
    }

    /// Returns the bits of all stages.
    pub(crate) fn bits(&self) -> u64 {
        let all = self.stages.iter().map(|stage| stage.bits);
        all.fold(0, u64::saturating_add)
    }

    /// Returns the items of all stages.
    pub(crate) fn items(&self) -> u64 {
        let all = self.stages.iter().map(|stage| stage.items);
        all.fold(0, u64::saturating_add)
    }

    /// Returns the compound rate with so many items, which these stages need not hold: then the
    /// filter has grown. `None` where that is beyond what can be laid out.
    pub(crate) fn rate(&self, items: u64) -> Option<Rate> {
        if items > self.items() {
            let grown = Self::for_items(self.growth, items).ok()??;
            return grown.rate(items);
        }
        let mut left = items;
        let rates = self.stages.iter().map(|stage| {
            let inside = left.min(stage.items);
            left -= inside;
            exact::rate(inside, stage.bits, stage.hashes).map_or(1.0, Rate::value)
        });
        Some(rate_of(compound_rate(rates)))
    }
}

/// A probability as a rate.
fn rate_of(value: f64) -> Rate {
    let one = exact::rate(1, 1, 1).expect("one bit is a valid size");
    one.at_most(value)
}
