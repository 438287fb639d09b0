//! Solution: a filter that grows and keeps its rate. Its stages are filters of a fixed size;
//! when a stage is full, the next one is added.

use bloom_core::{BloomFilter, BuildError};

use crate::exercises::stages::Stage;

/// The rate of a stage, divided by the rate of the stage before it.
const TIGHTENING: f64 = 0.85;

/// Inserts an item. `rate` is the rate of all stages together. At first `stages` is empty.
///
/// # Errors
///
/// Fails if the filter of a new stage cannot be built, for example if it does not fit in
/// memory.
pub fn insert(stages: &mut Vec<Stage>, item: u64, rate: f64) -> Result<(), BuildError> {
    if contains(stages, item) {
        return Ok(());
    }
    if stages.last().is_none_or(|youngest| youngest.room == 0) {
        let number = stages.len() as u32;
        let room = 100 << number;
        let share = rate * (1.0 - TIGHTENING) * TIGHTENING.powi(number as i32);
        let filter = BloomFilter::with_rate(room, share)?;
        stages.push(Stage { filter, room });
    }
    let youngest = stages.last_mut().expect("a stage was just added");
    youngest.filter.insert(&item);
    youngest.room -= 1;
    Ok(())
}

/// Returns whether an item may have been inserted.
pub fn contains(stages: &[Stage], item: u64) -> bool {
    // Queries the newest stage first, because it is the largest.
    stages
        .iter()
        .rev()
        .any(|stage| stage.filter.contains(&item))
}
