//! Stores the cells of a filter, which are bits or counters packed into words, and calls the
//! kernels, which are the functions that set and test the cells of a hash.
#![allow(unsafe_code)]

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
mod avx512;
mod cell;
mod counters;
mod kernel;
mod layout;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
mod shared;
#[cfg(all(test, feature = "alloc"))]
mod tests;
mod view;

use core::marker::PhantomData;

pub use counters::CounterBits;
pub(crate) use layout::slices;
pub(crate) use layout::{Anywhere, Counted, Layout, Sliced};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use shared::AtomicBits;

use super::batch::{GROUP, Hashes, in_groups};
use super::cache::{PREFETCHES, is_far};
use super::cpu::Cpu;
#[cfg(feature = "alloc")]
use super::memory::cleared;
use super::words::{OwnedWords, Store, StoreMut, Word};
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::probe::{Mixed, ProbeSequence};
use crate::shape::Shape;
use cell::{Bit, Cell as _};
use kernel::{Kernels, Writable};
use view::View;

/// The number of bits in a word.
const WORD: u64 = u64::BITS as u64;

/// The cells of a filter, a fixed number. Every hash has `hashes` positions among the cells; some
/// of the positions may coincide. The unused bits of the last word are always 0.
pub struct Cells<L, S: Store<Item: Word> = OwnedWords> {
    /// At least as many words as the cells need; further ones are not used.
    words: S,
    /// The number of cells: at least 1, and at least `hashes` if the cells are divided into slices.
    count: u64,
    /// The number of cells, or the lengths of the slices, packed for the kernels by
    /// [`Layout::extent`].
    extent: u64,
    hashes: u8,
    /// The number of bits of a cell: 1, 4 or 8.
    width: u8,
    cpu: Cpu,
    kernels: Kernels<S::Item>,
    layout: PhantomData<L>,
}

impl<L, S: Store<Item: Word> + Clone> Clone for Cells<L, S> {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
            ..*self
        }
    }
}

impl<L, S: Store<Item: Word>> core::fmt::Debug for Cells<L, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} cells", self.count)
    }
}

impl<L: Layout, S: Store<Item: Word>> PartialEq for Cells<L, S> {
    fn eq(&self, other: &Self) -> bool {
        (self.count, self.hashes, self.width) == (other.count, other.hashes, other.width)
            && self.iter().eq(other.iter())
    }
}

impl<L: Layout, S: Store<Item: Word>> Eq for Cells<L, S> {}

/// Returns the number of words that `count` cells of `width` bits fill.
pub(crate) fn words_of(count: u64, width: u8) -> u64 {
    count.div_ceil(WORD / u64::from(width))
}

#[cfg(feature = "alloc")]
impl<L: Layout> Cells<L> {
    /// Creates cells that are all 0, or returns an error if the allocator refuses the memory.
    pub(crate) fn new(shape: Shape, width: u8) -> Result<Self, MemoryError> {
        let error = MemoryError {
            bits: shape.bits().saturating_mul(width.into()),
        };
        let words = cleared(words_of(shape.bits(), width)).ok_or(error)?;
        Ok(Self::of(words, shape, width))
    }

    /// Copies cells from any storage, or returns an error if the allocator refuses the memory.
    pub(crate) fn copy_of<O: Store<Item: Word>>(other: &Cells<L, O>) -> Result<Self, MemoryError> {
        let mut copy = Self::new(other.shape(), other.width)?;
        for (to, from) in copy.words_mut().iter_mut().zip(other.iter()) {
            *to = from;
        }
        Ok(copy)
    }
}

