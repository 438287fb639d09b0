//! The textbook Bloom filter: k bits per item, anywhere among m.

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
/// [`contains`](Bloom::contains) returns `true` for every inserted item, and for other items at the
/// false-positive rate; `false` means that the item was never inserted. Items cannot be removed.
///
/// The filter has an item type but stores no items: `BloomFilter<str>` takes `&str`,
/// `BloomFilter<[u8]>` takes `&[u8]`, `BloomFilter<u64>` takes `&u64`, and items of another type do
/// not compile.
///
/// # The rate
///
/// For a shape of 64 bits or more, the mean rate over filters (over seeds, or over sets of items)
/// is within 1 % of the [exact model](crate::math::exact). The rate of a *single* filter scatters around
/// the mean ([`math::spread`](crate::math::spread())); [`false_positive_rate`](Bloom::false_positive_rate) computes it from
/// the bits of the filter.
///
/// # Memory
///
/// The filter takes m bits, rounded up to a multiple of 8 bytes. If the allocator refuses the
/// memory, the constructor returns an error; a system that overcommits memory may still stop the
/// process later. [`Clone`] aborts on refusal, as `Vec` does; [`to_plain`](Bloom::to_plain) returns
/// an error. The bits may also be in memory of the caller, be shared by threads or lie in the bytes
/// of a file: see [`Bloom`].
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
/// A key of another type does not compile:
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
/// filter. Its answers are exactly those of the filter that was saved. To own the bytes, such as a map of a file, use
/// [`Saved`] with another type: `BloomFilter<str, FixedState, Saved<Mmap>>`.
///
/// # What is checked, and when
///
/// [`open`](Bloom::open) checks the header, the sizes and the hasher, so that every query reads within the bytes and at
/// the right places. The header has a checksum of its own. `open` does *not* read the whole file: damaged bits change
/// answers, and only [`verify_checksum`](Bloom::verify_checksum), which reads all bytes, detects them;
/// [`open_verified`](Bloom::open_verified) checks the header and all bytes. As on [loading](crate::persist), the
/// checksums detect damage but not deliberate changes, and the type of the items is not stored.
///
/// The bytes must not change while they are borrowed: map a file that nobody writes. To replace the file, write a new
/// one and rename it over the old: if a mapped file becomes shorter, the next query of the missing pages kills the
/// process (SIGBUS on Unix).
///
/// # Alignment and byte order
///
/// The bytes may have any alignment, on a machine of either byte order: words are read as little-endian bytes. This
/// takes no extra instruction on processors that load words at any address (x86, 64-bit ARM); elsewhere, and on
/// big-endian machines, it takes a few per word. If a file starts on a cache line, as in a mapping, its words start on a
/// cache line, and it is queried as fast as the filter in memory. At another address the blocks of a
/// [`BlockedBloomFilterRef`](crate::BlockedBloomFilterRef) lie on two lines each, and queries take longer. In cache, a
/// query took 2.2 ns instead of 2.1. In memory, with 20 million items, it took 12.6 ns instead of 9.5, and a query in a
/// batch took 10.3 ns instead of 6.4 (Intel with AMX; prefetching both lines gained nothing).
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, BloomFilterRef};
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let file = filter.to_bytes()?; // or mapped: see the example `mapped_blocklist`
///
/// let saved = BloomFilterRef::<str>::open(&file[..])?;
/// assert!(saved.contains("ant"));
/// saved.verify_checksum()?; // reads all of it, when there is time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type BloomFilterRef<'a, T, S = FixedState> = BloomFilter<T, S, Saved<&'a [u8]>>;

/// A [`BloomFilter`] that threads share: inserts take `&self`.
///
/// It sets the same bits as a plain filter, so it has the same rate. [`into_shared`](Bloom::into_shared) converts a plain
/// filter to a shared one, on 64-bit machines for free; [`into_plain`](Bloom::into_plain) converts the shared filter back.
/// Only plain filters can be loaded or intersected.
///
/// # What threads may rely on
///
/// - **No insert is lost**, whatever other threads do at the same time.
/// - **An item is found once its insert *happens before* the query**: after the insert in the same thread, and
///   in another thread that learned of the insert by joining the thread, by a lock, a channel or an atomic with
///   release and acquire. A query at the same time as the insert may return either answer.
/// - **[`insert`](Bloom::insert) returns `true`** to a thread that found a bit of the item clear. Then the item is certainly
///   new. If several threads insert the same new item at once, at least one of them gets `true`, and perhaps several
///   do. As in the plain filter, all of them get `false` if other items have set all bits of the item.
/// - **Nothing else is ordered.** All operations on bits are [relaxed]: finding an item does not prove that
///   earlier writes of the thread that inserted it are visible (and the item may be a false positive).
///
/// Methods such as [`fill`](Bloom::fill) count every bit that was set before the call, and perhaps bits that are set during it.
///
/// # Speed
///
/// A query costs what it costs in the plain filter. An insert queries first, and writes nothing if the item is found.
/// Otherwise it costs an atomic read-modify-write of several nanoseconds for each bit of the item, or, in a blocked filter
/// on x86-64, for each pair of bits. Threads that insert into the same filter slow each other down only where they write the
/// same cache line. If one thread fills a filter in cache before others query it, a plain filter in an `Arc` is faster.
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
