//! The loops of bits in vectors of eight words: what `draws.rs` does, with eight draws of a hash side
//! by side.
//!
//! Found at run time, on machines that have AVX-512 with IFMA. A single query begins in
//! `avx512_in_place.rs`, and most end there.
#![allow(unsafe_code)]
// Where it says so, code is to be compiled with the instructions of its caller.
#![allow(clippy::inline_always)]

use core::arch::x86_64::{
    __m512i, _bzhi_u32, _mm256_mask_testn_epi64_mask, _mm256_mmask_i64gather_epi64,
    _mm256_rolv_epi64, _mm256_set1_epi64x, _mm256_setzero_si256, _mm512_add_epi64,
    _mm512_castsi512_si256, _mm512_loadu_si512, _mm512_madd52hi_epu64, _mm512_mask_i64gather_epi64,
    _mm512_mask_testn_epi64_mask, _mm512_mullo_epi64, _mm512_rolv_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_srli_epi64, _mm512_storeu_si512,
};

use super::bits::{Bits, OpenBits};
use super::groups::fetch;
use super::hashes::Hashes;
use super::machine::Widest;
use crate::probe::{Leaps, UNDRAWN, stir};

/// How many hashes of several lines each are on their way at once: measured.
const GROUP: usize = 32;

/// Words of a vector.
pub(super) const WIDTH: u8 = 8;

/// Up to so many words are gathered by half a vector, and loaded one by one beside a whole one: a gather
/// takes as long for one as for all. Measured.
pub(super) const FEW: u8 = 4;

/// How to have the first draws of a hash side by side, and those after [`FEW`].
pub(super) static LEAPS: Leaps = Leaps::after(0);
pub(super) static LEAPS_AFTER_FEW: Leaps = Leaps::after(FEW);

/// What such a machine does with bits.
// What proves is that there is a `self`.
#[allow(clippy::unused_self)]
impl Widest {
    #[inline]
    pub(super) fn insert_each_draws(self, bits: &mut Bits, each: impl Hashes, hashes: u8) -> u64 {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { insert_each_draws(bits, each, hashes) }
    }

    #[inline]
    pub(super) fn contains_each_draws(
        self,
        bits: &Bits,
        each: impl Hashes,
        hashes: u8,
        answers: &mut [bool],
    ) {
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { contains_each_draws(bits, each, hashes, answers) }
    }
}

/// The walk of a hash, eight states at a time.
#[derive(Clone, Copy)]
struct Strides {
    states: __m512i,
    left: u8,
}

impl Strides {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
    unsafe fn new(hash: u64, hashes: u8) -> Self {
        // SAFETY: the caller's machine has the instructions.
        unsafe { Self::by(&LEAPS, hash, hashes) }
    }

    /// That begins where these leaps lead, with so many `left`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
    unsafe fn by(leaps: &Leaps, hash: u64, left: u8) -> Self {
        // SAFETY: the caller's machine has the instructions, and what is loaded is eight words.
        #[allow(unused_unsafe)]
        let states = unsafe {
            let stirred = _mm512_set1_epi64(stir(hash) as i64);
            let times = _mm512_loadu_si512(leaps.times.as_ptr().cast());
            let plus = _mm512_loadu_si512(leaps.plus.as_ptr().cast());
            _mm512_add_epi64(_mm512_mullo_epi64(stirred, times), plus)
        };
        Self { states, left }
    }

    /// The positions of the states, and which of them are the hash's.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
    unsafe fn positions(self, bits: u64) -> (__m512i, u8) {
        // SAFETY: the caller's machine has the instructions.
        #[allow(unused_unsafe)]
        unsafe {
            // Both factors are below 2^52, as the multiplication wants it (`Bits::new`).
            let draws = _mm512_srli_epi64::<UNDRAWN>(self.states);
            let bits = _mm512_set1_epi64(bits as i64);
            let positions = _mm512_madd52hi_epu64(_mm512_setzero_si512(), draws, bits);
            (positions, _bzhi_u32(0xff, self.left.into()) as u8)
        }
    }

