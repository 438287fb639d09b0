//! Rebuilds the Bloom filter of the article *BloomFilter, a tool for large data*. It has
//! 2^25 bits, and its seven hashes are polynomials over the characters of a text.
//!
//! What is wrong with it: the polynomials of a short text have small values, so its
//! positions crowd at the beginning of the filter, and a text of one character has a
//! single position instead of seven. With a million decimal numbers in the filter, the
//! false-positive rate is nearly nine times the exact rate; `tests/polynomials.rs`
//! requires only that it is more than four times the exact rate.

use bloom_core::math::Model;
use bloom_core::{BloomFilter, BuildError, Shape, ShapeError};

use crate::row::Row;

// ANCHOR: rebuilt
/// The number of bits. (A comment beside this number in the article's program says 2^24.)
pub const BITS: u64 = 1 << 25;

/// The points at which the seven polynomials are evaluated.
pub const FACTORS: [i32; 7] = [5, 7, 11, 13, 31, 37, 61];

/// Returns the value of the polynomial whose coefficients are the UTF-16 units of a
/// text, in wrapping 32-bit arithmetic.
pub fn polynomial(item: &str, factor: i32) -> i32 {
    item.encode_utf16().fold(0_i32, |value, unit| {
        value.wrapping_mul(factor).wrapping_add(unit.into())
    })
}

/// Returns a position for each of the first `hashes` polynomials: the value of the
/// polynomial modulo `bits`, which must be a power of two.
pub fn positions(item: &str, bits: u64, hashes: u64) -> Vec<u64> {
    let factors = FACTORS.into_iter().take(hashes as usize);
    let value = |factor| polynomial(item, factor) as u32;
    factors
        .map(|factor| u64::from(value(factor)) & (bits - 1))
        .collect()
}

/// The filter as the article describes it.
#[derive(Debug, Clone)]
pub struct Rebuilt(Row);

impl Default for Rebuilt {
    fn default() -> Self {
        Self(Row::new(BITS))
    }
}

impl Rebuilt {
    /// Inserts an item.
    pub fn insert(&mut self, item: &str) {
        for position in positions(item, BITS, 7) {
            self.0.set(position);
        }
    }

    /// Returns whether all bits of an item are set.
    pub fn contains(&self, item: &str) -> bool {
        positions(item, BITS, 7)
            .into_iter()
            .all(|position| self.0.is_set(position))
    }

    /// Returns the number of set bits.
    pub fn ones(&self) -> u64 {
        self.0.ones()
    }
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// Creates a filter of 20 bits per item, as the article advises, with the best number
/// of hashes, which is 14; the article's table has 10. Every bit of an item's hash depends
/// on every character of the item.
///
/// # Errors
///
/// There must be at least one item, and the bits must fit in memory.
pub fn fixed(items: u64) -> Result<BloomFilter<str>, BuildError> {
    let bits = items.saturating_mul(20);
    let hashes = Model::Exact
        .best_hashes(items, bits)
        .map_err(ShapeError::from)?;
    BloomFilter::new(Shape::new(bits, hashes)?)
}
// ANCHOR_END: fixed
