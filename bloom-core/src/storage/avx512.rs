//! The blocks' batches in vectors of eight words: the places of eight hashes at once, and a block at once.
//!
//! Found at run time, on machines that have AVX-512 with IFMA, VBMI and BITALG. A query by itself is in
//! `avx512_in_place.rs`.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _mm512_bitshuffle_epi64_mask, _mm512_load_si512, _mm512_loadu_si512,
    _mm512_madd52hi_epu64, _mm512_mullo_epi64, _mm512_multishift_epi64_epi8, _mm512_or_si512,
    _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_srli_epi64,
    _mm512_store_si512, _mm512_storeu_si512, _mm512_testn_epi64_mask, _mm512_xor_si512,
};

use super::avx512_in_place::{CONSTANTS, contains, insert};
use super::block_loops::{CACHED, FEW, GROUP, Places};
use super::blocks::{Blocks, Line};
use super::groups::fetch;
use super::machine::Widest;
use crate::probe::{FIRST, Place, SHIFTS, STEP, STIR, UNDRAWN};

super::block_loops::block_loops!(
    Widest,
    "avx2,bmi2,avx512f,avx512dq,avx512bw,avx512ifma,avx512vbmi,avx512bitalg",
    |blocks: &Blocks, count| count <= FEW && blocks.count() <= CACHED,
    |blocks: &Blocks, count| count <= FEW && blocks.count() <= CACHED
);

/// The blocks of eight hashes, and what the bits of their lanes are taken from: each a [`Place`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn places_of(blocks: &Blocks, hashes: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the caller's machine has the instructions.
    #[allow(unused_unsafe)]
    unsafe {
        let hashes = _mm512_xor_si512(hashes, _mm512_srli_epi64::<{ SHIFTS.0 }>(hashes));
        let stirred = _mm512_mullo_epi64(hashes, _mm512_set1_epi64(STIR as i64));
        let stirred = _mm512_xor_si512(stirred, _mm512_srli_epi64::<{ SHIFTS.1 }>(stirred));
        let first = _mm512_mullo_epi64(stirred, _mm512_set1_epi64(FIRST as i64));
        let draws = _mm512_srli_epi64::<UNDRAWN>(first);
        // Both factors are below 2^52, as the multiplication wants it (`Blocks::new`).
        let count = _mm512_set1_epi64(blocks.count() as i64);
        let block = _mm512_madd52hi_epu64(_mm512_setzero_si512(), draws, count);
        let lanes = _mm512_mullo_epi64(stirred, _mm512_set1_epi64(STEP as i64));
        (block, lanes)
    }
}

/// The number of the bit of each lane, in the low six bits of each of its bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
unsafe fn shifts_of(lanes: __m512i) -> __m512i {
    // SAFETY: the caller's machine has the instructions, and what is loaded is 64 bytes, aligned to 64.
    #[allow(unused_unsafe)]
    unsafe {
        let starts = _mm512_load_si512(CONSTANTS.starts.as_ptr().cast());
        _mm512_multishift_epi64_epi8(starts, lanes)
    }
}

/// Sets the bits of lanes in a block, which must be one of these lines.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
unsafe fn set_lanes(lines: &mut [Line], block: usize, lanes: __m512i) -> bool {
    // SAFETY: the caller's machine has the instructions and its block is one of these, and a line is
    // 64 bytes, aligned to 64.
    unsafe {
        let line = core::ptr::from_mut::<Line>(lines.get_unchecked_mut(block));
        let was = _mm512_load_si512(line.cast_const().cast());
        // Going round by the low six bits of each.
        let bits = _mm512_rolv_epi64(_mm512_set1_epi64(1), shifts_of(lanes));
        _mm512_store_si512(line.cast(), _mm512_or_si512(was, bits));
        _mm512_testn_epi64_mask(was, bits) != 0
    }
}

/// Whether the bits of lanes are set in a block, which must be one of these.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,avx512bitalg")]
unsafe fn has_lanes(blocks: &Blocks, block: usize, lanes: __m512i) -> bool {
    // SAFETY: as in `set_lanes`.
    unsafe {
        let line = core::ptr::from_ref::<Line>(blocks.line_unchecked(block));
        // Eight times the bit of each lane.
        _mm512_bitshuffle_epi64_mask(_mm512_load_si512(line.cast()), shifts_of(lanes)) == !0
    }
}

/// Finds as many places as there are to be, of the first hashes and eight at once, and asks for their
/// lines if it `fetches`.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512bw,avx512ifma,avx512vbmi,avx512bitalg")]
unsafe fn find_all(blocks: &Blocks, hashes: &[u64; GROUP], places: &mut Places, fetches: bool) {
    let blocks_to = places.blocks.as_chunks_mut::<8>().0.iter_mut();
    let to = blocks_to.zip(places.lanes.as_chunks_mut::<8>().0);
    // The last eight to the end: of what is left there from before, the places are not looked at.
    let eights = hashes
        .as_chunks::<8>()
        .0
        .iter()
        .take(places.count.div_ceil(8));
    for (eight, (blocks_to, lanes_to)) in eights.zip(to) {
        // SAFETY: the caller's machine has the instructions, and each is eight words.
        unsafe {
            let (block, lanes) = places_of(blocks, _mm512_loadu_si512(eight.as_ptr().cast()));
            _mm512_storeu_si512(blocks_to.as_mut_ptr().cast(), block);
            _mm512_storeu_si512(lanes_to.as_mut_ptr().cast(), lanes);
        }
    }
    if fetches {
        for place in places.iter() {
            // SAFETY: the block is one of these.
            fetch(unsafe { blocks.line_unchecked(place.block as usize) });
        }
    }
}

/// Inserts the hash of a place, which must be of these lines.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512bw,avx512ifma,avx512vbmi,avx512bitalg")]
unsafe fn insert_at(lines: &mut [Line], place: Place) -> bool {
    // SAFETY: the caller's machine has the instructions, and the place is of these lines.
    unsafe {
        let lanes = _mm512_set1_epi64(place.lanes as i64);
        set_lanes(lines, place.block as usize, lanes)
    }
}

/// Whether the bits of the hash of a place are set, which must be of these blocks.
#[inline]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512bw,avx512ifma,avx512vbmi,avx512bitalg")]
unsafe fn contains_at(blocks: &Blocks, place: Place) -> bool {
    // SAFETY: as in `insert_at`.
    unsafe {
        let lanes = _mm512_set1_epi64(place.lanes as i64);
        has_lanes(blocks, place.block as usize, lanes)
    }
}
