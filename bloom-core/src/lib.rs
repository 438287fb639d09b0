//! Bloom filters that deliver the false-positive rate they promise, and every formula behind
//! them.
//!
//! A Bloom filter remembers a set in a few bits an item. Asked whether it has seen an item it
//! answers *certainly not* or *probably*: items that were inserted are always found, others are
//! found by mistake at the *false-positive rate*.
//!
//! ```
//! use bloom_core::BloomFilter;
//!
//! // Sized so that after 2 000 items at most 1 in 100 other items is found by mistake.
//! let mut seen = BloomFilter::<str>::with_rate(2_000, 0.01)?;
//! assert!(seen.insert("https://example.org/"));
//! assert!(seen.contains("https://example.org/"));
//! assert!(!seen.contains("https://example.org/about"));
//!
//! // The size is the smallest that keeps the promise.
//! assert_eq!(seen.shape().bits(), 19_188);
//! assert_eq!(seen.shape().hashes(), 7);
//! # Ok::<(), bloom_core::BuildError>(())
//! ```
//!
//! # What is where
//!
//! - [`BloomFilter`]: the textbook filter, at any size.
//! - [`Shape`]: bits and hashes, checked and sized.
//! - [`FixedState`]: the default hasher, the same on every machine.
//! - [`math`]: every formula, usable without any filter.
//!
//! # Guarantees
//!
//! - **No false negatives.** What was inserted is found, until [`BloomFilter::clear`].
//! - **The promised rate.** [`BloomFilter::with_rate`] uses the exact model, not the textbook's
//!   approximation, and the positions of a filter of 64 bits or more behave as independent ones.
//! - **No panic** on any argument; errors name the parameter, the rule and the value.
//! - **`no_std`**: needs `alloc` only, and there is no feature that changes a result.

#![no_std]

extern crate alloc;

pub mod math;

mod basic;
mod bits;
mod error;
mod hash;
mod shape;

pub use basic::BloomFilter;
pub use error::{BuildError, IncompatibleError, MemoryError, ShapeError};
pub use hash::{FixedHasher, FixedState};
pub use shape::Shape;
