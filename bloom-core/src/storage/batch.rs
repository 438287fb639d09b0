//! Many hashes in a row, so that the memory of each can be asked for before it is needed.
//!
//! In a filter beyond the caches a query waits for memory most of its time. Where the lines of a whole
//! group of hashes are fetched first, the waits overlap: the processor has a dozen or more of them under way
//! at once, where single queries leave it with one or two.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::mem::take;

use super::cache::{LINE_BYTES, PREFETCHES, prefetch_at};

/// Hashes of several lines each in a group: the lines of a group have to stay in the first-level cache.
const GROUP: usize = 32;

/// Hashes that are inserted at once where they come one by one.
const PENDING: usize = 512;

/// Items that are hashed together.
const HASHED_TOGETHER: usize = 8;

/// A sequence of hashes, taken one by one or in groups.
pub(crate) trait Hashes {
    /// Returns those that are left.
    fn one_by_one(self) -> impl Iterator<Item = u64>;

    /// Fills `group` with the next, and returns how many they are: 0 after the last.
    fn next_group(&mut self, group: &mut [u64]) -> usize;
}

/// Returns the hashes of items in a row.
#[inline]
pub(crate) fn hashes_of<Q>(items: &[Q], hash: impl Fn(&Q) -> u64) -> impl Hashes {
    HashesOf { items, hash }
}

/// Returns hashes that the caller made.
#[inline]
pub(crate) fn prehashed(hashes: &[u64]) -> impl Hashes {
    Prehashed(hashes)
}

/// Hashes in a row, which are copied: the processor fetches a copy's source by itself.
struct Prehashed<'hashes>(&'hashes [u64]);

#[allow(clippy::inline_always)]
impl Hashes for Prehashed<'_> {
    #[inline(always)]
    fn one_by_one(self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }

    #[inline(always)]
    fn next_group(&mut self, group: &mut [u64]) -> usize {
        let (now, later) = self.0.split_at(self.0.len().min(group.len()));
        group[..now.len()].copy_from_slice(now);
        self.0 = later;
        now.len()
    }
}

struct HashesOf<'items, Q, H> {
    items: &'items [Q],
    hash: H,
}

// Always inlined, and what calls it, so that it is compiled with the instructions of the kernel.
#[allow(clippy::inline_always)]
impl<Q, H: Fn(&Q) -> u64> Hashes for HashesOf<'_, Q, H> {
    #[inline(always)]
    fn one_by_one(self) -> impl Iterator<Item = u64> {
        self.items.iter().map(self.hash)
    }

    #[inline(always)]
    fn next_group(&mut self, group: &mut [u64]) -> usize {
        let ahead = group.len();
        let (now, later) = self.items.split_at(self.items.len().min(ahead));
        self.items = later;
        let (chunks, rest) = now.as_chunks::<HASHED_TOGETHER>();
        let (hashes, _) = group.as_chunks_mut::<HASHED_TOGETHER>();
        for (hashes, items) in hashes.iter_mut().zip(chunks) {
            // The items of the next group are a group on. The processor fetches what comes in a row by
            // itself, but not always beside the lines of a filter.
            prefetch_items(items.as_ptr().wrapping_add(ahead));
            for (hash, item) in hashes.iter_mut().zip(items) {
                *hash = scalar((self.hash)(item));
            }
        }
        for (hash, item) in group[HASHED_TOGETHER * chunks.len()..].iter_mut().zip(rest) {
            *hash = (self.hash)(item);
        }
        now.len()
    }
}

/// Prefetches [`HASHED_TOGETHER`] items from this address on, of large ones their first lines; there need
/// not be any.
#[inline]
fn prefetch_items<Q>(address: *const Q) {
    let lines = (HASHED_TOGETHER * size_of::<Q>())
        .div_ceil(LINE_BYTES)
        .min(4);
    for line in 0..lines {
        prefetch_at(address.cast::<u8>().wrapping_add(line * LINE_BYTES));
    }
}

/// Returns a hash, made by scalar code: an optimization barrier.
///
/// Without it the compiler hashes several items in one vector, takes each out for its multiplication and puts
/// it back, which takes longer.
#[allow(clippy::inline_always)]
#[inline(always)]
fn scalar(hash: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri), not(bloom_vectors = "none")))]
    // SAFETY: the assembly is a comment.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) hash, options(nomem, nostack, preserves_flags));
    }
    hash
}

/// Calls `query` for every hash in order. If memory is `far`, first calls `fetch` for each hash of a group.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn in_groups<C>(
    far: bool,
    context: &mut C,
    mut hashes: impl Hashes,
    fetch: impl Fn(&C, u64),
    mut query: impl FnMut(&mut C, u64),
) {
    if !far || !PREFETCHES {
        hashes.one_by_one().for_each(|hash| query(context, hash));
        return;
    }
    let mut group = [0; GROUP];
    loop {
        let count = hashes.next_group(&mut group);
        if count == 0 {
            return;
        }
        let group = &group[..count];
        for hash in group {
            fetch(context, *hash);
        }
        for hash in group {
            query(context, *hash);
        }
    }
}

/// Hashes on their way into a filter, some at a time. Those that are left go in when it is dropped, so
/// that none is lost even if what yields the items panics.
pub(crate) struct Pending<I: FnMut(&[u64])> {
    insert: I,
    hashes: [u64; PENDING],
    count: usize,
}

impl<I: FnMut(&[u64])> Pending<I> {
    /// Starts with none; `insert` inserts those that it is given.
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
        // None is left even if the insert panics: what is dropped then does not insert them again.
        let count = take(&mut self.count);
        (self.insert)(&self.hashes[..count]);
    }
}

impl<I: FnMut(&[u64])> Drop for Pending<I> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Makes `answers` as long as there are questions, all `false`.
#[inline]
pub(crate) fn reset_answers(count: usize, answers: &mut Vec<bool>) -> &mut [bool] {
    answers.clear();
    answers.resize(count, false);
    answers
}

/// Returns a function that stores one answer after the other.
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

    fn come_in_turn<Q>(items: &[Q], hash: impl Fn(&Q) -> u64 + Copy) {
        let all: Vec<u64> = items.iter().map(hash).collect();
        check_turn(&all, || hashes_of(items, hash));
        check_turn(&all, || prehashed(&all));
    }

    /// Every hash comes once and in turn, by groups, one by one, and one by one after a group.
    fn check_turn<H: Hashes>(all: &[u64], hashes_of: impl Fn() -> H) {
        assert!(hashes_of().one_by_one().eq(all.iter().copied()));
        for size in [1, 7, 8, 9, 32, 128] {
            let (mut hashes, mut group) = (hashes_of(), [!0; 128]);
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
            assert!(group[size..].iter().all(|place| *place == !0));
        }
    }

    #[test]
    fn groups_are_the_hashes_in_turn() {
        for count in (0..40).chain([127, 128, 129, 300]) {
            let words: Vec<u64> = (0..count).map(mix).collect();
            come_in_turn(&words, |word| *word);
            let large: Vec<[u64; 40]> = words.iter().map(|word| [*word; 40]).collect();
            come_in_turn(&large, |item| item[39]);
            let bytes: Vec<u8> = (0..count).map(|index| index as u8).collect();
            come_in_turn(&bytes, |byte| mix(u64::from(*byte)));
            let nothing: Vec<()> = (0..count).map(|_| ()).collect();
            come_in_turn(&nothing, |()| 5);
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
