//! The AVX2 kernel of blocks: a line in two vectors of four lanes.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_load_si256,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_store_si256,
};

use super::view::{AnyBlock, Block, BlocksMut, BlocksView, Kernel, Line};
use crate::probe::{LANE_SHIFTS, Mixed};
use crate::storage::cpu::Avx2;

impl Kernel for Avx2 {
    #[inline]
    fn insert(self, line: &mut Block, lanes: u64) -> bool {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { insert(line, lanes) }
    }

    #[inline]
    fn contains<L: AnyBlock>(self, line: Line<'_, L>, lanes: u64) -> bool {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { contains(line, lanes) }
    }

    #[inline]
    fn insert_into(self, blocks: BlocksMut<'_>, hash: Mixed) -> bool {
        #[inline]
        #[target_feature(enable = "avx2,bmi2,popcnt")]
        fn compiled(avx2: Avx2, mut blocks: BlocksMut<'_>, hash: Mixed) -> bool {
            blocks.insert(avx2, hash)
        }
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { compiled(self, blocks, hash) }
    }

    #[inline]
    fn contains_in<L: AnyBlock>(self, blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
        #[inline]
        #[target_feature(enable = "avx2,bmi2,popcnt")]
        fn compiled<L: AnyBlock>(avx2: Avx2, blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
            blocks.contains(avx2, hash)
        }
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { compiled(self, blocks, hash) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn insert(line: &mut Block, lanes: u64) -> bool {
    let (before, shifts) = (halves(line), shifts_to_top(lanes));
    let highest = _mm256_set1_epi64x(i64::MIN);
    let bits = shifts.map(|shift| _mm256_srlv_epi64(highest, shift));
    store(
        line,
        [0, 1].map(|half| _mm256_or_si256(before[half], bits[half])),
    );
    !all_set(before, shifts)
}

#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn contains<L: AnyBlock>(line: Line<'_, L>, lanes: u64) -> bool {
    all_set(load(line), shifts_to_top(lanes))
}

/// Returns 63 minus the bit number of each lane: the left shift that makes this bit the highest.
///
/// One mask of the highest bits then gives the answer. To make a vector of the bits and compare it with the line
/// would take one more instruction for each half.
#[inline]
#[target_feature(enable = "avx2")]
fn shifts_to_top(lanes: u64) -> [__m256i; 2] {
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
fn all_set(lanes: [__m256i; 2], shifts: [__m256i; 2]) -> bool {
    let highest = _mm256_and_si256(
        _mm256_sllv_epi64(lanes[0], shifts[0]),
        _mm256_sllv_epi64(lanes[1], shifts[1]),
    );
    _mm256_movemask_pd(_mm256_castsi256_pd(highest)) == 0b1111
}

#[inline]
#[target_feature(enable = "avx2")]
fn load<L: AnyBlock>(line: Line<'_, L>) -> [__m256i; 2] {
    if cfg!(miri) {
        // Miri runs no assembly.
        let lane = |at| line.lane(at).cast_signed();
        return [0, 4]
            .map(|at| _mm256_setr_epi64x(lane(at), lane(at + 1), lane(at + 2), lane(at + 3)));
    }
    // The loads of intrinsics must not race with the stores of other threads. Those of assembly may: the processor
    // loads each lane as a whole.
    let (low, high);
    // SAFETY: a line is 64 bytes; the function is compiled for the instructions.
    unsafe {
        asm!(
            "vmovdqu {low}, ymmword ptr [{line}]",
            "vmovdqu {high}, ymmword ptr [{line} + 32]",
            line = in(reg) line.address(),
            low = out(ymm_reg) low,
            high = lateout(ymm_reg) high,
            options(nostack, pure, readonly, preserves_flags),
        );
    }
    [low, high]
}

/// Loads a line of one owner.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(line: &Block) -> [__m256i; 2] {
    let halves = core::ptr::from_ref(line).cast::<__m256i>();
    // SAFETY: a block is 64 bytes: two aligned halves of 32.
    unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(line: &mut Block, lanes: [__m256i; 2]) {
    let halves = core::ptr::from_mut(line).cast::<__m256i>();
    // SAFETY: as in `halves`.
    unsafe {
        _mm256_store_si256(halves, lanes[0]);
        _mm256_store_si256(halves.add(1), lanes[1]);
    }
}
