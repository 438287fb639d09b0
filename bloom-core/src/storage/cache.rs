//! Decides whether a filter is out of cache, which means larger than the caches of the processor,
//! and prefetches cache lines. Out of cache, batches prefetch on x86-64, and single queries end
//! early if they find a clear bit. (In blocked filters, single queries do not end early.)
#![allow(unsafe_code)]

use core::ptr::from_ref;

/// A filter of at most this many bytes is assumed to stay in the caches. Unit tests have a smaller
/// limit, so that filters above the limit are small enough for Miri and for tests of every kernel;
/// `tests/suite/batches.rs` tests the real limit.
pub(super) const CACHED_BYTES: u64 = if cfg!(test) { 4 << 10 } else { 8 << 20 };

/// Returns whether a filter of this many bytes is assumed to be larger than the caches.
#[inline]
pub(crate) fn is_far(bytes: u64) -> bool {
    bytes > CACHED_BYTES
}

/// The number of bytes that one prefetch fetches, a cache line.
pub(crate) const LINE_BYTES: usize = 64;

/// Whether [`prefetch`] has an effect on this architecture.
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
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(address.cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = address;
}
