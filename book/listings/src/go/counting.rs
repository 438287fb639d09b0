//! Rebuilds the counting filter of the article *A Golang Implemented Bloom Filter*. A
//! counter has eight bits, and stops at 255 and at 0.
//!
//! What is wrong with it: a counter at 255 may have missed additions, but a removal still
//! subtracts 1 from it; and an item is removed without a check that the filter finds it.
//! Either fault loses items that are in the filter. `tests/go.rs` shows both.

use bloom_core::{BuildError, CounterBits, CountingBloomFilter, FixedState, Shape};

use super::basic::{fnv_1, positions};

// ANCHOR: rebuilt
/// The counting filter as the article describes it.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    counters: Vec<u8>,
    hashes: u64,
}

impl Rebuilt {
    /// Creates a filter of this many counters and hashes.
    pub fn new(counters: u64, hashes: u64) -> Self {
        Self {
            counters: vec![0; counters as usize],
            hashes,
        }
    }

    fn positions(&self, item: &str) -> Vec<u64> {
        positions(item, self.counters.len() as u64, self.hashes)
    }

    /// Adds 1 to each of the item's counters that is below 255.
    pub fn insert(&mut self, item: &str) {
        for position in self.positions(item) {
            let counter = &mut self.counters[position as usize];
            *counter = counter.saturating_add(1);
        }
    }

    /// Subtracts 1 from each of the item's counters that is above 0, whether or not
    /// the item is in the filter.
    pub fn remove(&mut self, item: &str) {
        for position in self.positions(item) {
            let counter = &mut self.counters[position as usize];
            *counter = counter.saturating_sub(1);
        }
    }

    /// Returns whether all counters of an item are above 0.
    pub fn contains(&self, item: &str) -> bool {
        let mut positions = self.positions(item).into_iter();
        positions.all(|position| self.counters[position as usize] > 0)
    }
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// A counting filter with the hash of the article and without the faults: a counter of
/// eight bits that has reached 255 stays at 255, and the filter refuses to remove an item
/// that is certainly absent.
#[derive(Debug, Clone)]
pub struct Fixed(CountingBloomFilter<str>);

impl Fixed {
    /// Creates the smallest filter that keeps this many items within a rate.
    ///
    /// # Errors
    ///
    /// As [`CountingBloomFilter::with_rate`].
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        let shape = Shape::for_rate(items, rate)?;
        let (width, hasher) = (CounterBits::Eight, FixedState::new());
        let filter = CountingBloomFilter::with_counter_bits_and_hasher(shape, width, hasher)?;
        Ok(Self(filter))
    }

    /// Inserts an item and returns whether it is certainly new.
    pub fn insert(&mut self, item: &str) -> bool {
        self.0.insert_hash(fnv_1(item.as_bytes()))
    }

    /// Removes an item once, or returns `false` if it is certainly absent.
    pub fn remove(&mut self, item: &str) -> bool {
        self.0.remove_hash(fnv_1(item.as_bytes()))
    }

    /// Returns whether an item may be in the filter; `false` is certain.
    pub fn contains(&self, item: &str) -> bool {
        self.0.contains_hash(fnv_1(item.as_bytes()))
    }
}
// ANCHOR_END: fixed
