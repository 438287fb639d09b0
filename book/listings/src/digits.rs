//! Rebuilds the programs of the article *Looking into Bloom filters*. They read the MD5
//! digest of a text as one number of 128 bits, whose digits in base m are the positions.
//! One program is a Bloom filter of m bits, the other a counting filter of m counters.
//!
//! Both do what they should, but slowly. They have one fault: the last digit that is taken
//! from a digest does not have all values equally often. At some sizes m it falls on the
//! first half of the filter twice as often as on the second. `tests/digits.rs` shows this.

use bloom_core::{BuildError, CountingBloomFilter};
use md5::{Digest, Md5};

use crate::row::Row;

// ANCHOR: rebuilt
/// Returns the lowest digit of a number in base `base`, and the number without it.
pub fn digit(number: u128, base: u64) -> (u64, u128) {
    let base = u128::from(base);
    ((number % base) as u64, number / base)
}

/// Returns the digits, lowest first, of the digest in base `bits`. When less than `bits`
/// is left of the number, as at the start, a full stop is appended to the text, and the
/// digest of the longer text is the next number.
pub fn positions(item: &str, bits: u64, hashes: u64) -> Vec<u64> {
    let (mut text, mut number) = (item.to_owned(), 0);
    let mut next = |_| {
        if number < bits.into() {
            text.push('.');
            number = u128::from_be_bytes(Md5::digest(&text).into());
        }
        let (position, rest) = digit(number, bits);
        number = rest;
        position
    };
    (0..hashes).map(&mut next).collect()
}

/// The Bloom filter as the article describes it.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    row: Row,
    hashes: u64,
}

impl Rebuilt {
    /// Creates a filter of this many bits and hashes.
    pub fn new(bits: u64, hashes: u64) -> Self {
        let row = Row::new(bits);
        Self { row, hashes }
    }

    /// Inserts an item.
    pub fn insert(&mut self, item: &str) {
        for position in positions(item, self.row.bits(), self.hashes) {
            self.row.set(position);
        }
    }

    /// Returns whether all bits of an item are set.
    pub fn contains(&self, item: &str) -> bool {
        let mut positions = positions(item, self.row.bits(), self.hashes).into_iter();
        positions.all(|position| self.row.is_set(position))
    }
}

/// The counting filter as the article describes it: its counters have no upper limit.
#[derive(Debug, Clone)]
pub struct Counting {
    counters: Vec<u64>,
    hashes: u64,
}

impl Counting {
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

    /// Adds 1 to the counter at each position of an item.
    pub fn insert(&mut self, item: &str) {
        for position in self.positions(item) {
            self.counters[position as usize] += 1;
        }
    }

    /// Subtracts 1 from the counter at each position of an item, if the item is found.
    pub fn remove(&mut self, item: &str) {
        if self.contains(item) {
            for position in self.positions(item) {
                self.counters[position as usize] -= 1;
            }
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
/// A counting filter without the fault, with counters of four bits. Each item has one
/// digest, and all positions are derived evenly from the high 64 bits of the digest.
#[derive(Debug, Clone)]
pub struct Fixed(CountingBloomFilter<str>);

impl Fixed {
    /// Creates the smallest filter that keeps this many items within a rate.
    ///
    /// # Errors
    ///
    /// As [`CountingBloomFilter::with_rate`].
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        CountingBloomFilter::with_rate(items, rate).map(Self)
    }

    fn hash(item: &str) -> u64 {
        (u128::from_be_bytes(Md5::digest(item).into()) >> 64) as u64
    }

    /// Inserts an item and returns whether it is certainly new.
    pub fn insert(&mut self, item: &str) -> bool {
        self.0.insert_hash(Self::hash(item))
    }

    /// Removes an item once, or returns `false` if it is certainly absent.
    pub fn remove(&mut self, item: &str) -> bool {
        self.0.remove_hash(Self::hash(item))
    }

    /// Returns whether an item may be in the filter; `false` is certain.
    pub fn contains(&self, item: &str) -> bool {
        self.0.contains_hash(Self::hash(item))
    }
}
// ANCHOR_END: fixed