impl<L: Layout, S: StoreMut + Store<Item = u64>> Cells<L, S> {
    /// Returns the words: the first cell is in the lowest bits of the first word.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        self.stored()
    }

    /// Returns the words for writing. The unused bits of the last word have to stay 0.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        let count = words_of(self.count, self.width) as usize;
        &mut self.words.get_mut()[..count]
    }

    /// Returns the storage of the words.
    pub(crate) fn into_store(self) -> S {
        self.words
    }

    #[inline]
    fn view_mut(&mut self) -> View<'_, Writable> {
        let words = core::cell::Cell::from_mut(self.words.get_mut()).as_slice_of_cells();
        // SAFETY: as in `view`.
        unsafe { View::new(words, self.extent) }
    }

    /// Sets the bit of each probe of a hash, or adds 1 to the counter of each probe unless the
    /// counter is saturated. Returns whether one of these cells was 0.
    #[inline]
    pub(crate) fn insert(&mut self, hash: Mixed) -> bool {
        let (insert, hashes) = (self.kernels.insert, self.hashes);
        // SAFETY: `of` picked the kernel for this machine and these cells.
        unsafe { insert(self.view_mut(), hash, hashes) }
    }

    /// Inserts every hash in turn, and returns how many of the inserts found a cell of 0.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        let (insert, k, far) = (self.kernels.insert, self.hashes, self.is_far());
        in_groups(hashes, |group| {
            if far {
                self.prefetch_each(group);
            }
            for hash in group {
                // SAFETY: as in `insert`.
                new += u64::from(unsafe { insert(self.view_mut(), *hash, k) });
            }
        });
        new
    }

    /// Sets every cell to 0.
    pub(crate) fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Sets the bits that are set in `other`, or adds to each counter the one at the same place in
    /// `other`, up to the highest value of a counter. `other` has the same shape.
    pub(crate) fn union_with<O: Store<Item: Word>>(&mut self, other: &Cells<L, O>) {
        self.combine(other, |one, other| one | other, u8::saturating_add);
    }

    /// Clears the bits that are clear in `other`, or lowers each counter to the one at the same
    /// place in `other` if that is lower. `other` has the same shape.
    pub(crate) fn intersect_with<O: Store<Item: Word>>(&mut self, other: &Cells<L, O>) {
        self.combine(other, |one, other| one & other, u8::min);
    }

    fn combine<O: Store<Item: Word>>(
        &mut self,
        other: &Cells<L, O>,
        words: impl Fn(u64, u64) -> u64,
        counters: impl Fn(u8, u8) -> u8,
    ) {
        let (cpu, width) = (self.cpu, self.width);
        let pairs = self.words_mut().iter_mut().zip(other.stored());
        if width == 1 {
            cpu.run(|| pairs.for_each(|(word, other)| *word = words(*word, other.load())));
            return;
        }
        for (word, other) in pairs {
            *word = counters::combined(width, *word, other.load(), &counters);
        }
    }
}

impl<L: Layout, S: Store<Item: Word>> Cells<L, S> {
    /// Wraps words, of which it uses the first, as many as the shape needs for cells of `width`
    /// bits. There must be at least so many words. In the last used word, the unused bits must be
    /// 0.
    pub(crate) fn of(words: S, shape: Shape, width: u8) -> Self {
        let (count, hashes) = (shape.bits(), shape.hashes());
        assert!(words.get().len() as u64 >= words_of(count, width));
        L::check(shape).expect("checked by the filter");
        let cpu = Cpu::detect();
        let far = is_far(words_of(count, width) * 8);
        Self {
            words,
            count,
            extent: L::extent(count, hashes),
            hashes,
            width,
            cpu,
            kernels: L::kernels(width, cpu, hashes, far),
            layout: PhantomData,
        }
    }

