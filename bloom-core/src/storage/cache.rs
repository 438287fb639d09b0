//! What a filter does differently out of cache: batches prefetch their lines, and single queries answer by a branch.
#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use core::hint::black_box;
use core::ptr::from_ref;

/// A filter of at most this many bytes is assumed to stay in the caches.
pub(super) const CACHED_BYTES: u64 = 8 << 20;

/// Returns whether a filter of this many bytes exceeds the caches.
#[inline]
pub(crate) fn is_far(bytes: u64) -> bool {
    bytes > CACHED_BYTES
}

/// The bytes that one prefetch fetches.
pub(crate) const LINE_BYTES: usize = 64;

/// Whether the architecture has a prefetch instruction that is used here.
pub(super) const PREFETCHES: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// Prefetches the cache line of a value; does nothing if [`PREFETCHES`] is `false`.
#[inline]
pub(super) fn prefetch<T>(value: &T) {
    prefetch_at(from_ref(value).cast());
}

/// Prefetches the line of an address, which may be invalid.
#[inline]
pub(super) fn prefetch_at(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch is a hint and never faults.
        #[allow(unused_unsafe)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(address.cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = address;
}

/// Returns the answer of a single query out of cache, by a branch.
///
/// The processor predicts the branch, so whatever depends on the answer, like the caller's next query, starts before
/// the memory of this one arrives. In a blocked filter of 2e7 items, queries that each depend on the answer before
/// took 33 ns instead of 175; a mix of hits and misses, where every second prediction is wrong, took 23.5 instead of
/// 21 (Intel with AMX). In cache a misprediction costs more than the memory access.
///
/// It is assembly, which the compiler cannot turn back into the answer itself. It has no jump for queries in cache: with
/// one, they took 1.7 ns instead of 1.45, and written in Rust 1.9 instead of 1.5 with some hashers, as a loop was too
/// long for the compiler to decide before it whether the filter is out of cache (Zen 5).
#[inline]
pub(super) fn predicted(answer: bool) -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut answer = u32::from(answer);
        // SAFETY: it reads and writes only a register.
        unsafe {
            core::arch::asm!(
                "test {answer:e}, {answer:e}",
                // What follows no longer depends on the old answer.
                "je 3f",
                "mov {answer:e}, 1",
                "jmp 4f",
                "3:",
                "xor {answer:e}, {answer:e}",
                "4:",
                answer = inout(reg) answer,
                options(pure, nomem, nostack),
            );
        }
        answer != 0
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        answer && black_box(true)
    }
}
