//! A growing filter that misses its rate, for the chapter on growing. It is a list of stages, which are filters of a
//! fixed size. Each stage has the rate that the whole filter should have, so all stages together exceed it.

use alloc::vec::Vec;

use bloom_core::math::scalable::compound_rate;
use bloom_core::{BloomFilter, BuildError};

/// A stage: its filter, the number of items that it is sized for, and the number of items that it has.
struct Stage {
    filter: BloomFilter<str>,
    expected: u64,
    items: u64,
}

/// The growing filter. It has at least one stage, and all stages but the last are full.
pub(crate) struct SameRate {
    rate: f64,
    growth: u32,
    stages: Vec<Stage>,
}

impl Stage {
    fn new(expected: u64, rate: f64) -> Result<Self, BuildError> {
        Ok(Self {
            filter: BloomFilter::with_rate(expected, rate)?,
            expected,
            items: 0,
        })
    }
}

impl SameRate {
    pub(crate) fn new(items: u64, rate: f64, growth: u32) -> Result<Self, BuildError> {
        let stages = [Stage::new(items, rate)?].into();
        Ok(Self {
            rate,
            growth,
            stages,
        })
    }

    /// Inserts an item by its hash and returns whether it is certainly new. If the last stage is full and no further
    /// stage can be built, does not insert the item and returns `false`.
    pub(crate) fn insert_hash(&mut self, hash: u64) -> bool {
        let new = !self.contains_hash(hash);
        let last = self.last();
        if last.items == last.expected {
            let next = last.expected.saturating_mul(self.growth.into());
            let Ok(next) = Stage::new(next, self.rate) else {
                return false;
            };
            self.stages.push(next);
        }
        let last = self.last();
        last.filter.insert_hash(hash);
        last.items += 1;
        new
    }

    fn last(&mut self) -> &mut Stage {
        self.stages.last_mut().expect("there is at least one")
    }

    pub(crate) fn contains_hash(&self, hash: u64) -> bool {
        let mut stages = self.stages.iter().rev();
        stages.any(|stage| stage.filter.contains_hash(hash))
    }

    pub(crate) fn clear(&mut self) {
        self.stages.truncate(1);
        let first = self.last();
        first.filter.clear();
        first.items = 0;
    }

    /// Returns the probability that at least one stage finds an absent item, at the current fill of the stages.
    pub(crate) fn false_positive_rate(&self) -> f64 {
        let stages = self.stages.iter();
        compound_rate(stages.map(|stage| stage.filter.false_positive_rate()))
    }

    /// Returns the mean of `false_positive_rate` over all filters with these stages and items.
    pub(crate) fn expected_false_positive_rate(&self) -> f64 {
        let stages = self.stages.iter();
        compound_rate(stages.map(|stage| stage.filter.expected_false_positive_rate(stage.items)))
    }

    /// Returns bits, hashes, expected items, items and set bits of each stage.
    pub(crate) fn stages(&self) -> impl Iterator<Item = [u64; 5]> {
        self.stages.iter().map(|stage| {
            let shape = stage.filter.shape();
            let words = stage.filter.words().iter();
            let ones = words.map(|word| u64::from(word.count_ones())).sum();
            [
                shape.bits(),
                shape.hashes().into(),
                stage.expected,
                stage.items,
                ones,
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use bloom_core::math::scalable::same_rate_compound;

    use super::*;

    /// The number of bits of a stage is rounded up, which lowers the rate of the whole filter by less than 1 part in 1,000.
    #[test]
    fn full_stages_together_have_the_compound_rate() {
        let mut filter = SameRate::new(1_000, 0.01, 2).unwrap();
        for (number, items) in [1_000, 2_000, 4_000, 8_000].into_iter().enumerate() {
            for item in 0..items {
                filter.insert_hash(crate::filter::of_number(items + item));
            }
            let stages = number as u32 + 1;
            assert_eq!(filter.stages().count(), stages as usize);
            let (formula, expected) = (
                same_rate_compound(0.01, stages),
                filter.expected_false_positive_rate(),
            );
            assert!(
                expected <= formula && expected > 0.999 * formula,
                "{expected} {formula}"
            );
        }
        assert!(filter.false_positive_rate() > 0.03);
        filter.clear();
        assert_eq!(
            (filter.stages().count(), filter.false_positive_rate()),
            (1, 0.0)
        );
    }
}
