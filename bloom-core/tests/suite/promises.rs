//! Tests rules that a `BloomFilter` must obey for any shape and any items, and the errors that it returns. Some tests also try
//! other kinds of filters. Besides, the fuzz target `no_false_negatives` of `fuzz/suite` compares each kind with a multiset.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher};

use bloom_core::math::MathError;
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, BuildError, CountingBloomFilter, EstimateError,
    Filter, FixedState, IncompatibleError, PartitionedBloomFilter, ScalableBloomFilter,
    ScalableShape, Shape, ShapeError, WordsError,
};
use proptest::prelude::*;

fn any_shape() -> impl Strategy<Value = Shape> {
    let bits = prop_oneof![Just(1), Just(63), Just(64), Just(65), 1_u64..20_000];
    let hashes = prop_oneof![1_u8..=20, Just(255)];
    (bits, hashes).prop_map(|(bits, hashes)| Shape::new(bits, hashes).unwrap())
}

fn filter(shape: Shape, items: &[u64]) -> BloomFilter<u64> {
    let mut filter = BloomFilter::new(shape).unwrap();
    filter.extend(items);
    filter
}

proptest! {
    #[test]
    fn a_union_equals_the_filter_of_all_items(
        shape in any_shape(),
        ours in prop::collection::vec(any::<u64>(), 0..50),
        theirs in prop::collection::vec(any::<u64>(), 0..50),
    ) {
        let mut union = filter(shape, &ours);
        union.union_with(&filter(shape, &theirs)).unwrap();
        prop_assert_eq!(union, filter(shape, &[ours, theirs].concat()));
    }

    #[test]
    fn an_intersection_loses_no_common_item(
        shape in any_shape(),
        ours in prop::collection::vec(any::<u64>(), 0..50),
        theirs in prop::collection::vec(any::<u64>(), 0..50),
        common in prop::collection::vec(any::<u64>(), 0..50),
    ) {
        let one = filter(shape, &[ours, common.clone()].concat());
        let other = filter(shape, &[theirs, common.clone()].concat());
        let mut both = one.clone();
        both.intersect_with(&other).unwrap();
        prop_assert!(common.iter().all(|item| both.contains(item)));
        for item in 0..50_u64 {
            prop_assert!(!both.contains(&item) || one.contains(&item) && other.contains(&item));
        }
    }

    #[test]
    fn the_order_of_inserts_does_not_matter(
        shape in any_shape(),
        mut items in prop::collection::vec(any::<u64>(), 0..50),
    ) {
        let forwards = filter(shape, &items);
        items.reverse();
        prop_assert_eq!(forwards, filter(shape, &items));
    }
}

#[test]
fn the_estimate_is_within_its_stated_deviations() {
    // The tolerance is 6.2 standard deviations and half an item. With random items, each check would fail by chance less than
    // once in 10^9 times. If estimates of 1,000 items were 5.1 % off on average, the check would fail with a probability of
    // 0.5.
    for items in [10, 100, 1_000, 5_000] {
        let mut filter = BloomFilter::<u64>::with_rate(1_000, 0.01).unwrap();
        filter.extend(0..items);
        let estimate = filter.estimated_items().unwrap();
        let off = (estimate.items - items as f64).abs();
        assert!(
            off <= 6.2 * estimate.standard_deviation + 0.5,
            "{items}: {estimate:?}"
        );
    }
}

#[test]
fn a_full_filter_has_no_estimate() {
    let mut filter = BloomFilter::<u64>::new(Shape::new(64, 3).unwrap()).unwrap();
    filter.extend(0..1_000);
    assert_eq!(filter.fill(), 1.0);
    assert_eq!(filter.false_positive_rate(), 1.0);
    assert_eq!(filter.estimated_items(), Err(EstimateError::Full));
}

#[test]
fn an_empty_filter_finds_nothing() {
    let filter = BloomFilter::<str>::with_rate(10, 0.5).unwrap();
    assert!(filter.is_empty());
    assert!(!filter.contains("ant"));
    assert_eq!(filter.fill(), 0.0);
    assert_eq!(filter.false_positive_rate(), 0.0);
    assert_eq!(filter.estimated_items().unwrap().items, 0.0);
}

