//! Tests rules that filters must obey: rules for several kinds of filters, for the counters of counting filters, and for the
//! growth of scalable filters. Besides, the fuzz target `no_false_negatives` compares each kind of filter, after each
//! operation, with a multiset of its items.

use std::collections::HashMap;
use std::hash::BuildHasher;

use bloom_core::math::MathError;
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, BuildError, CounterBits, CountingBloomFilter,
    Filter, FixedState, GrowError, PartitionedBloomFilter, ScalableBloomFilter, ScalableShape,
    Shape, ShapeError,
};
use proptest::prelude::*;

/// Checks that batch calls set the same bits and return the same answers as single calls. `single` is filled by single calls,
/// and `many`, a filter of the same shape, by batch calls.
fn check_batches<F: Filter<u64> + PartialEq + std::fmt::Debug>(
    mut single: F,
    mut many: F,
    seed: u64,
) {
    let items = |from: u64, count: u64| (from..from + count).map(|item| item * 7 % 5_000);
    let (mut new, mut answers) = (0, vec![true; 3]);
    // An empty batch, a batch of one item, and batches that are divided into several groups, of which the last is not full.
    for (from, count) in [(0, 0), (seed, 1), (0, 131), (seed, 1_000), (3, 333)] {
        let batch: Vec<u64> = items(from, count).collect();
        for item in &batch {
            new += u64::from(single.try_insert(item).expect("room for every item"));
        }
        let batch_new = many.try_insert_many(&batch).expect("room for every item");
        new -= batch_new;
        assert_eq!(new, 0, "{count} items from {from}");
        let queried: Vec<u64> = items(from + count / 2, count + 200).collect();
        many.contains_many(&queried, &mut answers);
        let singly: Vec<bool> = queried.iter().map(|item| single.contains(item)).collect();
        assert_eq!(answers, singly);
    }
    assert_eq!(single, many);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_batch_equals_its_items_one_by_one(bits in 64_u64..30_000, hashes in 1_u8..=20, seed in 0_u64..99) {
        let shape = Shape::new(bits, hashes).unwrap();
        let new = || BloomFilter::new(shape).unwrap();
        check_batches(new(), new(), seed);
        let new = || CountingBloomFilter::new(shape).unwrap();
        check_batches(new(), new(), seed);
        let new = || PartitionedBloomFilter::new(shape).unwrap();
        check_batches(new(), new(), seed);
        let new = || BlockedBloomFilter::new(BlockedShape::new(bits.div_ceil(512)).unwrap()).unwrap();
        check_batches(new(), new(), seed);
        let new = || ScalableBloomFilter::with_rate(bits % 70 + 1, 0.01).unwrap();
        check_batches(new(), new(), seed);
    }
}

#[test]
fn a_batch_equals_its_items_one_by_one_out_of_cache() {
    // Batches prefetch in filters of more than 8 MiB: here in the standard filter, which has 16 MiB, and in the second blocked
    // filter, which has 8 MiB and 64 bytes. They do not prefetch in the first blocked filter, which has 1 MiB.
    let shape = Shape::new(1 << 27, 20).unwrap();
    let new = || BloomFilter::new(shape).unwrap();
    check_batches(new(), new(), 5);
    for blocks in [1 << 14, (1 << 17) + 1] {
        let new = || BlockedBloomFilter::new(BlockedShape::new(blocks).unwrap()).unwrap();
        check_batches(new(), new(), 5);
    }
    let mut filter = BlockedBloomFilter::<u64>::new(BlockedShape::new(1 << 14).unwrap()).unwrap();
    filter.insert_hashes(&[1, 2, u64::MAX]);
    let mut answers = [false; 3];
    let hashes = [1, 3, u64::MAX];
    filter.contains_hashes_into(&hashes, &mut answers).unwrap();
    assert_eq!(answers, [true, false, true]);
}

#[test]
fn a_batch_of_hashes_equals_its_hashes_one_by_one() {
    let hashes: Vec<u64> = (0..500_u64)
        .map(|item| FixedState::new().hash_one(item))
        .collect();
    let numbers: Vec<u64> = (0..500).collect();
    macro_rules! check {
        ($filter:ident, $ok:expr) => {{
            let mut by_items = $filter::<u64>::with_rate(300, 0.1).unwrap();
            let mut by_hashes = $filter::<u64>::with_rate(300, 0.1).unwrap();
            let new = $ok(by_items.insert_many(&numbers[..300]));
            assert_eq!($ok(by_hashes.insert_hashes(&hashes[..300])), new);
            assert_eq!(by_items, by_hashes);
            let (mut one, mut other) = (Vec::new(), Vec::new());
            by_items.contains_many(&numbers, &mut one);
            other.resize(hashes.len(), false);
            by_hashes.contains_hashes_into(&hashes, &mut other).unwrap();
            assert_eq!(one, other);
        }};
    }
    check!(BloomFilter, |new: u64| new);
    check!(CountingBloomFilter, |new: u64| new);
    check!(PartitionedBloomFilter, |new: u64| new);
    check!(BlockedBloomFilter, |new: u64| new);
    check!(ScalableBloomFilter, |new: Result<u64, GrowError>| new
        .unwrap());
}

