//! The bit array of a filter.
#![allow(unsafe_code)]
// Where it says so, code is to be compiled with the instructions of its caller.
#![allow(clippy::inline_always)]

use alloc::alloc::{Layout, alloc_zeroed};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ptr;

use super::draws::DrawLoops;
use super::groups::{CACHED_BYTES, fetch};
use super::machine::widely;
use crate::error::MemoryError;
use crate::probe::{UNDRAWN, Walk, reduce};

const WORD: u64 = u64::BITS as u64;

/// Fewer bits than this: draws have so many values, and no machine has so much memory (512 TiB).
const MOST: u64 = 1 << (u64::BITS - UNDRAWN);

/// A fixed number of bits, all clear at first. Bits beyond the last are always clear.
#[derive(Debug, Clone)]
pub(crate) struct Bits {
    /// As many as the bits need: no less, so that every position below `bits` has its word.
    words: Vec<u64>,
    count: u64,
    /// How this machine looks at so many of them.
    pub(super) loops: DrawLoops,
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.words == other.words
    }
}

impl Eq for Bits {}

impl Bits {
    /// Creates `bits` clear bits, or says that the allocator refused them.
    pub(crate) fn new(bits: u64) -> Result<Self, MemoryError> {
        assert!(bits > 0, "a shape has bits");
        let count = usize::try_from(bits.div_ceil(WORD)).ok();
        let words = count.filter(|_| bits < MOST).and_then(zeroed);
        let words = words.ok_or(MemoryError { bits })?;
        let loops = DrawLoops::of(is_far(&words));
        Ok(Self {
            words,
            count: bits,
            loops,
        })
    }

    /// Copies the bits, or says that the allocator refused them.
    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let mut words = reserve(self.count)?;
        words.extend_from_slice(&self.words);
        Ok(Self {
            words,
            count: self.count,
            loops: self.loops,
        })
    }

    /// Returns the words: bit i is bit i mod 64 of word i / 64.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words to be set, where bits beyond the last have to stay clear.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the number of bits.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Returns where the number of bits is, for a vector to load.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn count_ref(&self) -> &u64 {
        &self.count
    }

    /// Returns the word of the bit at `position`.
    ///
    /// # Safety
    ///
    /// There must be such a bit.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) unsafe fn word_unchecked(&self, position: u64) -> &u64 {
        // SAFETY: there is a word for every 64 bits.
        unsafe { self.words.get_unchecked((position / WORD) as usize) }
    }

    /// Returns where the bits are, to set some.
    #[inline(always)]
    pub(super) fn open(&mut self) -> OpenBits<'_> {
        OpenBits {
            words: self.words.as_mut_ptr(),
            count: self.count,
            bits: PhantomData,
        }
    }

    /// Sets the bit at `position` and returns whether it was clear.
    #[inline]
    pub(crate) fn set(&mut self, position: u64) -> bool {
        let word = &mut self.words[(position / WORD) as usize];
        let mask = 1 << (position % WORD);
        let was_clear = *word & mask == 0;
        *word |= mask;
        was_clear
    }

    /// Returns whether the bit at `position` is set.
    #[inline]
    pub(crate) fn contains(&self, position: u64) -> bool {
        self.words[(position / WORD) as usize] >> (position % WORD) & 1 == 1
    }

    /// Returns the word of a draw, and the place of its bit in there.
    #[inline(always)]
    pub(super) fn word(&self, draw: u64) -> (&u64, u64) {
        let position = reduce(draw, self.count);
        // SAFETY: the position is below `bits`, which is not 0 (`new`), and there is a word for every
        // 64 of them.
        let word = unsafe { self.words.get_unchecked((position / WORD) as usize) };
        (word, position % WORD)
    }

    /// [`insert`](Self::insert) that returns how many bits were clear.
    pub(crate) fn insert_counted(&mut self, hash: u64, hashes: u8) -> u64 {
        let draws = Walk::new(hash).take(hashes.into());
        draws
            .map(|draw| u64::from(self.set(reduce(draw, self.count))))
            .sum()
    }

    /// Returns how many draws of a hash fall on clear bits: as many as it would set, or more if two
    /// of them fall together.
    pub(crate) fn clear_draws(&self, hash: u64, hashes: u8) -> u64 {
        let draws = Walk::new(hash).take(hashes.into());
        draws
            .map(|draw| {
                let (word, bit) = self.word(draw);
                !(word >> bit) & 1
            })
            .sum()
    }

    /// Whether the words are more than the caches hold.
    #[inline]
    pub(crate) fn is_far(&self) -> bool {
        is_far(&self.words)
    }

    /// Asks for the words of a hash.
    pub(crate) fn fetch(&self, hash: u64, hashes: u8) {
        let draws = Walk::new(hash).take(hashes.into());
        draws.for_each(|draw| fetch(self.word(draw).0));
    }

    /// Asks for the words of the positions.
    pub(crate) fn fetch_positions(&self, positions: impl Iterator<Item = u64>) {
        positions.for_each(|position| fetch(&self.words[(position / WORD) as usize]));
    }

    /// Returns the bytes of the words.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns whether no bit is set. O(m) at worst.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        widely(|| {
            let ones = self.words.iter().map(|word| u64::from(word.count_ones()));
            ones.sum()
        })
    }

    /// Counts the set bits among `count` from `start`. O(count).
    pub(crate) fn ones_in(&self, start: u64, count: u64) -> u64 {
        widely(|| ones_in(start, count, |index| self.words[index]))
    }

    /// Counts the bits set in either among `count` from `start`. O(count).
    pub(crate) fn ones_in_either(&self, other: &Self, start: u64, count: u64) -> u64 {
        widely(|| ones_in(start, count, |index| self.words[index] | other.words[index]))
    }

    /// Sets every bit that is set in `other`, of the same length.
    pub(crate) fn union_with(&mut self, other: &Self) {
        self.combine(other, |word, other| word | other);
    }

    /// Clears every bit that is clear in `other`, of the same length.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        self.combine(other, |word, other| word & other);
    }

    #[inline]
    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        widely(|| {
            for (word, other) in self.words.iter_mut().zip(&other.words) {
                *word = combine(*word, *other);
            }
        });
    }
}

