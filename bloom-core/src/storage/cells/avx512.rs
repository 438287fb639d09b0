//! Queries batches of hashes in a filter of bits with AVX-512: computes the positions of eight
//! hashes at once. The words at these positions are loaded one by one, or by one instruction
//! (*gathered*).
//!
//! Words are gathered only on processors on which gathers are faster than single loads. On a Zen 5
//! they are slower: a query of a batch took 6.8 ns with gathers and 3.4 ns with single loads (seven
//! hashes, a thousand items). `bench/LIMITS.md` has the times of an Intel processor with fast
//! gathers. Words that threads share are never gathered.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _mm_and_si128, _mm_movm_epi8, _mm_set1_epi8, _mm_storel_epi64, _mm512_add_epi64,
    _mm512_and_si512, _mm512_i64gather_epi64, _mm512_loadu_si512, _mm512_mul_epu32,
    _mm512_mullo_epi64, _mm512_permutex2var_epi64, _mm512_rol_epi64, _mm512_ror_epi64,
    _mm512_rorv_epi64, _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_srli_epi64,
    _mm512_storeu_si512, _mm512_test_epi64_mask,
};
use core::ops::Range;

use super::cell::Cell;
use super::view::{ContainsEach, Slots, View};
use crate::probe::{GOLDEN, Mixed, PROBES_PER_STATE, ROTATION, STEP};
use crate::storage::cpu::Cpu;
use crate::storage::words::Word;

/// The number of probes after which it pays to test whether all eight answers are no already. If
/// all eight hashes are absent and half of the bits are set, all eight answers are no after seven
/// probes in 15 of 16 cases.
const DECIDED: u8 = 7;

/// How a machine takes the hashes of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Batch {
    /// Four at a time, without vectors.
    Fours,
    /// Eight at a time in vectors; the words are loaded one by one.
    Eights,
    /// Eight at a time in vectors; the words are gathered.
    Gathered,
}

impl Batch {
    /// Decides how a machine takes the hashes of batches, for cells (bits or counters) of `bits`
    /// bits. `gathers` says whether a machine with AVX-512 gathers words fast, and is `None` for a
    /// machine without AVX-512. `far` says whether the filter is larger than the caches, and
    /// `shared` whether threads share its words.
    #[inline]
    fn decide(gathers: Option<bool>, bits: u64, far: bool, shared: bool) -> Self {
        match (gathers, shared) {
            _ if far || bits > 1 => Self::Fours,
            // Words that threads share must not be gathered. A machine that gathers fast then takes
            // the hashes in fours, which is faster there than in eights with single loads.
            (None, _) | (Some(true), true) => Self::Fours,
            (Some(true), false) => Self::Gathered,
            (Some(false), _) => Self::Eights,
        }
    }
}

/// Returns the function with vectors that queries batches, or `None` if the function without
/// vectors is used for them.
pub(super) fn chosen<W: Word, C: Cell>(cpu: Cpu, far: bool) -> Option<ContainsEach<W>> {
    let gathers = match cpu {
        Cpu::Avx512(avx512) => Some(avx512.gathers()),
        Cpu::Portable | Cpu::Avx2(_) => None,
    };
    match Batch::decide(gathers, C::BITS, far, W::BYTES.is_none()) {
        Batch::Fours => None,
        Batch::Eights => Some(contains_each::<W, C, false>),
        Batch::Gathered => Some(contains_each::<W, C, true>),
    }
}

/// Writes to `answers`, for one hash after the other, whether all of its bits are set. The cells
/// must be bits, and fewer than 2^32.
#[target_feature(enable = "avx2,bmi2,popcnt,avx512f,avx512dq,avx512bw,avx512vl")]
pub(super) fn contains_each<W: Word, C: Cell, const GATHER: bool>(
    cells: View<'_, W>,
    hashes: &[Mixed],
    k: u8,
    answers: &mut [bool],
) {
    assert!(C::BITS == 1);
    let one = _mm512_set1_epi64(1);
    let (chunks, rest) = hashes.as_chunks::<8>();
    let (places, last) = answers.as_chunks_mut::<8>();
    if !rest.is_empty() {
        // The last, fewer than eight hashes are filled up to eight with other hashes, whose answers
        // are dropped.
        let (mut eight, mut answers) = ([Mixed::default(); 8], [false; 8]);
        eight[..rest.len()].copy_from_slice(rest);
        contains_each::<W, C, GATHER>(cells, &eight, k, &mut answers);
        last.copy_from_slice(&answers[..rest.len()]);
    }
    for (hashes, answers) in chunks.iter().zip(places) {
        let (hash, probe) = split(hashes);
        let slots = cells.slots::<C>();
        let mut eight = Eight {
            hash,
            probe,
            slots,
            all: one,
        };
        eight.take::<GATHER>(0..k.min(DECIDED));
        if k > DECIDED && _mm512_test_epi64_mask(eight.all, one) != 0 {
            eight.take::<GATHER>(DECIDED..k);
        }
        let bytes = _mm_movm_epi8(_mm512_test_epi64_mask(eight.all, one).into());
        let bytes = _mm_and_si128(bytes, _mm_set1_epi8(1));
        // SAFETY: eight bytes, each 0 or 1, are written to eight places.
        unsafe { _mm_storel_epi64(answers.as_mut_ptr().cast(), bytes) };
    }
}

