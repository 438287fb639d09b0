//! The textbook Bloom filter: an item sets k bits anywhere among the m bits of the filter.

use crate::cell_table::CellKind;
use crate::filter::Bloom;
use crate::hash::FixedState;
use crate::kind::Basic;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::memory::Shared;
use crate::memory::{Owned, Saved};
use crate::persist::kind::FilterKind;
use crate::storage::Anywhere;

/// A set that stores only a few bits per item.
///
/// [`contains`](Bloom::contains) returns `true` for every inserted item. It also returns `true` for
/// an item that was never inserted, with a small probability, the false-positive rate. `false`
/// means that the item was never inserted. Items cannot be removed.
///
/// The filter has an item type but stores no items: `BloomFilter<str>` takes `&str`,
/// `BloomFilter<[u8]>` takes `&[u8]`, `BloomFilter<u64>` takes `&u64`, and a call with an item of
/// another type does not compile.
///
/// # The rate
///
/// For a shape of 64 bits or more, the mean false-positive rate over filters with different seeds or sets of items
/// differs from the rate of the [exact model](crate::math::exact) by at most 1 % of that rate. The rate of a *single*
/// filter scatters around the mean ([`math::spread`](crate::math::spread()) computes how far).
/// [`false_positive_rate`](Bloom::false_positive_rate) computes the rate of a single filter from its bits.
///
/// # Memory
///
/// The filter takes m bits, rounded up to a multiple of 8 bytes. If the allocator refuses the
/// memory, the constructor returns an error; a system that overcommits memory may still stop the
/// process later. If the allocator refuses the memory for a copy, `clone` aborts the process, as
/// that of `Vec` does, but [`to_plain`](Bloom::to_plain) returns an error. The bits may also be in
/// memory of the caller, be shared by threads or lie in the bytes of a file: see [`Bloom`].
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.001)?;
/// filter.extend(["ant", "bee"]);
/// assert!(filter.contains("ant"));
/// assert!(!filter.contains("cat"));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
///
/// An item of another type does not compile:
///
/// ```compile_fail
/// # use bloom_core::BloomFilter;
/// let mut filter = BloomFilter::<u64>::with_rate(1_000, 0.001).unwrap();
/// filter.insert(&7_u32);
/// ```
pub type BloomFilter<T, S = FixedState, B = Owned> = Bloom<Basic, T, S, B>;

/// A saved [`BloomFilter`], queried in place: in flash, in a mapped file, in shared memory.
///
/// Nothing is copied or allocated, and opening reads only the header and the last 16 bytes, whatever the size of the
/// filter. Its answers are exactly those of the filter that was saved. For a filter that owns its bytes or its map of
/// a file, use [`Saved`] with the type of the owner: `BloomFilter<str, FixedState, Saved<Mmap>>`.
///
/// # What is checked, and when
///
/// [`open`](Bloom::open) checks the header, the sizes and the hasher, so that every query reads within the bytes and at
/// the positions of its item. The header has a checksum of its own, which `open` verifies. `open` does *not* read the
/// whole file, so it does not detect damage to the bits, which changes answers.
/// [`verify_checksum`](Bloom::verify_checksum) reads all bytes and detects such damage;
/// [`open_verified`](Bloom::open_verified) does the work of both methods. The checksums detect accidental damage, but
/// not deliberate changes. The type of the items is not stored, so it is not checked. [Loading](crate::persist) a
/// filter does not detect deliberate changes or another item type, either.
///
/// The bytes must not change while they are borrowed: map only a file to which nobody writes. To replace a mapped
/// file, write a new file and rename it over the old one. If a mapped file is shortened, the next query that reads
/// one of the missing pages kills the process (SIGBUS on Unix).
///
/// # Alignment and byte order
///
/// The bytes may have any alignment, on a machine of either byte order: words are read as little-endian bytes. This
/// takes no extra instruction on processors that load words at any address (x86, 64-bit ARM); on other processors, and
/// on big-endian machines, it takes a few instructions per word. If the first byte of the file is at the start of a
/// cache line, as in a mapped file, queries are as fast as in a filter on the heap. At other addresses, each block of a
/// [`BlockedBloomFilterRef`](crate::BlockedBloomFilterRef) lies on two cache lines, and queries take longer. In a
/// filter that was in cache, a query took 2.2 ns instead of 2.1. In a filter of 20 million items, which was not in
/// cache, a query took 12.6 ns instead of 9.5, and a query in a batch took 10.3 ns instead of 6.4. (Measured on an
/// Intel processor with AMX; prefetching both lines gained nothing.)
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, BloomFilterRef};
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let file = filter.to_bytes()?; // or a mapped file: see the example `mapped_blocklist`
///
/// let saved = BloomFilterRef::<str>::open(&file[..])?;
/// assert!(saved.contains("ant"));
/// saved.verify_checksum()?; // reads the whole file
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type BloomFilterRef<'a, T, S = FixedState> = BloomFilter<T, S, Saved<&'a [u8]>>;

