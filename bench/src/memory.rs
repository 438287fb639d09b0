//! Counts the bytes that filters hold, as the allocator sees them: no crate's own word is taken.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs something and returns, beside its result, how many bytes more are allocated after it.
pub(crate) fn held<R>(run: impl FnOnce() -> R) -> (R, isize) {
    let region = Region::new(ALLOCATOR);
    let result = run();
    let change = region.change();
    let more = change.bytes_allocated.cast_signed() - change.bytes_deallocated.cast_signed();
    (result, more)
}
