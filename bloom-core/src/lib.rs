#![doc = include_str!("../README.md")]
//!
//! # Which filter to use
//!
//! | filter | bits per item | measured rate | use for | shared by threads | queried in its file |
//! | --- | --- | --- | --- | --- | --- |
//! | [`BloomFilter`] | 9.6 | 1.01 % | a known number of items in the least memory; any rate | [`AtomicBloomFilter`] | [`BloomFilterRef`] |
//! | [`BlockedBloomFilter`] | 10.1 | 1.01 % | speed: one cache line per query; rates down to ~1 in 10,000 | [`AtomicBlockedBloomFilter`] | [`BlockedBloomFilterRef`] |
//! | [`CountingBloomFilter`] | 38.4 | 1.01 % | items that are removed again | no | in [`Saved`] |
//! | [`ScalableBloomFilter`] | 19.4 | 0.62 % | a number of items unknown in advance | no | no |
//! | [`PartitionedBloomFilter`] | 9.6 | 0.98 % | teaching and comparison | no | in [`Saved`] |
//!
//! Bits per item and rates were measured with 100,000 inserted items at a requested rate of 1 %. A
//! measured rate is the share of false positives among a million queries of items that were not
//! inserted. A scalable filter is a series of filters, its *stages*; the measured one started with
//! a stage for 1,000 items, and its last stage was not yet full.
//!
//! All filters take items by reference and never copy them. `contains` returns `false` for
//! *certainly not* and `true` for *perhaps*. All filters are aliases of one type, [`Bloom`], whose
//! page has every method. Code that is generic over filters uses the traits [`Query`] and
//! [`Filter`]. The size of a filter is a [`Shape`] (bits and hashes), a [`BlockedShape`] or a
//! [`ScalableShape`]. The formulas for sizes, rates and estimates are in [`math`], and can be used
//! without a filter.
//!
//! # Sets, estimates and batches
//!
//! Two filters of the same shape and hasher can be combined into the filter of the *union* of their
//! items ([`union_with`](BloomFilter::union_with)), or reduced to the bits set in both
//! ([`intersect_with`](BloomFilter::intersect_with)); if shapes or hashers differ, the error names
//! the difference. A filter stores no items, but its bits give an estimate of the number of its
//! items ([`estimated_items`](BloomFilter::estimated_items)). Two filters give estimates of the
//! sizes of the union and the intersection of their sets
//! ([`estimated_pair`](BloomFilter::estimated_pair)), from which the *Jaccard similarity* follows.
//! Each estimate comes with its standard deviation. If all bits are set, there is no estimate. A
//! scalable filter has no union or intersection, because its stages depend on the order of its
//! items.
//!
//! [`insert_many`](BloomFilter::insert_many) and [`contains_many`](BloomFilter::contains_many) take a
//! slice of items. The result is the same as that of one call of `insert` or `contains` per item. On
//! x86-64, one call with a slice is faster than one call per item if the filter is larger than the
//! processor's caches.
//!
//! ```
//! use bloom_core::BloomFilter;
//!
//! let mut ours = BloomFilter::<u64>::with_rate(10_000, 0.01)?;
//! let mut theirs = BloomFilter::new(ours.shape())?;
//! ours.insert_many(&(0..4_000).collect::<Vec<u64>>());
//! theirs.insert_many(&(3_000..7_000).collect::<Vec<u64>>());
//!
//! // The Jaccard similarity of the two sets is 1/7, because 1,000 of their 7,000 items are common.
//! // The tolerance, 0.012, is more than 6.2 times the standard deviation of the estimate, 0.0019.
//! // If the items were random, this check would fail by chance less than 0.6 times in 10^9 runs.
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
//! The last type parameter of [`Bloom`] says where the bits of a filter are. It changes neither which bits
//! an item sets, nor the bytes of the saved filter, nor the rate.
//!
//! - **Threads.** Many threads can query any filter at once, because queries take `&self`.
//!   [`AtomicBloomFilter`] and [`AtomicBlockedBloomFilter`] can also be *filled* by many threads:
//!   `insert` takes `&self`, and no insert is lost. On 64-bit machines, a filter of one owner is
//!   converted to an atomic filter, and back, without copying its bits. If only one thread inserts,
//!   inserts into a filter of one owner are faster. The example `huge_filter` compares three ways
//!   to fill a filter from all threads.
//! - **Files in place.** [`BloomFilterRef`] and [`BlockedBloomFilterRef`] query a saved filter where
//!   its bytes are, in flash or in a mapped file, without copying it: the example `mapped_blocklist`
//!   opens a filter of a gigabyte in a tenth of a millisecond. With the type parameter [`Saved`], a
//!   filter can own the bytes, or the map of the file. A filter can also be filled in the bytes of
//!   its file: see [`create_file`](Bloom::create_file).
//! - **Your memory.** [`new_in`](Bloom::new_in) makes a filter in an array or a mutable slice that
//!   the caller supplies, and needs no allocator. It is meant for embedded devices (see the example
//!   `embedded` in the repository), huge pages and shared memory.
//!
//! # Guarantees
//!
//! - **No false negatives.** An inserted item is found until the filter is cleared, or intersected
//!   with a filter without the item. A counting filter finds an item until the item is removed, or
//!   until a false positive is removed that shares a counter with the item. A counter at its maximum
//!   is never lowered, because its true count is unknown. If a scalable filter has no room for an
//!   item and may not grow, `insert` returns an error.
//! - **The promised rate.** It is the mean over filters with different seeds or different sets of
//!   items; the rate of a single filter may be higher or lower. Constructors that take a rate use
//!   the exact model of their kind of filter, not the textbook approximation `(1 - e^(-kn/m))^k`. In
//!   a filter of 64 bits or more, the rate is as if the positions of the bits were independent
//!   random numbers, provided that the hashes are as random as their [quality](HashQuality)
//!   promises. Those of the default hasher are.
//! - **No panics**, whatever the arguments; errors name the parameter, the rule and the value.
//! - **No allocator** is needed without the feature `alloc`. Without this feature, the crate still
//!   has filters whose bits are in memory of the caller or in the bytes of a file, and it has shapes,
//!   the default hasher and estimates.
//!
//! # Hashers, seeds and adversaries
//!
//! The default hasher, [`FixedState`], gives the same hashes on every machine and in every run, so filters can
//! be stored, sent and united. The price is that an attacker who chooses the items can search offline for items
//! that set bits of the attacker's choice. Such items cause no false negatives, but they drive up the
//! false-positive rate: in a filter of m bits and k hashes, about m/k well-chosen inserts set every bit, and the
//! attacker can find queries that are false positives. (A [`ScalableBloomFilter`] grows instead, and keeps its
//! rate for queries that the attacker did not choose.) Another seed ([`FixedState::with_seed`]) changes which
//! items are false positives, but does not protect against attackers: the hash is fast, not cryptographic.
//!
//! If items come from untrusted sources, use a hasher that is designed to resist attackers, with a
//! random key, through `with_hasher` or `with_rate_and_hasher`. `std::hash::RandomState` (SipHash)
//! is enough for a filter that lives only as long as its process. The key of a `RandomState` can be
//! neither read nor saved, so no other process can load a filter with this hasher. To save filters,
//! or unite those of several processes, keep your own secret key and build the hashers from this
//! key. This example does so with the crate `siphasher`:
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
//! // Take the key from the system's random number generator once, and store it as a secret.
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
//! Two filters can be united or compared only if their hashers give the same hashes for four fixed
//! integers. A saved filter contains these four hashes, and is loaded only with a hasher that gives
//! them.
//!
//! # Files
//!
//! Every filter is saved by `to_bytes`, or, without a copy of the whole filter in memory, by
//! `write_bytes`. It is loaded by `from_bytes` or `read_from`, on any machine; bytes that are not a
//! complete and valid filter are refused. The module [`persist`] describes the layout byte by byte.

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
