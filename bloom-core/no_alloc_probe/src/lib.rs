//! Proves that bloom-core without its default features needs no allocator: this library has none, and does not
//! build as soon as the crate `alloc` is linked.
//!
//! ```text
//! cargo build --manifest-path bloom-core/no_alloc_probe/Cargo.toml
//! ```

#![no_std]

use bloom_core::{BlockedBloomFilterRef, BloomFilterRef};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Opens a filter in flash and queries it.
///
/// # Safety
///
/// `length` bytes from `bytes` on can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bloom_contains(bytes: *const u8, length: usize, item: u64) -> bool {
    // SAFETY: the caller says so.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    if let Ok(filter) = BloomFilterRef::<u64>::from_verified_bytes(bytes) {
        return filter.contains(&item) && filter.fill() < 1.0;
    }
    let (mut by_item, mut by_hash) = ([false], [false]);
    BlockedBloomFilterRef::<u64>::from_bytes(bytes).is_ok_and(|filter| {
        let hash = filter.hash_of(&item);
        filter.contains_many_into(&[item], &mut by_item).is_ok()
            && filter.contains_hashes_into(&[hash], &mut by_hash).is_ok()
            && by_item == by_hash
            && by_hash[0]
    })
}