    #[inline]
    fn view(&self) -> View<'_, S::Item> {
        // SAFETY: a shape has at least one cell, `of` checked that the words have room for all
        // cells and that every slice has a cell, and a `Store` always returns the same number of
        // words.
        unsafe { View::new(self.words.get(), self.extent) }
    }

    /// Returns the storage of the words.
    pub(crate) fn store(&self) -> &S {
        &self.words
    }

    /// Returns the storage of the words for writing.
    pub(crate) fn store_mut(&mut self) -> &mut S {
        &mut self.words
    }

    /// Returns the number of cells and of hashes.
    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        Shape::of_parts(self.count, self.hashes)
    }

    /// Returns the number of bits of a cell.
    pub(crate) fn width(&self) -> u8 {
        self.width
    }

    /// Returns the stored words, without the unused ones.
    #[inline]
    fn stored(&self) -> &[S::Item] {
        &self.words.get()[..words_of(self.count, self.width) as usize]
    }

    /// Returns the value of the cell at `position`.
    pub(crate) fn get(&self, position: u64) -> u8 {
        let at = position * u64::from(self.width);
        let word = self.words.get()[(at / WORD) as usize].load();
        (word >> (at % WORD)) as u8 & u8::MAX >> (8 - self.width)
    }

    /// Returns whether no cell of a hash is 0.
    #[inline]
    pub(crate) fn contains(&self, hash: Mixed) -> bool {
        // SAFETY: `of` picked the kernel for this machine and these cells.
        unsafe { (self.kernels.contains)(self.view(), hash, self.hashes) }
    }

    /// Queries every hash in turn, and writes each answer to the next place of `answers`.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        if !self.is_far() {
            let (view, k, mut answers) = (self.view(), self.hashes, answers);
            in_groups(hashes, |group| {
                let (now, later) = core::mem::take(&mut answers).split_at_mut(group.len());
                answers = later;
                // SAFETY: as in `contains`.
                unsafe { (self.kernels.contains_each)(view, group, k, now) };
            });
        } else if PREFETCHES {
            self.contains_each_far(hashes, answers);
        } else {
            for (hash, answer) in hashes.one_by_one().zip(answers) {
                *answer = self.contains(hash);
            }
        }
    }

    /// Does the work of [`contains_each`](Self::contains_each) if the cells are larger than the
    /// caches and [`PREFETCHES`] is `true`. Most of the time is then spent reading cache lines. The
    /// function first tests two probes of each hash of a group, which reject three of four absent
    /// items if half of the bits are set. Then it tests all probes of the hashes that were not
    /// rejected, while the lines of the next group are fetched. If more than three quarters of a
    /// group were not rejected, all probes of the next group are tested in one step.
    fn contains_each_far(&self, mut hashes: impl Hashes, answers: &mut [bool]) {
        let (view, k) = (self.view(), self.hashes);
        let (mut group, mut start) = ([Mixed::default(); GROUP], 0);
        let (mut left, mut places, mut waiting) = ([Mixed::default(); GROUP], [0; GROUP], 0);
        let mut first = k.min(2);
        loop {
            let count = hashes.next_group(&mut group);
            let mut found = [false; GROUP];
            // SAFETY: as in `contains`, and each call takes at most k probes of a hash.
            unsafe {
                let prefetch = if first < k {
                    self.kernels.prefetch_two
                } else {
                    self.kernels.prefetch
                };
                for hash in &group[..count] {
                    prefetch(view, *hash, first);
                }
                (self.kernels.contains_each)(view, &left[..waiting], k, &mut found[..waiting]);
                for (place, found) in places[..waiting].iter().zip(found) {
                    answers[*place] = found;
                }
                if count == 0 {
                    return;
                }
                let now = &mut answers[start..start + count];
                (self.kernels.contains_each)(view, &group[..count], first, now);
                waiting = 0;
                if first < k {
                    for (index, answer) in now.iter().enumerate() {
                        (left[waiting], places[waiting]) = (group[index], start + index);
                        waiting += usize::from(*answer);
                    }
                    self.prefetch_each(&left[..waiting]);
                }
                let most =
                    4 * now.iter().map(|answer| usize::from(*answer)).sum::<usize>() > 3 * count;
                first = if most { k } else { k.min(2) };
            }
            start += count;
        }
    }

    /// Returns whether the words are assumed to be larger than the caches.
    #[inline]
    pub(crate) fn is_far(&self) -> bool {
        is_far(self.memory_bytes())
    }

    /// Prefetches the words of these hashes.
    fn prefetch_each(&self, hashes: &[Mixed]) {
        for hash in hashes {
            self.prefetch(*hash);
        }
    }

    /// Prefetches the words of a hash.
    pub(crate) fn prefetch(&self, hash: Mixed) {
        // SAFETY: as in `contains`.
        unsafe { (self.kernels.prefetch)(self.view(), hash, self.hashes) };
    }

    /// Returns the words in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.stored().iter().map(Word::load)
    }

    /// Returns the size of the words in bytes.
    #[inline]
    pub(crate) fn memory_bytes(&self) -> u64 {
        words_of(self.count, self.width) * 8
    }

    /// Returns whether every cell is 0. O(m) at worst.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().all(|word| word == 0)
    }

    /// Returns the share of the cells that are not 0. O(m).
    pub(crate) fn fill(&self) -> f64 {
        self.ones() as f64 / self.count as f64
    }

    /// Counts the cells that are not 0. O(m).
    pub(crate) fn ones(&self) -> u64 {
        let width = self.width;
        self.cpu.run(|| {
            let ones = |word| u64::from(counters::taken(width, word).count_ones());
            self.iter().map(ones).sum()
        })
    }

    /// Counts the cells that are not 0 among the `count` cells from `start` on. O(count).
    pub(crate) fn ones_in(&self, start: u64, count: u64) -> u64 {
        let words = self.words.get();
        self.cpu
            .run(|| self.count_in(start, count, |index| words[index].load()))
    }

    /// Counts the positions at which the cell of `self` or that of `other` is not 0, among the
    /// `count` positions from `start` on. O(count).
    pub(crate) fn ones_in_either<O: Store<Item: Word>>(
        &self,
        other: &Cells<L, O>,
        start: u64,
        count: u64,
    ) -> u64 {
        let (words, others) = (self.words.get(), other.words.get());
        self.cpu.run(|| {
            self.count_in(start, count, |index| {
                words[index].load() | others[index].load()
            })
        })
    }

    /// Counts the cells that are not 0 among the `count` cells from `start` on, in the words that `word` returns by index.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn count_in(&self, start: u64, count: u64, word: impl Fn(usize) -> u64) -> u64 {
        let width = u64::from(self.width);
        let (start, end) = (start * width, (start + count) * width);
        let (first, last) = (start / WORD, end.div_ceil(WORD));
        let ones = (first..last).map(|index| {
            let mut word = word(index as usize);
            if index == first {
                word &= u64::MAX << (start % WORD);
            }
            if index == end / WORD {
                word &= !(u64::MAX << (end % WORD));
            }
            u64::from(counters::taken(self.width, word).count_ones())
        });
        ones.sum()
    }
}

