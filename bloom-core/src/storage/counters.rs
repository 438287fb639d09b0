//! The counters of a counting filter: four or eight bits each, packed into words. Items are inserted, queried and
//! removed here by their positions.

use super::batch::{Hashes, in_groups};
use super::cache::{CACHED_BYTES, prefetch};
#[cfg(feature = "alloc")]
use super::memory::cleared;
use super::words::{OwnedWords, Store, StoreMut, Word};
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::probe::{Mixed, Positions};

/// How many bits each counter of a [`CountingBloomFilter`](crate::CountingBloomFilter) has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CounterBits {
    /// Four bits, counting to 14; 15 is saturated. Enough at the usual sizes.
    #[default]
    Four,
    /// Eight bits, counting to 254; 255 is saturated.
    Eight,
}

impl CounterBits {
    /// Returns the number of bits, 4 or 8.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Returns the highest value, at which a counter is saturated: 15 or 255.
    #[must_use]
    pub fn saturated(self) -> u8 {
        match self {
            Self::Four => 15,
            Self::Eight => 255,
        }
    }
}

/// A fixed number of counters.
#[derive(Debug, Clone)]
pub(crate) struct Counters<S = OwnedWords> {
    /// At least as many words as the counters need; no others are used, and the unused places of the last are 0.
    words: S,
    /// At least 1.
    count: u64,
    width: CounterBits,
}

/// Returns the number of words of this many counters.
pub(crate) fn words_of_counters(count: u64, width: CounterBits) -> u64 {
    count.div_ceil(u64::from(u64::BITS / width.bits()))
}

#[cfg(feature = "alloc")]
impl Counters {
    /// Creates `count` counters of 0, or returns an error if the allocator refuses the memory.
    pub(crate) fn new(count: u64, width: CounterBits) -> Result<Self, MemoryError> {
        let error = MemoryError {
            bits: count.saturating_mul(width.bits().into()),
        };
        let words = cleared(words_of_counters(count, width)).ok_or(error)?;
        Ok(Self::of(words, count, width))
    }

    /// Copies counters from any storage, or returns an error if the allocator refuses the memory.
    pub(crate) fn copy_of<O: Store<Item: Word>>(other: &Counters<O>) -> Result<Self, MemoryError> {
        let mut copy = Self::new(other.count, other.width)?;
        for (to, from) in copy.words_mut().iter_mut().zip(other.iter()) {
            *to = from;
        }
        Ok(copy)
    }
}

impl<S: Store<Item: Word>> PartialEq for Counters<S> {
    fn eq(&self, other: &Self) -> bool {
        (self.count, self.width) == (other.count, other.width) && self.iter().eq(other.iter())
    }
}

impl<S: Store<Item: Word>> Eq for Counters<S> {}

impl<S: Store<Item: Word>> Counters<S> {
    /// Wraps `count` counters, at least one, in at least as many words as they need. The unused places of their last
    /// word are 0.
    pub(crate) fn of(words: S, count: u64, width: CounterBits) -> Self {
        assert!(count > 0 && words.get().len() as u64 >= words_of_counters(count, width));
        Self {
            words,
            count,
            width,
        }
    }

    pub(crate) fn width(&self) -> CounterBits {
        self.width
    }

    /// Returns how the units are stored.
    pub(crate) fn store(&self) -> &S {
        &self.words
    }

    /// Returns the same for writing.
    pub(crate) fn store_mut(&mut self) -> &mut S {
        &mut self.words
    }

    /// Returns the number of counters.
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Returns each word: the first counter is in the lowest bits of the first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        let count = words_of_counters(self.count, self.width) as usize;
        self.words.get()[..count].iter().map(Word::load)
    }

    fn per_word(&self) -> u64 {
        u64::from(u64::BITS / self.width.bits())
    }

    /// Returns the index of a counter's word, and the counter's shift in it.
    fn place(&self, position: u64) -> (usize, u64) {
        let per_word = self.per_word();
        let shift = position % per_word * u64::from(self.width.bits());
        ((position / per_word) as usize, shift)
    }

    /// Returns a counter.
    pub(crate) fn get(&self, position: u64) -> u8 {
        let (word, shift) = self.place(position);
        (self.words.get()[word].load() >> shift) as u8 & self.width.saturated()
    }

    /// Returns whether the counter of every position is above 0.
    #[inline]
    pub(crate) fn contains(&self, mut positions: Positions) -> bool {
        positions.all(|position| self.get(position) > 0)
    }

    /// [`contains`](Self::contains) for the positions of every hash in turn; passes each answer to `answer`.
    pub(crate) fn contains_each(
        &self,
        hashes: impl Hashes,
        positions: impl Fn(Mixed) -> Positions,
        mut answer: impl FnMut(bool),
    ) {
        in_groups(
            self.is_far(),
            &mut &*self,
            hashes,
            |counters, hash| counters.prefetch_positions(positions(hash)),
            |counters, hash| answer(counters.contains(positions(hash))),
        );
    }

    /// Prefetches the words of the positions.
    fn prefetch_positions(&self, positions: Positions) {
        for position in positions {
            prefetch(&self.words.get()[self.place(position).0]);
        }
    }

    /// Returns whether the counters exceed the caches.
    fn is_far(&self) -> bool {
        self.memory_bytes() > CACHED_BYTES
    }

    /// Returns the size of the words in bytes.
    pub(crate) fn memory_bytes(&self) -> u64 {
        words_of_counters(self.count, self.width) * 8
    }

    /// Returns whether every counter is 0. O(m) at worst.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().all(|word| word == 0)
    }

    /// Counts the counters that `test` accepts. O(m).
    ///
    /// `test` must not accept 0, since the unused places of the last word are 0.
    pub(crate) fn count(&self, test: impl Fn(u8) -> bool) -> u64 {
        let values = self.iter().flat_map(|word| self.values(word));
        values.filter(|value| test(*value)).count() as u64
    }

    /// Counts the counters that are not 0 here or in `other`, which has as many. O(m).
    pub(crate) fn ones_in_either<O: Store<Item: Word>>(&self, other: &Counters<O>) -> u64 {
        let words = self.iter().zip(other.iter());
        let values = words.flat_map(|(one, other)| self.values(one | other));
        values.filter(|value| *value > 0).count() as u64
    }

    /// Splits a word into its counters.
    fn values(&self, word: u64) -> impl Iterator<Item = u8> + use<S> {
        let (width, highest) = (self.width.bits(), self.width.saturated());
        (0..u64::BITS / width).map(move |place| (word >> (place * width)) as u8 & highest)
    }
}