/// A hasher that returns one hash for all items.
#[derive(Clone)]
struct Stuck(u64);

impl BuildHasher for Stuck {
    type Hasher = Self;
    fn build_hasher(&self) -> Self {
        self.clone()
    }
}

impl Hasher for Stuck {
    fn write(&mut self, _: &[u8]) {}
    fn finish(&self) -> u64 {
        self.0
    }
}

#[test]
fn no_hash_collapses_to_one_position() {
    let shape = Shape::new(1_000_000, 20).unwrap();
    for hash in [
        0,
        1,
        u64::MAX,
        1 << 63,
        u64::from(u32::MAX),
        !u64::from(u32::MAX),
    ] {
        let mut filter = BloomFilter::<u64, _>::with_hasher(shape, Stuck(hash)).unwrap();
        assert!(filter.insert(&1));
        assert!(filter.contains(&2), "all items share the hash {hash}");
        let ones = filter.fill() * 1e6;
        assert!(ones > 18.5, "hash {hash} sets only {ones} bits");
    }
}

#[test]
fn filters_of_another_shape_or_hasher_are_refused_and_left_alone() {
    let shape = Shape::new(1_000, 7).unwrap();
    let mut ours = filter(shape, &[1, 2, 3]);
    let before = ours.clone();
    for other in [(1_001, 7), (1_000, 6)] {
        let theirs = Shape::new(other.0, other.1).unwrap();
        let error = IncompatibleError::Shape {
            ours: shape,
            theirs,
        };
        assert_eq!(ours.union_with(&filter(theirs, &[4])), Err(error));
        assert_eq!(ours.intersect_with(&filter(theirs, &[4])), Err(error));
    }
    let state = FixedState::with_seed(1);
    let mut seeded = BloomFilter::<u64>::with_hasher(shape, state).unwrap();
    seeded.extend([1_u64, 2, 3]);
    assert_eq!(ours.union_with(&seeded), Err(IncompatibleError::Hasher));
    assert_eq!(ours.intersect_with(&seeded), Err(IncompatibleError::Hasher));
    assert_ne!(ours, seeded);
    assert_eq!(ours, before);
}

/// A hasher that returns each integer as its own hash, except one integer, for which it returns 0.
#[derive(Clone, Copy)]
struct AllBut(u64);

impl BuildHasher for AllBut {
    type Hasher = AllButHasher;
    fn build_hasher(&self) -> AllButHasher {
        AllButHasher {
            but: self.0,
            hash: 0,
        }
    }
}

struct AllButHasher {
    but: u64,
    hash: u64,
}

impl Hasher for AllButHasher {
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, integer: u64) {
        self.hash = if integer == self.but { 0 } else { integer };
    }
    fn finish(&self) -> u64 {
        self.hash
    }
}

#[test]
fn hashers_that_differ_in_any_probe_value_are_unequal() {
    let shape = Shape::new(1_000, 7).unwrap();
    let build = |but| BloomFilter::<u64, _>::with_hasher(shape, AllBut(but)).unwrap();
    // Hashers are compared by their hashes of four probe values. Neither 7 nor 8 is one of them, so these two count as the
    // same hasher.
    assert_eq!(build(7), build(8));
    for probe in [1, 0x0123_4567_89ab_cdef, u64::MAX] {
        assert_ne!(build(7), build(probe), "two empty filters");
        let error = build(7).union_with(&build(probe));
        assert_eq!(error, Err(IncompatibleError::Hasher), "{probe}");
    }
}

#[test]
fn the_expected_rate_is_that_of_the_exact_model() {
    let filter = BloomFilter::<u64>::new(Shape::new(64, 7).unwrap()).unwrap();
    for items in [0, 1, 6, 20] {
        let exact = bloom_core::math::exact::rate(items, 64, 7).unwrap().value();
        assert_eq!(filter.expected_false_positive_rate(items), exact);
    }
}

#[test]
fn a_copy_is_equal_and_independent() {
    let one = filter(Shape::new(1_000, 7).unwrap(), &[1, 2, 3]);
    let mut copy = one.to_plain().unwrap();
    assert_eq!(one, copy);
    copy.insert(&4);
    assert_ne!(one, copy);
}

