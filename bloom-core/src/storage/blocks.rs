//! Blocks of one cache line, and what a hash sets in them.
#![allow(unsafe_code)]

use alloc::vec::Vec;
#[cfg(target_arch = "x86_64")]
use core::fmt;

use super::groups::CACHED_BYTES;
use super::hashes::Hashes;
use super::machine::widely;
#[cfg(target_arch = "x86_64")]
use super::machine::{Machine, machine};
use crate::error::MemoryError;
use crate::probe::{Place, UNDRAWN};

/// Lanes of a block, and so hashes of an item.
pub(crate) const LANES: u8 = 8;

/// Bits of a lane.
pub(crate) const LANE_BITS: u32 = u64::BITS;

/// Bits of a block: one cache line.
pub(crate) const BLOCK_BITS: u64 = LANES as u64 * LANE_BITS as u64;

/// One block, on a cache line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u64; LANES as usize]);

/// A number of blocks, at least one; all bits clear at first.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    /// Never empty, so that every hash has its line.
    lines: Vec<Line>,
    /// How many there are.
    count: u64,
    /// How this machine looks at them.
    #[cfg(target_arch = "x86_64")]
    pub(super) loops: BlockLoops,
}

impl PartialEq for Blocks {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Blocks {}

/// What sets and tests the bits of a hash best on this machine, chosen once for a filter. On machines of
/// other architectures that is [`portable`], without a choice.
///
/// Made by [`of`](Self::of) alone, so this machine has what they need. Kept among the blocks themselves, as
/// `DrawLoops` is.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) enum BlockLoops {
    /// Without a call, by `avx512_in_place`.
    InPlace,
    Called {
        /// Gets the lines alone: a call with the blocks could change how they are looked at, for all that
        /// the compiler knows, and every insert of a loop would look at that again.
        insert: unsafe fn(&mut [Line], u64) -> bool,
        contains: unsafe fn(&Blocks, u64) -> bool,
    },
}

#[cfg(target_arch = "x86_64")]
impl BlockLoops {
    pub(super) fn of(machine: Machine) -> Self {
        match machine {
            Machine::Widest(_) => Self::InPlace,
            Machine::Wide(_) => Self::Called {
                insert: super::avx2::insert,
                contains: super::avx2::contains,
            },
            Machine::Plain => Self::Called {
                insert: portable::insert,
                contains: portable::contains,
            },
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl fmt::Debug for BlockLoops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlockLoops")
    }
}

impl Blocks {
    /// Creates `blocks` blocks, at least one, or says that the allocator refused them.
    pub(crate) fn new(blocks: u64) -> Result<Self, MemoryError> {
        assert!(blocks > 0, "a shape has blocks");
        let mut lines = reserve(blocks)?;
        // No more than was reserved, so this cannot allocate.
        lines.resize(blocks as usize, Line([0; LANES as usize]));
        Ok(Self {
            lines,
            count: blocks,
            #[cfg(target_arch = "x86_64")]
            loops: BlockLoops::of(machine()),
        })
    }

    /// Copies the blocks, or says that the allocator refused them.
    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        let mut lines = reserve(self.count())?;
        lines.extend_from_slice(&self.lines);
        Ok(Self {
            lines,
            count: self.count,
            #[cfg(target_arch = "x86_64")]
            loops: self.loops,
        })
    }

