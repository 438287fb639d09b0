//! The blocks' loops in vector instructions: `blocks::portable` four lanes at a time.
//!
//! Found at run time, as the machines that have AVX2 and BMI2 are most, but not all.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_load_si256,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_store_si256,
};

use super::blocks::{Blocks, Line};
use super::groups::{Groups, fetch};
use super::machine::Wide;
use crate::probe::{LANE_SHIFTS, Place};

/// Up to so many blocks stay in the second-level cache, 256 KiB: fetching early gains nothing.
const NEAR: u64 = 4096;

/// How many hashes, of one line each, are on their way at once: measured.
const GROUP: usize = 128;

/// What a machine with AVX2 does with blocks.
// What proves is that there is a `self`.
#[allow(clippy::unused_self)]
impl Wide {
    #[inline]
    pub(super) fn insert(self, blocks: &mut Blocks, hash: u64) -> bool {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { insert(blocks, hash) }
    }

    #[inline]
    pub(super) fn contains(self, blocks: &Blocks, hash: u64) -> bool {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { contains(blocks, hash) }
    }

    #[inline]
    pub(super) fn insert_each(self, blocks: &mut Blocks, hashes: impl Iterator<Item = u64>) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { insert_each(blocks, hashes) }
    }

    #[inline]
    pub(super) fn contains_each(
        self,
        blocks: &Blocks,
        hashes: impl Iterator<Item = u64>,
        answers: &mut [bool],
    ) {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { contains_each(blocks, hashes, answers) }
    }
}

/// 63 less the number of the bit of each lane: how far left it has to go to be the highest.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn ways_up(place: Place) -> [__m256i; 2] {
    let [a, b, c, d, e, f, g, h] = LANE_SHIFTS.map(i64::from);
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let lanes = _mm256_set1_epi64x(place.lanes as i64);
        let shifts = [
            _mm256_setr_epi64x(a, b, c, d),
            _mm256_setr_epi64x(e, f, g, h),
        ];
        shifts.map(|shift| {
            _mm256_andnot_si256(_mm256_srlv_epi64(lanes, shift), _mm256_set1_epi64x(63))
        })
    }
}

/// Returns whether the bit of every lane is set.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn all_set(lanes: [__m256i; 2], ways_up: [__m256i; 2]) -> bool {
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let highest = _mm256_and_si256(
            _mm256_sllv_epi64(lanes[0], ways_up[0]),
            _mm256_sllv_epi64(lanes[1], ways_up[1]),
        );
        _mm256_movemask_pd(_mm256_castsi256_pd(highest)) == 0b1111
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn load(line: &Line) -> [__m256i; 2] {
    let halves = core::ptr::from_ref(line).cast::<__m256i>();
    // SAFETY: a line is 64 bytes and aligned to 64: two halves of 32.
    unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn insert(blocks: &mut Blocks, hash: u64) -> bool {
    let (line, place) = blocks.find_mut(hash);
    // SAFETY: the caller's machine has the instructions.
    let (lanes, ways_up) = unsafe { (load(line), ways_up(place)) };
    let halves = core::ptr::from_mut(line).cast::<__m256i>();
    // SAFETY: as in `load`, and `line` is not used after this.
    unsafe {
        let highest = _mm256_set1_epi64x(i64::MIN);
        let bits = ways_up.map(|way| _mm256_srlv_epi64(highest, way));
        _mm256_store_si256(halves, _mm256_or_si256(lanes[0], bits[0]));
        _mm256_store_si256(halves.add(1), _mm256_or_si256(lanes[1], bits[1]));
        !all_set(lanes, ways_up)
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn contains(blocks: &Blocks, hash: u64) -> bool {
    let (line, place) = blocks.find(hash);
    // SAFETY: the caller's machine has the instructions.
    unsafe { all_set(load(line), ways_up(place)) }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn insert_each(blocks: &mut Blocks, hashes: impl Iterator<Item = u64>) -> u64 {
    let mut new = 0;
    if blocks.count() <= NEAR {
        for hash in hashes {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert(blocks, hash) });
        }
        return new;
    }
    let mut groups = Groups::<_, GROUP>::new(hashes);
    while let Some(group) = groups.next_group() {
        touch(blocks, group);
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert(blocks, *hash) });
        }
    }
    new
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn contains_each(
    blocks: &Blocks,
    hashes: impl Iterator<Item = u64>,
    mut answers: &mut [bool],
) {
    if blocks.count() <= NEAR {
        for (hash, answer) in hashes.zip(answers) {
            // SAFETY: the caller's machine has the instructions.
            *answer = unsafe { contains(blocks, hash) };
        }
        return;
    }
    let mut groups = Groups::<_, GROUP>::new(hashes);
    while let Some(group) = groups.next_group() {
        touch(blocks, group);
        let (now, later) = answers.split_at_mut(group.len());
        for (hash, answer) in group.iter().zip(now) {
            // SAFETY: the caller's machine has the instructions.
            *answer = unsafe { contains(blocks, *hash) };
        }
        answers = later;
    }
}

/// Asks for the lines of every hash.
#[inline]
fn touch(blocks: &Blocks, hashes: &[u64]) {
    for hash in hashes {
        fetch(blocks.find(*hash).0);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::blocks::portable;
    use super::*;

    /// Hashes without end.
    fn walk(seed: u64) -> impl Iterator<Item = u64> {
        crate::probe::Walk::new(seed)
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

    #[test]
    fn both_paths_set_the_same_bits_and_find_the_same() {
        let Some(vectors) = Wide::get() else { return };
        for (count, hashes) in [(1, 40), (2, 90), (3, 150), (64, 3_000), (5_000, 20_000)] {
            let (mut by_vectors, mut by_words) = (clear(count), clear(count));
            let mut in_groups = clear(count);
            let mut new = 0;
            for hash in walk(count).take(hashes) {
                let one = vectors.insert(&mut by_vectors, hash);
                assert_eq!(one, portable::insert(&mut by_words, hash));
                new += u64::from(one);
            }
            let hashes = || walk(count).take(hashes);
            assert_eq!(vectors.insert_each(&mut in_groups, hashes()), new);
            assert!(
                by_vectors == by_words && in_groups == by_words,
                "{count} blocks"
            );

            let others = || hashes().chain(walk(!count).take(10_000));
            let mut answers = vec![false; others().count()];
            vectors.contains_each(&by_vectors, others(), &mut answers);
            for (hash, answer) in others().zip(answers) {
                assert_eq!(answer, portable::contains(&by_words, hash));
                assert_eq!(answer, vectors.contains(&by_words, hash));
            }
        }
    }

    #[test]
    fn every_bit_of_every_lane_is_set_and_tested_alike() {
        let Some(vectors) = Wide::get() else { return };
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
            let (mut one, mut same) = (clear(1), clear(1));
            assert!(vectors.insert(&mut one, hash) && portable::insert(&mut same, hash));
            assert_eq!(one, block(bits));
            assert_eq!(one, same);
            for (lane, bit) in bits.into_iter().enumerate() {
                let mut all_but_one = [u64::MAX; 8];
                all_but_one[lane] = !bit;
                let mut missing = block(all_but_one);
                assert!(!vectors.contains(&missing, hash), "lane {lane} of {hash}");
                assert!(!portable::contains(&missing, hash), "lane {lane} of {hash}");
                let mut with_another = bits;
                with_another[lane] |= bit.rotate_left(7);
                let more = block(with_another);
                assert!(vectors.contains(&more, hash) && portable::contains(&more, hash));
                assert!(vectors.insert(&mut missing, hash));
                assert_eq!(missing, block([u64::MAX; 8]));
            }
        }
    }
}
