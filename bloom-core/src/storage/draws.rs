//! What a hash does with bits, one draw after the other, and which loops are this machine's.
#![allow(unsafe_code)]
// Where it says so, code is to be compiled with the instructions of its caller.
#![allow(clippy::inline_always)]

use core::fmt;

use super::bits::{Bits, OpenBits};
use super::groups::in_groups;
use super::hashes::Hashes;
#[cfg(target_arch = "x86_64")]
use super::machine::{Machine, Wide, machine};
use crate::probe::{Walk, reduce};

/// Runs `body` with the number of hashes as the constant K, where it is a usual one, so that the
/// compiler sees the draws side by side; else `other`.
macro_rules! unrolled {
    ($hashes:expr, K => $body:expr, $other:expr) => {
        unrolled!($hashes, $body, $other, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($hashes:expr, $body:expr, $other:expr, $($k:literal)*) => {
        match $hashes {
            $($k => { const K: usize = $k; $body })*
            _ => $other,
        }
    };
}

/// The loops over the draws of a hash that are best on this machine, chosen once for a filter.
///
/// Made by [`of`](Self::of), [`wide`](Self::wide) and [`portable`](Self::portable) alone, so this machine
/// has what they need. Kept in the filter itself: a loop of queries then looks once at what they are.
#[derive(Clone, Copy)]
pub(super) struct DrawLoops {
    /// Up to how many hashes are looked at without a call, or, of filters beyond the caches, the first few.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    in_place: u8,
    insert: unsafe fn(OpenBits<'_>, u64, u8) -> bool,
    contains: unsafe fn(&Bits, u64, u8) -> bool,
}

impl DrawLoops {
    /// Returns those for filters in the caches or, if `far`, beyond them.
    ///
    /// In the caches without a branch, which would be mispredicted more often than not; beyond
    /// them bit by bit, for what is not looked at need not be fetched; vectors a few and then eight by eight.
    pub(super) fn of(far: bool) -> Self {
        #[cfg(target_arch = "x86_64")]
        match machine() {
            Machine::Widest(_) => {
                use super::avx512_draws::{WIDTH, contains_near_alone, insert_alone};
                return Self {
                    in_place: if far { u8::MAX } else { WIDTH },
                    insert: insert_alone,
                    contains: contains_near_alone,
                };
            }
            Machine::Wide(wide) => return Self::wide(wide, far),
            Machine::Plain => {}
        }
        Self::portable(far)
    }

    /// [`of`](Self::of) machines with BMI2.
    #[cfg(target_arch = "x86_64")]
    fn wide(_: Wide, far: bool) -> Self {
        Self {
            in_place: 0,
            insert: insert_widely,
            contains: if far {
                Bits::contains_far_widely
            } else {
                Bits::contains_near_widely
            },
        }
    }

    /// [`of`](Self::of) every machine.
    pub(super) fn portable(far: bool) -> Self {
        Self {
            in_place: 0,
            insert: insert_portably,
            contains: if far {
                Bits::contains_far_portably
            } else {
                Bits::contains_near_portably
            },
        }
    }
}

impl fmt::Debug for DrawLoops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DrawLoops")
    }
}

impl Bits {
    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, hashes: u8) -> bool {
        // SAFETY: the loops are of this machine.
        unsafe { (self.loops.insert)(self.open(), hash, hashes) }
    }

    /// Returns whether every bit of a hash is set.
    #[inline]
    pub(crate) fn contains_all(&self, hash: u64, hashes: u8) -> bool {
        // SAFETY: the loops are of this machine.
        unsafe {
            // No filter has 0 hashes, and where nothing is in place not even those are.
            #[cfg(target_arch = "x86_64")]
            if hashes.wrapping_sub(1) < self.loops.in_place {
                return super::avx512_in_place::contains_draws(self, hash, hashes);
            }
            (self.loops.contains)(self, hash, hashes)
        }
    }

    // What follows is each loop twice, the same code for machines with BMI2 and for others: a
    // multiplication that needs no register of its own, and shifts likewise, save a fifth.

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    unsafe fn contains_near_widely(&self, hash: u64, hashes: u8) -> bool {
        self.contains_near(hash, hashes)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    unsafe fn contains_far_widely(&self, hash: u64, hashes: u8) -> bool {
        self.contains_far(hash, hashes)
    }

    fn contains_near_portably(&self, hash: u64, hashes: u8) -> bool {
        self.contains_near(hash, hashes)
    }

    fn contains_far_portably(&self, hash: u64, hashes: u8) -> bool {
        self.contains_far(hash, hashes)
    }

    #[inline(always)]
    fn contains_near(&self, hash: u64, hashes: u8) -> bool {
        unrolled!(hashes, K => self.contains_draws(Walk::new(hash).take(K)), {
            self.contains_draws(Walk::new(hash).take(hashes.into()))
        })
    }

    #[inline(always)]
    fn contains_far(&self, hash: u64, hashes: u8) -> bool {
        let mut walk = Walk::new(hash);
        let mut test = || {
            let (word, bit) = self.word(walk.step());
            word >> bit & 1 == 1
        };
        // Two together: three misses in four end here, and a branch fewer is mispredicted.
        if hashes > 1 && !(test() & test()) {
            return false;
        }
        for _ in 2..hashes {
            if !test() {
                return false;
            }
        }
        hashes > 1 || test()
    }

    #[inline(always)]
    fn contains_draws(&self, draws: impl Iterator<Item = u64>) -> bool {
        let words = draws.map(|draw| self.word(draw));
        words.fold(1, |all_set, (word, bit)| all_set & word >> bit) & 1 == 1
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    #[inline]
    pub(crate) fn insert_each(&mut self, each: impl Hashes, hashes: u8) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Machine::Widest(vectors) = machine() {
            return vectors.insert_each_draws(self, each, hashes);
        }
        self.insert_each_by_loops(each, hashes)
    }

    /// [`insert_each`](Self::insert_each) with the loops for one hash.
    #[inline]
    fn insert_each_by_loops(&mut self, each: impl Hashes, hashes: u8) -> u64 {
        let mut new = 0;
        if self.is_far() {
            in_groups(
                true,
                self,
                each,
                |bits, hash| bits.fetch(hash, hashes),
                |bits, hash| new += u64::from(bits.insert(hash, hashes)),
            );
        } else {
            each.one_by_one()
                .for_each(|hash| new += u64::from(self.insert(hash, hashes)));
        }
        new
    }

    /// [`contains_all`](Self::contains_all) of every hash in turn, as many as there are `answers`.
    #[inline]
    pub(crate) fn contains_each(&self, each: impl Hashes, hashes: u8, answers: &mut [bool]) {
        #[cfg(target_arch = "x86_64")]
        if let Machine::Widest(vectors) = machine() {
            return vectors.contains_each_draws(self, each, hashes, answers);
        }
        self.contains_each_by(DrawLoops::of(false), each, hashes, answers);
    }

    /// [`contains_each`](Self::contains_each) with these loops for one hash.
    #[inline]
    fn contains_each_by(
        &self,
        loops: DrawLoops,
        each: impl Hashes,
        hashes: u8,
        answers: &mut [bool],
    ) {
        // SAFETY: the loops are of this machine.
        let near = |bits: &Self, hash| unsafe { (loops.contains)(bits, hash, hashes) };
        if self.is_far() {
            let mut places = answers.iter_mut();
            in_groups(
                true,
                &mut &*self,
                each,
                |bits, hash| bits.fetch(hash, hashes),
                |bits, hash| {
                    if let Some(place) = places.next() {
                        *place = near(bits, hash);
                    }
                },
            );
        } else {
            for (hash, answer) in each.one_by_one().zip(answers) {
                *answer = near(self, hash);
            }
        }
    }
}

// Each insert twice as well: for machines with BMI2 and for others.

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe fn insert_widely(bits: OpenBits<'_>, hash: u64, hashes: u8) -> bool {
    insert_unrolled(bits, hash, hashes)
}

fn insert_portably(bits: OpenBits<'_>, hash: u64, hashes: u8) -> bool {
    insert_unrolled(bits, hash, hashes)
}

#[inline(always)]
fn insert_unrolled(bits: OpenBits<'_>, hash: u64, hashes: u8) -> bool {
    unrolled!(hashes, K => insert_draws(bits, Walk::new(hash).take(K)), {
        insert_draws(bits, Walk::new(hash).take(hashes.into()))
    })
}

#[inline(always)]
fn insert_draws(mut bits: OpenBits<'_>, draws: impl Iterator<Item = u64>) -> bool {
    let mut all_set = 1;
    for draw in draws {
        let position = reduce(draw, bits.count());
        // SAFETY: the position is below the number of bits, as `reduce` makes it.
        all_set &= unsafe { bits.set_unchecked(position) };
    }
    all_set & 1 == 0
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::probe::{Positions, mix};
    use crate::storage::ready;

    /// All loops that this machine can run, also those that only others take.
    fn every_loop() -> Vec<DrawLoops> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut all = vec![DrawLoops::portable(false), DrawLoops::portable(true)];
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Wide::get() {
            all.extend([false, true].map(|far| DrawLoops::wide(wide, far)));
        }
        #[cfg(target_arch = "x86_64")]
        if crate::storage::machine::Widest::get().is_some() {
            all.extend([false, true].map(DrawLoops::of));
        }
        all
    }

    /// Each of them at each of [`COUNTS`].
    fn loops_and_counts() -> impl Iterator<Item = (DrawLoops, u64)> {
        let all = every_loop().into_iter();
        all.flat_map(|loops| COUNTS.map(|count| (loops, count)))
    }

    fn clear(count: u64, loops: DrawLoops) -> Bits {
        let mut bits = Bits::new(count).expect("little memory");
        bits.loops = loops;
        bits
    }

    /// Both sides of a word and, beyond the caches, of a group.
    const COUNTS: [u64; 6] = [1, 5, 64, 65, 4_099, (1 << 26) + 65];
    /// Around every number of vectors and half vectors.
    const HASHES: [u8; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 40];

    #[test]
    fn every_loop_asks_for_every_position_of_a_hash() {
        for (loops, count) in loops_and_counts() {
            for (hashes, hash) in HASHES.into_iter().zip((1..).map(mix)) {
                let positions = || Positions::new(hash, count, hashes);
                for missing in positions() {
                    let mut bits = clear(count, loops);
                    positions()
                        .filter(|position| *position != missing)
                        .for_each(|position| {
                            bits.set(position);
                        });
                    assert!(
                        !bits.contains_all(hash, hashes),
                        "{count} bits, k = {hashes}"
                    );
                    bits.set(missing);
                    assert!(
                        bits.contains_all(hash, hashes),
                        "{count} bits, k = {hashes}"
                    );
                }
            }
        }
    }

    /// Most of the memory is never touched, so the system need not have it.
    #[test]
    fn every_loop_sets_and_finds_positions_beyond_32_bits() {
        for loops in every_loop() {
            let mut bits = clear((1 << 32) + (1 << 30), loops);
            let hashes: Vec<u64> = (0..300).map(mix).collect();
            assert!(hashes.iter().all(|hash| !bits.contains_all(*hash, 7)));
            let (one, each) = hashes[..200].split_at(100);
            for hash in one {
                assert!(bits.insert(*hash, 7));
            }
            assert_eq!(bits.insert_each_by_loops(ready(each), 7), 100);
            for hash in hashes[..200].iter().copied() {
                let mut positions = Positions::new(hash, bits.count(), 7);
                assert!(positions.all(|position| bits.contains(position)));
                assert!(bits.contains_all(hash, 7) && !bits.insert(hash, 7));
            }
            let mut answers = [false; 300];
            bits.contains_each_by(loops, ready(&hashes), 7, &mut answers);
            assert_eq!(answers.iter().filter(|answer| **answer).count(), 200);
        }
    }

    #[test]
    fn every_loop_sets_every_position_of_a_hash_alone_and_in_batches() {
        for (loops, count) in loops_and_counts() {
            for hashes in [1, 4, 7, 10, 16, 17] {
                let (mut one, mut each) = (clear(count, loops), clear(count, loops));
                let mut plain = clear(count, loops);
                let mut new = 0;
                // No multiple of a group.
                let inserted: Vec<u64> = (0..77).map(mix).collect();
                for hash in &inserted {
                    let mut clear = 0;
                    for position in Positions::new(*hash, count, hashes) {
                        clear += u64::from(plain.set(position));
                    }
                    assert_eq!(one.insert(*hash, hashes), clear > 0);
                    new += u64::from(clear > 0);
                }
                assert_eq!(each.insert_each_by_loops(ready(&inserted), hashes), new);
                assert!(one == plain && each == plain, "{count} bits, k = {hashes}");

                let asked: Vec<u64> = (0..155).map(mix).collect();
                let mut answers = vec![false; asked.len()];
                one.contains_each_by(loops, ready(&asked), hashes, &mut answers);
                for (hash, answer) in asked.into_iter().zip(answers) {
                    let mut positions = Positions::new(hash, count, hashes);
                    assert_eq!(answer, positions.all(|position| plain.contains(position)));
                }
            }
        }
    }
}
