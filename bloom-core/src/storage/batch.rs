//! Reads the hashes of a batch, a call for many items, in groups, so that the cache lines of a
//! whole group can be prefetched before they are needed.
//!
//! A query of a filter that is larger than the caches spends most of its time waiting for memory.
//! If the lines of a whole group of hashes are prefetched first, the cache misses overlap: a dozen
//! or more misses are in flight at the same time, but only one or two with single queries.

use core::mem::take;

use super::cache::{LINE_BYTES, prefetch_at};
use super::opaque::scalar;
use crate::probe::Mixed;
use crate::quality::HashQuality;

/// The number of hashes in a group: few enough for their lines to stay in the second-level cache,
/// into which the lines are prefetched, and enough to have many lines in flight at once.
pub(super) const GROUP: usize = 64;

/// The number of hashes that [`Pending`] collects before it inserts them as a batch.
const PENDING: usize = 512;

/// The number of items that are hashed between two calls of [`prefetch_items`].
const HASHED_TOGETHER: usize = 8;

/// A sequence of hashes, read one by one or in groups.
pub trait Hashes {
    /// Returns the remaining hashes.
    fn one_by_one(self) -> impl Iterator<Item = Mixed>;

    /// Writes the next hashes to `group` and returns their number: 0 after the last.
    fn next_group(&mut self, group: &mut [Mixed]) -> usize;
}

/// Returns the hashes of a slice of items.
#[inline]
pub(crate) fn hashes_of<Q>(items: &[Q], hash: impl Fn(&Q) -> Mixed) -> impl Hashes {
    HashesOf { items, hash }
}

/// Returns hashes that the caller has computed, with the quality that the caller promises.
#[inline]
pub(crate) fn prehashed(hashes: &[u64], quality: HashQuality) -> impl Hashes {
    hashes_of(hashes, move |hash| Mixed::new(*hash, quality))
}

struct HashesOf<'items, Q, H> {
    items: &'items [Q],
    hash: H,
}

// The functions are inlined, as their callers are, so that they are compiled for the same
// instructions (such as AVX2) as the function that tests or sets the bits.
#[allow(clippy::inline_always)]
impl<Q, H: Fn(&Q) -> Mixed> Hashes for HashesOf<'_, Q, H> {
    #[inline(always)]
    fn one_by_one(self) -> impl Iterator<Item = Mixed> {
        self.items.iter().map(self.hash)
    }

    #[inline(always)]
    fn next_group(&mut self, group: &mut [Mixed]) -> usize {
        let ahead = group.len();
        let (now, later) = self.items.split_at(self.items.len().min(ahead));
        self.items = later;
        let (chunks, rest) = now.as_chunks::<HASHED_TOGETHER>();
        let (hashes, _) = group.as_chunks_mut::<HASHED_TOGETHER>();
        for (hashes, items) in hashes.iter_mut().zip(chunks) {
            // Prefetches the items of the next group. The processor prefetches sequential memory by itself, but not
            // reliably while it also fetches the lines of a filter.
            prefetch_items(items.as_ptr().wrapping_add(ahead));
            for (hash, item) in hashes.iter_mut().zip(items) {
                *hash = (self.hash)(item);
                scalar(hash.hash);
            }
        }
        for (hash, item) in group[HASHED_TOGETHER * chunks.len()..].iter_mut().zip(rest) {
            *hash = (self.hash)(item);
        }
        now.len()
    }
}

/// Prefetches the [`HASHED_TOGETHER`] items from this address on, but at most four cache lines. The
/// address may be past the last item.
#[inline]
fn prefetch_items<Q>(address: *const Q) {
    let lines = (HASHED_TOGETHER * size_of::<Q>())
        .div_ceil(LINE_BYTES)
        .min(4);
    for line in 0..lines {
        prefetch_at(address.cast::<u8>().wrapping_add(line * LINE_BYTES));
    }
}

/// Calls `query` for one group of hashes after the other, in order.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn in_groups(mut hashes: impl Hashes, mut query: impl FnMut(&[Mixed])) {
    let mut group = [Mixed::default(); GROUP];
    loop {
        let count = hashes.next_group(&mut group);
        if count == 0 {
            return;
        }
        query(&group[..count]);
    }
}

