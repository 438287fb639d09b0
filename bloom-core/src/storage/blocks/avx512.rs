//! The AVX-512 kernel of blocks: a line in one vector of eight lanes.
//!
//! It is inline assembly, since a function could not be inlined into code that is compiled for less. With a thousand items an
//! insert takes 2.07 ns, and 2.31 as a call with the same instructions; with 1e5 items 2.14 and 2.60, with 1e6 3.15
//! and 3.49, with 2e7 11.9 and 24. A query takes 1.92 and 2.05, 1.92 and 2.08, 2.81 and 2.78, 10.7 and 14. The cells
//! that need it are blocks against sbbf-rs-safe at 2e7: called, a hit takes 26 ns there for 18, and 17.5 of sbbf-rs-safe
//! (Zen 5; the other times are of an Intel with AMX).
#![allow(unsafe_code)]

use core::arch::asm;
use core::mem::offset_of;
use core::ptr::{from_mut, from_ref};

use super::view::{AnyBlock, Block, Kernel, Line};
use crate::probe::LANE_SHIFTS;
use crate::storage::cpu::Avx512;

/// The constants that the assembly loads.
#[repr(C, align(64))]
struct Constants {
    /// The first bit of each lane's bit number in [`BlockProbe::lanes`](crate::probe::BlockProbe::lanes).
    shifts: [u64; 8],
    ones: [u64; 8],
}

static CONSTANTS: Constants = {
    let mut shifts = [0; 8];
    let mut lane = 0;
    while lane < shifts.len() {
        shifts[lane] = LANE_SHIFTS[lane] as u64;
        lane += 1;
    }
    Constants {
        shifts,
        ones: [1; 8],
    }
};

impl Kernel for Avx512 {
    #[inline]
    fn insert(self, line: &mut Block, lanes: u64) -> bool {
        let clear: u32;
        // SAFETY: the token proves that the machine has the instructions. The code reads and writes the line, 64 bytes
        // aligned to 64, and reads the constants.
        unsafe {
            asm!(
                "vpbroadcastq zmm16, {lanes}",
                "vpsrlvq zmm16, zmm16, zmmword ptr [{constants}]",
                // The bit of each lane: `vprolvq` uses the low six bits of each count.
                "vmovdqa64 zmm17, zmmword ptr [{constants} + {ones}]",
                "vprolvq zmm16, zmm17, zmm16",
                "vmovdqa64 zmm17, zmmword ptr [{line}]",
                "vptestnmq k1, zmm16, zmm17",
                "vporq zmm17, zmm17, zmm16",
                "vmovdqa64 zmmword ptr [{line}], zmm17",
                "kmovb {clear:e}, k1",
                lanes = in(reg) lanes,
                constants = in(reg) from_ref(&CONSTANTS),
                ones = const offset_of!(Constants, ones),
                line = in(reg) from_mut(line),
                clear = lateout(reg) clear,
                out("zmm16") _,
                out("zmm17") _,
                out("k1") _,
                options(nostack, preserves_flags),
            );
        }
        clear != 0
    }

    #[inline]
    fn contains<L: AnyBlock>(self, line: Line<'_, L>, lanes: u64) -> bool {
        let clear: u32;
        // SAFETY: as in `insert`, but nothing is written.
        unsafe {
            asm!(
                "vpbroadcastq zmm16, {lanes}",
                "vpsrlvq zmm16, zmm16, zmmword ptr [{constants}]",
                "vmovdqa64 zmm17, zmmword ptr [{constants} + {ones}]",
                "vprolvq zmm16, zmm17, zmm16",
                "vptestnmq k1, zmm16, zmmword ptr [{line}]",
                "kmovb {clear:e}, k1",
                lanes = in(reg) lanes,
                constants = in(reg) from_ref(&CONSTANTS),
                ones = const offset_of!(Constants, ones),
                line = in(reg) line.address(),
                clear = lateout(reg) clear,
                out("zmm16") _,
                out("zmm17") _,
                out("k1") _,
                options(nostack, pure, readonly, preserves_flags),
            );
        }
        clear == 0
    }
}
