#![doc = include_str!("../README.md")]
//!
//! # Which filter to use
//!
//! | filter | bits per item | measured rate | use for | shared by threads | queried in its file |
//! | --- | --- | --- | --- | --- | --- |
//! | [`BloomFilter`] | 9.6 | 1.01 % | a known number of items in the least memory; any rate | [`AtomicBloomFilter`] | [`BloomFilterRef`] |
//! | [`BlockedBloomFilter`] | 10.1 | 1.01 % | speed: one cache line per query; rates down to ~1 in 10 000 | [`AtomicBlockedBloomFilter`] | [`BlockedBloomFilterRef`] |
//! | [`CountingBloomFilter`] | 38.4 | 1.01 % | items that are removed again | no | in [`Saved`] |
//! | [`ScalableBloomFilter`] | 19.4 | 0.62 % | a number of items unknown in advance | no | no |
//! | [`PartitionedBloomFilter`] | 9.6 | 0.98 % | teaching and comparison | no | in [`Saved`] |
//!
//! The rates were measured with 100 000 items at a requested rate of 1 %, over a million queries of
//! other items. The scalable filter started at 1 000 items, and its last stage is partly empty.
//!
//! All filters take items by reference, never copy them, and answer `contains` with *certainly not*
//! or *perhaps*. All are aliases of one type, [`Bloom`], whose page has every method. Code that is
//! generic over filters uses [`Query`] and [`Filter`]. Sizes are [`Shape`] (bits and hashes),
//! [`BlockedShape`] and [`ScalableShape`]; every formula behind them is in [`math`], usable without
//! any filter.
//!
//! # Sets, estimates and batches
//!
//! Two filters of the same shape and hasher can be combined into the filter of the *union* of their
//! items ([`union_with`](BloomFilter::union_with)), or reduced to the bits set in both
//! ([`intersect_with`](BloomFilter::intersect_with)); if shapes or hashers differ, the error names
//! the difference. A filter stores no items, but its bits give an estimate of their number
//! ([`estimated_items`](BloomFilter::estimated_items)), and two filters give estimates of their
//! union and intersection ([`estimated_pair`](BloomFilter::estimated_pair)), from which the
//! *Jaccard similarity* follows. Each estimate comes with its standard deviation. If all bits are
//! set, there is no estimate. A scalable filter has no union or intersection, because its stages
//! depend on the order of its items.
//!
//! [`insert_many`](BloomFilter::insert_many) and [`contains_many`](BloomFilter::contains_many) take
//! a slice of items. The result is that of one call per item. On x86-64 a batch is faster than single
//! calls if the filter is larger than the processor's caches.
//!
//! ```
//! use bloom_core::BloomFilter;
//!
//! let mut ours = BloomFilter::<u64>::with_rate(10_000, 0.01)?;
//! let mut theirs = BloomFilter::new(ours.shape())?;
//! ours.insert_many(&(0..4_000).collect::<Vec<u64>>());
//! theirs.insert_many(&(3_000..7_000).collect::<Vec<u64>>());
//!
//! // The true value is 1/7: 1 000 common items of 7 000. The tolerance is more than 6.2 times the
//! // standard deviation, 0.0019: with random items, this check would fail by chance less than 0.6
//! // times in 10^9 runs.
//! let pair = ours.estimated_pair(&theirs)?;
//! assert!((pair.jaccard() - 1.0 / 7.0).abs() < 0.012);
//!
//! ours.union_with(&theirs)?;
//! let mut answers = Vec::new();
//! ours.contains_many(&[0, 3_500, 6_999], &mut answers);
//! assert_eq!(answers, [true; 3]);
//! let union = ours.estimated_items()?;
//! assert!((union.items - 7_000.0).abs() < 6.2 * union.standard_deviation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Memory: the heap, threads, files, your own
//!
//! The last type parameter says where a filter has its bits; positions, bytes and rate do not depend on it.
//!
//! - **Threads.** Many threads can query any filter at once, because queries take `&self`.
//!   [`AtomicBloomFilter`] and [`AtomicBlockedBloomFilter`] can also be *filled* by many: `insert`
//!   takes `&self`, and no insert is lost. On 64-bit machines a plain filter becomes an atomic one,
//!   and back, for free. A filter that one thread fills is faster without sharing; the example
//!   `huge_filter` measures the ways to fill a filter from all threads.
//! - **Files in place.** [`BloomFilterRef`] and [`BlockedBloomFilterRef`] query a saved filter where
//!   its bytes are, in flash or in a mapped file, without copying it: the example `mapped_blocklist`
//!   opens a gigabyte in a tenth of a millisecond. [`Saved`] owns the bytes, or the map. A filter can
//!   also be filled in the bytes of its file: see [`create_file`](Bloom::create_file).
//! - **Your memory.** [`new_in`](Bloom::new_in) takes an array or a mutable slice, and needs no
//!   allocator. It serves embedded devices (the example `embedded`), huge pages and shared memory.
//!
//! # Guarantees
//!
//! - **No false negatives.** An inserted item is found until the filter is cleared or intersected
//!   with a filter without the item, or, in a counting filter, until the item or a false positive is
//!   removed. A counter that reached its maximum is not lowered again. A scalable filter that may
//!   not grow refuses a new item with an error.
//! - **The promised rate.** It is the mean over filters. Constructors that take a rate use the exact
//!   model of their filter, not the textbook approximation. In a filter of 64 bits or more, the
//!   positions behave like independent ones if the hashes have the promised [quality](HashQuality),
//!   as those of the default hasher do.
//! - **No panics**, whatever the arguments; errors name the parameter, the rule and the value.
//! - **No allocator** is needed without the feature `alloc`. The crate then has filters in memory of the
//!   caller and in the bytes of a file, shapes, the default hasher and estimates.
//!
//! # Hashers, seeds and adversaries
//!
//! The default hasher, [`FixedState`], gives the same hashes on every machine and in every run, so
//! filters can be stored, sent and united. The price is that an attacker who chooses the items can
//! search offline for items that all set the same bits. Such items cause no false negatives, but
//! they drive up the false-positive rate: in a filter of m bits and k hashes, about m/k well-chosen
//! inserts set every bit, and a chosen query is a false positive whenever the attacker wants it to
//! be. (A [`ScalableBloomFilter`] grows instead, and keeps its rate for queries that nobody chose.)
//! A seed ([`FixedState::with_seed`]) protects against accidents, not against attackers: the hash
//! is fast, not cryptographic.
//!
//! If items come from untrusted sources, use a hasher designed for that, with a random key, through
//! `with_hasher` or `with_rate_and_hasher`. `std::hash::RandomState` (SipHash) is enough for a
//! filter that lives only as long as its process: its key can be neither read nor saved, so no
//! other process can load a filter saved with it. To save filters, or unite those of several
//! processes, keep your own secret key and build the hashers from it, here with the crate
//! `siphasher`:
//!
//! ```
//! use bloom_core::BloomFilter;
//! use siphasher::sip::SipHasher13;
//! use std::hash::BuildHasher;
//!
//! #[derive(Clone)]
//! struct Keyed([u8; 16]);
//!
//! impl BuildHasher for Keyed {
//!     type Hasher = SipHasher13;
//!
//!     fn build_hasher(&self) -> SipHasher13 {
//!         SipHasher13::new_with_key(&self.0)
//!     }
//! }
//!
//! // From the system's random number generator, once; then stored as a secret.
//! let key = *b"16 random bytes.";
//! let mut seen = BloomFilter::<str, _>::with_rate_and_hasher(2_000, 0.01, Keyed(key))?;
//! seen.insert("https://example.org/");
//! let file = seen.to_bytes()?;
//!
//! // After a restart:
//! let seen = BloomFilter::<str, _>::from_bytes_with_hasher(&file, Keyed(key))?;
//! assert!(seen.contains("https://example.org/"));
//! // Loading with another key is refused.
//! assert!(BloomFilter::<str, _>::from_bytes_with_hasher(&file, Keyed([0; 16])).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Filters can be united, compared and loaded only if their hashers give the same hashes for four
//! fixed integers.
//!
//! # Files
//!
//! Every filter is saved by `to_bytes` or, without a second copy, by `write_bytes`, and loaded by
//! `from_bytes` or `read_from`, on any machine; bytes that are not a complete and valid filter are
//! refused. The module [`persist`] describes the layout byte by byte.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Without `alloc` there are no filters on the heap, and some of the storage code is not used.
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, unused_imports, unreachable_pub)
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod kind;
pub mod math;
pub mod persist;

