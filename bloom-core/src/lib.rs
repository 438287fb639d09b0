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
//! # Which filter when
//!
//! | filter | bits an item | measured rate | for |
//! | --- | --- | --- | --- |
//! | [`BloomFilter`] | 9.6 | 0.99 % | a known number of items in the least memory; any rate |
//! | [`BlockedBloomFilter`] | 10.1 | 0.99 % | speed: one cache line a query; rates down to about 1 in 10 000 |
//! | [`CountingBloomFilter`] | 38.4 | 0.99 % | items that leave again |
//! | [`ScalableBloomFilter`] | 19.4 | 0.61 % | a number of items that nobody knows beforehand |
//! | [`PartitionedBloomFilter`] | 9.6 | 1.01 % | teaching and comparison |
//!
//! Measured with 100 000 items at an asked rate of 1 %, a million queries for others; the scalable
//! filter started at 1 000 items, and its last stage is partly empty.
//!
//! All of them take an item by reference, never copy it, and answer `contains` with *certainly not*
//! or *probably*. Code that takes any of them is written against [`Filter`]. Sizes are [`Shape`]
//! (bits and hashes), [`BlockedShape`] and [`ScalableShape`]; every formula behind them is in
//! [`math`], usable without any filter.
//!
//! # Guarantees
//!
//! - **No false negatives.** What was inserted is found, until it is removed or the filter cleared.
//!   Counters that overflow stay; a filter that may not grow refuses the item and says so.
//! - **The promised rate.** Constructors that take a rate use the exact model of their filter, not
//!   the textbook's approximation, and the positions of a filter of 64 bits or more behave as
//!   independent ones.
//! - **No panic** on any argument; errors name the parameter, the rule and the value.
//! - **`no_std`**: needs `alloc` only, and there is no feature that changes a result.
//!
//! # Hashers, seeds and adversaries
//!
//! The default hasher, [`FixedState`], gives every machine and every run the same hashes, so filters
//! can be stored, sent and united. The price: who can choose the items can also find, at leisure,
//! items that all fall on the same bits. Such items do not break the promise of no false negatives,
//! but they drive the false-positive rate up: with m bits known, about m/k well-chosen inserts set
//! every bit, and a chosen query is a false positive whenever the attacker wants it to be. A seed
//! ([`FixedState::with_seed`]) keeps accidents apart, not attackers: the hash is fast, not
//! cryptographic.
//!
//! Where items come from strangers, give the filter a randomly keyed hasher made for it, such as
//! `std::hash::RandomState` (SipHash), by `with_hasher` or `with_rate_and_hasher`, and keep the key.
//! Filters are united and compared only if their hashers agree on four fixed values.
//!
//! # Files
//!
//! Every filter is saved by `to_bytes` or, without a second copy, by `write_bytes`, and loaded by
//! `from_bytes`, on any machine; what is not a whole and sound filter is refused. The module
//! [`persist`] has the layout, byte by byte. The feature `serde` adds `Serialize` and `Deserialize`,
//! over the same bytes.

#![no_std]

extern crate alloc;

pub mod math;
pub mod persist;

mod basic;
mod blocked;
mod counting;
mod error;
mod filter;
mod hash;
mod partitioned;
mod probe;
mod scalable;
mod shape;
mod storage;

pub use basic::BloomFilter;
pub use blocked::{BlockedBloomFilter, BlockedShape};
pub use counting::CountingBloomFilter;
pub use error::{BuildError, GrowError, IncompatibleError, MemoryError, ShapeError};
pub use filter::Filter;
pub use hash::{FixedHasher, FixedState};
pub use partitioned::PartitionedBloomFilter;
pub use persist::error::{LoadError, StageError};
pub use persist::kind::FilterKind;
pub use scalable::{ScalableBloomFilter, ScalableShape, Stage};
pub use shape::Shape;
pub use storage::CounterBits;
