//! A single query, or insert into blocks, in vectors of eight words, in assembly: what `avx512.rs` and
//! `avx512_draws.rs` do for many.
//!
//! A function for machines with more instructions than its callers were compiled for cannot become part
//! of them, and a call takes a good part of what the query does. Assembly becomes part of them.
//!
//! What is compiled for other machines touches neither the vectors from zmm16 on nor the masks: nothing
//! has to be saved, and no upper halves cleared. They are named as changed nevertheless, for a caller that
//! does touch them.
#![allow(unsafe_code)]
// Never run there, where a pointer does not fill a register.
#![cfg_attr(target_pointer_width = "32", allow(asm_sub_register))]

use core::arch::asm;
use core::mem::offset_of;
use core::ptr::from_ref;

use super::avx512_draws::{FEW, LEAPS, LEAPS_AFTER_FEW, WIDTH, contains_after_few};
use super::bits::Bits;
use super::blocks::{Blocks, Line};
use crate::probe::{FIRST, LANE_SHIFTS, Leaps, Place, SHIFTS, STEP, STIR, UNDRAWN, stir};

/// What a hash is multiplied and shifted by.
#[repr(C, align(64))]
pub(super) struct Constants {
    /// Where in [`Place::lanes`](crate::probe::Place::lanes) each lane begins, for each byte of a word.
    pub(super) starts: [u64; 8],
    stir: u64,
    first: u64,
    step: u64,
    one: u64,
}

pub(super) static CONSTANTS: Constants = {
    let mut starts = [0; 8];
    let mut lane = 0;
    while lane < starts.len() {
        // In every byte.
        starts[lane] = u64::MAX / 0xff * LANE_SHIFTS[lane] as u64;
        lane += 1;
    }
    Constants {
        starts,
        stir: STIR,
        first: FIRST,
        step: STEP,
        one: 1,
    }
};

/// Runs assembly that has a hash after the first shift of [`stir`](crate::probe::stir) in `{hash}`, and in
/// zmm16 what `stir` makes of it. Returns the mask that it leaves in `{mask}`.
///
/// # Safety
///
/// The machine must have the instructions, and they may do nothing but read.
macro_rules! with_stirred {
    ($hash:expr, [$($line:expr,)*], $($operand:tt)*) => {{
        let mask: u64;
        asm!(
            "vpbroadcastq zmm16, {hash}",
            "vpmullq zmm16, zmm16, qword ptr [{constants} + {stir}]{{1to8}}",
            "vpsrlq zmm17, zmm16, {shift}",
            "vpxorq zmm16, zmm16, zmm17",
            $($line,)*
            constants = in(reg) from_ref(&CONSTANTS),
            stir = const offset_of!(Constants, stir),
            shift = const SHIFTS.1,
            undrawn = const UNDRAWN,
            hash = inout(reg) $hash ^ $hash >> SHIFTS.0 => _,
            mask = lateout(reg) mask,
            out("zmm16") _,
            out("zmm17") _,
            out("zmm18") _,
            out("k1") _,
            out("k2") _,
            options(nostack, pure, readonly),
            $($operand)*
        );
        mask
    }};
}

