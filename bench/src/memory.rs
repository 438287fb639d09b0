//! Measures the memory of filters by counting the bytes that they allocate. The sizes that the crates
//! report are not used.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs a closure and returns its result and by how many bytes the allocated memory grew.
pub(crate) fn held<R>(run: impl FnOnce() -> R) -> (R, isize) {
    let region = Region::new(ALLOCATOR);
    let result = run();
    let change = region.change();
    let more = change.bytes_allocated.cast_signed() - change.bytes_deallocated.cast_signed();
    (result, more)
}
