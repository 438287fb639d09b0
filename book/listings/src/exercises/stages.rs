//! Exercise (★★★) of the chapter *Growing*: a filter that grows and keeps its rate.
//!
//! Such a filter is a list of stages, which are filters of a fixed size. When a stage is
//! full, the next one is added. The starter has a single stage, for 100 items, and gives it
//! the rate of the whole filter. Let each stage take twice as many items as the stage before
//! it, and have 0.85 times the rate of that stage. The rates of all stages must add up to at
//! most the rate of the whole filter. Do not insert an item that a query already finds.

use bloom_core::{BloomFilter, BuildError};

/// A filter of a fixed size, and the number of items that it still takes.
#[derive(Debug)]
pub struct Stage {
    /// The filter.
    pub filter: BloomFilter<u64>,
    /// How many more items the filter takes.
    pub room: u64,
}

/// Inserts an item. `rate` is the rate of all stages together. At first `stages` is empty.
///
/// # Errors
///
/// Fails if the filter of a new stage cannot be built, for example if it does not fit in
/// memory.
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
