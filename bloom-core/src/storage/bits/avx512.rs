//! Queries in vectors of eight words: eight probes are computed at once and their words gathered.
//!
//! They are inline assembly because a function compiled for more instructions than its caller cannot be inlined. The
//! call, with its saved registers and `vzeroupper`, would add a quarter to the query: 3.45 ns inlined and 4.29
//! called, in a filter of a thousand items at 1 %; 3.54 and 4.43 with 1e5 items, 4.25 and 5.1 with 1e6 (Intel with
//! AMX).
//!
//! Code compiled without AVX-512 uses neither the vectors from zmm16 on nor the masks, so nothing has to be saved and
//! no upper halves cleared. The assembly still declares both as clobbered, for callers that do use them.
#![allow(unsafe_code)]

use core::arch::asm;
use core::mem::offset_of;
use core::ptr::from_ref;

use super::view::BitsView;
use crate::probe::{Mixed, PROBES_PER_STATE, ROTATION, states};
use crate::storage::cpu::Gather;
use crate::storage::words::{Word, reread_if};

/// Words of a vector: the probes of two states.
const WIDTH: u8 = 8;

/// The most probes that two vectors hold. Filters with more are so rare that they need not be fast.
pub(super) const MOST_PROBES: u8 = 2 * WIDTH;

/// The constants that the assembly loads.
#[repr(C, align(64))]
struct Constants {
    /// By how many bits the state of each probe is rotated.
    rotations: [u64; 8],
    one: u64,
}

static CONSTANTS: Constants = Constants {
    rotations: {
        let rotation = ROTATION as u64;
        let [a, b, c, d] = [0, rotation, 2 * rotation, 3 * rotation];
        [a, b, c, d, a, b, c, d]
    },
    one: 1,
};

/// Returns whether every bit of a hash is set, branch-free. Takes at most [`MOST_PROBES`] probes and less than 2^32
/// bits.
#[inline]
pub(super) fn contains<W: Word>(gather: Gather, bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    if k > WIDTH {
        return contains_in_two(gather, bits, hash, k);
    }
    clear_probes(gather, bits, states(hash), k) == 0
}

/// [`contains`] for more probes than one vector holds. Out of line, so that the usual case is small enough to inline.
///
/// With up to twelve probes, those after the eighth are loaded one by one while the first gather runs. That is faster
/// than a second gather: 6.2 ns instead of 7.0 with ten hashes and a thousand items, 6.8 instead of 7.4 with 1e5
/// (Intel with AMX).
#[inline(never)]
fn contains_in_two<W: Word>(gather: Gather, bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    let [a, b, c, d] = states(hash);
    let first = clear_probes(gather, bits, [a, b], WIDTH);
    let rest = k - WIDTH;
    if rest > PROBES_PER_STATE {
        return first | clear_probes(gather, bits, [c, d], rest) == 0;
    }
    let mut all_set = 1;
    let mut probe = c;
    for _ in 0..rest {
        all_set &= bits.bit(probe);
        probe = probe.rotate_left(ROTATION);
    }
    first | (all_set as u32 & 1 ^ 1) == 0
}

/// Returns a mask of those among the first `k` probes of two states, at most eight, that fall on clear bits.
#[allow(clippy::inline_always)]
#[inline(always)]
fn clear_probes<W: Word>(_: Gather, bits: BitsView<'_, W>, states: [u64; 2], k: u8) -> u32 {
    debug_assert!(bits.count() >> 32 == 0 && k <= WIDTH);
    reread_if(W::SHARED);
    let clear: u32;
    // SAFETY: the token proves that the machine has the instructions. The code reads only the constants and words of the
    // bits: a position is less than the low 32 bits of the count, or 0, and so in range for any count and k. With
    // 2^32 bits or more than 8 probes the answer would be wrong, but not the access.
    unsafe {
        asm!(
            // The probes: four rotations of each state.
            "kmovd k1, {upper:e}",
            "vpbroadcastq zmm16, {first}",
            "vpbroadcastq zmm16{{k1}}, {second}",
            "vprolvq zmm16, zmm16, zmmword ptr [{constants} + {rotations}]",
            // The high half of probe * count, where count is less than 2^32: the product of the high half of the
            // probe, plus the carry from that of the low half. The position is in the high half of zmm16.
            "vpbroadcastq zmm18, {count}",
            "vpsrlq zmm17, zmm16, 32",
            "vpmuludq zmm16, zmm16, zmm18",
            "vpmuludq zmm17, zmm17, zmm18",
            "vpsrlq zmm16, zmm16, 32",
            "vpaddq zmm16, zmm16, zmm17",
            // Their words. A gather clears its mask, and it depends on its old target.
            "kmovd k1, {probes:e}",
            "kmovd k2, {probes:e}",
            "vpsrlq zmm17, zmm16, 38",
            "vpsrlq zmm16, zmm16, 32",
            "vpxorq zmm18, zmm18, zmm18",
            "vpgatherqq zmm18{{k1}}, [{words} + 8*zmm17]",
            // The bits in them: a rotation uses the low six bits of a position.
            "vpbroadcastq zmm17, qword ptr [{constants} + {one}]",
            "vprolvq zmm17, zmm17, zmm16",
            "vptestnmq k1{{k2}}, zmm17, zmm18",
            "kmovb {clear:e}, k1",
            upper = in(reg) 0xf0_u32,
            first = in(reg) states[0],
            second = in(reg) states[1],
            constants = in(reg) from_ref(&CONSTANTS),
            rotations = const offset_of!(Constants, rotations),
            one = const offset_of!(Constants, one),
            count = in(reg) bits.count(),
            words = in(reg) bits.as_ptr(),
            probes = in(reg) (1_u32 << k) - 1,
            clear = lateout(reg) clear,
            out("zmm16") _,
            out("zmm17") _,
            out("zmm18") _,
            out("k1") _,
            out("k2") _,
            options(nostack, pure, readonly, preserves_flags),
        );
    }
    clear
}
