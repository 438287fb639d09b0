//! Rebuilds the growing filter of the article *A Golang Implemented Bloom Filter*: a list
//! of stages, which are filters of a fixed size. Each stage is larger than the stage before
//! by a constant factor, and all stages have the same target rate.
//!
//! What is wrong with it: the rates of the stages add up, so with several stages the filter
//! exceeds the target; every insert counts as a new item, so duplicates fill stages; and
//! when the last allowed stage is full, items are dropped silently. `tests/go.rs` shows
//! each.

use bloom_core::math::scalable::compound_rate;
use bloom_core::{BuildError, GrowError, ScalableBloomFilter, ScalableShape};

use super::basic::{self, fnv_1};

// ANCHOR: rebuilt
/// The growing filter as the article describes it.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    stages: Vec<basic::Rebuilt>,
    hashes: u64,
    rate: f64,
    growth: u64,
    max_stages: usize,
}

impl Rebuilt {
    /// Creates a filter whose first stage has this many bits. `rate` is the target of
    /// each stage.
    pub fn new(bits: u64, hashes: u64, rate: f64, growth: u64, max_stages: usize) -> Self {
        Self {
            stages: vec![basic::Rebuilt::new(bits, hashes)],
            hashes,
            rate,
            growth,
            max_stages,
        }
    }

    /// Inserts an item into the newest stage. If this stage exceeds its rate, adds a stage
    /// first, or drops the item if no more stages are allowed.
    pub fn insert(&mut self, item: &str) {
        let youngest = self.stages.last().expect("there is a first stage");
        if youngest.rate() > self.rate {
            if self.stages.len() == self.max_stages {
                return;
            }
            let bits = youngest.bits() * self.growth;
            self.stages.push(basic::Rebuilt::new(bits, self.hashes));
        }
        let youngest = self.stages.last_mut().expect("there is a first stage");
        youngest.insert(item);
    }

    /// Returns whether any stage finds an item.
    pub fn contains(&self, item: &str) -> bool {
        self.stages.iter().any(|stage| stage.contains(item))
    }

    /// Returns the rate of all stages together, computed from the number of inserts into
    /// each stage.
    pub fn rate(&self) -> f64 {
        compound_rate(self.stages.iter().map(basic::Rebuilt::rate))
    }

    /// Returns the number of stages.
    pub fn stages(&self) -> usize {
        self.stages.len()
    }
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// A growing filter with the hash of the article and without the faults: later stages have
/// lower rates, so that all stages together keep the requested rate; an item that is already
/// found is not inserted again; and an item for which there is no room is an error.
#[derive(Debug)]
pub struct Fixed(ScalableBloomFilter<str>);

impl Fixed {
    /// Creates a filter whose first stage is for this many expected items. `rate` is the
    /// target of all stages together.
    ///
    /// # Errors
    ///
    /// As [`ScalableShape`] and [`ScalableBloomFilter::new`].
    pub fn new(items: u64, rate: f64, growth: u32, max_stages: u32) -> Result<Self, BuildError> {
        let shape = ScalableShape::new(items, rate)?;
        let shape = shape.with_growth(growth)?.with_max_stages(max_stages)?;
        ScalableBloomFilter::new(shape).map(Self)
    }

    /// Inserts an item and returns whether it is certainly new.
    ///
    /// # Errors
    ///
    /// If the filter may not grow, the item is not inserted, and the error gives the
    /// reason.
    pub fn insert(&mut self, item: &str) -> Result<bool, GrowError> {
        self.0.insert_hash(fnv_1(item.as_bytes()))
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    pub fn contains(&self, item: &str) -> bool {
        self.0.contains_hash(fnv_1(item.as_bytes()))
    }

    /// Returns the filter itself: its rate, its stages, its memory.
    pub fn filter(&self) -> &ScalableBloomFilter<str> {
        &self.0
    }
}
// ANCHOR_END: fixed
