//! The kernel of blocked filters with vectors: sets and tests the bits of a hash in its block, a
//! cache line of eight 64-bit lanes. The block is two vectors of four lanes with AVX2, and one
//! vector of eight lanes with AVX-512.
//!
//! One piece of inline assembly has the instructions for both AVX2 and AVX-512, and jumps to those
//! for which the kernel was created. The kernel is assembly because a function for AVX cannot be
//! inlined into code that is compiled without AVX. With a call of such a function, a query with
//! AVX2 takes 2.1 ns instead of 1.4. In a filter that is larger than the caches, a query with
//! AVX-512 takes 26 ns instead of 16, because the call leaves fewer queries in flight.
//!
//! The assembly is one piece because the compiler moves branches out of a loop of queries only
//! while the loop is short: with one piece for AVX2 and one for AVX-512, a query with AVX-512 takes
//! 1.46 ns instead of 1.3. To keep the loop short, the assembly also computes which block a hash
//! has: in the benchmark that compares blocked filters with those of sbbf-rs-safe, a query then
//! takes 1.35 ns instead of 1.51 (Zen 5).
#![allow(unsafe_code)]

use core::arch::asm;
use core::mem::offset_of;
use core::ptr::from_ref;

use super::portable::Portable;
use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::{LANE_SHIFTS, Mixed};
use crate::storage::cpu::{Avx2, Avx512, Cpu};

/// The kernel with vectors, for AVX2 or for AVX-512.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors {
    /// 1 to use the instructions of [`Avx512`], 0 to use those of [`Avx2`].
    wide: u32,
}

/// The constants that the assembly loads.
#[repr(C, align(64))]
struct Constants {
    /// The offset in [`BlockProbe::lanes`](crate::probe::BlockProbe::lanes) of each lane's bit number.
    shifts: [u64; 8],
    ones: [u64; 8],
    sixty_threes: [u64; 4],
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
        sixty_threes: [63; 4],
    }
};

impl Vectors {
    /// Returns the kernel for these instructions, if they include AVX2.
    #[inline]
    pub(super) fn of(cpu: Cpu) -> Option<Self> {
        match cpu {
            Cpu::Portable => None,
            Cpu::Avx2(avx2) => Some(avx2.into()),
            Cpu::Avx512(avx512) => Some(avx512.into()),
        }
    }
}

impl From<Avx2> for Vectors {
    #[inline]
    fn from(_: Avx2) -> Self {
        Self { wide: 0 }
    }
}

impl From<Avx512> for Vectors {
    #[inline]
    fn from(_: Avx512) -> Self {
        Self { wide: 1 }
    }
}

/// Runs assembly that finds the cache line of the block of a hash, at `lines` + rdx, and then runs
/// one of two lists of instructions: the first with AVX2, the second with AVX-512. The first list
/// leaves a number in edx, the second list leaves it in k1. The number is 0 exactly if all bits of
/// the hash were set, and the macro returns whether the number is not 0.
///
/// The assembly may overwrite xmm0 to xmm15 (and their upper parts, which `vzeroupper` clears),
/// zmm16, zmm17 and k1, so a caller cannot keep values in these registers.
macro_rules! at_line {
    (($kernel:expr, $hash:expr, $count:expr, $lines:expr), [$($avx2:literal),*], [$($avx512:literal),*], $($option:ident),*) => {{
        let (block, lanes) = $hash.block_and_lanes();
        let clear: u32;
        asm!(
            "mul {count}",
            "shl rdx, 6",
            "test {wide:e}, {wide:e}",
            "jne 2f",
            "vmovq xmm0, {lanes}",
            "vpbroadcastq ymm0, xmm0",
            "vpsrlvq ymm1, ymm0, ymmword ptr [{constants} + 32]",
            "vpsrlvq ymm0, ymm0, ymmword ptr [{constants}]",
            $($avx2,)*
            // Without `vzeroupper`, later SSE code would be slow.
            "vzeroupper",
            "jmp 3f",
            "2:",
            "vpbroadcastq zmm16, {lanes}",
            "vpsrlvq zmm16, zmm16, zmmword ptr [{constants}]",
            // `vprolvq` rotates 1 to the bit of each lane: it uses only the low six bits of each
            // lane's rotation distance.
            "vmovdqa64 zmm17, zmmword ptr [{constants} + {ones}]",
            "vprolvq zmm16, zmm17, zmm16",
            $($avx512,)*
            "kmovb edx, k1",
            "3:",
            "/* {ones} {sixty_threes} */",
            wide = in(reg) $kernel.wide,
            lanes = in(reg) lanes,
            count = in(reg) $count,
            constants = in(reg) from_ref(&CONSTANTS),
            ones = const offset_of!(Constants, ones),
            sixty_threes = const offset_of!(Constants, sixty_threes),
            lines = in(reg) $lines,
            inout("rax") block => _,
            out("edx") clear,
            out("k1") _, out("zmm16") _, out("zmm17") _,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack, $($option),*),
        );
        clear != 0
    }};
}

