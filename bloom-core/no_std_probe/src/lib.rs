//! Proves that bloom-core and bloom-formats need no `std`: this library has a panic handler and an allocator of its
//! own, so it fails to build as soon as it links `std`, which has a panic handler, too (E0152).
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

/// Reaches a filter of every kind, and with them the formulas, the hasher and the storage.
pub fn probe(items: u64, rate: f64) -> bool {
    let basic = BloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let blocked = BlockedBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let counting = CountingBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let partitioned = PartitionedBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    let scalable = ScalableBloomFilter::with_rate(items, rate).is_ok_and(keeps);
    basic && blocked && counting && partitioned && scalable
}

/// Reaches some of the formats, and with them their hashes and readers.
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