proptest! {
    #[test]
    fn a_counting_filter_forgets_exactly_what_is_removed(
        bits in 1_u64..3_000,
        hashes in 1_u8..=20,
        wide in any::<bool>(),
        operations in prop::collection::vec((any::<bool>(), 0_u64..40), 0..200),
    ) {
        let shape = Shape::new(bits, hashes).unwrap();
        let width = if wide { CounterBits::Eight } else { CounterBits::Four };
        let build = || {
            CountingBloomFilter::<u64>::with_counter_bits(shape, width).unwrap()
        };
        let mut filter = build();
        let mut multiset: HashMap<u64, u32> = HashMap::new();
        for (insert, item) in operations {
            let count = multiset.entry(item).or_default();
            if insert {
                filter.insert(&item);
                *count += 1;
            } else if *count > 0 {
                prop_assert!(filter.remove(&item), "the removal of an inserted item was refused");
                *count -= 1;
            } else if !filter.contains(&item) {
                let before = filter.clone();
                prop_assert!(!filter.remove(&item), "an absent item was removed");
                prop_assert_eq!(&filter, &before);
            }
            for (item, count) in &multiset {
                prop_assert!(*count == 0 || filter.contains(item), "a false negative");
            }
        }
        if filter.saturated() == 0 {
            // If no counter is at its maximum, all counts are exact: the filter equals a filter of the remaining items.
            let mut left = build();
            for (item, count) in multiset {
                (0..count).for_each(|_| { left.insert(&item); });
            }
            prop_assert_eq!(filter, left);
        }
    }

    #[test]
    fn a_union_equals_the_filter_of_all_items(
        ours in prop::collection::vec(any::<u64>(), 0..40),
        theirs in prop::collection::vec(any::<u64>(), 0..40),
    ) {
        let both = [ours.clone(), theirs.clone()].concat();
        let shape = Shape::new(700, 5).unwrap();

        // Compares the union of two filters with a filter of all items, and returns the union.
        macro_rules! check {
            ($new:expr) => {{
                let filter_of = |items: &[u64]| {
                    let mut filter = $new.unwrap();
                    filter.extend(items);
                    filter
                };
                let mut union = filter_of(&ours);
                union.union_with(&filter_of(&theirs)).unwrap();
                prop_assert_eq!(&union, &filter_of(&both));
                union
            }};
        }
        let union = check!(CountingBloomFilter::<u64>::new(shape));
        prop_assert_eq!(union.to_bloom_filter().unwrap(), {
            let mut plain = BloomFilter::new(shape).unwrap();
            plain.extend(&both);
            plain
        });
        check!(PartitionedBloomFilter::<u64>::new(shape));
        check!(BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap()));
    }

    #[test]
    fn intersections_lose_no_common_item(
        ours in prop::collection::vec(any::<u64>(), 0..40),
        theirs in prop::collection::vec(any::<u64>(), 0..40),
        common in prop::collection::vec(any::<u64>(), 0..40),
    ) {
        let shape = Shape::new(700, 5).unwrap();
        let (ours, theirs) = ([ours, common.clone()].concat(), [theirs, common.clone()].concat());
        macro_rules! check {
            ($new:expr) => {
                let (mut one, mut other) = ($new, $new);
                one.extend(&ours);
                other.extend(&theirs);
                one.intersect_with(&other).unwrap();
                prop_assert!(common.iter().all(|item| one.contains(item)));
            };
        }
        check!(CountingBloomFilter::<u64>::new(shape).unwrap());
        check!(PartitionedBloomFilter::<u64>::new(shape).unwrap());
        check!(BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap()).unwrap());
    }
}

#[test]
fn a_saturated_counter_stays_and_makes_no_false_negative() {
    let shape = Shape::new(1_000, 5).unwrap();
    for (width, enough) in [(CounterBits::Four, 15), (CounterBits::Eight, 255)] {
        let mut filter = CountingBloomFilter::<u64>::with_counter_bits(shape, width).unwrap();
        for _ in 0..enough - 1 {
            filter.insert(&1);
        }
        assert_eq!(filter.saturated(), 0);
        // The item is inserted `enough` + 2 times, where `enough` is the highest value of a counter. Then it is removed
        // `enough` + 1 times, so its true count is 1.
        (0..3).for_each(|_| {
            filter.insert(&1);
        });
        assert_eq!(filter.saturated(), 5);
        for _ in 0..=enough {
            assert!(filter.remove(&1));
        }
        assert!(filter.contains(&1), "a saturated counter was lowered");
        assert_eq!(filter.saturated(), 5);
    }
}

