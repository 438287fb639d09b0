//! The kernel of blocked filters with NEON. A block has eight lanes of 64 bits, and a hash has one
//! bit in each lane. So a query needs only one byte of each lane, and one instruction looks up the
//! bytes of all lanes. Inserts do not use NEON.
//!
//! From the bit numbers of a hash to the answer, a query takes 15 instructions, not counting the
//! loads of constants. The portable kernel takes 29 instructions (rustc 1.95).
#![allow(unsafe_code)]

use core::arch::aarch64::{
    uint8x16_t, vandq_u16, vdupq_n_u16, vdupq_n_u64, vld1q_s16, vld1q_u8, vld1q_u16, vminvq_u16,
    vqtbl1q_u8, vreinterpretq_s16_u16, vreinterpretq_u8_u16, vreinterpretq_u8_u64,
    vreinterpretq_u16_u8, vshlq_u16, vsraq_n_u16, vtstq_u16,
};
use core::arch::asm;

use super::portable::Portable;
use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::{LANE_SHIFTS, Mixed};
use crate::storage::cpu::{Absent, Cpu};

/// The kernel for all machines on which the program runs, because the program is compiled for NEON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors(());

impl Vectors {
    #[inline]
    pub(super) fn of(_: Cpu) -> Option<Self> {
        (!cfg!(bloom_vectors = "none")).then_some(Self(()))
    }
}

impl From<Absent> for Vectors {
    fn from(absent: Absent) -> Self {
        match absent {}
    }
}

/// For each lane, the two bytes of [`BlockProbe::lanes`](crate::probe::BlockProbe::lanes) that hold
/// its bit number.
const BYTES: [u8; 16] = {
    let mut bytes = [0; 16];
    let mut lane = 0;
    while lane < LANE_SHIFTS.len() {
        bytes[2 * lane] = LANE_SHIFTS[lane] as u8 / 8;
        bytes[2 * lane + 1] = LANE_SHIFTS[lane] as u8 / 8 + 1;
        lane += 1;
    }
    bytes
};

/// For each lane, the shift that moves its bit number to the lowest six bits of the two bytes. The
/// shift is negative, which means to the right.
const SHIFTS: [i16; 8] = {
    let mut shifts = [0; 8];
    let mut lane = 0;
    while lane < LANE_SHIFTS.len() {
        shifts[lane] = -((LANE_SHIFTS[lane] % 8) as i16);
        lane += 1;
    }
    shifts
};

/// For each lane, the index of its first byte in the 64 bytes of a block.
const FIRST: [u16; 8] = [0, 8, 16, 24, 32, 40, 48, 56];

impl Kernel for Vectors {
    #[inline]
    fn insert(self, blocks: BlocksMut<'_>, hash: Mixed) -> bool {
        Portable.insert(blocks, hash)
    }

    #[inline]
    fn contains<L: AnyBlock>(self, blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
        // Miri runs no assembly.
        if cfg!(miri) {
            return Portable.contains(blocks, hash);
        }
        let (line, lanes) = blocks.find(hash);
        // SAFETY: the program is compiled for NEON, and the constants are as long as the loaded
        // vectors.
        let (number, byte) = unsafe {
            let bytes = vqtbl1q_u8(
                vreinterpretq_u8_u64(vdupq_n_u64(lanes)),
                vld1q_u8(BYTES.as_ptr()),
            );
            let shifted = vshlq_u16(vreinterpretq_u16_u8(bytes), vld1q_s16(SHIFTS.as_ptr()));
            let number = vandq_u16(shifted, vdupq_n_u16(63));
            (number, vsraq_n_u16::<3>(vld1q_u16(FIRST.as_ptr()), number))
        };
        let found: uint8x16_t;
        // SAFETY: a line is 64 bytes, of any alignment. `ld1` loads each lane as a whole, even
        // while other threads set bits of the lane. Loads by intrinsics do not promise that.
        unsafe {
            asm!(
                "ld1 {{v0.2d, v1.2d, v2.2d, v3.2d}}, [{line}]",
                "tbl {found:v}.16b, {{v0.16b, v1.16b, v2.16b, v3.16b}}, {byte:v}.16b",
                line = in(reg) line.address(),
                byte = in(vreg) vreinterpretq_u8_u16(byte),
                found = lateout(vreg) found,
                out("v0") _,
                out("v1") _,
                out("v2") _,
                out("v3") _,
                options(nostack, pure, readonly, preserves_flags),
            );
        }
        // SAFETY: the program is compiled for NEON.
        unsafe {
            // Each 16-bit element of `found` has the byte of its lane in the low half. The index
            // for the high half was 0, so the high half is byte 0 of the line. The high half of
            // `bit` is 0, so the high half of `found` does not count.
            let bit = vshlq_u16(
                vdupq_n_u16(1),
                vreinterpretq_s16_u16(vandq_u16(number, vdupq_n_u16(7))),
            );
            vminvq_u16(vtstq_u16(vreinterpretq_u16_u8(found), bit)) != 0
        }
    }
}
