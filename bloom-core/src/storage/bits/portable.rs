//! The portable kernel of bits: it defines which bits a hash sets and tests, and the other kernels have to agree.
//!
//! Everything is inlined, since `avx2.rs` compiles it again with more instructions.
#![allow(clippy::inline_always)]

use super::view::{BitsMut, BitsView, is_far};
use crate::probe::{Mixed, ProbeSequence};
use crate::storage::cache::predicted;
use crate::storage::words::Word;

/// Evaluates `$body` with `$k`, the number of probes, as a constant if it is at most 16, else `$other`.
///
/// In the unrolled code the compiler sees which probes are rotations of a state and which start a new one, and
/// overlaps them; with a loop, a query took 5 % longer. WebAssembly, which is downloaded, has the loop: the copies
/// for each number are 12 kB.
macro_rules! unrolled {
    ($number:expr, $k:ident => $body:expr, $other:expr) => {
        unrolled!($number, $k, $body, $other, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($number:expr, $k:ident, $body:expr, $other:expr, $($usual:literal)*) => {
        match $number {
            _ if cfg!(target_family = "wasm") => $other,
            $($usual => { const $k: u8 = $usual; $body })*
            _ => $other,
        }
    };
}

/// Returns whether every bit of a hash is set.
#[inline(always)]
pub(super) fn contains<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    if is_far(bits.count()) {
        unrolled!(k, K => contains_far(bits, hash, K), contains_far(bits, hash, k))
    } else {
        contains_branch_free(bits, hash, k)
    }
}

/// [`contains`] for bits in cache. It is branch-free, since a branch on a bit would often be mispredicted and cost
/// more than the other probes.
#[inline(always)]
pub(super) fn contains_branch_free<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    unrolled!(k, K => all_set(bits, hash, K), all_set(bits, hash, k))
}

#[inline(always)]
fn all_set<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    let mut probes = ProbeSequence::new(hash);
    let mut all_set = 1;
    for _ in 0..k {
        all_set &= bits.bit(probes.step());
    }
    all_set & 1 == 1
}

/// [`contains`] for bits out of cache. It branches: words after the first clear bit need not be fetched, and the
/// processor starts the next query before the words of this one arrive.
///
/// The first two probes share a branch: three of four misses end there, with one possible misprediction instead of
/// two.
#[inline(always)]
fn contains_far<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) -> bool {
    let mut probes = ProbeSequence::new(hash);
    let mut left = k;
    if left > 1 {
        left -= 2;
        if bits.bit(probes.step()) & bits.bit(probes.step()) & 1 == 0 {
            return false;
        }
    }
    for _ in 1..left {
        if bits.bit(probes.step()) & 1 == 0 {
            return false;
        }
    }
    // The answer too is a branch and does not depend on the last bit.
    predicted(true, left == 0 || bits.bit(probes.step()) & 1 == 1)
}

/// Sets every bit of a hash and returns whether one of them was clear.
#[inline(always)]
pub(super) fn insert(bits: BitsMut<'_>, hash: Mixed, k: u8) -> bool {
    unrolled!(k, K => set_all(bits, hash, K), set_all(bits, hash, k))
}

#[inline(always)]
fn set_all(mut bits: BitsMut<'_>, hash: Mixed, k: u8) -> bool {
    let mut probes = ProbeSequence::new(hash);
    let mut all_set = 1;
    for _ in 0..k {
        all_set &= bits.set(probes.step());
    }
    all_set & 1 == 0
}

/// Prefetches the words of a hash.
#[inline(always)]
pub(super) fn prefetch_all<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) {
    unrolled!(k, K => prefetch_each(bits, hash, K), prefetch_each(bits, hash, k));
}

#[inline(always)]
fn prefetch_each<W: Word>(bits: BitsView<'_, W>, hash: Mixed, k: u8) {
    let mut probes = ProbeSequence::new(hash);
    for _ in 0..k {
        bits.prefetch(probes.step());
    }
}
