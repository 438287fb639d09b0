//! Rebuilds the Bloom filter of the article *A Golang Implemented Bloom Filter*. It hashes
//! by FNV-1 with 64 bits, uses the two halves of the hash for double hashing in 32-bit
//! arithmetic, and stores each bit in a byte.
//!
//! What is wrong with it: all positions are below 2^32, however large m is; if m is a power
//! of two that divides the high half of a hash, all k positions are equal; duplicates raise
//! the rate that the filter reports; and the filter takes eight times as much memory as
//! its bits need. `tests/go.rs` shows each.

use bloom_core::{BloomFilter, BuildError};

/// Returns the FNV-1 hash of 64 bits. For each byte, FNV-1 first multiplies the hash, and
/// then XORs it with the byte. (FNV-1a, which the crate `fnv` has, does the XOR first.)
pub fn fnv_1(item: &[u8]) -> u64 {
    item.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte)
    })
}

// ANCHOR: rebuilt
/// Returns positions by double hashing with the two halves of a hash, in wrapping
/// 32-bit arithmetic.
pub fn positions_of_halves(hash: u64, bits: u64, hashes: u64) -> Vec<u64> {
    let (low, high) = (hash as u32, (hash >> 32) as u32);
    let position = |i| low.wrapping_add(high.wrapping_mul(i)) % bits as u32;
    (0..hashes as u32).map(|i| position(i).into()).collect()
}

/// Returns the positions of an item.
pub fn positions(item: &str, bits: u64, hashes: u64) -> Vec<u64> {
    positions_of_halves(fnv_1(item.as_bytes()), bits, hashes)
}

/// The Bloom filter as the article describes it.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    bits: Vec<bool>,
    hashes: u64,
    inserts: u64,
}

impl Rebuilt {
    /// Creates a filter of this many bits and hashes.
    pub fn new(bits: u64, hashes: u64) -> Self {
        Self {
            bits: vec![false; bits as usize],
            hashes,
            inserts: 0,
        }
    }

    /// Inserts an item.
    pub fn insert(&mut self, item: &str) {
        for position in positions(item, self.bits(), self.hashes) {
            self.bits[position as usize] = true;
        }
        self.inserts += 1;
    }

    /// Returns whether all bits of an item are set.
    pub fn contains(&self, item: &str) -> bool {
        let mut positions = positions(item, self.bits(), self.hashes).into_iter();
        positions.all(|position| self.bits[position as usize])
    }

    /// Returns the rate, computed from the number of inserts, duplicates included.
    pub fn rate(&self) -> f64 {
        super::calculator::rate(self.inserts, self.bits(), self.hashes)
    }

    /// Returns the number of bits.
    pub fn bits(&self) -> u64 {
        self.bits.len() as u64
    }

    /// Returns the size of the bits in memory, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        size_of_val(&*self.bits) as u64
    }
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// A filter with the hash of the article and without the faults: every position comes from
/// all 64 bits of the hash, the rate is computed from the bits of the filter, and eight bits
/// share a byte.
#[derive(Debug, Clone)]
pub struct Fixed(BloomFilter<str>);

impl Fixed {
    /// Creates the smallest filter that keeps this many items within a rate.
    ///
    /// # Errors
    ///
    /// As [`BloomFilter::with_rate`].
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        BloomFilter::with_rate(items, rate).map(Self)
    }

    /// Inserts an item and returns whether it is certainly new.
    pub fn insert(&mut self, item: &str) -> bool {
        self.0.insert_hash(fnv_1(item.as_bytes()))
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    pub fn contains(&self, item: &str) -> bool {
        self.0.contains_hash(fnv_1(item.as_bytes()))
    }

    /// Returns the filter itself: its rate, its estimate of the items, its memory.
    pub fn filter(&self) -> &BloomFilter<str> {
        &self.0
    }
}
// ANCHOR_END: fixed
