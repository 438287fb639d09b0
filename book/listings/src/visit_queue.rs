//! Rebuilds the program of the article *Probabilistic to-visit Queue*: a crawler's queue that drops
//! pages that it has seen. A Bloom filter remembers them; it hashes doubly by the halves of murmur3.
//!
//! What is wrong with it: m is rounded down, so the rate is a little over the requested rate; the
//! counter of set bits has 32 bits, too few for the article's billion pages; and after the
//! expected number of pages, each new page causes a warning. `tests/visit_queue.rs` shows each.

use std::collections::{HashSet, VecDeque};

use bloom_core::{BloomFilter, BuildError};

use crate::row::Row;

// ANCHOR: rebuilt
/// Returns the bits, rounded down, and the hashes, rounded up, for this many items at this rate.
pub fn size(items: u64, rate: f64) -> (u64, u64) {
    let (n, ln_2) = (items as f64, 2_f64.ln());
    let bits = -n * rate.ln() / (ln_2 * ln_2);
    (bits as u64, (-rate.ln() / ln_2).ceil() as u64)
}

/// Returns positions by double hashing in 64 bits with the halves of murmur3, the low one first.
pub fn positions(item: &str, bits: u64, hashes: u64) -> Vec<u64> {
    let hash = fastmurmur3::hash(item.as_bytes());
    let (low, high) = (hash as u64, (hash >> 64) as u64);
    let position = |i| low.wrapping_add(high.wrapping_mul(i)) % bits;
    (0..hashes).map(position).collect()
}

/// The queue as the article describes it.
#[derive(Debug)]
pub struct Rebuilt {
    seen: Row,
    hashes: u64,
    set_bits: u32,
    expected_items: u64,
    waiting: VecDeque<String>,
    /// The number of warnings so far.
    pub warnings: u64,
}

impl Rebuilt {
    /// Creates an empty queue for this many pages.
    pub fn new(items: u64, rate: f64) -> Self {
        let (bits, hashes) = size(items, rate);
        Self {
            seen: Row::new(bits),
            hashes,
            set_bits: 0,
            expected_items: items,
            waiting: VecDeque::new(),
            warnings: 0,
        }
    }

    /// Queues a page, or drops it if it was seen.
    pub fn push(&mut self, url: &str) {
        if !self.contains(url) {
            for position in positions(url, self.seen.bits(), self.hashes) {
                self.set_bits += u32::from(self.seen.set(position));
            }
            self.waiting.push_back(url.to_owned());
            self.warnings += u64::from(self.estimated_items() >= self.expected_items);
        }
    }

    /// Removes and returns the page that waited longest.
    pub fn pop(&mut self) -> Option<String> {
        self.waiting.pop_front()
    }

    /// Returns whether a page may have been pushed.
    pub fn contains(&self, url: &str) -> bool {
        let mut positions = positions(url, self.seen.bits(), self.hashes).into_iter();
        positions.all(|position| self.seen.is_set(position))
    }

    /// Returns the number of pages, estimated from the set bits.
    pub fn estimated_items(&self) -> u64 {
        let (m, k) = (self.seen.bits() as f64, self.hashes as f64);
        (-m / k * (1.0 - f64::from(self.set_bits) / m).ln()) as u64
    }
}
// ANCHOR_END: rebuilt

/// The queue with which the article begins. It is exact, and stores the address of every page.
#[derive(Debug, Default)]
pub struct Exact {
    seen: HashSet<String>,
    /// The pages to visit.
    pub waiting: VecDeque<String>,
}

impl Exact {
    /// Queues a page, or drops it if it was seen.
    pub fn push(&mut self, url: &str) {
        if self.seen.insert(url.to_owned()) {
            self.waiting.push_back(url.to_owned());
        }
    }
}

// ANCHOR: fixed
/// The queue without the faults: it has the smallest filter that keeps the rate, and warns once.
/// (The example `visit_queue` of bloom-core is a whole program, which also estimates the pages.)
#[derive(Debug)]
pub struct Fixed {
    seen: BloomFilter<str>,
    expected_items: u64,
    queued: u64,
    waiting: VecDeque<String>,
}

impl Fixed {
    /// Creates an empty queue for this many pages, at this false-positive rate.
    ///
    /// # Errors
    ///
    /// As [`BloomFilter::with_rate`].
    pub fn new(items: u64, rate: f64) -> Result<Self, BuildError> {
        Ok(Self {
            seen: BloomFilter::with_rate(items, rate)?,
            expected_items: items,
            queued: 0,
            waiting: VecDeque::new(),
        })
    }

    /// Queues a page, or drops it if it was seen. Returns `true` once, as a warning, when the first
    /// page beyond the expected number is queued.
    pub fn push(&mut self, url: &str) -> bool {
        if !self.seen.insert(url) {
            return false;
        }
        self.waiting.push_back(url.to_owned());
        self.queued += 1;
        self.queued == self.expected_items + 1
    }

    /// Removes and returns the page that waited longest.
    pub fn pop(&mut self) -> Option<String> {
        self.waiting.pop_front()
    }

    /// Returns the filter of the pages seen.
    pub fn seen(&self) -> &BloomFilter<str> {
        &self.seen
    }
}
// ANCHOR_END: fixed