#[test]
fn borrowed_forms_of_an_item_are_found() {
    let mut names = BloomFilter::<String>::with_rate(10, 0.01).unwrap();
    names.insert(&String::from("ant"));
    assert!(names.contains("ant"));
    let mut slices = BloomFilter::<[u8]>::with_rate(10, 0.01).unwrap();
    slices.extend([b"ant".as_slice(), b"bee"]);
    assert!(slices.contains(b"bee".as_slice()));
}

#[test]
fn a_filter_is_send_and_sync_whatever_its_items() {
    fn check<T: Send + Sync>() {}
    check::<BloomFilter<std::rc::Rc<str>>>();
}

#[test]
fn debug_shows_the_shape_and_reads_no_bits() {
    fn check<F: Filter<u64> + Debug>(mut filter: F, text: &str) {
        assert_eq!(format!("{filter:?}"), text);
        for item in 0..50 {
            filter.try_insert(&item).expect("room for every item");
        }
        assert!(!filter.is_empty());
        assert_eq!(format!("{filter:?}"), text, "after inserting");
    }
    let shape = Shape::new(1_000, 7).unwrap();
    check(
        BloomFilter::new(shape).unwrap(),
        "BloomFilter { bits: 1000, hashes: 7, .. }",
    );
    check(
        PartitionedBloomFilter::new(shape).unwrap(),
        "PartitionedBloomFilter { bits: 1000, hashes: 7, .. }",
    );
    check(
        CountingBloomFilter::new(shape).unwrap(),
        "CountingBloomFilter { counters: 1000, counter_bits: 4, hashes: 7, .. }",
    );
    check(
        BlockedBloomFilter::new(BlockedShape::new(3).unwrap()).unwrap(),
        "BlockedBloomFilter { blocks: 3, bits: 1536, hashes: 8, .. }",
    );
    let shape = ScalableShape::new(100, 0.01).unwrap();
    let text =
        |stages: u32| format!("ScalableBloomFilter {{ shape: {shape:?}, stages: {stages}, .. }}");
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    check(filter.clone(), &text(1));
    (0..150).for_each(|item| {
        filter.insert(&item).expect("room for every item");
    });
    assert_eq!(format!("{filter:?}"), text(2));
}

#[test]
fn bad_shapes_are_refused_with_parameter_rule_and_value() {
    let message = |result: Result<Shape, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(message(Shape::new(0, 7)), "bits must be at least 1, got 0");
    assert_eq!(
        message(Shape::new(7, 0)),
        "hashes must be at least 1, got 0"
    );
    assert_eq!(
        message(Shape::new(u64::MAX, 7)),
        "bits must be at most 2^63 (9223372036854775808), got 18446744073709551615"
    );
    assert_eq!(
        message(Shape::for_rate(0, 0.1)),
        "items must be at least 1, got 0"
    );
    for rate in [
        0.0,
        1.0,
        -0.5,
        2.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ] {
        assert_eq!(
            message(Shape::for_rate(10, rate)),
            format!("false-positive rate must be between 0 and 1 (exclusive), got {rate}")
        );
    }
    assert!(matches!(
        Shape::for_rate(u64::MAX, 1e-300),
        Err(ShapeError::Math(MathError::NeedsTooManyBits { .. }))
    ));
}

#[test]
fn a_rate_near_the_hash_floor_is_refused_but_can_be_built_by_shape() {
    // With 10^6 items, an absent item has the 64-bit hash of an inserted one with a probability of 5.42e-14. The lowest rate
    // that may be requested is 100 times as high.
    let error = BloomFilter::<u64>::with_rate(1_000_000, 5.42e-12).unwrap_err();
    assert!(matches!(
        error,
        BuildError::Shape(ShapeError::RateUnderHashFloor { .. })
    ));
    assert_eq!(
        error.to_string(),
        "false-positive rate must be at least 5.421010862427375e-12 for 1000000 items, 100 times \
         the rate of collisions of 64-bit hashes, got 5.42e-12"
    );
    assert!(Shape::for_rate(1_000_000, 5.43e-12).is_ok());
    // With 2^64 - 1 items no rate may be requested, and the message does not suggest one.
    let error = Shape::for_rate(u64::MAX, 0.999_999_999).unwrap_err();
    assert_eq!(
        error.to_string(),
        "items must be few enough for 64-bit hashes, whose collisions alone cause a false-positive rate \
         of 6.321205588285577e-1, got 18446744073709551615 items at a rate of 0.999999999"
    );
    assert!(Shape::new(60_000_000, 40).is_ok());
}

