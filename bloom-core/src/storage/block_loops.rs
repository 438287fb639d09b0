//! What there is of the blocks' loops for each kind of vectors.

use super::groups::CACHED_BYTES;
use crate::probe::Place;

/// Up to so many blocks stay in the second-level cache, 256 KiB: fetching early gains nothing.
pub(super) const NEAR: u64 = 4096;

/// Up to so many stay in the caches: an insert waits for no line there, so that asking for it
/// twice costs more than it gains. Measured.
pub(super) const CACHED: u64 = CACHED_BYTES / 64;

/// Up to so many hashes of a batch are looked at one by one in the caches where a group is otherwise faster: to
/// make room for it takes as long as 25 of them. Measured.
pub(super) const FEW: usize = 32;

/// How many hashes, of one line each, are a group: measured. Beyond the caches two groups are on their way.
pub(super) const GROUP: usize = 128;

/// The places of the hashes of a group.
#[repr(C, align(64))]
pub(super) struct Places {
    pub(super) blocks: [u64; GROUP],
    pub(super) lanes: [u64; GROUP],
    /// How many they are; what comes after those is left from before.
    pub(super) count: usize,
}

impl Places {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            blocks: [0; GROUP],
            lanes: [0; GROUP],
            count: 0,
        }
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = Place> {
        let places = self.blocks[..self.count].iter();
        let places = places.zip(&self.lanes[..self.count]);
        places.map(|(&block, &lanes)| Place { block, lanes })
    }
}

