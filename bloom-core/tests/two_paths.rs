//! Compares the blocked filter's vector instructions with its portable code, by random calls: the same bits
//! and the same answers, one by one and in batches. On a machine without AVX2 both paths are the same.

use bloom_core::{BlockedBloomFilter, BlockedShape};
use proptest::collection::vec;
use proptest::prelude::*;

/// A single call or a batch call.
#[derive(Debug, Clone)]
enum Call {
    Insert(u64),
    Ask(u64),
    InsertMany(Vec<u64>),
    AskMany(Vec<u64>),
}

/// Hashes of any kind: random ones, and weak ones that differ in a few low or high bits.
fn hash() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        0..64_u64,
        (0..64_u64).prop_map(|high| high << 58)
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        hash().prop_map(Call::Insert),
        hash().prop_map(Call::Ask),
        // Longer than a group of hashes that are prefetched together.
        vec(hash(), 0..400).prop_map(Call::InsertMany),
        vec(hash(), 0..400).prop_map(Call::AskMany),
    ]
}

/// Few blocks, whose bits fill up; more than fit in the second-level cache; and rarely more than fit in any cache.
fn blocks() -> impl Strategy<Value = u64> {
    prop_oneof![
        5 => 1..10_u64,
        5 => 1..20_000_u64,
        5 => 4_095..4_099_u64,
        1 => 131_071..131_075_u64,
    ]
}

proptest! {
    #[test]
    fn any_calls_give_the_same_bits_and_answers(
        blocks in blocks(),
        calls in vec(call(), 1..40),
    ) {
        let shape = BlockedShape::new(blocks).expect("in range");
        let mut filter = BlockedBloomFilter::<u64>::new(shape).expect("little memory");
        let mut portable = BlockedBloomFilter::<u64>::new(shape).expect("little memory");
        let mut answers = vec![true; 3];
        for call in &calls {
            match call {
                Call::Insert(hash) => {
                    let new = portable.insert_hash_portably(*hash);
                    prop_assert_eq!(filter.insert_hash(*hash), new);
                }
                Call::Ask(hash) => {
                    let found = portable.contains_hash_portably(*hash);
                    prop_assert_eq!(filter.contains_hash(*hash), found);
                }
                Call::InsertMany(hashes) => {
                    let new = hashes.iter().filter(|hash| portable.insert_hash_portably(**hash));
                    let new = new.count() as u64;
                    prop_assert_eq!(filter.insert_hashes(hashes), new);
                }
                Call::AskMany(hashes) => {
                    filter.contains_hashes(hashes, &mut answers);
                    let found = hashes.iter().map(|hash| portable.contains_hash_portably(*hash));
                    prop_assert!(answers.iter().copied().eq(found));
                }
            }
        }
        prop_assert!(filter == portable);
        for lane in 0..1_000 {
            prop_assert_eq!(filter.contains_hash(lane), portable.contains_hash_portably(lane));
        }
    }
}
