//! Many hashes in a row, so that the memory of each can be asked for before it is needed.
//!
//! In a filter beyond the caches a query waits for memory most of its time. Where the lines of a
//! whole group are asked for first, the waits overlap.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::ptr::from_ref;

use super::hashes::Hashes;

/// A filter of up to so many bytes is taken to stay in the caches.
pub(crate) const CACHED_BYTES: u64 = 8 << 20;

/// How many hashes of several lines each are on their way at once: measured, as the lines of a
/// group have to stay in the first cache.
const GROUP: usize = 32;

/// Whether [`fetch`] is more than nothing.
const FETCHES: bool = cfg!(target_arch = "x86_64");

/// Calls `ask` for every hash in turn and, where memory is `far`, for each group of them `touch`
/// before.
#[inline]
pub(crate) fn in_groups<C>(
    far: bool,
    context: &mut C,
    hashes: impl Hashes,
    touch: impl Fn(&C, u64),
    mut ask: impl FnMut(&mut C, u64),
) {
    if !far || !FETCHES {
        hashes.one_by_one().for_each(|hash| ask(context, hash));
        return;
    }
    let (mut hashes, mut group) = (hashes, [0; GROUP]);
    while let Some(count) = hashes.next_group(&mut group) {
        let group = &group[..count];
        for hash in group {
            touch(context, *hash);
        }
        for hash in group {
            ask(context, *hash);
        }
    }
}

/// Hashes on their way into a filter, some at a time. Those that are left go in when it is dropped, so
/// that none is lost even if what yields the items panics.
pub(crate) struct Pending<I: FnMut(&[u64])> {
    insert: I,
    hashes: [u64; 512],
    count: usize,
}

impl<I: FnMut(&[u64])> Pending<I> {
    /// Starts with none; `insert` inserts those that it is given.
    #[inline]
    pub(crate) fn new(insert: I) -> Self {
        Self {
            insert,
            hashes: [0; 512],
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
        (self.insert)(&self.hashes[..self.count]);
        self.count = 0;
    }
}

impl<I: FnMut(&[u64])> Drop for Pending<I> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Asks for the cache line of a value to be fetched; without effect where there is no such hint.
#[inline]
pub(super) fn fetch<T>(value: &T) {
    fetch_at(from_ref(value).cast());
}

/// [`fetch`] of an address, where there need not be anything.
#[inline]
pub(super) fn fetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint that reads nothing, and of SSE, which every x86-64 has.
        #[allow(unused_unsafe)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Makes `answers` as long as there are questions.
#[inline]
pub(crate) fn places_for(count: usize, answers: &mut Vec<bool>) -> &mut [bool] {
    answers.clear();
    answers.resize(count, false);
    answers
}

/// Makes `answers` as long as there are questions, and returns what takes one answer after the
/// other.
#[inline]
pub(crate) fn answers_to(count: usize, answers: &mut Vec<bool>) -> impl FnMut(bool) + '_ {
    let mut places = places_for(count, answers).iter_mut();
    move |answer| *places.next().expect("one place for each answer") = answer
}