/// Methods for filters of bits. The stages of a scalable filter (the filters that it consists of)
/// use them to count their set bits. [`set`](Self::set) is also used to copy a counting filter into
/// a filter of bits.
impl<S: StoreMut + Store<Item = u64>> Cells<Anywhere, S> {
    /// Sets the bit at `position` and returns whether it was clear.
    #[inline]
    pub(crate) fn set(&mut self, position: u64) -> bool {
        let (word, shift) = <Bit>::place(position);
        let word = &mut self.words_mut()[word];
        let was_clear = *word >> shift & 1 == 0;
        *word |= 1 << shift;
        was_clear
    }

    /// Inserts as [`insert`](Self::insert) does, and returns how many clear bits it set.
    pub(crate) fn insert_counted(&mut self, hash: Mixed) -> u64 {
        let k = self.hashes;
        let (mut probes, mut slots) = (ProbeSequence::new(hash), self.view_mut().slots::<Bit>());
        let mut clear = 0;
        for index in 0..k {
            let (word, shift) = slots.step(index).word::<Bit>(probes.step());
            clear += !(word.get() >> shift) & 1;
            word.set(<Bit>::put(word.get(), shift));
        }
        clear
    }

    /// Returns at how many positions of a hash the bit is clear. An insert of the hash sets this
    /// many bits, or fewer if positions coincide.
    pub(crate) fn clear_positions(&self, hash: Mixed) -> u64 {
        let (mut probes, mut slots) = (ProbeSequence::new(hash), self.view().slots::<Bit>());
        let clear = |index| {
            let (word, shift) = slots.step(index).word::<Bit>(probes.step());
            !(word.load() >> shift) & 1
        };
        (0..self.hashes).map(clear).sum()
    }
}