/// [`with_stirred`] that looks at the words of the first `hashes` of the eight draws that the leaps lead
/// to, and says which of their bits are clear, as `avx512_draws::clear` does. `gather` gets the words that
/// zmm16 numbers into zmm18, those that k1 says.
macro_rules! draws_clear {
    ($bits:expr, $hash:expr, $leaps:expr, $hashes:expr, $gather:literal) => {
        with_stirred!($hash, [
            "vpmullq zmm16, zmm16, zmmword ptr [{leaps} + {times}]",
            "vpaddq zmm16, zmm16, zmmword ptr [{leaps} + {plus}]",
            "vpsrlq zmm16, zmm16, {undrawn}",
            // The positions. Both factors are below 2^52 (`Bits::new`).
            "vpxorq zmm17, zmm17, zmm17",
            "vpmadd52huq zmm17, zmm16, qword ptr [{count}]{{1to8}}",
            "vpsrlq zmm16, zmm17, 6",
            "kmovd k1, {ours:e}",
            "kmovd k2, {ours:e}",
            // Lest the gather wait for what an earlier one left.
            "vpxorq zmm18, zmm18, zmm18",
            $gather,
            "vpbroadcastq zmm16, qword ptr [{constants} + {one}]",
            "vprolvq zmm16, zmm16, zmm17",
            "vptestnmq k1{{k2}}, zmm16, zmm18",
            "kmovb {mask:e}, k1",
        ],
            leaps = in(reg) from_ref::<Leaps>($leaps),
            times = const offset_of!(Leaps, times),
            plus = const offset_of!(Leaps, plus),
            count = in(reg) from_ref($bits.count_ref()),
            words = in(reg) $bits.words().as_ptr(),
            ours = in(reg) (1_u32 << $hashes) - 1,
            one = const offset_of!(Constants, one),
        )
    };
}

/// [`Blocks::insert`].
///
/// The block is found without vectors here, unlike in a query: its line is written too, and the sooner its
/// address is known the sooner the loads after it can go on. Measured, as is the multiplication for the lanes,
/// which is faster by vectors.
///
/// # Safety
///
/// This machine must be of the widest, and there must be a line.
#[inline]
pub(super) unsafe fn insert(lines: &mut [Line], hash: u64) -> bool {
    let stirred = stir(hash);
    let block = Place::block_of(stirred, lines.len() as u64);
    let clear: u64;
    // SAFETY: the caller's machine has the instructions. What is read and written is one of these lines,
    // for its number is below theirs, as `reduce` makes it; what is only read are constants.
    unsafe {
        asm!(
            "vpbroadcastq zmm16, {stirred}",
            "vpmullq zmm16, zmm16, qword ptr [{constants} + {step}]{{1to8}}",
            "vmovdqa64 zmm17, zmmword ptr [{constants}]",
            "vpmultishiftqb zmm16, zmm17, zmm16",
            "vpbroadcastq zmm17, qword ptr [{constants} + {one}]",
            "vprolvq zmm16, zmm17, zmm16",
            "vmovdqa64 zmm17, zmmword ptr [{line}]",
            "vptestnmq k1, zmm17, zmm16",
            "vporq zmm17, zmm17, zmm16",
            "vmovdqa64 zmmword ptr [{line}], zmm17",
            "kmovb {clear:e}, k1",
            stirred = in(reg) stirred,
            constants = in(reg) from_ref(&CONSTANTS),
            step = const offset_of!(Constants, step),
            one = const offset_of!(Constants, one),
            line = in(reg) lines.as_mut_ptr().add(block as usize),
            clear = lateout(reg) clear,
            out("zmm16") _,
            out("zmm17") _,
            out("k1") _,
            options(nostack),
        );
    }
    clear != 0
}

/// [`Blocks::contains`], as `avx512::places_of` and `avx512::has_lanes` do it.
///
/// # Safety
///
/// This machine must be of the widest.
#[inline]
pub(super) unsafe fn contains(blocks: &Blocks, hash: u64) -> bool {
    // SAFETY: as in `insert`, but nothing is written, and the number of lines is read too. Where it is
    // multiplied both factors are below 2^52 (`Blocks::new`).
    let set = unsafe {
        with_stirred!(hash, [
            // The block.
            "vpmullq zmm17, zmm16, qword ptr [{constants} + {first}]{{1to8}}",
            "vpsrlq zmm17, zmm17, {undrawn}",
            "vpxorq zmm18, zmm18, zmm18",
            "vpmadd52huq zmm18, zmm17, qword ptr [{count}]{{1to8}}",
            "vmovq {hash}, xmm18",
            "shl {hash}, {line}",
            // The lanes.
            "vpmullq zmm16, zmm16, qword ptr [{constants} + {step}]{{1to8}}",
            "vmovdqa64 zmm17, zmmword ptr [{constants}]",
            "vpmultishiftqb zmm16, zmm17, zmm16",
            "vmovdqa64 zmm17, zmmword ptr [{lines} + {hash}]",
            "vpshufbitqmb k1, zmm17, zmm16",
            "kmovq {mask}, k1",
        ],
            first = const offset_of!(Constants, first),
            step = const offset_of!(Constants, step),
            line = const size_of::<Line>().ilog2(),
            lines = in(reg) blocks.lines().as_ptr(),
            count = in(reg) from_ref(blocks.count_ref()),
        )
    };
    // Eight times the bit of each lane.
    set == !0
}

