//! Tests filters in other memory than the heap: in arrays and slices of the caller, in memory that threads share, and, in
//! `files.rs`, in the bytes of files. They must set the same bits as filters on the heap, which most other tests examine.

mod files;

use std::hash::RandomState;
use std::io::Read;
use std::sync::Arc;

use bloom_core::persist::{ReadError, file_bytes};
use bloom_core::{
    Block, BlockedBloomFilter, BlockedBloomFilterRef, BlockedShape, BloomFilter, BloomFilterRef,
    BuildError, CountingBloomFilter, EstimateError, FileError, Filter, FixedState, HashQuality,
    IncompatibleError, LoadError, NotEmptyError, PartitionedBloomFilter, Saved,
    ScalableBloomFilter, Shape,
};
use bloom_testing::assert_bytes;

const ITEMS: u64 = 300;

fn shape() -> Shape {
    Shape::for_rate(ITEMS, 0.01).unwrap()
}

fn blocks() -> BlockedShape {
    BlockedShape::for_rate(ITEMS, 0.01).unwrap()
}

/// Inserts the same items into `filter`, which is in other memory, and `owned`, which is on the heap. Compares the results of
/// each call.
fn fill_alike(filter: &mut impl Filter<u64>, owned: &mut impl Filter<u64>) {
    for item in 0..ITEMS {
        let new = (
            filter.try_insert(&item).is_ok_and(|new| new),
            owned.try_insert(&item).is_ok_and(|new| new),
        );
        assert_eq!(new.0, new.1, "{item}");
    }
    let more: Vec<u64> = (ITEMS..2 * ITEMS).collect();
    let new = (
        filter.try_insert_many(&more).ok(),
        owned.try_insert_many(&more).ok(),
    );
    assert_eq!(new.0, new.1);
    for item in 0..4_000 {
        assert_eq!(filter.contains(&item), owned.contains(&item), "{item}");
    }
    assert_eq!(filter.false_positive_rate(), owned.false_positive_rate());
    assert_eq!(filter.memory_bytes(), owned.memory_bytes());
}

#[test]
fn a_filter_in_memory_of_the_caller_is_the_one_on_the_heap() {
    // A filter clears the words that its shape needs, and does not write to the words after them.
    let mut words = vec![u64::MAX; 2_000];
    macro_rules! check {
        ($filter:ident, $shape:expr, $memory:expr, $array:expr) => {{
            let mut owned = $filter::<u64>::new($shape).unwrap();
            let mut lent = $filter::new_in($shape, $memory).unwrap();
            fill_alike(&mut lent, &mut owned);
            assert_bytes!(lent.to_bytes().unwrap(), owned.to_bytes().unwrap());
            assert_eq!(lent.to_plain().unwrap(), owned);
            assert_eq!(
                lent.words(),
                $filter::<u64>::from_bytes(&lent.to_bytes().unwrap())
                    .unwrap()
                    .words()
            );
            let mut array = $filter::new_in($shape, $array).unwrap();
            array.union_with(&lent).unwrap();
            assert_eq!(array.to_plain().unwrap(), owned);
            let copy = array.clone();
            assert!(copy == array);
            lent.clear();
            assert!(lent.is_empty() && !array.is_empty());
            array.intersect_with(&lent).unwrap();
            assert!(array.is_empty() && copy != array);
        }};
    }
    let used = shape().bits().div_ceil(64) as usize;
    check!(BloomFilter, shape(), &mut words[..], [u64::MAX; 60]);
    assert!(words[used..].iter().all(|word| *word == u64::MAX));
    check!(
        PartitionedBloomFilter,
        shape(),
        &mut words[..],
        [u64::MAX; 60]
    );
    check!(
        CountingBloomFilter,
        shape(),
        &mut words[..],
        [u64::MAX; 200]
    );
    let mut lines = vec![Block::from([u64::MAX; 8]); 20];
    check!(
        BlockedBloomFilter,
        blocks(),
        &mut lines[..],
        [Block::CLEAR; 8]
    );
    assert_eq!(lines[19], Block::from([u64::MAX; 8]));
    let lanes = [1, 2, 3, 4, 5, 6, 7, u64::MAX];
    assert_eq!(<[u64; 8]>::from(Block::from(lanes)), lanes);
}