    /// Goes on to the next eight, if there are any.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
    unsafe fn go_on(&mut self) -> bool {
        let Some(left @ 1..) = self.left.checked_sub(WIDTH) else {
            return false;
        };
        self.left = left;
        // SAFETY: the caller's machine has the instructions.
        #[allow(unused_unsafe)]
        unsafe {
            let times = _mm512_set1_epi64(LEAPS.eight.0 as i64);
            let plus = _mm512_set1_epi64(LEAPS.eight.1 as i64);
            self.states = _mm512_add_epi64(_mm512_mullo_epi64(self.states, times), plus);
        }
        true
    }
}

/// Which of the bits at these positions are clear.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn clear(bits: &Bits, positions: __m512i, ours: u8) -> u8 {
    // SAFETY: the caller's machine has the instructions, and the positions that are ours are below
    // the number of bits, as `reduce` makes them: there is a word for each.
    unsafe {
        let words = _mm512_mask_i64gather_epi64::<8>(
            _mm512_setzero_si512(),
            ours,
            _mm512_srli_epi64::<6>(positions),
            bits.words().as_ptr().cast(),
        );
        let set = _mm512_rolv_epi64(_mm512_set1_epi64(1), positions);
        _mm512_mask_testn_epi64_mask(ours, words, set)
    }
}

/// [`clear`] of a hash that has no more than [`FEW`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,avx512vl,bmi2")]
unsafe fn clear_of_few(bits: &Bits, positions: __m512i, ours: u8) -> u8 {
    // SAFETY: as in `clear`.
    unsafe {
        let words = _mm256_mmask_i64gather_epi64::<8>(
            _mm256_setzero_si256(),
            ours,
            _mm512_castsi512_si256(_mm512_srli_epi64::<6>(positions)),
            bits.words().as_ptr().cast(),
        );
        let positions = _mm512_castsi512_si256(positions);
        let set = _mm256_rolv_epi64(_mm256_set1_epi64x(1), positions);
        _mm256_mask_testn_epi64_mask(ours, words, set)
    }
}

/// Whether one of the bits at these positions is clear, looked at one by one: 1 or 0.
///
/// # Safety
///
/// Each position must be below the number of bits.
#[inline(always)]
unsafe fn clear_one_by_one(bits: &Bits, positions: impl Iterator<Item = u64>) -> u8 {
    let mut all_set = 1;
    for position in positions {
        // SAFETY: the caller's.
        all_set &= unsafe { bits.word_unchecked(position) } >> (position % 64);
    }
    (!all_set & 1) as u8
}

/// Whether the last words of a hash are [`FEW`].
#[inline]
fn ends_in_few(hashes: u8) -> bool {
    hashes.wrapping_sub(1) % WIDTH < FEW
}

/// What the last words of hashes are.
mod last {
    /// [`FEW`](super::FEW), and there are no others.
    pub(super) const FEW_ALONE: u8 = 0;
    /// [`FEW`](super::FEW).
    pub(super) const FEW: u8 = 1;
    pub(super) const MANY: u8 = 2;
}

/// Whether every bit of a hash is set, in a filter in the caches or one that was fetched.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,avx512vl,bmi2")]
unsafe fn contains_draws<const LAST: u8>(bits: &Bits, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions.
    unsafe {
        match LAST {
            last::FEW_ALONE => {
                let (positions, ours) = Strides::new(hash, hashes).positions(bits.count());
                clear_of_few(bits, positions, ours) == 0
            }
            last::FEW => contains_to_the::<true>(bits, hash, hashes),
            _ => contains_to_the::<false>(bits, hash, hashes),
        }
    }
}

/// [`contains_draws`] to the last words, which are [`FEW`] or not, without a branch on what is found.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn contains_to_the<const ENDS_IN_FEW: bool>(bits: &Bits, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions.
    unsafe {
        let mut strides = Strides::new(hash, hashes);
        let mut missing = 0;
        loop {
            let (positions, ours) = strides.positions(bits.count());
            if ENDS_IN_FEW && strides.left <= WIDTH {
                return missing | clear_one_by_one(bits, list(positions, ours)) == 0;
            }
            missing |= clear(bits, positions, ours);
            if !strides.go_on() {
                return missing == 0;
            }
        }
    }
}