impl<S: StoreMut + Store<Item = u64>> Counters<S> {
    /// Returns the words as they are stored.
    pub(crate) fn into_store(self) -> S {
        self.words
    }

    /// Returns the words: the first counter is in the lowest bits of the first word.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words.get()[..words_of_counters(self.count, self.width) as usize]
    }

    /// Returns the words for writing. The unused places of the last word have to stay 0.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        let count = words_of_counters(self.count, self.width) as usize;
        &mut self.words.get_mut()[..count]
    }

    /// Sets a counter.
    fn set(&mut self, position: u64, value: u8) {
        let (word, shift) = self.place(position);
        let mask = u64::from(self.width.saturated()) << shift;
        let word = &mut self.words.get_mut()[word];
        *word = *word & !mask | u64::from(value) << shift & mask;
    }

    /// Adds one to the counter of each position that is not saturated; returns whether one was 0.
    pub(crate) fn insert(&mut self, positions: Positions) -> bool {
        let highest = self.width.saturated();
        let mut new = false;
        for position in positions {
            let count = self.get(position);
            new |= count == 0;
            if count < highest {
                self.set(position, count + 1);
            }
        }
        new
    }

    /// Subtracts from each counter the number of probes that fall on it, and returns `true`; if one counter is
    /// smaller, changes nothing and returns `false`. Saturated counters stay.
    pub(crate) fn remove(&mut self, positions: Positions) -> bool {
        // An insert adds one to a counter for each probe that falls on it, so a removal subtracts as many. All
        // counters are checked before the first is changed.
        let mut each = [0; u8::MAX as usize];
        let mut length = 0;
        for (place, position) in each.iter_mut().zip(positions) {
            *place = position;
            length += 1;
        }
        let each = &mut each[..length];
        each.sort_unstable();
        let highest = self.width.saturated();
        let runs = || each.chunk_by(|one, other| one == other);
        let absent = runs().any(|run| {
            let count = self.get(run[0]);
            count < highest && usize::from(count) < run.len()
        });
        if absent {
            return false;
        }
        for run in runs() {
            let count = self.get(run[0]);
            if count < highest {
                self.set(run[0], count - run.len() as u8);
            }
        }
        true
    }

    /// [`insert`](Self::insert) at the positions of every hash in turn; returns how many were new.
    pub(crate) fn insert_each(
        &mut self,
        hashes: impl Hashes,
        positions: impl Fn(Mixed) -> Positions,
    ) -> u64 {
        let mut new = 0;
        in_groups(
            self.is_far(),
            self,
            hashes,
            |counters, hash| counters.prefetch_positions(positions(hash)),
            |counters, hash| new += u64::from(counters.insert(positions(hash))),
        );
        new
    }

    /// Sets every counter to 0.
    pub(crate) fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Combines every counter with its counterpart in `other`, which has as many.
    pub(crate) fn combine<O: Store<Item: Word>>(
        &mut self,
        other: &Counters<O>,
        combine: impl Fn(u8, u8) -> u8,
    ) {
        let width = self.width.bits();
        let highest = self.width.saturated();
        for (word, other_word) in self.words_mut().iter_mut().zip(other.iter()) {
            let mut combined = 0;
            for place in 0..u64::BITS / width {
                let value = |word: u64| (word >> (place * width)) as u8 & highest;
                let both = combine(value(*word), value(other_word));
                combined |= u64::from(both.min(highest)) << (place * width);
            }
            *word = combined;
        }
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::storage::testing::mix;

    /// Most pages are never touched, so the system does not allocate them.
    #[test]
    #[cfg_attr(miri, ignore = "Miri allocates all of it")]
    fn counters_beyond_32_bits_are_set_and_found() {
        let count = (1 << 32) + (1 << 30);
        let mut counters = Counters::new(count, CounterBits::Four).expect("untouched memory");
        let hashes = || (0..200).map(mix);
        let positions = |hash| Positions::new(hash, count, 7);
        assert!(hashes().all(|hash| !counters.contains(positions(hash))));
        assert!(hashes().all(|hash| counters.insert(positions(hash))));
        for hash in hashes() {
            // The layout of the format: sixteen counters in a word.
            let count = |at: u64| counters.words()[(at / 16) as usize] >> (4 * (at % 16)) & 15;
            assert!(positions(hash).all(|position| count(position) > 0));
            assert!(counters.remove(positions(hash)) && !counters.remove(positions(hash)));
        }
    }
}
