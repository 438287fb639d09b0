//! The blocks' loops in vector instructions: `blocks::portable` four lanes at a time.
//!
//! Found at run time, as the machines that have AVX2 and BMI2 are most, but not all.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_load_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_store_si256, _mm256_testz_si256,
};

use super::blocks::Line;
use super::groups::{Groups, fetch};
use crate::probe::{LANE_SHIFTS, Place};

cpufeatures::new!(detected, "avx2", "bmi2");

/// Up to so many blocks stay in the second-level cache, 256 KiB: fetching early gains nothing.
const NEAR: usize = 4096;

/// How many hashes, of one line each, are on their way at once: measured.
const GROUP: usize = 128;

/// The proof that this machine has AVX2 and BMI2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

// What proves is that there is a `self`.
#[allow(clippy::unused_self)]
impl Avx2 {
    /// Returns the proof, if there is one.
    #[inline]
    pub(super) fn get() -> Option<Self> {
        detected::get().then_some(Self(()))
    }

    #[inline]
    pub(super) fn insert(self, lines: &mut [Line], hash: u64) -> bool {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { insert(lines, hash) }
    }

    #[inline]
    pub(super) fn contains(self, lines: &[Line], hash: u64) -> bool {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { contains(lines, hash) }
    }

    #[inline]
    pub(super) fn insert_each(self, lines: &mut [Line], hashes: impl Iterator<Item = u64>) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { insert_each(lines, hashes) }
    }

    #[inline]
    pub(super) fn contains_each(
        self,
        lines: &[Line],
        hashes: impl Iterator<Item = u64>,
        answer: impl FnMut(bool),
    ) {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { contains_each(lines, hashes, answer) }
    }
}

/// The bit of each lane, as in [`Place::bits`].
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn bits(place: Place) -> [__m256i; 2] {
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
            let six = _mm256_and_si256(_mm256_srlv_epi64(lanes, shift), _mm256_set1_epi64x(63));
            _mm256_sllv_epi64(_mm256_set1_epi64x(1), six)
        })
    }
}

/// Returns whether a bit of `bits` is clear in the lanes.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn any_missing(lanes: [__m256i; 2], bits: [__m256i; 2]) -> bool {
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let missing = _mm256_or_si256(
            _mm256_andnot_si256(lanes[0], bits[0]),
            _mm256_andnot_si256(lanes[1], bits[1]),
        );
        _mm256_testz_si256(missing, missing) == 0
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
unsafe fn insert(lines: &mut [Line], hash: u64) -> bool {
    let place = Place::new(hash, lines.len() as u64);
    let line = &mut lines[place.block as usize];
    // SAFETY: the caller's machine has the instructions.
    let (lanes, bits) = unsafe { (load(line), bits(place)) };
    let halves = core::ptr::from_mut(line).cast::<__m256i>();
    // SAFETY: as in `load`.
    unsafe {
        _mm256_store_si256(halves, _mm256_or_si256(lanes[0], bits[0]));
        _mm256_store_si256(halves.add(1), _mm256_or_si256(lanes[1], bits[1]));
        any_missing(lanes, bits)
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn contains(lines: &[Line], hash: u64) -> bool {
    let place = Place::new(hash, lines.len() as u64);
    let line = &lines[place.block as usize];
    // SAFETY: the caller's machine has the instructions.
    unsafe { !any_missing(load(line), bits(place)) }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn insert_each(lines: &mut [Line], hashes: impl Iterator<Item = u64>) -> u64 {
    let mut new = 0;
    if lines.len() <= NEAR {
        for hash in hashes {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert(lines, hash) });
        }
        return new;
    }
    let mut groups = Groups::<_, GROUP>::new(hashes);
    while let Some(group) = groups.next_group() {
        touch(lines, group);
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert(lines, *hash) });
        }
    }
    new
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn contains_each(
    lines: &[Line],
    hashes: impl Iterator<Item = u64>,
    mut answer: impl FnMut(bool),
) {
    if lines.len() <= NEAR {
        for hash in hashes {
            // SAFETY: the caller's machine has the instructions.
            answer(unsafe { contains(lines, hash) });
        }
        return;
    }
    let mut groups = Groups::<_, GROUP>::new(hashes);
    while let Some(group) = groups.next_group() {
        touch(lines, group);
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            answer(unsafe { contains(lines, *hash) });
        }
    }
}

/// Asks for the lines of every hash.
#[inline]
fn touch(lines: &[Line], hashes: &[u64]) {
    for hash in hashes {
        fetch(&lines[Place::new(*hash, lines.len() as u64).block as usize]);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::blocks::portable;
    use super::*;

    /// Hashes without end.
    fn walk(seed: u64) -> impl Iterator<Item = u64> {
        crate::probe::Walk::new(seed)
    }

    fn lines(count: usize) -> Vec<Line> {
        vec![Line([0; 8]); count]
    }

    #[test]
    fn both_paths_set_the_same_bits_and_find_the_same() {
        let Some(vectors) = Avx2::get() else { return };
        for (count, hashes) in [(1, 40), (2, 90), (3, 150), (64, 3_000), (5_000, 20_000)] {
            let (mut by_vectors, mut by_words) = (lines(count), lines(count));
            let mut in_groups = lines(count);
            let mut new = 0;
            for hash in walk(count as u64).take(hashes) {
                let one = vectors.insert(&mut by_vectors, hash);
                assert_eq!(one, portable::insert(&mut by_words, hash));
                new += u64::from(one);
            }
            let hashes = || walk(count as u64).take(hashes);
            assert_eq!(vectors.insert_each(&mut in_groups, hashes()), new);
            assert!(
                by_vectors == by_words && in_groups == by_words,
                "{count} blocks"
            );

            let mut answers = Vec::new();
            let others = || hashes().chain(walk(!(count as u64)).take(10_000));
            vectors.contains_each(&by_vectors, others(), |answer| answers.push(answer));
            assert_eq!(answers.len(), others().count());
            for (hash, answer) in others().zip(answers) {
                assert_eq!(answer, portable::contains(&by_words, hash));
                assert_eq!(answer, vectors.contains(&by_words, hash));
            }
        }
    }

    #[test]
    fn every_bit_of_every_lane_is_set_and_tested_alike() {
        let Some(vectors) = Avx2::get() else { return };
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
            let (mut block, mut same) = (lines(1), lines(1));
            assert!(vectors.insert(&mut block, hash) && portable::insert(&mut same, hash));
            assert_eq!(block, vec![Line(bits)]);
            assert_eq!(block, same);
            for (lane, bit) in bits.into_iter().enumerate() {
                let mut missing = vec![Line([u64::MAX; 8])];
                missing[0].0[lane] &= !bit;
                assert!(!vectors.contains(&missing, hash), "lane {lane} of {hash}");
                assert!(!portable::contains(&missing, hash), "lane {lane} of {hash}");
                let mut more = block.clone();
                more[0].0[lane] |= bit.rotate_left(7);
                assert!(vectors.contains(&more, hash) && portable::contains(&more, hash));
                assert!(vectors.insert(&mut missing, hash));
                assert_eq!(missing, vec![Line([u64::MAX; 8])]);
            }
        }
    }
}