mod basic;
mod blocked;
mod cell_table;
mod counting;
mod error;
mod estimate;
mod filter;
mod hash;
mod incompatible;
mod memory;
mod partitioned;
mod probe;
mod quality;
#[cfg(feature = "alloc")]
mod scalable;
mod sealed;
mod shape;
mod storage;
#[cfg(all(test, feature = "alloc"))]
mod vectors;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub use basic::AtomicBloomFilter;
pub use basic::{BloomFilter, BloomFilterRef};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub use blocked::AtomicBlockedBloomFilter;
pub use blocked::{BlockedBloomFilter, BlockedBloomFilterRef};
pub use counting::CountingBloomFilter;
pub use error::{
    AnswersError, BuildError, GrowError, MemoryError, NotEmptyError, ShapeError, WordsError,
};
pub use estimate::EstimateError;
pub use filter::{Bloom, Filter, Kind, Query};
pub use hash::{FixedHasher, FixedState};
pub use incompatible::IncompatibleError;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub use memory::Shared;
pub use memory::{FileMut, Memory, Owned, Saved, StableBytes};
pub use partitioned::PartitionedBloomFilter;
pub use persist::error::{LoadError, StageError};
pub use persist::file_mut::FileError;
pub use persist::kind::FilterKind;
pub use quality::HashQuality;
#[cfg(feature = "alloc")]
pub use scalable::{ScalableBloomFilter, ScalableShape, Stage};
pub use shape::{BlockedShape, Shape};
pub use storage::{Block, CounterBits};