// A function that is called is none that becomes part of a loop: the compiler takes one for both and
// makes no loop of it.

/// Whether every bit of a hash is set, best in the caches and of more hashes than [`WIDTH`].
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
pub(super) unsafe fn contains_near_alone(bits: &Bits, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions.
    unsafe {
        if ends_in_few(hashes) {
            contains_to_the::<true>(bits, hash, hashes)
        } else {
            contains_to_the::<false>(bits, hash, hashes)
        }
    }
}

/// Whether every bit after the first [`FEW`] of a hash is set, where memory is far: what comes after eight
/// draws is not fetched if one of those is clear.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
pub(super) unsafe fn contains_after_few(bits: &Bits, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions.
    unsafe {
        let mut strides = Strides::by(&LEAPS_AFTER_FEW, hash, hashes - FEW);
        loop {
            let (positions, ours) = strides.positions(bits.count());
            let missing = clear(bits, positions, ours);
            if missing != 0 || !strides.go_on() {
                return missing == 0;
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
pub(super) unsafe fn insert_alone(bits: OpenBits<'_>, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions.
    unsafe { insert_draws(bits, hash, hashes) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn insert_draws(mut bits: OpenBits<'_>, hash: u64, hashes: u8) -> bool {
    // SAFETY: the caller's machine has the instructions, and the positions that are ours are below
    // the number of bits, as in `clear`.
    unsafe {
        let mut strides = Strides::new(hash, hashes);
        let mut all_set = 1;
        loop {
            let (positions, ours) = strides.positions(bits.count());
            for position in list(positions, ours) {
                all_set &= bits.set_unchecked(position);
            }
            if !strides.go_on() {
                return all_set & 1 == 0;
            }
        }
    }
}

/// The positions that are ours, one by one: each is below the number of bits.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn list(positions: __m512i, ours: u8) -> impl Iterator<Item = u64> {
    let mut each = [0_u64; WIDTH as usize];
    // SAFETY: the caller's machine has the instructions, and there is room for eight words.
    unsafe { _mm512_storeu_si512(each.as_mut_ptr().cast(), positions) };
    each.into_iter().take(ours.trailing_ones() as usize)
}

/// Asks for the words of a hash.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn fetch_draws(bits: &Bits, hash: u64, hashes: u8) {
    // SAFETY: the caller's machine has the instructions, and the positions that are ours are below
    // the number of bits, as in `clear`.
    unsafe {
        let mut strides = Strides::new(hash, hashes);
        loop {
            let (positions, ours) = strides.positions(bits.count());
            for position in list(positions, ours) {
                fetch(bits.word_unchecked(position));
            }
            if !strides.go_on() {
                return;
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi2")]
unsafe fn insert_each_draws(bits: &mut Bits, mut each: impl Hashes, hashes: u8) -> u64 {
    let mut new = 0;
    if !bits.is_far() {
        for hash in each.one_by_one() {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert_draws(bits.open(), hash, hashes) });
        }
        return new;
    }
    let mut group = [0; GROUP];
    while let Some(count) = each.next_group(&mut group) {
        let group = &group[..count];
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            unsafe { fetch_draws(bits, *hash, hashes) };
        }
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            new += u64::from(unsafe { insert_draws(bits.open(), *hash, hashes) });
        }
    }
    new
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,avx512vl,bmi2")]
unsafe fn contains_each_draws(bits: &Bits, each: impl Hashes, hashes: u8, answers: &mut [bool]) {
    // SAFETY: the caller's machine has the instructions.
    unsafe {
        if hashes <= FEW {
            contains_each_to_the::<{ last::FEW_ALONE }>(bits, each, hashes, answers);
        } else if ends_in_few(hashes) {
            contains_each_to_the::<{ last::FEW }>(bits, each, hashes, answers);
        } else {
            contains_each_to_the::<{ last::MANY }>(bits, each, hashes, answers);
        }
    }
}

/// [`contains_each_draws`], of which the last words are as it says: one loop of each.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,avx512vl,bmi2")]
unsafe fn contains_each_to_the<const LAST: u8>(
    bits: &Bits,
    mut each: impl Hashes,
    hashes: u8,
    mut answers: &mut [bool],
) {
    if !bits.is_far() {
        for (hash, answer) in each.one_by_one().zip(answers) {
            // SAFETY: the caller's machine has the instructions.
            *answer = unsafe { contains_draws::<LAST>(bits, hash, hashes) };
        }
        return;
    }
    let mut group = [0; GROUP];
    while let Some(count) = each.next_group(&mut group) {
        let group = &group[..count];
        for hash in group {
            // SAFETY: the caller's machine has the instructions.
            unsafe { fetch_draws(bits, *hash, hashes) };
        }
        let (now, later) = answers.split_at_mut(group.len());
        for (hash, answer) in group.iter().zip(now) {
            // SAFETY: the caller's machine has the instructions.
            *answer = unsafe { contains_draws::<LAST>(bits, *hash, hashes) };
        }
        answers = later;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::draws::DrawLoops;
    use super::*;
    use crate::probe::{Positions, mix};
    use crate::storage::ready;

    /// Bits looked at by the loops of every machine.
    fn portable(count: u64) -> Bits {
        let mut bits = Bits::new(count).expect("little memory");
        bits.loops = DrawLoops::portable(false);
        bits
    }

    #[test]
    fn vectors_set_and_find_what_single_draws_do() {
        let Some(vectors) = Widest::get() else { return };
        // Around every number of vectors, and sizes on both sides of a word; the last is far.
        let sizes = [1, 5, 63, 64, 65, 4_099, 1 << 26, (1 << 26) + 65];
        for (count, hashes) in sizes.into_iter().zip([1, 7, 8, 9, 16, 17, 40, 255]) {
            for hashes in [hashes, 1, 3, 4, 5, 7, 8, 10, 13] {
                let (mut plain, mut wide) = (portable(count), portable(count));
                let mut in_groups = wide.try_clone().expect("little memory");
                let inserted: Vec<u64> = (0..100).map(mix).collect();
                let mut new = 0;
                for hash in &inserted {
                    // SAFETY: the machine has the instructions.
                    let one = unsafe { insert_draws(wide.open(), *hash, hashes) };
                    assert_eq!(
                        one,
                        plain.insert(*hash, hashes),
                        "{count} bits, k = {hashes}"
                    );
                    new += u64::from(one);
                }
                let each = ready(&inserted);
                assert_eq!(vectors.insert_each_draws(&mut in_groups, each, hashes), new);
                assert!(
                    wide == plain && in_groups == plain,
                    "{count} bits, k = {hashes}"
                );

                let asked: Vec<u64> = (0..5_000).map(mix).collect();
                let mut answers = vec![false; asked.len()];
                vectors.contains_each_draws(&wide, ready(&asked), hashes, &mut answers);
                for (hash, answer) in asked.into_iter().zip(answers) {
                    assert_eq!(answer, plain.contains_all(hash, hashes));
                    // SAFETY: as above.
                    let alone = unsafe { contains_near_alone(&wide, hash, hashes) };
                    assert_eq!(alone, answer);
                }
            }
        }
    }

    #[test]
    fn vectors_come_to_the_positions_of_the_walk_in_filters_of_any_size() {
        if Widest::get().is_none() {
            return;
        }
        for count in [1, 64, 1_000, (1 << 32) + 5, 5 << 40, (1 << 52) - 1] {
            for hash in [0, 1, u64::MAX].into_iter().chain((0..1_000).map(mix)) {
                let mut found = Vec::new();
                // SAFETY: the machine has the instructions.
                unsafe {
                    let mut strides = Strides::new(hash, 255);
                    loop {
                        let (positions, ours) = strides.positions(count);
                        found.extend(list(positions, ours));
                        if !strides.go_on() {
                            break;
                        }
                    }
                }
                assert!(found.into_iter().eq(Positions::new(hash, count, 255)));
            }
        }
    }
}
