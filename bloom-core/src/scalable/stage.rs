//! One stage of a scalable filter. A scalable filter consists of stages, each of which is a Bloom
//! filter, and adds another stage when the last one is full. This file has the bits of a stage, and
//! the rule that says when the stage is full.

use crate::cell_table::CellTable;
use crate::error::{BuildError, MemoryError};
use crate::filter::{CopyOf, Heap, Table, Writable};
use crate::kind::Basic;
use crate::math::filling::{counted_rate, most_ones};
use crate::math::rate_at_fill;
use crate::probe::Mixed;
use crate::shape::Shape;

/// One stage of a [`ScalableBloomFilter`](crate::ScalableBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// The bits and hashes of the stage.
    pub shape: Shape,
    /// The number of items for which the stage is sized.
    pub expected_items: u64,
    /// The number of items inserted into the stage, at most `expected_items`.
    pub items: u64,
    /// The number of set bits of the stage.
    pub ones: u64,
}

/// The bits of a stage, with the number of its items and of its set bits.
#[derive(Debug, Clone)]
pub(crate) struct StageState {
    table: CellTable<Basic>,
    expected_items: u64,
    items: u64,
    ones: u64,
    most_ones: u64,
}

impl StageState {
    /// Creates an empty stage for `expected_items` items at this rate.
    pub(crate) fn new(shape: Shape, expected_items: u64, rate: f64) -> Result<Self, BuildError> {
        Ok(Self {
            table: CellTable::new(shape)?,
            expected_items,
            items: 0,
            ones: 0,
            most_ones: fullest(shape, rate),
        })
    }

    /// Returns the words that hold the bits, for loading a saved stage into them. The caller then calls
    /// [`counted`](Self::counted).
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.table.cells.words_mut()
    }

    /// Sets the number of items, and counts the set bits.
    pub(crate) fn counted(mut self, items: u64) -> Self {
        self.items = items;
        self.ones = self.table.cells.ones();
        self
    }

    pub(crate) fn table(&self) -> &CellTable<Basic> {
        &self.table
    }

    pub(crate) fn stage(&self) -> Stage {
        Stage {
            shape: self.table.shape(),
            expected_items: self.expected_items,
            items: self.items,
            ones: self.ones,
        }
    }

    /// Returns whether the stage has no room for an item with this hash. The item must not be in the stage.
    ///
    /// There is always room for the first item. There is room for another item if, with it, the items
    /// stay within the expected number and the set bits within the number that keeps the rate.
    pub(crate) fn is_full_for(&self, hash: Mixed) -> bool {
        // `may_be_full` needs only the counts; the bits are read only if it returns true.
        self.may_be_full()
            && (self.items >= self.expected_items
                || self.ones + self.table.cells.clear_positions(hash) > self.most_ones)
    }

    /// Inserts an item that is not in the stage and for which there is room.
    pub(crate) fn insert(&mut self, hash: Mixed) {
        self.ones += self.table.cells.insert_counted(hash);
        self.items += 1;
    }

    /// Prefetches the words that a later query of this hash reads.
    pub(crate) fn prefetch(&self, hash: Mixed) {
        self.table.cells.prefetch(hash);
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
        (self.items, self.ones) = (0, 0);
    }

    /// Returns the false-positive rate at the current share of set bits.
    pub(crate) fn own_rate(&self) -> f64 {
        let shape = self.table.shape();
        rate_at_fill(self.ones as f64 / shape.bits() as f64, shape.hashes())
    }

    /// Returns the mean rate of stages of this shape that have as many items as this one. If this stage may have
    /// no room for some item, returns its own rate instead.
    pub(crate) fn expected_rate(&self) -> f64 {
        if self.items == 0 || self.may_be_full() {
            return self.own_rate();
        }
        let (bits, hashes) = (self.table.shape().bits(), self.table.shape().hashes());
        // The upper bound on the share of set bits of a stage that has room for every item.
        let most = (self.most_ones - u64::from(hashes)) as f64 / bits as f64;
        counted_rate(self.items, bits, hashes, rate_at_fill(most, hashes))
    }

    /// Returns whether the stage may have no room for some item.
    fn may_be_full(&self) -> bool {
        let hashes = u64::from(self.table.shape().hashes());
        self.items > 0 && (self.items >= self.expected_items || self.ones + hashes > self.most_ones)
    }

    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let table = CellTable::copy_of(&self.table)?;
        Ok(Self { table, ..*self })
    }
}

/// Returns the maximum number of set bits of a stage with more than one item.
///
/// The result is 0 if the first item alone may set more bits than the rate allows: there is then no room
/// for a second item. Such a stage keeps its rate only in the mean over filters, like any stage that is
/// sized for one item.
pub(crate) fn fullest(shape: Shape, rate: f64) -> u64 {
    let most = most_ones(shape.bits(), shape.hashes(), rate);
    if most < shape.hashes().into() {
        0
    } else {
        most
    }
}
