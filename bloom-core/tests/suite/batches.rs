//! Compares calls that take a batch of items with one call for each item, for many lengths of the batch.
//!
//! `extend`, `insert_many` and `contains_many` divide a batch into groups of 4, 8, 64 or 512 hashes. For filters larger than
//! the caches they use other code. A bug may lose a group only at some lengths of the batch. For example, `extend` might lose
//! its last group if this group is full, which happens at multiples of 512. `family.rs` compares batches of a few other
//! lengths.

use std::fmt::Debug;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CountingBloomFilter, Filter,
    PartitionedBloomFilter, Shape,
};

/// Lengths of batches: 0 to 2, and multiples of 8, 64 and 512, most of them with the lengths one below and one above.
const LENGTHS: [u64; 26] = [
    0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1_023,
    1_024, 1_025, 1_535, 1_536,
];

/// The lengths for filters larger than the caches, in place of [`LENGTHS`]. In groups of 4 or 8, the last group of such a batch
/// is full or has one hash.
const FEW_LENGTHS: [u64; 4] = [33, 128, 512, 1_025];

/// Checks that batches of these lengths set the same bits and return the same answers as single calls.
fn check<F>(lengths: &[u64], new: impl Fn() -> F)
where
    F: Filter<u64> + Extend<u64> + PartialEq + Debug,
{
    let mut answers = vec![true; 3];
    for length in lengths {
        let items: Vec<u64> = (0..*length).collect();
        let mut single = new();
        let singly_new = |item: &&u64| single.try_insert(item).expect("room for every item");
        let count = items.iter().filter(singly_new).count() as u64;

        let mut extended = new();
        extended.extend(items.iter().copied());
        let lost = items.iter().find(|item| !extended.contains(item));
        assert_eq!(lost, None, "extend with {length} items");
        assert_eq!(extended, single, "extend with {length} items");

        let mut many = new();
        let many_new = many.try_insert_many(&items).expect("room for every item");
        assert_eq!(many_new, count, "insert_many of {length} items");
        assert_eq!(many, single, "insert_many of {length} items");

        // The first batch of queries has the inserted items. In the second, about half of them, in no regular order, are
        // replaced by absent items.
        let absent = |item: &u64| item + u64::from(item.count_ones() % 2) * 10_000;
        for queried in [items.clone(), items.iter().map(absent).collect()] {
            let singly: Vec<bool> = queried.iter().map(|item| single.contains(item)).collect();
            single.contains_many(&queried, &mut answers);
            assert!(answers == singly, "contains_many of {length} items");
        }
    }
}

#[test]
fn batches_of_any_length_equal_single_calls_in_every_filter() {
    let shape = Shape::for_rate(1_536, 0.01).unwrap();
    check(&LENGTHS, || BloomFilter::new(shape).unwrap());
    check(&LENGTHS, || CountingBloomFilter::new(shape).unwrap());
    check(&LENGTHS, || PartitionedBloomFilter::new(shape).unwrap());
    let shape = BlockedShape::for_rate(1_536, 0.01).unwrap();
    check(&LENGTHS, || BlockedBloomFilter::new(shape).unwrap());
}

#[test]
fn batches_of_any_length_equal_single_calls_out_of_cache() {
    // Filters of more than 8 MiB count as larger than the caches. Each of these has 8 MiB and 64 bytes.
    let blocks = BlockedShape::new((8 << 20) / 64 + 1).unwrap();
    check(&FEW_LENGTHS, || BlockedBloomFilter::new(blocks).unwrap());
    let shape = Shape::new(blocks.bits(), 7).unwrap();
    check(&FEW_LENGTHS, || BloomFilter::new(shape).unwrap());
    check(&FEW_LENGTHS, || PartitionedBloomFilter::new(shape).unwrap());
    let shape = Shape::new(blocks.bits() / 4, 7).unwrap();
    check(&FEW_LENGTHS, || CountingBloomFilter::new(shape).unwrap());
}