#[test]
fn coinciding_probes_of_an_item_are_each_counted_and_removed() {
    // In a filter of one counter, all five positions of an item are the same.
    let mut filter = CountingBloomFilter::<u64>::new(Shape::new(1, 5).unwrap()).unwrap();
    filter.insert(&1);
    assert!(filter.remove(&1));
    assert!(filter.is_empty());
    // In a filter of two counters, each of the five positions of an item is one of the two. An item is certainly absent if a
    // counter is lower than the number of the item's positions at this counter.
    let shape = Shape::new(2, 5).unwrap();
    let mut refused = 0;
    for (item, other) in (0..40_u64).flat_map(|item| (0..40).map(move |other| (item, other))) {
        let mut filter = CountingBloomFilter::<u64>::new(shape).unwrap();
        filter.insert(&item);
        let before = filter.clone();
        if filter.contains(&other) && !filter.remove(&other) {
            refused += 1;
            assert_eq!(filter, before);
        }
    }
    assert!(
        refused > 0,
        "no case of two items with different multiplicities"
    );
}

#[test]
fn a_filter_that_may_not_grow_returns_an_error_and_loses_nothing() {
    let shape = ScalableShape::new(10, 0.01)
        .unwrap()
        .with_max_stages(2)
        .unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    let mut stored = Vec::new();
    let mut refused = 0;
    for item in 0..100 {
        match filter.insert(&item) {
            Ok(true) => stored.push(item),
            Ok(false) => {}
            Err(error) => {
                assert_eq!(error, GrowError::TooManyStages { max_stages: 2 });
                assert!(!filter.contains(&item), "refused and yet found");
                refused += 1;
            }
        }
    }
    assert_eq!(stored.len(), 30);
    assert!(refused > 60, "{refused} refused");
    assert_eq!(filter.inserted_items(), 30);
    assert!(stored.iter().all(|item| filter.contains(item)));
    // Inserting an item that is already present is not an error.
    assert_eq!(filter.insert(&stored[0]), Ok(false));
    let rate = filter.false_positive_rate();
    assert!(rate < 0.02, "{filter:?}: {rate}");
    filter.clear();
    assert!(filter.is_empty());
    assert_eq!(filter.stages().count(), 1);
}

#[test]
fn growing_filters_are_equal_by_shape_hasher_and_bits() {
    let shape = ScalableShape::new(10, 0.01).unwrap();
    let build = |items: std::ops::Range<u64>| {
        let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
        for item in items {
            filter.insert(&item).unwrap();
        }
        filter
    };
    assert_eq!(build(0..50), build(0..50));
    assert_eq!(build(0..50), build(0..50).to_plain().unwrap());
    assert_ne!(build(0..50), build(0..51));
    assert!((1..20).all(|item| build(0..1) != build(item..item + 1)));
    let other = shape.with_growth(3).unwrap();
    assert_ne!(build(0..0), ScalableBloomFilter::new(other).unwrap());
    let seeded = ScalableBloomFilter::<u64>::with_hasher(shape, FixedState::with_seed(1)).unwrap();
    assert_ne!(build(0..0), seeded);
    // An insert of a new item makes a filter unequal to a copy that was made before the insert, even if the insert only adds a
    // stage (one more Bloom filter) and does not change the stages that the copy has.
    let mut grown = build(0..0);
    for item in 0..100 {
        let before = grown.clone();
        let new = grown.insert(&item).unwrap();
        assert_eq!([grown == before, before == grown], [!new; 2]);
    }
    assert!(grown.stages().count() > 2);
}

#[test]
fn a_growing_filter_stops_before_the_floor_of_its_hash() {
    let shape = ScalableShape::new(1_000, 1e-12).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    let error = (0..1_000_000)
        .find_map(|item| filter.insert(&item).err())
        .expect("a rate this low cannot be kept for a million items");
    assert!(matches!(
        error,
        GrowError::Shape(ShapeError::StageUnderHashFloor { .. })
    ));
}

#[test]
fn stages_are_sized_by_growth_and_tightening() {
    let shape = ScalableShape::new(100, 0.01).unwrap();
    let shape = shape.with_growth(3).unwrap().with_tightening(0.5).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    for item in 0..2_000 {
        filter.insert(&item).unwrap();
    }
    let expected: Vec<u64> = filter.stages().map(|stage| stage.expected_items).collect();
    assert_eq!(expected, [100, 300, 900, 2_700]);
    for (number, stage) in filter.stages().enumerate() {
        let rate = 0.01 * 0.5 * 0.5_f64.powi(number as i32);
        assert_eq!(
            stage.shape,
            Shape::for_rate(stage.expected_items, rate).unwrap()
        );
        assert!(stage.items <= stage.expected_items);
    }
}

