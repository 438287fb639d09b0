//! Tests the feature `serde`: a filter is serialized as the bytes that `to_bytes` returns. It is deserialized from these bytes
//! whether a data format passes them as a sequence, as a slice, or as a slice that is borrowed from the input. These tests are
//! a program of their own, because the other tests of the crate do not need the feature.
#![cfg(feature = "serde")]

use std::fmt::Debug;
use std::hash::RandomState;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CountingBloomFilter, FixedState, LoadError,
    PartitionedBloomFilter, ScalableBloomFilter, Shape,
};
use bloom_testing::assert_bytes;
use serde::de::value::{BorrowedBytesDeserializer, BytesDeserializer, Error, SeqDeserializer};
use serde::{Deserialize, Serialize};

fn check<F>(filter: &F, bytes: &[u8])
where
    F: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug,
{
    let text = serde_json::to_string(filter).unwrap();
    assert_eq!(text, serde_json::to_string(bytes).unwrap());
    assert_eq!(&serde_json::from_str::<F>(&text).unwrap(), filter);
    let short = F::deserialize(BytesDeserializer::<Error>::new(bytes)).unwrap();
    assert_eq!(&short, filter);
    let long = F::deserialize(BorrowedBytesDeserializer::<Error>::new(bytes)).unwrap();
    assert_eq!(&long, filter);
}

#[test]
fn every_filter_is_serialized_as_its_bytes_and_deserialized_from_them() {
    let shape = Shape::new(100, 7).unwrap();
    let mut basic = BloomFilter::<str>::new(shape).unwrap();
    basic.extend(["ant", "bee"]);
    check(&basic, &basic.to_bytes().unwrap());

    let mut counting = CountingBloomFilter::<u64>::new(shape).unwrap();
    counting.extend([1, 2, 2]);
    check(&counting, &counting.to_bytes().unwrap());

    let mut partitioned = PartitionedBloomFilter::<[u8]>::new(shape).unwrap();
    partitioned.insert(b"ant");
    check(&partitioned, &partitioned.to_bytes().unwrap());

    let mut blocked = BlockedBloomFilter::<u64>::new(BlockedShape::new(2).unwrap()).unwrap();
    blocked.extend([1, 2, 2]);
    check(&blocked, &blocked.to_bytes().unwrap());

    let mut scalable = ScalableBloomFilter::<u64>::with_rate(5, 0.1).unwrap();
    assert!((0..50).all(|item| scalable.insert(&item).is_ok()));
    let text = serde_json::to_string(&scalable).unwrap();
    let loaded: ScalableBloomFilter<u64> = serde_json::from_str(&text).unwrap();
    assert!((0..50).all(|item| loaded.contains(&item)));
    assert_bytes!(loaded.to_bytes().unwrap(), scalable.to_bytes().unwrap());
}

#[test]
fn a_refused_file_gives_the_same_message_through_serde() {
    let filter = BloomFilter::<u64>::with_rate(10, 0.1).unwrap();
    let mut bytes = filter.to_bytes().unwrap();
    let refuse = |bytes: &[u8]| {
        let reason = BloomFilter::<u64>::from_bytes(bytes)
            .unwrap_err()
            .to_string();
        let text = serde_json::to_string(bytes).unwrap();
        let error = serde_json::from_str::<BloomFilter<u64>>(&text).unwrap_err();
        assert!(error.to_string().starts_with(&reason), "{error}");
        let bytes = BytesDeserializer::<Error>::new(bytes);
        let error = BloomFilter::<u64>::deserialize(bytes).unwrap_err();
        assert_eq!(error.to_string(), reason);
    };
    refuse(&[]);
    refuse(&bytes[1..]);
    bytes[130] ^= 1;
    refuse(&bytes);
    refuse(
        &BlockedBloomFilter::<u64>::with_rate(10, 0.1)
            .unwrap()
            .to_bytes()
            .unwrap(),
    );

    let error = serde_json::from_str::<BloomFilter<u64>>("7").unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("expected the bytes of a BloomFilter"),
        "{message}"
    );
    assert!(serde_json::from_str::<BloomFilter<u64>>("[300]").is_err());
}

#[test]
fn a_filter_is_refused_unless_its_hasher_equals_the_default() {
    let shape = Shape::new(100, 7).unwrap();
    let saved_with_default = false;
    let refused = LoadError::Hasher { saved_with_default }.to_string();

    let random = BloomFilter::<u64, _>::with_hasher(shape, RandomState::new()).unwrap();
    let text = serde_json::to_string(&random).unwrap();
    let error = serde_json::from_str::<BloomFilter<u64, RandomState>>(&text).unwrap_err();
    assert!(error.to_string().starts_with(&refused), "{error}");

    let seeded = BloomFilter::<u64, _>::with_hasher(shape, FixedState::with_seed(1)).unwrap();
    let text = serde_json::to_string(&seeded).unwrap();
    let error = serde_json::from_str::<BloomFilter<u64>>(&text).unwrap_err();
    assert!(error.to_string().starts_with(&refused), "{error}");
}

/// An iterator over bytes that claims to have more bytes than memory can hold.
struct Boaster(std::vec::IntoIter<u8>);

impl Iterator for Boaster {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, Some(usize::MAX))
    }
}

#[test]
fn a_false_length_hint_of_a_sequence_is_ignored() {
    let filter = BloomFilter::<u64>::with_rate(1_000, 0.01).unwrap();
    let bytes = Boaster(filter.to_bytes().unwrap().into_iter());
    let sequence = SeqDeserializer::<_, Error>::new(bytes);
    assert_eq!(BloomFilter::<u64>::deserialize(sequence).unwrap(), filter);
}
