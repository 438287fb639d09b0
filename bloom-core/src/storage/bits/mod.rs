//! The bit array of a filter, and the dispatch to the kernel that sets and tests its bits.
#![allow(unsafe_code)]

mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
mod avx512;
/// A stand-in that is never called: on this architecture no value of its token exists.
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
)))]
mod avx512 {
    use super::{BitsView, Gather, Mixed, Word};

    pub(super) const MOST_PROBES: u8 = 16;

    pub(super) fn contains<W: Word>(gather: Gather, _: BitsView<'_, W>, _: Mixed, _: u8) -> bool {
        match gather {}
    }
}
mod portable;
#[cfg(all(test, feature = "alloc"))]
mod tests;
mod view;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
mod shared;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use shared::AtomicBits;

use super::batch::{Hashes, in_groups};
use super::cache::{CACHED_BYTES, PREFETCHES, prefetch};
use super::cpu::{Cpu, Gather};
#[cfg(feature = "alloc")]
use super::memory::cleared;
use super::words::{OwnedWords, Store, StoreMut, Word};
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::probe::{Mixed, Positions};
use view::{BitsMut, BitsView, WORD, is_far};

// The gathering kernel multiplies by a 32-bit count. That suffices, as it serves only filters in cache.
const _: () = assert!(CACHED_BYTES * 8 < 1 << 32);

/// A fixed number of bits. The unused bits of the last word are always clear.
#[derive(Debug, Clone)]
pub struct Bits<S = OwnedWords> {
    /// At least `count.div_ceil(64)` words, so that every position below `count` has its word; no others are used.
    words: S,
    /// At least 1.
    count: u64,
    cpu: Cpu,
    /// Present if single queries gather: if the machine gathers fast and the bits are in cache. Out of cache, a query
    /// that misses should fetch two lines, not all.
    gather: Option<Gather>,
}

impl<S: Store<Item: Word>> PartialEq for Bits<S> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl<S: Store<Item: Word>> Eq for Bits<S> {}

/// Returns the number of words of this many bits.
pub(crate) fn words_of(count: u64) -> u64 {
    count.div_ceil(WORD)
}

#[cfg(feature = "alloc")]
impl Bits {
    /// Creates `bits` clear bits, or returns an error if the allocator refuses the memory.
    pub(crate) fn new(bits: u64) -> Result<Self, MemoryError> {
        assert!(bits > 0, "a shape has bits");
        let words = cleared(words_of(bits)).ok_or(MemoryError { bits })?;
        Ok(Self::of(words, bits))
    }

    /// Copies bits from any storage, or returns an error if the allocator refuses the memory.
    pub(crate) fn copy_of<O: Store<Item: Word>>(other: &Bits<O>) -> Result<Self, MemoryError> {
        let mut copy = Self::new(other.count)?;
        for (to, from) in copy.words_mut().iter_mut().zip(other.iter()) {
            *to = from;
        }
        Ok(copy)
    }
}