#[test]
fn bad_shapes_of_the_family_are_refused_with_parameter_rule_and_value() {
    let blocks = |blocks| BlockedShape::new(blocks).unwrap_err().to_string();
    assert_eq!(blocks(0), "blocks must be at least 1, got 0");
    assert_eq!(
        blocks(u64::MAX),
        "blocks of 512 bits must be at most 2^54 (18014398509481984), got 18446744073709551615"
    );
    assert!(BlockedShape::new(1 << 54).is_ok());
    let shape = |blocks| BlockedShape::new(blocks).unwrap().to_string();
    assert_eq!(shape(1), "1 block of 512 bits");
    assert_eq!(shape(2), "2 blocks of 512 bits");
    let shape = ScalableShape::new(10, 0.1).unwrap();
    for (error, message) in [
        (
            ScalableShape::new(0, 0.1),
            "items must be at least 1, got 0",
        ),
        (
            ScalableShape::new(10, 1.0),
            "false-positive rate must be between 0 and 1 (exclusive), got 1",
        ),
        (shape.with_growth(0), "growth must be at least 1, got 0"),
        (
            shape.with_tightening(0.0),
            "tightening ratio must be between 0 and 1 (exclusive), got 0",
        ),
        (
            shape.with_tightening(1.0),
            "tightening ratio must be between 0 and 1 (exclusive), got 1",
        ),
        (
            shape.with_tightening(f64::NAN),
            "tightening ratio must be between 0 and 1 (exclusive), got NaN",
        ),
        (shape.with_max_stages(0), "stages must be at least 1, got 0"),
    ] {
        assert_eq!(error.unwrap_err().to_string(), message);
    }
    let error = PartitionedBloomFilter::<u64>::new(Shape::new(6, 7).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "hashes must not exceed the 6 bits, got 7"
    );
    for rate in [0.0, 1.0, f64::NAN, f64::INFINITY] {
        assert!(BlockedBloomFilter::<u64>::with_rate(10, rate).is_err());
        assert!(PartitionedBloomFilter::<u64>::with_rate(10, rate).is_err());
        assert!(CountingBloomFilter::<u64>::with_rate(10, rate).is_err());
        assert!(ScalableBloomFilter::<u64>::with_rate(10, rate).is_err());
    }
    assert!(matches!(
        BlockedShape::for_rate(u64::MAX, 1e-300),
        Err(ShapeError::Math(MathError::NeedsTooManyBits { .. }))
    ));
}

#[test]
fn a_filter_that_does_not_fit_in_memory_is_an_error() {
    let shape = Shape::new(1 << 55, 7).unwrap();
    assert!(CountingBloomFilter::<u64>::new(shape).is_err());
    // 2^63 counters of 8 bits have 2^66 bits, a number that is too large for a `u64`.
    let shape = Shape::new(1 << 63, 1).unwrap();
    let refused = CountingBloomFilter::<u64>::with_counter_bits(shape, CounterBits::Eight);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "bits must fit in memory, got 2^64 or more, which no allocator can provide"
    );
    assert!(PartitionedBloomFilter::<u64>::new(shape).is_err());
    let blocks = BlockedShape::new(1 << 46).unwrap();
    assert!(BlockedBloomFilter::<u64>::new(blocks).is_err());
    assert!(matches!(
        ScalableBloomFilter::<u64>::with_rate(1 << 50, 0.9),
        Err(BuildError::Memory(_))
    ));
}

#[test]
fn extending_inserts_the_items_before_a_panic() {
    fn check<F: Extend<u64>>(mut filter: F, contains: impl Fn(&F, u64) -> bool) {
        let items = (0..2_000_u64).inspect(|item| assert!(*item < 1_500, "enough"));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            filter.extend(items);
        }));
        assert!(panicked.is_err());
        assert!((0..1_500).all(|item| contains(&filter, item)));
    }
    let rate = 1e-9;
    let filter = BloomFilter::<u64>::with_rate(2_000, rate).unwrap();
    check(filter, |filter, item| filter.contains(&item));
    let filter = BlockedBloomFilter::<u64>::with_rate(2_000, 1e-6).unwrap();
    check(filter, |filter, item| filter.contains(&item));
    let filter = PartitionedBloomFilter::<u64>::with_rate(2_000, rate).unwrap();
    check(filter, |filter, item| filter.contains(&item));
    let filter = CountingBloomFilter::<u64>::with_rate(2_000, rate).unwrap();
    check(filter, |filter, item| filter.contains(&item));
}