/// A [`BloomFilter`] that threads share: inserts take `&self`.
///
/// It sets the same bits as a plain filter, a [`BloomFilter`] with one owner, so it has the same rate.
/// [`into_shared`](Bloom::into_shared) converts a plain filter to a shared one, on 64-bit machines for free;
/// [`into_plain`](Bloom::into_plain) converts the shared filter back. A shared filter cannot be loaded from bytes or
/// intersected; load or intersect a plain filter, and convert it.
///
/// # What threads may rely on
///
/// - **No insert is lost**, whatever other threads do at the same time.
/// - **An item is found once its insert *happens before* the query**: if the thread of the query made the
///   insert, or if another thread made it and the two have synchronized since, by a join, a lock, a channel, or
///   an atomic with release and acquire. A query that runs during the insert may return either answer.
/// - **[`insert`](Bloom::insert) returns `true`** if the inserting thread found a bit of the item clear. The item was
///   then certainly not in the filter before. If several threads insert the same new item at once, one or more of them
///   get `true`. If other items have already set all bits of the item, all of the threads get `false`, as an insert
///   into a plain filter would.
/// - **Nothing else is ordered.** All operations on bits are [relaxed]: finding an item does not prove that
///   earlier writes of the thread that inserted it are visible (and the item may be a false positive).
///
/// Methods such as [`fill`](Bloom::fill) count every bit that was set before the call, and perhaps some bits that are
/// set during the call.
///
/// # Speed
///
/// A query takes as long as in a plain filter. An insert queries first, and writes nothing if the item is found.
/// Otherwise it takes one atomic read-modify-write of several nanoseconds for each bit of the item. (On nearly all
/// x86-64 processors, an insert into a blocked filter sets two bits with one read-modify-write: see
/// [`AtomicBlockedBloomFilter`](crate::AtomicBlockedBloomFilter).) Threads that insert into the same filter slow each
/// other down only where they write the same cache line. If one thread fills a filter that fits in the cache, and other
/// threads only query it afterwards, use a plain filter in an `Arc`: inserts into it are faster.
///
/// Available where `target_has_atomic = "64"`.
///
/// [relaxed]: core::sync::atomic::Ordering::Relaxed
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
/// use std::thread;
///
/// let seen = BloomFilter::<u64>::with_rate(40_000, 0.01)?.into_shared();
/// thread::scope(|scope| {
///     for worker in 0..4 {
///         let seen = &seen;
///         scope.spawn(move || (0..10_000).for_each(|item| _ = seen.insert(&(worker * 10_000 + item))));
///     }
/// });
/// assert!((0..40_000).all(|item| seen.contains(&item)));
///
/// let plain = seen.into_plain(); // the same bits, not copied
/// let bytes = plain.to_bytes()?;
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub type AtomicBloomFilter<T, S = FixedState> = BloomFilter<T, S, Shared>;

impl CellKind for Basic {
    const KIND: FilterKind = FilterKind::Basic;
    const WIDTH: u8 = 1;

    type Layout = Anywhere;
}