/// [`Bits::contains_all`] of no more hashes than a vector has words, or of bits that are far.
///
/// Without a branch up to a vector's words. Of more, where memory is far, what comes after the first few is
/// not fetched if one of those is clear, and is on its way before that is known if they were set of late.
/// Measured.
///
/// # Safety
///
/// This machine must be of the widest.
#[inline]
pub(super) unsafe fn contains_draws(bits: &Bits, hash: u64, hashes: u8) -> bool {
    let (mut leaps, mut left) = (&LEAPS, hashes);
    // SAFETY: the caller's machine has the instructions. What is read are words of the bits, for the
    // positions that are the hash's are below their number, as `reduce` makes them, that number and
    // constants.
    unsafe {
        if hashes <= FEW || hashes > WIDTH {
            let clear = draws_clear!(
                bits,
                hash,
                leaps,
                hashes.min(FEW),
                "vpgatherqq ymm18{{k1}}, [{words} + 8*ymm16]"
            );
            if hashes <= FEW || clear != 0 {
                return clear == 0;
            }
            if hashes > FEW + WIDTH {
                return contains_after_few(bits, hash, hashes);
            }
            (leaps, left) = (&LEAPS_AFTER_FEW, hashes - FEW);
        }
        let clear = draws_clear!(
            bits,
            hash,
            leaps,
            left,
            "vpgatherqq zmm18{{k1}}, [{words} + 8*zmm16]"
        );
        clear == 0
    }
}

#[cfg(test)]
mod tests {
    use core::arch::x86_64::{_mm512_cmpeq_epi64_mask, _mm512_set1_epi64};

    use super::*;
    use crate::storage::machine::Widest;

    /// Asks with vectors and masks of the caller in the registers that the assembly uses, and returns
    /// the answer if all are kept: a caller compiled for this machine may have its own there.
    macro_rules! with_own_registers {
        ($ask:expr) => {{
            let [mut a, mut b, mut c] = [1, 2, 3].map(|word| _mm512_set1_epi64(word));
            let (mut k, mut l) = (0x5a_u8, 0xa5_u8);
            // SAFETY: the first and the last do nothing, and the machine has the instructions of what is
            // between them.
            let answer = unsafe {
                asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c,
                    inout("k1") k, inout("k2") l);
                let answer = $ask;
                asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c,
                    inout("k1") k, inout("k2") l);
                answer
            };
            for (vector, word) in [a, b, c].into_iter().zip(1..) {
                let kept = _mm512_cmpeq_epi64_mask(vector, _mm512_set1_epi64(word));
                assert_eq!(kept, 0xff, "vector {word}");
            }
            assert_eq!((k, l), (0x5a, 0xa5));
            answer
        }};
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl")]
    fn all_is_found_with_own_registers() {
        let mut blocks = Blocks::new(3).expect("little memory");
        let mut bits = Bits::new(1_000).expect("little memory");
        for hash in 0..100 {
            with_own_registers!(insert(blocks.lines_mut(), hash));
            assert!(with_own_registers!(contains(&blocks, hash)));
            for hashes in [3, 7, 10] {
                bits.insert(hash, hashes);
                assert!(with_own_registers!(contains_draws(&bits, hash, hashes)));
            }
        }
    }

    #[test]
    fn a_caller_with_vectors_of_its_own_keeps_them() {
        if Widest::get().is_some() {
            // SAFETY: the machine has the instructions.
            unsafe { all_is_found_with_own_registers() };
        }
    }
}
