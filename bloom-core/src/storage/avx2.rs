//! The blocks' loops in vector instructions: `blocks::portable` four lanes at a time.
//!
//! Found at run time, as the machines that have AVX2 and BMI2 are most, but not all.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_load_si256,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_store_si256,
};

use super::block_loops::{CACHED, GROUP, NEAR, Places};
use super::blocks::{Blocks, Line};
use super::groups::fetch;
use super::machine::Wide;
use crate::probe::{LANE_SHIFTS, Place};

super::block_loops::block_loops!(
    Wide,
    "avx2,bmi2",
    |blocks: &Blocks, _| blocks.count() <= CACHED,
    |blocks: &Blocks, _| blocks.count() <= NEAR
);

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

/// # Safety
///
/// This machine must have AVX2 and BMI2, and there must be a line.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub(super) unsafe fn insert(lines: &mut [Line], hash: u64) -> bool {
    let place = Place::new(hash, lines.len() as u64);
    // SAFETY: the caller's machine has the instructions, and the place is of these lines.
    unsafe { insert_at(lines, place) }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub(super) unsafe fn contains(blocks: &Blocks, hash: u64) -> bool {
    let place = Place::new(hash, blocks.count());
    // SAFETY: as in `insert`.
    unsafe { contains_at(blocks, place) }
}

/// Finds as many places as there are to be, of the first hashes, and asks for their lines if it `fetches`.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn find_all(blocks: &Blocks, hashes: &[u64; GROUP], places: &mut Places, fetches: bool) {
    for (index, hash) in hashes[..places.count].iter().enumerate() {
        let (line, place) = blocks.find(*hash);
        if fetches {
            fetch(line);
        }
        places.blocks[index] = place.block;
        places.lanes[index] = place.lanes;
    }
}

/// [`insert`] the hash of a place, which must be of these lines.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn insert_at(lines: &mut [Line], place: Place) -> bool {
    // SAFETY: the caller's machine has the instructions, and the place is of these lines.
    unsafe {
        let line = lines.get_unchecked_mut(place.block as usize);
        let (lanes, ways_up) = (load(line), ways_up(place));
        // A line is two halves, as in `load`, and `line` is not used after this.
        let halves = core::ptr::from_mut(line).cast::<__m256i>();
        let highest = _mm256_set1_epi64x(i64::MIN);
        let bits = ways_up.map(|way| _mm256_srlv_epi64(highest, way));
        _mm256_store_si256(halves, _mm256_or_si256(lanes[0], bits[0]));
        _mm256_store_si256(halves.add(1), _mm256_or_si256(lanes[1], bits[1]));
        !all_set(lanes, ways_up)
    }
}

/// [`contains`] of the hash of a place, which must be of these blocks.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn contains_at(blocks: &Blocks, place: Place) -> bool {
    // SAFETY: as in `insert_at`.
    unsafe {
        let line = blocks.line_unchecked(place.block as usize);
        all_set(load(line), ways_up(place))
    }
}
