//! *Growing* (★★★): a filter that grows and keeps its rate.
//!
//! The starter has a single stage, for 100 items, and gives it the whole rate. Let each
//! stage take twice as many items as the stage before it, and have 0.85 times the rate
//! of that stage: 0.85 is the tightening ratio. Do not insert an item that is already
//! found.

use bloom_core::{BloomFilter, BuildError};

/// A stage, and the items that it still has room for.
#[derive(Debug)]
pub struct Stage {
    /// Its filter.
    pub filter: BloomFilter<u64>,
    /// How many more items it takes.
    pub room: u64,
}

/// Inserts an item. `rate` is the rate of all stages together. At first `stages` is empty.
///
/// # Errors
///
/// Fails if a new stage does not fit in memory.
pub fn insert(stages: &mut Vec<Stage>, item: u64, rate: f64) -> Result<(), BuildError> {
    if stages.is_empty() {
        let filter = BloomFilter::with_rate(100, rate)?;
        stages.push(Stage { filter, room: 100 });
    }
    stages[0].filter.insert(&item);
    Ok(())
}

/// Returns whether an item may have been inserted.
pub fn contains(stages: &[Stage], item: u64) -> bool {
    stages.iter().all(|stage| stage.filter.contains(&item))
}
