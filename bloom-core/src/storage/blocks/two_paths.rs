//! Compares two kernels of blocked filters: the one that is chosen on this machine and the portable
//! one. A kernel is the code that sets and tests bits, perhaps with vector instructions. After the
//! same random inserts and queries, single ones and batches, both kernels must have given the same
//! answers and set the same bits. On a machine without vector instructions, the chosen kernel is
//! the portable one.

use std::vec;
use std::vec::Vec;

use proptest::collection::vec;
use proptest::prelude::*;

use super::Blocks;
use crate::probe::{Mixed, mix};
use crate::storage::cache::CACHED_BYTES;
use crate::storage::testing::{any as mixed, prehashed};

/// A single call or a batch call.
#[derive(Debug, Clone)]
enum Call {
    Insert(Mixed),
    Query(Mixed),
    InsertMany(Vec<Mixed>),
    QueryMany(Vec<Mixed>),
}

/// Draws a hash: a random one, or a weak one in which only the six lowest or the six highest bits
/// may be set.
fn hash() -> impl Strategy<Value = Mixed> {
    let hashes = prop_oneof![
        any::<u64>(),
        0..64_u64,
        (0..64_u64).prop_map(|high| high << 58)
    ];
    hashes.prop_map(mixed)
}

/// Draws up to 399 hashes, each random or weak as those of [`hash`], so that some batches span
/// several groups of 64 hashes that are prefetched together. The hashes follow from a seed, because
/// drawing each hash separately took 90 % of the time of this test.
fn hashes() -> impl Strategy<Value = Vec<Mixed>> {
    let of = |(seed, count): (u64, u64)| {
        let random = (0..count).map(|index| mix(seed.wrapping_add(index)));
        let any_kind = random.map(|random| match random % 3 {
            0 => random,
            1 => random >> 58,
            _ => random >> 58 << 58,
        });
        any_kind.map(mixed).collect()
    };
    (any::<u64>(), 0..400_u64).prop_map(of)
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        hash().prop_map(Call::Insert),
        hash().prop_map(Call::Query),
        hashes().prop_map(Call::InsertMany),
        hashes().prop_map(Call::QueryMany),
    ]
}

/// Draws a number of blocks: under 10, so that the blocks fill up; under 20,000; or about the
/// number that the caches are assumed to hold.
fn blocks() -> impl Strategy<Value = u64> {
    let near = CACHED_BYTES / 64;
    prop_oneof![1..10_u64, 1..20_000_u64, near - 1..near + 3]
}

proptest! {
    #[test]
    fn any_calls_give_the_same_bits_and_answers(
        blocks in blocks(),
        calls in vec(call(), 1..40),
    ) {
        let mut filter = Blocks::new(blocks).expect("a few blocks fit in memory");
        let mut portable = Blocks::new(blocks).expect("a few blocks fit in memory");
        for call in &calls {
            match call {
                Call::Insert(hash) => {
                    let new = portable.insert_portably(*hash);
                    prop_assert_eq!(filter.insert(*hash), new);
                }
                Call::Query(hash) => {
                    let found = portable.contains_portably(*hash);
                    prop_assert_eq!(filter.contains(*hash), found);
                }
                Call::InsertMany(hashes) => {
                    let new = hashes.iter().filter(|hash| portable.insert_portably(**hash));
                    let new = new.count() as u64;
                    prop_assert_eq!(filter.insert_each(prehashed(hashes)), new);
                }
                Call::QueryMany(hashes) => {
                    let mut answers = vec![false; hashes.len()];
                    filter.contains_each(prehashed(hashes), &mut answers);
                    let found = hashes.iter().map(|hash| portable.contains_portably(*hash));
                    prop_assert!(answers.iter().copied().eq(found));
                }
            }
        }
        prop_assert!(filter == portable);
        for hash in (0..1_000).map(mixed) {
            prop_assert_eq!(filter.contains(hash), portable.contains_portably(hash));
        }
    }
}