#[test]
fn too_little_memory_is_an_error_that_names_what_is_needed() {
    let needed = shape().bits().div_ceil(64) as usize;
    for count in [0, 1, needed - 1] {
        let error = BloomFilter::<u64, _, _>::new_in(shape(), &mut vec![0; count][..]).unwrap_err();
        let (needed, got) = (8 * needed as u64, 8 * count as u64);
        assert_eq!(error, BuildError::Room { needed, got });
        let text = format!("memory must be at least {needed} bytes for this shape, got {got}");
        assert_eq!(error.to_string(), text);
    }
    assert!(BloomFilter::<u64, _, _>::new_in(shape(), &mut vec![0; needed][..]).is_ok());
    let error = BlockedBloomFilter::<u64, _, _>::new_in(blocks(), [Block::CLEAR; 2]).unwrap_err();
    assert!(
        matches!(error, BuildError::Room { got: 128, .. }),
        "{error}"
    );
    // These numbers of bits fit in 64-bit integers. As many counters of four bits have more bits than such an integer can hold.
    for bits in [(1 << 63) - 1, 1 << 63] {
        let shape = Shape::new(bits, 7).unwrap();
        let error = BloomFilter::<u64, _, _>::new_in(shape, [0; 3]).unwrap_err();
        assert!(matches!(error, BuildError::Room { .. }), "{error}");
        let error = CountingBloomFilter::<u64, _, _>::new_in(shape, [0; 3]).unwrap_err();
        assert!(matches!(error, BuildError::Room { .. }), "{error}");
    }
    let blocks = BlockedShape::new(1 << 54).unwrap();
    assert!(BlockedBloomFilter::<u64, _, _>::new_in(blocks, [Block::CLEAR; 3]).is_err());
}

#[test]
fn an_intersected_filter_refuses_an_estimate_until_it_is_cleared() {
    macro_rules! check {
        ($filter:ident) => {{
            let mut filter = $filter::<u64>::with_rate(ITEMS, 0.01).unwrap();
            let mut other = filter.clone();
            filter.extend(0..ITEMS);
            other.extend(ITEMS / 2..ITEMS);
            let plain = filter.clone();
            assert!(filter.estimated_items().is_ok());
            filter.intersect_with(&other).unwrap();
            let refused = |filter: &$filter<u64>| {
                assert_eq!(filter.estimated_items(), Err(EstimateError::Intersected));
                let pair = plain.estimated_pair(filter);
                assert_eq!(pair, Err(EstimateError::Intersected));
            };
            refused(&filter);
            // If a filter was intersected, its copies, filters loaded from its bytes, and unions with it also refuse the
            // estimate. But `==` ignores whether a filter was intersected.
            refused(&filter.clone());
            refused(&filter.to_plain().unwrap());
            let file = filter.to_bytes().unwrap();
            assert_eq!(file[15], 1);
            refused(&$filter::from_bytes(&file).unwrap());
            let mut union = plain.clone();
            union.union_with(&filter).unwrap();
            refused(&union);
            let mut same = plain.clone();
            same.intersect_with(&plain).unwrap();
            refused(&same);
            assert_eq!(same, plain);
            filter.clear();
            assert_eq!(filter.estimated_items().unwrap().items, 0.0);
            assert_eq!(filter.to_bytes().unwrap()[15], 0);
        }};
    }
    check!(BloomFilter);
    check!(BlockedBloomFilter);
    check!(CountingBloomFilter);
    check!(PartitionedBloomFilter);
    let text = EstimateError::Intersected.to_string();
    assert!(
        text.contains("cannot be estimated after an intersection"),
        "{text}"
    );
}

