//! The blocks' loops in vectors of eight words: `blocks::portable` with a block at once.
//!
//! Found at run time, on machines that have AVX-512 with IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm512_castsi512_si128, _mm512_load_si512, _mm512_madd52hi_epu64,
    _mm512_mullo_epi64, _mm512_or_si512, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_store_si512,
    _mm512_testn_epi64_mask,
};

use super::blocks::{Blocks, Line};
use super::groups::fetch;
use super::machine::Widest;
use crate::probe::{FIRST, LANE_SHIFTS, Place, STEP, UNDRAWN, stir};

super::block_loops::block_loops!(Widest, "avx2,bmi2,avx512f,avx512dq,avx512ifma");

/// The block of a hash, and in each word what the bits of its lanes are taken from: a [`Place`].
///
/// In vectors from the second multiplication on: machines have one multiplier of words, or few.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn place(blocks: &Blocks, hash: u64) -> (usize, __m512i) {
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let stirred = _mm512_set1_epi64(stir(hash) as i64);
        let first = _mm512_mullo_epi64(stirred, _mm512_set1_epi64(FIRST as i64));
        let draw = _mm512_srli_epi64::<UNDRAWN>(first);
        // Both factors are below 2^52, as the multiplication wants it (`Blocks::new`).
        let count = _mm512_set1_epi64(blocks.count() as i64);
        let block = _mm512_madd52hi_epu64(_mm512_setzero_si512(), draw, count);
        let lanes = _mm512_mullo_epi64(stirred, _mm512_set1_epi64(STEP as i64));
        (
            _mm_cvtsi128_si64(_mm512_castsi512_si128(block)) as usize,
            lanes,
        )
    }
}

/// The bit of each lane.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn bits_of(lanes: __m512i) -> __m512i {
    let [a, b, c, d, e, f, g, h] = LANE_SHIFTS.map(i64::from);
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let shifts = _mm512_setr_epi64(a, b, c, d, e, f, g, h);
        // Going round by the low six bits of each.
        _mm512_rolv_epi64(_mm512_set1_epi64(1), _mm512_srlv_epi64(lanes, shifts))
    }
}

/// Sets the bits of lanes in a block, which must be one of these.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn set_lanes(blocks: &mut Blocks, block: usize, lanes: __m512i) -> bool {
    // SAFETY: the caller's machine has the instructions and its block is one of these, and a line is
    // 64 bytes, aligned to 64.
    unsafe {
        let line = core::ptr::from_mut::<Line>(blocks.line_unchecked_mut(block));
        let (was, bits) = (_mm512_load_si512(line.cast_const().cast()), bits_of(lanes));
        _mm512_store_si512(line.cast(), _mm512_or_si512(was, bits));
        _mm512_testn_epi64_mask(was, bits) != 0
    }
}

/// Whether the bits of lanes are set in a block, which must be one of these.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn has_lanes(blocks: &Blocks, block: usize, lanes: __m512i) -> bool {
    // SAFETY: as in `set_lanes`.
    unsafe {
        let line = core::ptr::from_ref::<Line>(blocks.line_unchecked(block));
        _mm512_testn_epi64_mask(_mm512_load_si512(line.cast()), bits_of(lanes)) == 0
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512ifma")]
pub(super) unsafe fn insert(blocks: &mut Blocks, hash: u64) -> bool {
    // SAFETY: the caller's machine has the instructions, and the block is below the number of blocks,
    // as `reduce` makes it.
    unsafe {
        let (block, lanes) = place(blocks, hash);
        set_lanes(blocks, block, lanes)
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512ifma")]
pub(super) unsafe fn contains(blocks: &Blocks, hash: u64) -> bool {
    // SAFETY: as in `insert`.
    unsafe {
        let (block, lanes) = place(blocks, hash);
        has_lanes(blocks, block, lanes)
    }
}

/// Asks for the line of a hash, and returns its place.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512ifma")]
unsafe fn touch(blocks: &Blocks, hash: u64) -> Place {
    // SAFETY: as in `insert`.
    unsafe {
        let (block, lanes) = place(blocks, hash);
        fetch(blocks.line_unchecked(block));
        Place {
            block: block as u64,
            lanes: _mm_cvtsi128_si64(_mm512_castsi512_si128(lanes)) as u64,
        }
    }
}

/// [`insert`] the hash of a place, which must be of these blocks.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512ifma")]
unsafe fn insert_at(blocks: &mut Blocks, place: Place) -> bool {
    // SAFETY: the caller's machine has the instructions, and the place is of these blocks.
    unsafe {
        let lanes = _mm512_set1_epi64(place.lanes as i64);
        set_lanes(blocks, place.block as usize, lanes)
    }
}

/// [`contains`] of the hash of a place, which must be of these blocks.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512ifma")]
unsafe fn contains_at(blocks: &Blocks, place: Place) -> bool {
    // SAFETY: as in `insert_at`.
    unsafe {
        let lanes = _mm512_set1_epi64(place.lanes as i64);
        has_lanes(blocks, place.block as usize, lanes)
    }
}