impl Kernel for Vectors {
    #[inline]
    fn insert(self, blocks: BlocksMut<'_>, hash: Mixed) -> bool {
        // Miri runs no assembly.
        if cfg!(miri) {
            return Portable.insert(blocks, hash);
        }
        // SAFETY: the kernel exists only on a machine that has the instructions it uses. These instructions read the
        // constants, and read and write a single line, which is 64 bytes aligned to 64.
        unsafe {
            at_line!(
                (self, hash, blocks.view().count(), blocks.address()),
                [
                    "vpand ymm0, ymm0, ymmword ptr [{constants} + {sixty_threes}]",
                    "vpand ymm1, ymm1, ymmword ptr [{constants} + {sixty_threes}]",
                    "vmovdqa ymm2, ymmword ptr [{constants} + {ones}]",
                    "vpsllvq ymm0, ymm2, ymm0",
                    "vpsllvq ymm1, ymm2, ymm1",
                    "vmovdqa ymm2, ymmword ptr [{lines} + rdx]",
                    "vmovdqa ymm3, ymmword ptr [{lines} + rdx + 32]",
                    "vpandn ymm4, ymm2, ymm0",
                    "vpandn ymm5, ymm3, ymm1",
                    "vpor ymm2, ymm2, ymm0",
                    "vpor ymm3, ymm3, ymm1",
                    "vmovdqa ymmword ptr [{lines} + rdx], ymm2",
                    "vmovdqa ymmword ptr [{lines} + rdx + 32], ymm3",
                    "vpor ymm4, ymm4, ymm5",
                    "xor edx, edx",
                    "vptest ymm4, ymm4",
                    "setne dl"
                ],
                [
                    "vmovdqa64 zmm17, zmmword ptr [{lines} + rdx]",
                    "vptestnmq k1, zmm16, zmm17",
                    "vporq zmm17, zmm17, zmm16",
                    "vmovdqa64 zmmword ptr [{lines} + rdx], zmm17"
                ],
            )
        }
    }

    #[inline]
    fn contains<L: AnyBlock>(self, blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
        if cfg!(miri) {
            return Portable.contains(blocks, hash);
        }
        // SAFETY: as in `insert`, but the instructions write nothing, and load a line of any alignment.
        let clear = unsafe {
            at_line!(
                (self, hash, blocks.count(), blocks.address()),
                // With AVX2, each lane of the line is shifted so that the bit to test becomes the
                // top bit of the lane. The two vectors are then combined with AND, and `vmovmskpd`
                // collects the four top bits: every bit to test is set if all four are 1. Comparing
                // the bits with the line would take one more instruction for each vector.
                [
                    "vpandn ymm0, ymm0, ymmword ptr [{constants} + {sixty_threes}]",
                    "vpandn ymm1, ymm1, ymmword ptr [{constants} + {sixty_threes}]",
                    "vmovdqu ymm2, ymmword ptr [{lines} + rdx]",
                    "vmovdqu ymm3, ymmword ptr [{lines} + rdx + 32]",
                    "vpsllvq ymm0, ymm2, ymm0",
                    "vpsllvq ymm1, ymm3, ymm1",
                    "vpand ymm0, ymm0, ymm1",
                    "vmovmskpd edx, ymm0",
                    "xor edx, 15"
                ],
                ["vptestnmq k1, zmm16, zmmword ptr [{lines} + rdx]"],
                pure,
                readonly
            )
        };
        !clear
    }
}
