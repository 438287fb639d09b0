//! The bits of a line in two vectors of four lanes.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_load_si256,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_store_si256,
};

use super::line::{Kernel, Line, find, find_mut};
use crate::probe::LANE_SHIFTS;
use crate::storage::cpu::Avx2;

/// Sets the bits of a hash among lines, of which there must be one, and returns whether one was clear.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn insert(lines: &mut [Line], hash: u64) -> bool {
    let (line, lanes) = find_mut(lines, hash);
    insert_lanes(line, lanes)
}

/// Returns whether every bit of a hash is set among lines, of which there must be one.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn contains(lines: &[Line], hash: u64) -> bool {
    let (line, lanes) = find(lines, hash);
    contains_lanes(line, lanes)
}

#[allow(unsafe_code)]
impl Kernel for Avx2 {
    #[inline]
    fn insert(self, line: &mut Line, lanes: u64) -> bool {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { insert_lanes(line, lanes) }
    }

    #[inline]
    fn contains(self, line: &Line, lanes: u64) -> bool {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { contains_lanes(line, lanes) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn insert_lanes(line: &mut Line, lanes: u64) -> bool {
    let (before, ways) = (load(line), ways_up(lanes));
    let highest = _mm256_set1_epi64x(i64::MIN);
    let bits = ways.map(|way| _mm256_srlv_epi64(highest, way));
    store(
        line,
        [0, 1].map(|half| _mm256_or_si256(before[half], bits[half])),
    );
    !all_set(before, ways)
}

#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn contains_lanes(line: &Line, lanes: u64) -> bool {
    all_set(load(line), ways_up(lanes))
}

/// 63 less the number of the bit of each lane: how far left it has to go to be the highest.
///
/// So one mask of the highest bits gives the answer; to make a vector of the bits and compare it with the line
/// would take one instruction more for each half.
#[inline]
#[target_feature(enable = "avx2")]
fn ways_up(lanes: u64) -> [__m256i; 2] {
    let [a, b, c, d, e, f, g, h] = LANE_SHIFTS.map(i64::from);
    let lanes = _mm256_set1_epi64x(lanes as i64);
    let shifts = [
        _mm256_setr_epi64x(a, b, c, d),
        _mm256_setr_epi64x(e, f, g, h),
    ];
    shifts.map(|shift| _mm256_andnot_si256(_mm256_srlv_epi64(lanes, shift), _mm256_set1_epi64x(63)))
}

/// Returns whether the bit of every lane is set.
#[inline]
#[target_feature(enable = "avx2")]
fn all_set(lanes: [__m256i; 2], ways: [__m256i; 2]) -> bool {
    let highest = _mm256_and_si256(
        _mm256_sllv_epi64(lanes[0], ways[0]),
        _mm256_sllv_epi64(lanes[1], ways[1]),
    );
    _mm256_movemask_pd(_mm256_castsi256_pd(highest)) == 0b1111
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn load(line: &Line) -> [__m256i; 2] {
    let halves = core::ptr::from_ref(line).cast::<__m256i>();
    // SAFETY: a line is 64 bytes and aligned to 64: two halves of 32.
    unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn store(line: &mut Line, lanes: [__m256i; 2]) {
    let halves = core::ptr::from_mut(line).cast::<__m256i>();
    // SAFETY: as in `load`.
    unsafe {
        _mm256_store_si256(halves, lanes[0]);
        _mm256_store_si256(halves.add(1), lanes[1]);
    }
}