impl<S: StoreMut + Store<Item = u64>> Bits<S> {
    /// Returns the words: bit i is bit i mod 64 of word i / 64.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words.get()[..words_of(self.count) as usize]
    }

    /// Returns the words for writing. The unused bits of the last word have to stay clear.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        let count = words_of(self.count) as usize;
        &mut self.words.get_mut()[..count]
    }

    /// Returns the words as they are stored.
    pub(crate) fn into_store(self) -> S {
        self.words
    }

    #[inline]
    fn view_mut(&mut self) -> BitsMut<'_> {
        // SAFETY: as in `view`.
        unsafe { BitsMut::new(self.words.get_mut(), self.count) }
    }

    /// Sets the bit at `position` and returns whether it was clear.
    #[inline]
    pub(crate) fn set(&mut self, position: u64) -> bool {
        let word = &mut self.words_mut()[(position / WORD) as usize];
        let mask = 1 << (position % WORD);
        let was_clear = *word & mask == 0;
        *word |= mask;
        was_clear
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: Mixed, k: u8) -> bool {
        match self.cpu.or_compiled_for().avx2() {
            Some(avx2) => avx2::insert(avx2, self.view_mut(), hash, k),
            None => insert_portably(self.view_mut(), hash, k),
        }
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes, k: u8) -> u64 {
        let mut new = 0;
        in_groups(
            self.is_far(),
            self,
            hashes,
            |bits, hash| bits.prefetch(hash, k),
            |bits, hash| new += u64::from(bits.insert(hash, k)),
        );
        new
    }

    /// [`insert`](Self::insert) that returns how many bits were clear.
    pub(crate) fn insert_counted(&mut self, hash: Mixed, k: u8) -> u64 {
        let positions = Positions::new(hash, self.count, k);
        positions
            .map(|position| u64::from(self.set(position)))
            .sum()
    }

    /// Returns how many positions of a hash are clear. An insert sets as many bits, or fewer if two positions
    /// coincide.
    pub(crate) fn clear_positions(&self, hash: Mixed, k: u8) -> u64 {
        let positions = Positions::new(hash, self.count, k);
        positions
            .map(|position| u64::from(!self.get(position)))
            .sum()
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Sets every bit that is set in `other`, of the same length.
    pub(crate) fn union_with<O: Store<Item: Word>>(&mut self, other: &Bits<O>) {
        self.combine(other, |word, other| word | other);
    }

    /// Clears every bit that is clear in `other`, of the same length.
    pub(crate) fn intersect_with<O: Store<Item: Word>>(&mut self, other: &Bits<O>) {
        self.combine(other, |word, other| word & other);
    }

    #[inline]
    fn combine<O: Store<Item: Word>>(
        &mut self,
        other: &Bits<O>,
        combine: impl Fn(u64, u64) -> u64,
    ) {
        self.cpu.run(|| {
            for (word, other) in self.words_mut().iter_mut().zip(other.stored()) {
                *word = combine(*word, other.load());
            }
        });
    }
}

impl<S: Store<Item: Word>> Bits<S> {
    /// Wraps the first `count` bits, at least one, of at least as many words as they need. The unused bits of their
    /// last word are clear.
    pub(crate) fn of(words: S, count: u64) -> Self {
        assert!(count > 0 && words.get().len() as u64 >= words_of(count));
        Self {
            cpu: Cpu::detect(),
            gather: if is_far(count) {
                None
            } else {
                Gather::detect()
            },
            words,
            count,
        }
    }