/// Bits to be set: what of [`Bits`] an insert needs, in two registers.
///
/// With [`Bits`] itself a loop of inserts would look at the filter anew for each, since the one before may
/// have changed it. In filters beyond the second-level cache that took twice the time for more than eight
/// hashes, wherever the loop happened to lie so that the processor did not fetch its keys ahead.
pub(super) struct OpenBits<'bits> {
    words: *mut u64,
    count: u64,
    bits: PhantomData<&'bits mut Bits>,
}

impl OpenBits<'_> {
    /// Returns the number of bits.
    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Sets the bit at `position`, and returns what was there as the lowest bit.
    ///
    /// # Safety
    ///
    /// There must be such a bit.
    #[inline(always)]
    pub(super) unsafe fn set_unchecked(&mut self, position: u64) -> u64 {
        let (index, bit) = ((position / WORD) as usize, position % WORD);
        // SAFETY: there is a word for every 64 bits, and nobody else has them (`Bits::open`).
        unsafe {
            let was = *self.words.add(index) >> bit;
            or_into(self.words, index, 1 << bit);
            was
        }
    }
}

/// Whether the words are more than the caches hold.
fn is_far(words: &[u64]) -> bool {
    words.len() as u64 * 8 > CACHED_BYTES
}

/// Sets the bits of `mask` in a word.
///
/// By one instruction on memory where there is one: the compiler goes by a register that holds the word
/// anyway, which made an insert 15 to 21 % slower in the caches of Zen 5.
///
/// # Safety
///
/// There must be such a word.
#[inline(always)]
unsafe fn or_into(words: *mut u64, index: usize, mask: u64) {
    #[cfg(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        not(miri),
        not(bloom_vectors = "none")
    ))]
    // SAFETY: it reads and writes that word, and the flags, and nothing else.
    unsafe {
        core::arch::asm!(
            "or qword ptr [{words} + 8*{index}], {mask}",
            words = in(reg) words,
            index = in(reg) index,
            mask = in(reg) mask,
            options(nostack),
        );
    }
    #[cfg(not(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        not(miri),
        not(bloom_vectors = "none")
    )))]
    // SAFETY: the caller's.
    unsafe {
        *words.add(index) |= mask;
    }
}

/// Counts the set bits among `count` from `start` of the words that `word` returns.
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

/// Returns words of 0, at least one, or `None` if the allocator refused them.
///
/// Memory that is fresh from the system is 0 already and is not written: a large filter costs only
/// what it uses of it.
pub(super) fn zeroed(count: usize) -> Option<Vec<u64>> {
    let layout = Layout::array::<u64>(count).ok()?;
    assert!(count > 0, "a filter has bits");
    // SAFETY: the layout is not empty.
    let bytes = unsafe { alloc_zeroed(layout) };
    if bytes.is_null() {
        return None;
    }
    // The layout is that of words.
    #[allow(clippy::cast_ptr_alignment)]
    let words = ptr::slice_from_raw_parts_mut(bytes.cast::<u64>(), count);
    // SAFETY: the global allocator gave this memory for so many `u64`, and all of them are 0.
    let words = unsafe { Box::from_raw(words) };
    Some(words.into_vec())
}

/// Reserves the words for `bits` bits.
fn reserve(bits: u64) -> Result<Vec<u64>, MemoryError> {
    let mut words = Vec::new();
    let fits = usize::try_from(bits.div_ceil(WORD))
        .is_ok_and(|count| words.try_reserve_exact(count).is_ok());
    fits.then_some(words).ok_or(MemoryError { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counted_insert_sets_the_bits_of_the_other_and_counts_them() {
        // Few bits, so that draws of one hash fall together too.
        for (bits, hashes) in [(5, 7), (300, 7), (300, 20)] {
            let mut counted = Bits::new(bits).unwrap();
            let mut plain = Bits::new(bits).unwrap();
            let mut ones = 0;
            for hash in 0..40 {
                let clear = counted.clear_draws(hash, hashes);
                let new = counted.insert_counted(hash, hashes);
                assert!(new <= clear && (new == 0) == (clear == 0));
                ones += new;
                plain.insert(hash, hashes);
                assert_eq!(ones, plain.ones());
            }
            assert_eq!(counted, plain);
        }
    }

    #[test]
    fn the_ones_of_any_range_are_those_inside_it() {
        let mut bits = Bits::new(300).unwrap();
        let set = [0, 1, 63, 64, 65, 127, 128, 199, 200, 255, 256, 299];
        for position in set {
            assert!(bits.set(position));
        }
        for start in 0..300 {
            for end in start..=300 {
                let inside = set.iter().filter(|at| (start..end).contains(*at)).count();
                assert_eq!(
                    bits.ones_in(start, end - start),
                    inside as u64,
                    "{start}..{end}"
                );
            }
        }
        assert_eq!(bits.ones(), set.len() as u64);
    }
}
