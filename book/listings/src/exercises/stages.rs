//! *Growing* (★★★): a filter that grows and keeps its rate.
//!
//! The starter has one stage for ever, for 100 items at the whole rate. Let each
//! stage take twice the items of the one before, and 0.85 times its share of the rate:
//! 0.85 is the tightening ratio. Do not store what is found already.

use bloom_core::{BloomFilter, BuildError};

/// A stage, and the items that it still has room for.
#[derive(Debug)]
pub struct Stage {
    /// Its filter.
    pub filter: BloomFilter<u64>,
    /// How many more items it takes.
    pub room: u64,
}

/// Inserts an item. `rate` is that of all stages together; at first there is no stage.
///
/// # Errors
///
/// A new stage may not fit in memory.
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