#[cfg(target_has_atomic = "64")]
#[test]
fn shared_filters_unite_with_filters_in_any_memory() {
    macro_rules! check {
        ($filter:ident) => {{
            let new = || $filter::<u64>::with_rate(ITEMS, 0.01).unwrap();
            let (all, one) = (new().into_shared(), new().into_shared());
            let (mut other, mut third) = (new(), new());
            (0..100).for_each(|item| _ = one.insert(&item));
            other.extend(100..200);
            third.extend(200..300);
            let file = third.to_bytes().unwrap();
            let saved = $filter::<u64, FixedState, Saved<&[u8]>>::open(&file).unwrap();
            all.union_with(&one).unwrap();
            all.union_with(&other).unwrap();
            all.union_with(&saved).unwrap();
            assert!((0..300).all(|item| all.contains(&item)));
            let mut expected = new();
            expected.extend(0..300);
            assert_eq!(all.to_plain().unwrap(), expected);
            // A filter that is not shared can also be united with a shared filter, with a saved filter and with another filter
            // that is not shared.
            let mut owned = new();
            owned.union_with(&one).unwrap();
            owned.union_with(&saved).unwrap();
            owned.union_with(&other).unwrap();
            assert_eq!(owned, expected);
            let pair = owned.estimated_pair(&all).unwrap();
            assert_eq!(pair.jaccard(), 1.0);
            // After a union with an intersected filter, the shared filter refuses the estimate, although `union_with` takes
            // only `&self`.
            other.intersect_with(&saved).unwrap();
            all.union_with(&other).unwrap();
            assert_eq!(all.estimated_items(), Err(EstimateError::Intersected));
            assert_eq!(
                all.into_plain().estimated_items(),
                Err(EstimateError::Intersected)
            );
        }};
    }
    check!(BloomFilter);
    check!(BlockedBloomFilter);
}

#[test]
fn the_quality_of_hashes_is_part_of_a_filter() {
    let new = || BloomFilter::<u64, _>::with_hasher(shape(), FixedState::new()).unwrap();
    assert_eq!(new().hash_quality(), HashQuality::Any);
    assert_eq!(
        BloomFilter::<u64>::new(shape()).unwrap().hash_quality(),
        HashQuality::Folded
    );
    let seeded = BloomFilter::<u64>::with_seed(shape(), 3).unwrap();
    assert_eq!(
        (seeded.hash_quality(), seeded.hasher().seed()),
        (HashQuality::Folded, 3)
    );
    let random = BloomFilter::<u64, _>::with_hasher(shape(), RandomState::new()).unwrap();
    assert_eq!(random.hash_quality(), HashQuality::Any);
    let [mut any, mut folded, avalanching] = [
        HashQuality::Any,
        HashQuality::Folded,
        HashQuality::Avalanching,
    ]
    .map(|quality| new().with_hash_quality(quality).unwrap());
    // The quality says how often a filter folds (mixes) a hash. Filters of different quality set different bits for the same
    // items.
    any.extend(0..ITEMS);
    folded.extend(0..ITEMS);
    assert!(any.words() != folded.words());
    let error = any.union_with(&folded).unwrap_err();
    let (ours, theirs) = (HashQuality::Any, HashQuality::Folded);
    assert_eq!(error, IncompatibleError::HashQuality { ours, theirs });
    let text = "hash quality of both filters must agree, got any hash and a folded hash";
    assert_eq!(error.to_string(), text);
    assert!(any != folded && new() != avalanching);
    // A file has the quality of its filter, and is loaded with this quality.
    let loaded = BloomFilter::<u64>::from_bytes(&any.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded.hash_quality(), HashQuality::Any);
    assert!((0..ITEMS).all(|item| loaded.contains(&item)));
    let file = avalanching.to_bytes().unwrap();
    assert_eq!(
        BloomFilterRef::<u64>::open(&file)
            .unwrap()
            .hash_quality()
            .folds(),
        0
    );
    // Another quality would give the inserted items other positions, so it must be set before the first insert.
    let error = any.with_hash_quality(HashQuality::Avalanching).unwrap_err();
    let text = "hash quality of a filter that is not empty must stay as it is (any hash), got an avalanching hash";
    let NotEmptyError {
        ours, requested, ..
    } = error;
    assert_eq!(
        (ours, requested),
        (HashQuality::Any, HashQuality::Avalanching)
    );
    assert_eq!(error.to_string(), text);
    let same = folded.with_hash_quality(HashQuality::Folded).unwrap();
    assert!((0..ITEMS).all(|item| same.contains(&item)));
}