    /// Returns the number of blocks.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns where the number of blocks is, for a vector to load.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn count_ref(&self) -> &u64 {
        &self.count
    }

    /// Returns the lines.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// [`lines`](Self::lines), to write.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn lines_mut(&mut self) -> &mut [Line] {
        &mut self.lines
    }

    /// Returns the line of a hash, and what is the hash's in there.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> (&Line, Place) {
        let place = Place::new(hash, self.count());
        // SAFETY: the block of a place is below the number of blocks, which is not 0.
        let line = unsafe { self.lines.get_unchecked(place.block as usize) };
        (line, place)
    }

    /// Returns a line.
    ///
    /// # Safety
    ///
    /// `block` must be below the number of blocks.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) unsafe fn line_unchecked(&self, block: usize) -> &Line {
        // SAFETY: the caller's.
        unsafe { self.lines.get_unchecked(block) }
    }

    /// Returns each block.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u64; LANES as usize]> {
        self.lines.iter().map(|line| &line.0)
    }

    /// Returns the lanes, block after block.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().flat_map(|line| line.0)
    }

    /// Returns the lanes to be set, block after block.
    pub(crate) fn lanes_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.lines.iter_mut().flat_map(|line| &mut line.0)
    }

    /// Sets every bit that is set in `other`, of as many blocks.
    pub(crate) fn union_with(&mut self, other: &Self) {
        self.combine(other, |lane, other| lane | other);
    }

    /// Clears every bit that is clear in `other`, of as many blocks.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        self.combine(other, |lane, other| lane & other);
    }

    #[inline]
    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        widely(|| {
            for (line, other) in self.lines.iter_mut().zip(&other.lines) {
                for (lane, other) in line.0.iter_mut().zip(other.0) {
                    *lane = combine(*lane, other);
                }
            }
        });
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.lines.fill(Line([0; LANES as usize]));
    }

    /// Counts the set bits. O(m).
    pub(crate) fn ones(&self) -> u64 {
        widely(|| {
            let ones =
                |line: &Line| u64::from(line.0.iter().map(|lane| lane.count_ones()).sum::<u32>());
            self.lines.iter().map(ones).sum()
        })
    }

    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if !cfg!(bloom_vectors = "none") {
            // SAFETY: the loops are of this machine, and there always is a line.
            return unsafe {
                match self.loops {
                    BlockLoops::InPlace => super::avx512_in_place::insert(&mut self.lines, hash),
                    BlockLoops::Called { insert, .. } => insert(&mut self.lines, hash),
                }
            };
        }
        self.insert_portably(hash)
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if !cfg!(bloom_vectors = "none") {
            // SAFETY: the loops are of this machine.
            return unsafe {
                match self.loops {
                    BlockLoops::InPlace => super::avx512_in_place::contains(self, hash),
                    BlockLoops::Called { contains, .. } => contains(self, hash),
                }
            };
        }
        self.contains_portably(hash)
    }

    /// [`insert`](Self::insert) without vector instructions.
    #[inline]
    pub(crate) fn insert_portably(&mut self, hash: u64) -> bool {
        // SAFETY: there always is a line.
        unsafe { portable::insert(&mut self.lines, hash) }
    }

    /// [`contains`](Self::contains) without vector instructions.
    #[inline]
    pub(crate) fn contains_portably(&self, hash: u64) -> bool {
        portable::contains(self, hash)
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    #[inline]
    pub(crate) fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        #[cfg(target_arch = "x86_64")]
        match machine() {
            Machine::Widest(vectors) => return vectors.insert_each(self, hashes),
            Machine::Wide(vectors) => return vectors.insert_each(self, hashes),
            Machine::Plain => {}
        }
        portable::insert_each(self, hashes)
    }

    /// [`contains`](Self::contains) of every hash in turn, as many as there are `answers`.
    #[inline]
    pub(crate) fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        #[cfg(target_arch = "x86_64")]
        match machine() {
            Machine::Widest(vectors) => return vectors.contains_each(self, hashes, answers),
            Machine::Wide(vectors) => return vectors.contains_each(self, hashes, answers),
            Machine::Plain => {}
        }
        portable::contains_each(self, hashes, answers);
    }

    /// Whether the lines are more than the caches hold.
    fn is_far(&self) -> bool {
        self.count() > CACHED_BYTES / size_of::<Line>() as u64
    }
}

/// Fewer blocks than this: draws have so many values, and no machine has so much memory.
const MOST: u64 = 1 << (u64::BITS - UNDRAWN);

/// Reserves lines, or says that the allocator refused them.
fn reserve(blocks: u64) -> Result<Vec<Line>, MemoryError> {
    let mut lines = Vec::new();
    let count = usize::try_from(blocks).ok().filter(|_| blocks < MOST);
    let fits = count.is_some_and(|count| lines.try_reserve_exact(count).is_ok());
    let bits = blocks.saturating_mul(BLOCK_BITS);
    fits.then_some(lines).ok_or(MemoryError { bits })
}

/// The same as `avx2.rs` and `avx512.rs`, on every machine: the definition of what a hash sets.
pub(super) mod portable {
    use super::{Blocks, Line};
    use crate::probe::Place;
    use crate::storage::groups::{fetch, in_groups};
    use crate::storage::hashes::Hashes;

    /// # Safety
    ///
    /// There must be a line.
    #[inline]
    pub(crate) unsafe fn insert(lines: &mut [Line], hash: u64) -> bool {
        let place = Place::new(hash, lines.len() as u64);
        // SAFETY: the block of a place is below the number of lines, which is not 0.
        let line = unsafe { lines.get_unchecked_mut(place.block as usize) };
        let mut changed = 0;
        for (lane, bit) in line.0.iter_mut().zip(place.bits()) {
            let now = *lane | bit;
            changed |= now ^ *lane;
            *lane = now;
        }
        changed != 0
    }