/// Eight hashes, and the state of their queries after the first few probes.
struct Eight<'cells, W, C: Cell> {
    hash: __m512i,
    probe: __m512i,
    slots: Slots<'cells, W, C>,
    /// The lowest bit of each element is 1 if all bits that were read so far for the hash of this
    /// element are set.
    all: __m512i,
}

impl<W: Word, C: Cell> Eight<'_, W, C> {
    /// Reads the bits of the probes with these indices, which follow the probes taken so far.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt,avx512f,avx512dq,avx512bw,avx512vl")]
    fn take<const GATHER: bool>(&mut self, indices: Range<u8>) {
        let step = _mm512_set1_epi64(STEP as i64);
        for index in indices {
            if index > 0 && index % PROBES_PER_STATE == 0 {
                // A state gives four probes, and the fourth rotation has brought back the first of
                // them. One rotation back is the fourth probe, from which the next state follows.
                let last = _mm512_ror_epi64::<{ ROTATION as i32 }>(self.probe);
                self.probe = _mm512_add_epi64(_mm512_mullo_epi64(last, step), self.hash);
            }
            let slot = self.slots.step(index);
            debug_assert!(slot.length >> 32 == 0);
            // The offset is the high half of probe * length. As the length is below 2^32, this is
            // `(high * length + (low * length >> 32)) >> 32`, with the high and the low half of the
            // probe. Each 64-bit element of `length` has the length in both of its halves, though
            // only the lower half is used: if the compiler knew that the upper half is 0, it would
            // multiply all 64 bits, in three times the instructions.
            let length = _mm512_set1_epi32(slot.length as i32);
            let high = _mm512_mul_epu32(_mm512_srli_epi64::<32>(self.probe), length);
            let low = _mm512_srli_epi64::<32>(_mm512_mul_epu32(self.probe, length));
            let offset = _mm512_srli_epi64::<32>(_mm512_add_epi64(high, low));
            self.probe = _mm512_rol_epi64::<{ ROTATION as i32 }>(self.probe);
            let position = _mm512_add_epi64(offset, _mm512_set1_epi64(slot.start as i64));
            let words = if let (true, Some(words)) = (GATHER, slot.plain()) {
                let word = _mm512_srli_epi64::<6>(position);
                // SAFETY: the offset, the high half of a product with the length, is less than the
                // length, so the positions are bits of the view, 64 in a word. `words` is the
                // address of its words, and no thread changes them during the load.
                unsafe { _mm512_i64gather_epi64::<8>(word, words.as_ptr().cast()) }
            } else {
                let mut offsets = [0_u64; 8];
                // SAFETY: eight words.
                unsafe { _mm512_storeu_si512(offsets.as_mut_ptr().cast(), offset) };
                // SAFETY: the offset is less than the length, as it is the high half of a product with the length.
                let load = |offset| unsafe { slot.word_at::<C>(offset) }.0.load().cast_signed();
                let [a, b, c, d, e, f, g, h] = offsets.map(load);
                _mm512_setr_epi64(a, b, c, d, e, f, g, h)
            };
            // The rotation uses only the low six bits of each position, which are the place of the bit in its word.
            self.all = _mm512_and_si512(self.all, _mm512_rorv_epi64(words, position));
        }
    }
}

/// Returns a vector of the hashes and a vector of their first probe states.
#[inline]
#[target_feature(enable = "avx512f")]
fn split(hashes: &[Mixed; 8]) -> (__m512i, __m512i) {
    let first: *const __m512i = hashes.as_ptr().cast();
    // SAFETY: eight pairs of words.
    let (low, high) = unsafe { (_mm512_loadu_si512(first), _mm512_loadu_si512(first.add(1))) };
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    let mixed = _mm512_permutex2var_epi64(low, odd, high);
    let golden = _mm512_set1_epi64(GOLDEN as i64);
    (
        _mm512_permutex2var_epi64(low, even, high),
        _mm512_add_epi64(mixed, golden),
    )
}

#[cfg(test)]
mod tests {
    use super::Batch::{self, Eights, Fours, Gathered};
    use crate::storage::cpu::x86::gathers_fast_on;

    #[test]
    fn each_processor_takes_batches_as_was_measured() {
        const FP16: u32 = 1 << 23;
        let avx512 = |maker: &[u8; 4], features| Some(gathers_fast_on(*maker, features));
        // The last column says how batches must be taken if the filter is not `far`: with one
        // owner, and then with threads that share the words.
        for (processor, gathers, expected) in [
            ("no vectors", None, [Fours, Fours]),
            ("AVX2 alone", None, [Fours, Fours]),
            ("AMD Zen 4 and 5", avx512(b"Auth", !FP16), [Eights, Eights]),
            ("an AMD with FP16", avx512(b"Auth", !0), [Eights, Eights]),
            (
                "Intel without FP16",
                avx512(b"Genu", !FP16),
                [Eights, Eights],
            ),
            (
                "Intel since Sapphire Rapids",
                avx512(b"Genu", FP16),
                [Gathered, Fours],
            ),
        ] {
            for (shared, expected) in [false, true].into_iter().zip(expected) {
                assert_eq!(
                    Batch::decide(gathers, 1, false, shared),
                    expected,
                    "{processor}"
                );
                assert_eq!(
                    Batch::decide(gathers, 1, true, shared),
                    Fours,
                    "{processor}"
                );
                assert_eq!(
                    Batch::decide(gathers, 4, false, shared),
                    Fours,
                    "{processor}"
                );
            }
        }
    }
}