/// A buffer of hashes that are inserted as batches. Dropping the buffer inserts the hashes that are
/// still in it, so that none is lost even if the iterator of the items panics.
pub(crate) struct Pending<I: FnMut(&[u64])> {
    insert: I,
    hashes: [u64; PENDING],
    count: usize,
}

impl<I: FnMut(&[u64])> Pending<I> {
    /// Creates an empty buffer; `insert` inserts a batch.
    #[inline]
    pub(crate) fn new(insert: I) -> Self {
        Self {
            insert,
            hashes: [0; PENDING],
            count: 0,
        }
    }

    /// Adds a hash.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        if self.count == self.hashes.len() {
            self.flush();
        }
        self.hashes[self.count] = hash;
        self.count += 1;
    }

    fn flush(&mut self) {
        // The buffer is emptied first, so that the drop does not insert the hashes again if
        // `insert` panics.
        let count = take(&mut self.count);
        (self.insert)(&self.hashes[..count]);
    }
}

impl<I: FnMut(&[u64])> Drop for Pending<I> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Returns a function that stores its argument in `answers`: at the first call in the first place,
/// and at each later call in the next.
#[inline]
pub(crate) fn in_order(answers: &mut [bool]) -> impl FnMut(bool) + '_ {
    let mut places = answers.iter_mut();
    move |answer| *places.next().expect("one place for each answer") = answer
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::probe::mix;
    use crate::storage::testing::any;

    fn check_both<Q>(items: &[Q], hash: impl Fn(&Q) -> u64 + Copy) {
        let all: Vec<u64> = items.iter().map(hash).collect();
        let mixed: Vec<Mixed> = all.iter().map(|hash| any(*hash)).collect();
        check_order(&mixed, || hashes_of(items, |item| any(hash(item))));
        check_order(&mixed, || prehashed(&all, HashQuality::Any));
    }

    /// Checks that every hash is read once and in order: in groups, one by one, and one by one
    /// after a group.
    fn check_order<H: Hashes>(all: &[Mixed], hashes_of: impl Fn() -> H) {
        assert!(hashes_of().one_by_one().eq(all.iter().copied()));
        for size in [1, 7, 8, 9, 32, 128] {
            let (mut hashes, mut group) = (hashes_of(), [any(!0); 128]);
            let mut found = Vec::new();
            loop {
                let count = hashes.next_group(&mut group[..size]);
                assert!(count <= size);
                if count == 0 {
                    break;
                }
                found.extend_from_slice(&group[..count]);
            }
            assert_eq!(found, all, "{} items by {size}", all.len());
            assert_eq!(hashes.one_by_one().next(), None);
            let mut hashes = hashes_of();
            let first = hashes.next_group(&mut group[..size]);
            assert!(hashes.one_by_one().eq(all[first..].iter().copied()));
            assert!(group[size..].iter().all(|place| *place == any(!0)));
        }
    }

    #[test]
    fn groups_yield_every_hash_in_order() {
        for count in (0..40).chain([127, 128, 129, 300]) {
            let words: Vec<u64> = (0..count).map(mix).collect();
            check_both(&words, |word| *word);
            let large: Vec<[u64; 40]> = words.iter().map(|word| [*word; 40]).collect();
            check_both(&large, |item| item[39]);
            let bytes: Vec<u8> = (0..count).map(|index| index as u8).collect();
            check_both(&bytes, |byte| mix(u64::from(*byte)));
            let nothing: Vec<()> = (0..count).map(|_| ()).collect();
            check_both(&nothing, |()| 5);
        }
    }

    #[test]
    fn pending_hashes_are_inserted_once_and_in_order() {
        for count in [0, 1, 511, 512, 513, 1_023, 1_024, 1_025] {
            let mut inserted = Vec::new();
            let mut pending = Pending::new(|hashes: &[u64]| inserted.extend_from_slice(hashes));
            (0..count).for_each(|hash| pending.push(hash));
            drop(pending);
            assert!(inserted.into_iter().eq(0..count), "{count} hashes");
        }
    }
}