    #[inline]
    pub(crate) fn contains(blocks: &Blocks, hash: u64) -> bool {
        let (line, place) = blocks.find(hash);
        let lanes = line.0.iter().zip(place.shifts());
        // Without a branch: the line is there once the first lane is.
        lanes.fold(1, |all_set, (lane, shift)| all_set & lane >> shift) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert_each(blocks: &mut Blocks, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        in_groups(blocks.is_far(), blocks, hashes, touch, |blocks, hash| {
            new += u64::from(blocks.insert_portably(hash));
        });
        new
    }

    #[inline]
    pub(crate) fn contains_each(blocks: &Blocks, hashes: impl Hashes, answers: &mut [bool]) {
        let mut places = answers.iter_mut();
        let touch = |blocks: &&Blocks, hash| touch(blocks, hash);
        in_groups(
            blocks.is_far(),
            &mut &*blocks,
            hashes,
            touch,
            |blocks, hash| {
                if let Some(place) = places.next() {
                    *place = contains(blocks, hash);
                }
            },
        );
    }

    /// Asks for the line of a hash.
    #[inline]
    fn touch(blocks: &Blocks, hash: u64) {
        fetch(blocks.find(hash).0);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::probe::mix;
    use crate::storage::ready;

    fn clear(count: u64) -> Blocks {
        Blocks::new(count).expect("little memory")
    }

    /// What is set after one insert: the bits of its place, and no others.
    fn only(count: u64, place: Place) -> Blocks {
        let mut blocks = clear(count);
        let lanes = blocks.lanes_mut().skip(8 * place.block as usize);
        lanes.zip(place.bits()).for_each(|(lane, bit)| *lane = bit);
        blocks
    }

    /// Each path beside the place and not beside another path: they could err alike.
    fn every_path_sets_and_finds_the_place_of(hash: u64, count: u64) {
        let place = Place::new(hash, count);
        let right = only(count, place);
        let (mut one, mut each, mut portably) = (clear(count), clear(count), clear(count));
        assert!(one.insert(hash) && portably.insert_portably(hash));
        // More than are looked at one by one.
        assert_eq!(each.insert_each(ready(&[hash; 40])), 1);
        let same = one == right && each == right && portably == right;
        assert!(same, "{hash} among {count}");
        let mut answers = [false; 40];
        right.contains_each(ready(&[hash; 40]), &mut answers);
        assert!(answers == [true; 40] && right.contains(hash) && right.contains_portably(hash));
    }

    #[test]
    fn a_hash_sets_the_bits_of_its_place_among_any_number_of_blocks() {
        for count in (1..=20).chain([64, 4_096, 4_097]) {
            let (mut first, mut last) = (false, false);
            for hash in (0..10 * count).map(|step| mix(count << 32 | step)) {
                let place = Place::new(hash, count);
                assert!(place.block < count, "block {} of {count}", place.block);
                first |= place.block == 0;
                last |= place.block == count - 1;
                // Many blocks are much memory: there one hash in a few hundred is enough.
                if count <= 64 || hash % 512 == 0 {
                    every_path_sets_and_finds_the_place_of(hash, count);
                }
            }
            // Of ten hashes a block none falls into the first, or the last, once in 20,000.
            assert!(first && last, "the first and the last of {count}");
        }
        // Of the first block, but only as the low bits of their draws are left out.
        every_path_sets_and_finds_the_place_of(0xab82_9a6f_67fc_0718, 3);
        every_path_sets_and_finds_the_place_of(0x2b21_4966_8889_8a7c, 1_000);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_machine_without_vectors_sets_and_finds_by_words() {
        let (mut called, mut by_words) = (clear(20), clear(20));
        called.loops = BlockLoops::of(Machine::Plain);
        for hash in (0..200).map(mix) {
            assert_eq!(called.contains(hash), by_words.contains_portably(hash));
            assert_eq!(called.insert(hash), by_words.insert_portably(hash));
            assert!(called == by_words && called.contains(hash));
        }
    }

    #[test]
    fn batches_without_vectors_do_as_single_calls_do() {
        // In the caches and beyond them, where they go in groups, and no multiple of a group.
        for count in [1, 64, 131_073] {
            assert_eq!(clear(count).is_far(), count > 131_072);
            let asked: Vec<u64> = (0..1_001).map(|step| mix(count ^ step)).collect();
            let inserted = &asked[..77];
            let (mut single, mut batch) = (clear(count), clear(count));
            let new = inserted
                .iter()
                .map(|hash| u64::from(single.insert_portably(*hash)));
            let new: u64 = new.sum();
            assert_eq!(portable::insert_each(&mut batch, ready(inserted)), new);
            assert!(single == batch, "{count} blocks");
            let mut answers = [false; 1_001];
            portable::contains_each(&batch, ready(&asked), &mut answers);
            for (hash, answer) in asked.iter().zip(answers) {
                assert_eq!(answer, portable::contains(&single, *hash));
            }
            assert!(answers[..77].iter().all(|answer| *answer));
        }
    }
}
