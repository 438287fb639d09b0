//! Rebuilds the algorithms of a textbook's section on data streams. A Bloom filter is
//! built from a stream of items. A query is the AND of the bits of an item. An item is
//! deleted by clearing its bits. Two filters are united by OR or intersected by AND.
//! Several filters, each with all the items, make a cascade.
//!
//! What is wrong with the section: the rate of its lemma is too low; clearing bits loses
//! other items, as the section itself says; the AND of two filters cannot lose an item
//! that both have, though the section says that it may; and a cascade does not grow with
//! its stream. `tests/stream.rs` shows each.

use std::hash::BuildHasher;

use bloom_core::math::{Estimate, MathError, estimate_items, exact};
use bloom_core::{BloomFilter, BuildError, FixedState, Shape};

use crate::row::Row;

// ANCHOR: rebuilt
/// Returns a position for each of w = `hashes` hash functions, which are the default
/// hasher of bloom-core with the seeds 1 to w.
pub fn positions(item: u64, bits: u64, hashes: u64) -> Vec<u64> {
    // Hashes the item twice, as a pair: the hasher multiplies once per number, and after one
    // multiplication the low bits for different seeds depend on each other. `BloomFilter` can
    // hash the item alone, because it folds each hash itself.
    let position = |seed| FixedState::with_seed(seed).hash_one((item, item)) % bits;
    (1..=hashes).map(position).collect()
}

/// The Bloom filter as the section describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    row: Row,
    hashes: u64,
}

impl Rebuilt {
    /// Builds the filter of a stream, with this many bits and hashes.
    pub fn of(stream: impl IntoIterator<Item = u64>, bits: u64, hashes: u64) -> Self {
        let row = Row::new(bits);
        let mut filter = Self { row, hashes };
        stream.into_iter().for_each(|item| filter.insert(item));
        filter
    }

    fn positions(&self, item: u64) -> Vec<u64> {
        positions(item, self.row.bits(), self.hashes)
    }

    /// Inserts an item.
    pub fn insert(&mut self, item: u64) {
        for position in self.positions(item) {
            self.row.set(position);
        }
    }

    /// Returns the AND of the bits of an item.
    pub fn contains(&self, item: u64) -> bool {
        let flags = self.positions(item).into_iter().map(|i| self.row.is_set(i));
        flags.fold(true, |all, flag| all & flag)
    }

    /// Deletes an item by setting its bits to 0, which may delete other items too.
    pub fn delete(&mut self, item: u64) {
        for position in self.positions(item) {
            self.row.clear(position);
        }
    }

    /// Combines two filters of the same size, by OR for the union or by AND for the
    /// intersection.
    #[must_use]
    pub fn combined(mut self, other: &Self, operation: fn(u64, u64) -> u64) -> Self {
        self.row.combine(&other.row, operation);
        self
    }

    /// Returns the number of set bits.
    pub fn ones(&self) -> u64 {
        self.row.ones()
    }

    /// Returns the number of distinct items, estimated from the clear bits; infinite
    /// if no bit is clear.
    pub fn distinct(&self) -> f64 {
        let m = self.row.bits() as f64;
        m * (m / (m - self.ones() as f64)).ln() / self.hashes as f64
    }
}

/// Returns the false-positive rate by the section's lemma, the usual textbook formula.
pub fn lemma(items: u64, bits: u64, hashes: u64) -> f64 {
    let (n, m, w) = (items as f64, bits as f64, hashes as f64);
    (1.0 - (1.0 - 1.0 / m).powf(w * n)).powf(w)
}

/// Returns the rate of a cascade: a filter for each pair (bits, hashes) of `sizes`, each
/// with all the items. The cascade finds an item if every filter finds it, so the rate of
/// the cascade is the product of the rates of the filters.
///
/// # Errors
///
/// Every size must be in the domain of [`exact::rate`].
pub fn cascade_rate(items: u64, sizes: &[(u64, u8)]) -> Result<f64, MathError> {
    sizes.iter().try_fold(1.0, |product, (bits, hashes)| {
        Ok(product * exact::rate(items, *bits, *hashes)?.value())
    })
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// Builds the same filter with `BloomFilter`. Its `false_positive_rate` replaces the lemma,
/// it has no deletion, and `union_with` and `intersect_with` refuse filters of different
/// sizes.
///
/// # Errors
///
/// As [`Shape::new`], or if the bits do not fit in memory.
pub fn fixed(
    stream: impl IntoIterator<Item = u64>,
    bits: u64,
    hashes: u8,
) -> Result<BloomFilter<u64>, BuildError> {
    let mut filter = BloomFilter::new(Shape::new(bits, hashes)?)?;
    filter.extend(stream);
    Ok(filter)
}

/// Returns the estimated number of distinct items with its standard deviation; `None`
/// if all bits are set.
///
/// # Errors
///
/// As [`estimate_items`].
pub fn fixed_distinct(bits: u64, hashes: u8, ones: u64) -> Result<Option<Estimate>, MathError> {
    estimate_items(bits, hashes, ones)
}
// ANCHOR_END: fixed
