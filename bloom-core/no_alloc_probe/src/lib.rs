//! Proves that bloom-core without its default features needs no allocator: this library defines no allocator, so it
//! fails to build if bloom-core links the crate `alloc`, which needs one.
//!
//! ```text
//! cargo build --manifest-path bloom-core/no_alloc_probe/Cargo.toml
//! ```

#![no_std]

use bloom_core::{
    Block, BlockedBloomFilter, BlockedBloomFilterRef, BlockedShape, BloomFilter, BloomFilterRef,
    CountingBloomFilter, PartitionedBloomFilter, Shape,
};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Opens the saved filter in `bytes`, as a standard filter or else as a blocked one, without copying it, and queries it
/// for `item`.
///
/// # Safety
///
/// The `length` bytes that start at `bytes` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bloom_contains(bytes: *const u8, length: usize, item: u64) -> bool {
    // SAFETY: the caller promises that these bytes can be read.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    if let Ok(filter) = BloomFilterRef::<u64>::open_verified(bytes) {
        return filter.contains(&item) && filter.fill() < 1.0;
    }
    let (mut by_item, mut by_hash) = ([false], [false]);
    BlockedBloomFilterRef::<u64>::open(bytes).is_ok_and(|filter| {
        let hash = filter.hash_of(&item);
        filter.contains_many_into(&[item], &mut by_item).is_ok()
            && filter.contains_hashes_into(&[hash], &mut by_hash).is_ok()
            && by_item == by_hash
            && by_hash[0]
    })
}

/// Inserts `item` into four filters, one in the memory at `words` and three in arrays. Then queries the first filter, estimates
/// the items of the second, removes the item from the third and saves the fourth. Returns whether all operations succeed.
///
/// # Safety
///
/// The `count` words that start at `words` can be read and written, and nothing else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bloom_fill(words: *mut u64, count: usize, item: u64) -> bool {
    // SAFETY: the caller promises that these words can be read and written.
    let words = unsafe { core::slice::from_raw_parts_mut(words, count) };
    let (Ok(shape), Ok(blocks)) = (Shape::new(1_000, 7), BlockedShape::new(2)) else {
        return false;
    };
    let lent = BloomFilter::<u64, _, _>::new_in(shape, &mut *words)
        .is_ok_and(|mut filter| filter.insert(&item) && filter.contains(&item));
    let array = PartitionedBloomFilter::<u64, _, _>::new_in(shape, [0; 16])
        .is_ok_and(|mut filter| filter.insert(&item) && filter.estimated_items().is_ok());
    let counters = CountingBloomFilter::<u64, _, _>::new_in(shape, [0; 63])
        .is_ok_and(|mut filter| filter.insert(&item) && filter.remove(&item));
    let lines = BlockedBloomFilter::<u64, _, _>::new_in(blocks, [Block::CLEAR; 2]);
    let saved = lines.is_ok_and(|mut filter| {
        filter.insert(&item);
        filter
            .write_bytes(|bytes| if bytes.is_empty() { Err(()) } else { Ok(()) })
            .is_ok()
    });
    lent && array && counters && saved
}