#[test]
fn a_filter_that_does_not_fit_in_memory_is_an_error() {
    for bits in [1 << 63, 1 << 55] {
        let shape = Shape::new(bits, 7).unwrap();
        let error = BloomFilter::<u64>::new(shape).unwrap_err();
        assert!(matches!(error, BuildError::Memory(error) if error.bits == bits));
    }
    let error = BloomFilter::<u64>::with_rate(1 << 50, 0.1).unwrap_err();
    assert!(matches!(error, BuildError::Memory(_)));
}

#[test]
fn words_and_their_shape_make_the_same_filter() {
    let mut filter = BloomFilter::<u64>::new(Shape::new(100, 3).unwrap()).unwrap();
    filter.extend(0..9);
    let (shape, words) = (filter.shape(), filter.words().to_vec());
    assert_eq!(words.len(), 2);
    let positions = |words: &[u64]| -> u32 { words.iter().map(|word| word.count_ones()).sum() };
    assert_eq!(f64::from(positions(&words)) / 100.0, filter.fill());
    let quality = filter.hash_quality();
    let state = FixedState::new();
    let from =
        |words: &[u64]| BloomFilter::<u64>::from_words(shape, words.to_vec(), state, quality);
    assert_eq!(from(&words).unwrap(), filter);
    for count in [0, 1, 3] {
        let error = from(&vec![0; count]).unwrap_err();
        let got = count as u64;
        assert_eq!(error, WordsError::Count { expected: 2, got });
        let text = format!("number of words or blocks must be 2 for this shape, got {count}");
        assert_eq!(error.to_string(), text);
    }
    for bit in 36..64 {
        let word = words[1] | 1 << bit;
        let error = from(&[words[0], word]).unwrap_err();
        assert_eq!(error, WordsError::UnusedBits { bits: 100, word });
        assert!(
            error
                .to_string()
                .contains("from bit 36 on, must be 0 for 100 bits"),
            "{error}"
        );
    }

    let mut sliced = PartitionedBloomFilter::<u64>::new(shape).unwrap();
    sliced.extend(0..9);
    let words = sliced.words().to_vec();
    let copy = PartitionedBloomFilter::from_words(shape, words, state, quality);
    assert_eq!(copy.unwrap(), sliced);
    let narrow = Shape::new(2, 3).unwrap();
    let error = PartitionedBloomFilter::<u64>::from_words(narrow, vec![0], state, quality);
    assert!(matches!(error.unwrap_err(), WordsError::Shape(_)));

    let mut blocked = BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap()).unwrap();
    blocked.extend(0..90);
    assert_eq!(blocked.words().len(), 24);
    let (shape, copy, blocks) = (blocked.shape(), blocked.clone(), blocked.into_words());
    let same = BlockedBloomFilter::from_words(shape, blocks.clone(), state, quality);
    assert_eq!(same.unwrap(), copy);
    let error = BlockedBloomFilter::<u64>::from_words(shape, blocks[1..].to_vec(), state, quality);
    let count = WordsError::Count {
        expected: 3,
        got: 2,
    };
    assert_eq!(error.unwrap_err(), count);
}

#[test]
fn a_hash_serves_filters_with_the_same_hasher() {
    let mut small = BloomFilter::<str>::with_rate(10, 0.01).unwrap();
    let large = BlockedBloomFilter::<str>::with_rate(1_000, 1e-4).unwrap();
    let hash = small.hash_of("ant");
    assert_eq!(hash, large.hash_of(&String::from("ant")[..]));
    small.insert_hash(hash);
    assert!(small.contains("ant"));
}
