//! Proves that bloom-core needs no `std`: this library has a panic handler and an allocator of its
//! own, so it fails to build as soon as `std` is pulled in, which brings its own (E0152).
//!
//! ```text
//! cargo build --manifest-path bloom-core/no_std_probe/Cargo.toml
//! ```

#![no_std]

use core::alloc::{GlobalAlloc, Layout};

use bloom_core::BloomFilter;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Refuses everything: the probe is built, not run.
struct NoMemory;

// SAFETY: a null pointer is the defined answer of an allocator without memory, and nothing was
// ever allocated that could be freed.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: NoMemory = NoMemory;

/// Reaches the formulas, the hasher, the positions and the storage.
pub fn probe(items: u64, rate: f64) -> bool {
    let Ok(mut filter) = BloomFilter::<str>::with_rate(items, rate) else {
        return false;
    };
    filter.insert("ant")
        && filter.contains("ant")
        && filter.false_positive_rate() < filter.expected_false_positive_rate(items)
}