    #[inline]
    fn view(&self) -> BitsView<'_, S::Item> {
        // SAFETY: `of` checked that there are at least as many words as `count` needs, at least one, and a `Store`
        // always returns as many.
        unsafe { BitsView::new(self.words.get(), self.count) }
    }

    /// Returns how the units are stored.
    pub(crate) fn store(&self) -> &S {
        &self.words
    }

    /// Returns the same for writing.
    pub(crate) fn store_mut(&mut self) -> &mut S {
        &mut self.words
    }

    /// Returns the number of bits.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the words as they are stored, without those that are not used.
    #[inline]
    fn stored(&self) -> &[S::Item] {
        &self.words.get()[..words_of(self.count) as usize]
    }

    /// Returns whether the bit at `position` is set.
    #[inline]
    pub(crate) fn get(&self, position: u64) -> bool {
        self.words.get()[(position / WORD) as usize].load() >> (position % WORD) & 1 == 1
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains(&self, hash: Mixed, k: u8) -> bool {
        match self.gather {
            Some(gather) if k <= avx512::MOST_PROBES => {
                avx512::contains(gather, self.view(), hash, k)
            }
            _ => contains_called(self.view(), hash, k, self.cpu),
        }
    }

    /// [`contains`](Self::contains) for every hash in turn; there is one place in `answers` for each.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, k: u8, answers: &mut [bool]) {
        let mut places = answers.iter_mut();
        in_groups(
            self.is_far(),
            &mut &*self,
            hashes,
            |bits, hash| bits.prefetch(hash, k),
            |bits, hash| {
                let Some(place) = places.next() else { return };
                *place = if PREFETCHES && bits.is_far() {
                    // The words are prefetched, so branch-free code is faster.
                    contains_fetched(bits.cpu, bits.view(), hash, k)
                } else {
                    bits.contains(hash, k)
                };
            },
        );
    }

    /// Returns whether the words exceed the caches.
    #[inline]
    pub(crate) fn is_far(&self) -> bool {
        is_far(self.count)
    }

    /// Prefetches the words of a hash.
    pub(crate) fn prefetch(&self, hash: Mixed, k: u8) {
        portable::prefetch_all(self.view(), hash, k);
    }

    /// Prefetches the words of the positions.
    pub(crate) fn prefetch_positions(&self, positions: impl Iterator<Item = u64>) {
        positions.for_each(|position| prefetch(&self.words.get()[(position / WORD) as usize]));
    }

    /// Returns each word.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.stored().iter().map(Word::load)
    }

    /// Returns the size of the words in bytes.
    pub(crate) fn memory_bytes(&self) -> u64 {
        words_of(self.count) * 8
    }

    /// Returns whether no bit is set. O(m) at worst.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().all(|word| word == 0)
    }

    /// Returns the share of set bits. O(m).
    pub(crate) fn fill(&self) -> f64 {
        self.ones() as f64 / self.count() as f64
    }

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        self.cpu.run(|| {
            let ones = self.iter().map(|word| u64::from(word.count_ones()));
            ones.sum()
        })
    }

    /// Counts the set bits among `count` from `start`. O(count).
    pub(crate) fn ones_in(&self, start: u64, count: u64) -> u64 {
        let words = self.words.get();
        self.cpu
            .run(|| ones_in(start, count, |index| words[index].load()))
    }

    /// Counts the bits set in either array among `count` from `start`. O(count).
    pub(crate) fn ones_in_either<O: Store<Item: Word>>(
        &self,
        other: &Bits<O>,
        start: u64,
        count: u64,
    ) -> u64 {
        let (words, others) = (self.words.get(), other.words.get());
        self.cpu.run(|| {
            ones_in(start, count, |index| {
                words[index].load() | others[index].load()
            })
        })
    }
}

/// [`portable::insert`], out of line: it is long, since it is unrolled for every usual k.
#[inline(never)]
fn insert_portably(bits: BitsMut<'_>, hash: Mixed, k: u8) -> bool {
    portable::insert(bits, hash, k)
}

/// [`Bits::contains`] without gathers. Out of line, so that the rest of `contains` is small enough to inline. The level
/// comes last, so that the other arguments are where the functions take them.
#[cfg_attr(target_feature = "avx2", inline)]
#[cfg_attr(not(target_feature = "avx2"), inline(never))]
fn contains_called<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8, cpu: Cpu) -> bool {
    match cpu.or_compiled_for().avx2() {
        Some(avx2) => avx2::contains(avx2, bits, hash, k),
        None => portable::contains(bits, hash, k),
    }
}

/// Returns whether every bit of a hash is set. Its words were prefetched.
#[cfg_attr(target_feature = "avx2", inline)]
#[cfg_attr(not(target_feature = "avx2"), inline(never))]
fn contains_fetched<W: Word>(cpu: Cpu, bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    match cpu.or_compiled_for().avx2() {
        Some(avx2) => avx2::contains_branch_free(avx2, bits, hash, k),
        None => portable::contains_branch_free(bits, hash, k),
    }
}

/// Counts the set bits among `count` from `start`, where `word` returns the word of an index.
fn ones_in(start: u64, count: u64, word: impl Fn(usize) -> u64) -> u64 {
    let end = start + count;
    let (first, last) = (start / WORD, end.div_ceil(WORD));
    let ones = (first..last).map(|index| {
        let mut word = word(index as usize);
        if index == first {
            word &= u64::MAX << (start % WORD);
        }
        if index == end / WORD {
            word &= !(u64::MAX << (end % WORD));
        }
        u64::from(word.count_ones())
    });
    ones.sum()
}