/// Makes of what is in scope what a `$proof` of the machine's `$features` can do: the same and whole loops,
/// safe. In scope are `insert` and `contains` of one hash, `insert_at` and `contains_at` of a place, and
/// `find_all`, which finds as many places of the hashes of a group as their count says; all of them need the
/// features. `$insert` and `$contains` say of the blocks and the number of hashes whether each hash is
/// inserted, or looked for, by itself.
///
/// A macro, for what is generic is not compiled with the features of its caller.
macro_rules! block_loops {
    ($proof:ident, $features:tt, $insert:expr, $contains:expr) => {
        // What proves is that there is a `self`.
        #[allow(clippy::unused_self)]
        impl $proof {
            #[inline]
            pub(super) fn insert_each(
                self,
                blocks: &mut Blocks,
                hashes: impl $crate::storage::Hashes,
            ) -> u64 {
                // SAFETY: `self` proves that the machine has the instructions.
                unsafe { insert_each(blocks, hashes) }
            }

            #[inline]
            pub(super) fn contains_each(
                self,
                blocks: &Blocks,
                hashes: impl $crate::storage::Hashes,
                answers: &mut [bool],
            ) {
                // SAFETY: `self` proves that the machine has the instructions.
                unsafe { contains_each(blocks, hashes, answers) }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn insert_each(blocks: &mut Blocks, hashes: impl $crate::storage::Hashes) -> u64 {
            if !$insert(blocks, hashes.left()) {
                // SAFETY: the caller's machine has the instructions.
                return unsafe { insert_in_groups(blocks, hashes) };
            }
            let mut new = 0;
            for hash in hashes.one_by_one() {
                // SAFETY: the caller's machine has the instructions, and there always is a line.
                new += u64::from(unsafe { insert(blocks.lines_mut(), hash) });
            }
            new
        }

        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn insert_in_groups(
            blocks: &mut Blocks,
            hashes: impl $crate::storage::Hashes,
        ) -> u64 {
            use core::mem::swap;
            use $crate::storage::block_loops::{CACHED, GROUP, Places};
            let mut new = 0;
            let far = blocks.count() > CACHED;
            let mut some = Places::new();
            let mut others;
            let (mut found, mut before) = (&mut some, None);
            if far {
                others = Places::new();
                before = Some(&mut others);
            }
            let (mut hashes, mut group) = (hashes, [0; GROUP]);
            loop {
                let count = hashes.next_group(&mut group).unwrap_or(0);
                found.count = count;
                // SAFETY: the caller's machine has the instructions, and the places are found in these
                // blocks, now or the time before.
                unsafe {
                    find_all(blocks, &group, found, far);
                    if let Some(before) = &mut before {
                        // While the lines of this group come, those of the one before are there.
                        swap(&mut found, before);
                    }
                    for place in found.iter() {
                        new += u64::from(insert_at(blocks.lines_mut(), place));
                    }
                }
                if count == 0 {
                    return new;
                }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn contains_each(
            blocks: &Blocks,
            hashes: impl $crate::storage::Hashes,
            answers: &mut [bool],
        ) {
            if !$contains(blocks, hashes.left()) {
                // SAFETY: the caller's machine has the instructions.
                return unsafe { contains_in_groups(blocks, hashes, answers) };
            }
            for (hash, answer) in hashes.one_by_one().zip(answers) {
                // SAFETY: the caller's machine has the instructions.
                *answer = unsafe { contains(blocks, hash) };
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn contains_in_groups(
            blocks: &Blocks,
            hashes: impl $crate::storage::Hashes,
            mut answers: &mut [bool],
        ) {
            use core::mem::swap;
            use $crate::storage::block_loops::{CACHED, GROUP, NEAR, Places};
            let (fetches, far) = (blocks.count() > NEAR, blocks.count() > CACHED);
            let mut some = Places::new();
            let mut others;
            let (mut found, mut before) = (&mut some, None);
            if far {
                others = Places::new();
                before = Some(&mut others);
            }
            let (mut hashes, mut group) = (hashes, [0; GROUP]);
            loop {
                let count = hashes.next_group(&mut group).unwrap_or(0);
                found.count = count;
                // SAFETY: as in `insert_each`.
                unsafe {
                    find_all(blocks, &group, found, fetches);
                    if let Some(before) = &mut before {
                        swap(&mut found, before);
                    }
                    let (now, later) = answers.split_at_mut(found.count);
                    for (place, answer) in found.iter().zip(now) {
                        *answer = contains_at(blocks, place);
                    }
                    answers = later;
                }
                if count == 0 {
                    return;
                }
            }
        }
    };
}

pub(super) use block_loops;

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::blocks::{BlockLoops, Blocks, portable};
    use super::super::machine::{Machine, Wide, Widest};
    use crate::probe::{Place, mix};
    use crate::storage::ready;

    /// So many of one hash are looked at in a group, where there are groups.
    const GROUPED: usize = super::FEW + 1;

    /// Hashes without end.
    fn walk(seed: u64) -> impl Iterator<Item = u64> {
        (1..).map(move |step| mix(mix(seed) + step))
    }

    fn clear(blocks: u64) -> Blocks {
        Blocks::new(blocks).expect("little memory")
    }

    /// One block of these lanes.
    fn block(lanes: [u64; 8]) -> Blocks {
        let mut block = clear(1);
        block
            .lanes_mut()
            .zip(lanes)
            .for_each(|(to, lane)| *to = lane);
        block
    }

    /// The tests of one kind of vectors beside the portable loops.
    macro_rules! alike {
        ($name:ident, $proof:ident) => {
            mod $name {
                use super::*;

                /// Blocks that are looked at one by one as on a machine of this kind.
                fn single(vectors: $proof, mut blocks: Blocks) -> Blocks {
                    blocks.loops = BlockLoops::of(Machine::$proof(vectors));
                    blocks
                }

                #[test]
                fn both_paths_set_the_same_bits_and_find_the_same() {
                    let Some(vectors) = $proof::get() else { return };
                    for (count, hashes) in [
                        (1, 40),
                        (2, 90),
                        (3, 150),
                        (64, 3_000),
                        (5_000, 20_000),
                        (super::super::CACHED + 1, 2_000),
                    ] {
                        let mut by_vectors = single(vectors, clear(count));
                        let (mut by_words, mut in_groups) = (clear(count), clear(count));
                        let mut new = 0;
                        for hash in walk(count).take(hashes) {
                            let one = by_vectors.insert(hash);
                            assert_eq!(one, by_words.insert_portably(hash));
                            new += u64::from(one);
                        }
                        let hashes: Vec<u64> = walk(count).take(hashes).collect();
                        assert_eq!(vectors.insert_each(&mut in_groups, ready(&hashes)), new);
                        assert!(
                            by_vectors == by_words && in_groups == by_words,
                            "{count} blocks"
                        );

                        let asked = hashes.into_iter().chain(walk(!count).take(10_000));
                        let asked: Vec<u64> = asked.collect();
                        let mut answers = vec![false; asked.len()];
                        vectors.contains_each(&by_vectors, ready(&asked), &mut answers);
                        for (hash, answer) in asked.into_iter().zip(answers) {
                            assert_eq!(answer, portable::contains(&by_words, hash));
                            assert_eq!(answer, by_vectors.contains(hash));
                        }
                    }
                }

                #[test]
                fn batches_of_any_length_end_with_the_last_hash() {
                    let Some(vectors) = $proof::get() else { return };
                    // Where a group is looked at once it is found, and where one group later.
                    for count in [9, super::super::CACHED, super::super::CACHED + 1] {
                        let (mut batch, mut by_words) = (clear(count), clear(count));
                        for length in [0, 1, 127, 128, 129, 255, 256, 257, 400] {
                            // Half of them twice, one group after the other too.
                            let hashes: Vec<u64> = walk(length).take(length as usize).collect();
                            let hashes: Vec<u64> = (0..hashes.len())
                                .map(|index| hashes[index % (hashes.len() / 2 + 1)])
                                .collect();
                            let new = hashes
                                .iter()
                                .map(|hash| u64::from(by_words.insert_portably(*hash)));
                            let new: u64 = new.sum();
                            let batched = vectors.insert_each(&mut batch, ready(&hashes));
                            assert_eq!(batched, new, "{length} into {count}");
                            let mut answers = vec![false; hashes.len()];
                            vectors.contains_each(&batch, ready(&hashes), &mut answers);
                            assert!(answers.iter().all(|answer| *answer), "{length} of {count}");
                        }
                        assert!(batch == by_words, "{count} blocks");
                    }
                }

                #[test]
                fn every_bit_of_every_lane_is_set_and_tested_alike() {
                    let Some(vectors) = $proof::get() else { return };
                    // One block: every hash that is needed to see each bit of each lane, and then every block
                    // with one bit missing or one bit more.
                    let mut seen = [0_u64; 8];
                    let mut hashes = walk(1);
                    while seen != [u64::MAX; 8] {
                        let hash = hashes.next().expect("a walk has no end");
                        let bits = Place::new(hash, 1).bits();
                        seen.iter_mut()
                            .zip(bits)
                            .for_each(|(seen, bit)| *seen |= bit);
                        // Alone, in a batch and by words.
                        let (mut one, mut each) = (single(vectors, clear(1)), clear(1));
                        let mut same = clear(1);
                        assert!(one.insert(hash) && same.insert_portably(hash));
                        assert_eq!(vectors.insert_each(&mut each, ready(&[hash; GROUPED])), 1);
                        assert_eq!(one, block(bits));
                        assert!(one == each && one == same);
                        let answers = |blocks: &Blocks| {
                            let mut answers = [false; GROUPED];
                            vectors.contains_each(blocks, ready(&[hash; GROUPED]), &mut answers);
                            let in_batch = answers[0];
                            assert_eq!(answers, [in_batch; GROUPED]);
                            [
                                blocks.contains(hash),
                                in_batch,
                                portable::contains(blocks, hash),
                            ]
                        };
                        for (lane, bit) in bits.into_iter().enumerate() {
                            let mut all_but_one = [u64::MAX; 8];
                            all_but_one[lane] = !bit;
                            let mut missing = single(vectors, block(all_but_one));
                            assert_eq!(answers(&missing), [false; 3], "lane {lane} of {hash}");
                            let mut with_another = bits;
                            with_another[lane] |= bit.rotate_left(7);
                            let more = single(vectors, block(with_another));
                            assert_eq!(answers(&more), [true; 3], "lane {lane} of {hash}");
                            let mut in_batch = missing.try_clone().expect("little memory");
                            vectors.insert_each(&mut in_batch, ready(&[hash; GROUPED]));
                            assert!(missing.insert(hash) && missing == in_batch);
                            assert_eq!(missing, block([u64::MAX; 8]));
                        }
                    }
                }
            }
        };
    }

    alike!(avx2, Wide);
    alike!(avx512, Widest);
}
