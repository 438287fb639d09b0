//! Proves that bloom-core and bloom-formats need no `std`. This library defines a panic handler. `std` defines another one,
//! so the library fails to build if one of the two crates links `std` (error E0152 of the compiler).
//!
//! ```text
//! cargo build --manifest-path bloom-core/no_std_probe/Cargo.toml
//! ```

#![no_std]

use core::alloc::{GlobalAlloc, Layout};

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
    ScalableBloomFilter,
};
use bloom_formats::{DcsoBloom, Filter as _, GoBloom, RedisBloom, SparkBloom};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// An allocator that refuses every request: this library is built, but never run.
struct NoMemory;

// SAFETY: an allocator without memory must return a null pointer. Nothing is ever allocated, so nothing
// has to be freed.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: NoMemory = NoMemory;

/// Uses each of the five kinds of filters, so that their formulas, their hasher and the storage of their bits are built.
pub fn probe(items: u64, rate: f64) -> bool {
    let basic = BloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let blocked = BlockedBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let counting = CountingBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let partitioned = PartitionedBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let scalable = ScalableBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    basic && blocked && counting && partitioned && scalable
}

/// Reads filters in four formats of other systems, so that the readers and the hash functions of these formats are built.
pub fn read(bytes: &[u8]) -> bool {
    let spark = SparkBloom::from_bytes(bytes).is_ok_and(|filter| filter.contains("ant"));
    let redis = RedisBloom::from_bytes(bytes).is_ok_and(|filter| filter.contains(b"ant"));
    let go = GoBloom::from_json(bytes).is_ok_and(|filter| filter.contains(b"ant"));
    let dcso = DcsoBloom::from_bytes(bytes).is_ok_and(|filter| filter.false_positive_rate() < 0.5);
    spark || redis || go || dcso
}

fn keeps(mut filter: impl Filter<str>) -> bool {
    filter.try_insert("ant").is_ok() && filter.contains("ant")
}
