//! Compares copies, unions, intersections and estimates of filters with values that are known without these operations, and
//! tests which filters are equal or compatible.

use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use bloom_core::math::estimate_items;
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, EstimateError,
    Filter, FixedHasher, FixedState, IncompatibleError, PartitionedBloomFilter,
    ScalableBloomFilter, Shape,
};

fn counting(shape: Shape, width: CounterBits) -> CountingBloomFilter<u64> {
    CountingBloomFilter::with_counter_bits(shape, width).unwrap()
}

#[test]
fn a_union_of_counters_has_the_counts_of_inserting_all() {
    let shape = Shape::new(1_000, 5).unwrap();
    // Pairs of counts whose sums are below the highest value of a counter (15 or 255), equal to it, and above it. The sums of
    // 250 and 20 and of 255 and 255 are also too large for a byte.
    for (width, sums) in [
        (CounterBits::Four, [(3, 4), (7, 8), (10, 10), (15, 15)]),
        (
            CounterBits::Eight,
            [(3, 4), (200, 55), (250, 20), (255, 255)],
        ),
    ] {
        let with = |count: u32| {
            let mut filter = counting(shape, width);
            (0..count).for_each(|_| {
                filter.insert(&1);
            });
            filter
        };
        for (ours, theirs) in sums {
            let mut union = with(ours);
            union.union_with(&with(theirs)).unwrap();
            assert_eq!(union, with(ours + theirs), "{ours} and {theirs}");
        }
    }
}

#[test]
fn an_intersection_of_counters_keeps_the_lower_counts() {
    let shape = Shape::new(1_000, 5).unwrap();
    for width in [CounterBits::Four, CounterBits::Eight] {
        let with = |counts: [u32; 2]| {
            let mut filter = counting(shape, width);
            for (item, count) in (1..).zip(counts) {
                (0..count).for_each(|_| {
                    filter.insert(&item);
                });
            }
            filter
        };
        // The two items have 5 positions each. Since 10 counters are above 0, the items share no counter.
        let fill = with([1, 1]).fill();
        assert!((fill * 1_000.0 - 10.0).abs() < 1e-9, "{shape}: fill {fill}");
        for (ours, theirs, both) in [
            ([3, 1], [1, 2], [1, 1]),
            ([3, 0], [2, 2], [2, 0]),
            ([0, 5], [5, 0], [0, 0]),
        ] {
            let mut intersection = with(ours);
            intersection.intersect_with(&with(theirs)).unwrap();
            assert_eq!(intersection, with(both));
        }
    }
}

#[test]
fn an_intersection_finds_what_both_filters_find_and_nothing_else() {
    let shape = Shape::new(3_000, 5).unwrap();
    macro_rules! check {
        ($new:expr) => {
            let (mut one, mut other) = ($new, $new);
            one.extend(0..200_u64);
            other.extend(100..300_u64);
            let mut both = one.to_plain().unwrap();
            both.intersect_with(&other).unwrap();
            for item in 0..5_000 {
                let found = one.contains(&item) && other.contains(&item);
                assert_eq!(both.contains(&item), found, "{item} in {both:?}");
            }
            let [fill, of_one, of_other] = [both.fill(), one.fill(), other.fill()];
            assert!(
                fill < of_one.min(of_other),
                "{both:?}: fill {fill} of {of_one} and {of_other}"
            );
        };
    }
    check!(BloomFilter::<u64>::new(shape).unwrap());
    check!(CountingBloomFilter::<u64>::new(shape).unwrap());
    check!(counting(shape, CounterBits::Eight));
    check!(PartitionedBloomFilter::<u64>::new(shape).unwrap());
    check!(BlockedBloomFilter::<u64>::new(BlockedShape::new(6).unwrap()).unwrap());
}

#[test]
fn a_copy_is_its_original() {
    let shape = Shape::new(3_000, 5).unwrap();
    let blocks = BlockedShape::new(6).unwrap();
    macro_rules! check {
        ($new:expr) => {
            let mut filter = $new;
            for item in 0..100_u64 {
                let _ = filter.insert(&item);
            }
            for copy in [filter.to_plain().unwrap(), filter.clone()] {
                assert!((0..100).all(|item| copy.contains(&item)));
                assert_eq!(copy, filter);
            }
        };
    }
    check!(BloomFilter::<u64>::new(shape).unwrap());
    check!(CountingBloomFilter::<u64>::new(shape).unwrap());
    check!(counting(shape, CounterBits::Eight));
    check!(PartitionedBloomFilter::<u64>::new(shape).unwrap());
    check!(BlockedBloomFilter::<u64>::new(blocks).unwrap());
    check!(ScalableBloomFilter::<u64>::with_rate(10, 0.01).unwrap());
}

#[test]
fn the_own_rate_of_slices_is_the_product_of_their_fills() {
    // Slices of 2, 2 and 1 bits: one item sets one bit of each, so the rate is 1/2 * 1/2 * 1. The
    // fill of the whole filter to the power 3, (3/5)^3, would be 0.216.
    let mut filter = PartitionedBloomFilter::<u64>::new(Shape::new(5, 3).unwrap()).unwrap();
    filter.insert(&1);
    assert_eq!(filter.fill(), 0.6);
    assert_eq!(filter.false_positive_rate(), 0.25);
}

#[test]
fn slices_estimate_together_as_independent_filters_do() {
    // Each of the four slices of 100 bits has one set bit, so the four slices give equal estimates. The mean of four
    // independent estimates has half the standard deviation of one estimate.
    let mut filter = PartitionedBloomFilter::<u64>::new(Shape::new(400, 4).unwrap()).unwrap();
    filter.insert(&1);
    let one = estimate_items(100, 1, 1).unwrap().unwrap();
    let mean = filter.estimated_items().unwrap();
    let pair = filter.estimated_pair(&filter).unwrap();
    for estimate in [mean, pair.union, pair.intersection] {
        assert!(
            (estimate.items - one.items).abs() < 1e-12,
            "{estimate:?}, of one {one:?}"
        );
        let deviation = one.standard_deviation / 2.0;
        assert!(
            (estimate.standard_deviation / deviation - 1.0).abs() < 1e-6,
            "{estimate:?}, of one {one:?}"
        );
    }
    // If all bits of one slice are set, there is no estimate, even if the other slices have clear bits.
    let mut filter = PartitionedBloomFilter::<u64>::new(Shape::new(5, 3).unwrap()).unwrap();
    filter.insert(&1);
    assert_eq!(filter.estimated_items(), Err(EstimateError::Full));
    assert!(filter.fill() < 1.0, "{filter:?}: {}", filter.fill());
}

#[test]
fn estimates_scatter_over_many_filters_as_stated() {
    // The variance of the estimates of 1,840 filters must be within 22 % of the variance that the estimates state. Relative to
    // the true variance, this sample variance has a standard deviation of (2/1840)^(1/2), so the tolerance is 6.7 standard
    // deviations. Random seeds would exceed it about once in 10^9 times; for a normal distribution 6.2 would do, but the upper
    // tail of chi-squared is heavier. The test fails with a probability of 0.5 if the true variance is 22 % off, and with 0.999
    // if it is 36 % off.
    fn scatter(estimates: impl Iterator<Item = (f64, f64)>) {
        let squares: Vec<f64> = estimates
            .map(|(items, deviation)| ((items - 300.0) / deviation).powi(2))
            .collect();
        let variance = squares.iter().sum::<f64>() / squares.len() as f64;
        assert!((variance - 1.0).abs() < 0.22, "{variance}");
    }
    let shape = Shape::new(4_003, 8).unwrap();
    let items: Range<u64> = 0..300;
    macro_rules! check {
        ($filter:ident) => {
            scatter((0..1_840).map(|seed| {
                let state = FixedState::with_seed(seed);
                let mut filter = $filter::<u64, _>::with_hasher(shape, state).unwrap();
                filter.extend(items.clone());
                let estimate = filter.estimated_items().unwrap();
                (estimate.items, estimate.standard_deviation)
            }));
        };
    }
    check!(BloomFilter);
    check!(CountingBloomFilter);
    check!(PartitionedBloomFilter);
}

#[test]
fn filters_that_differ_are_refused_with_what_differs() {
    let shape = Shape::new(1_000, 7).unwrap();
    let other = Shape::new(1_001, 7).unwrap();
    let seeded = FixedState::with_seed(1);
    let shapes = IncompatibleError::Shape {
        ours: shape,
        theirs: other,
    };

    let mut counting = CountingBloomFilter::<u64>::new(shape).unwrap();
    assert_eq!(
        counting.union_with(&CountingBloomFilter::new(other).unwrap()),
        Err(shapes)
    );
    let wide = CountingBloomFilter::with_counter_bits(shape, CounterBits::Eight);
    assert_eq!(
        counting.union_with(&wide.unwrap()),
        Err(IncompatibleError::CounterBits {
            ours: CounterBits::Four,
            theirs: CounterBits::Eight
        })
    );
    let strange = CountingBloomFilter::with_hasher(shape, seeded).unwrap();
    assert_eq!(
        counting.union_with(&strange),
        Err(IncompatibleError::Hasher)
    );
    assert_eq!(
        counting.intersect_with(&strange),
        Err(IncompatibleError::Hasher)
    );
    assert_ne!(counting, strange);

    let mut partitioned = PartitionedBloomFilter::<u64>::new(shape).unwrap();
    assert_eq!(
        partitioned.union_with(&PartitionedBloomFilter::new(other).unwrap()),
        Err(shapes)
    );
    let strange = PartitionedBloomFilter::with_hasher(shape, seeded).unwrap();
    assert_eq!(
        partitioned.union_with(&strange),
        Err(IncompatibleError::Hasher)
    );
    assert_ne!(partitioned, strange);

    let blocks = |blocks| BlockedShape::new(blocks).unwrap();
    let mut blocked = BlockedBloomFilter::<u64>::new(blocks(2)).unwrap();
    assert_eq!(
        blocked.union_with(&BlockedBloomFilter::new(blocks(3)).unwrap()),
        Err(IncompatibleError::Blocks { ours: 2, theirs: 3 })
    );
    let strange = BlockedBloomFilter::with_hasher(blocks(2), seeded).unwrap();
    assert_eq!(blocked.union_with(&strange), Err(IncompatibleError::Hasher));
    assert_ne!(blocked, strange);
}

/// A hasher that returns the hashes of the default hasher, except for one integer.
#[derive(Clone)]
struct AllBut(u64);

impl BuildHasher for AllBut {
    type Hasher = FixedHasher;

    fn build_hasher(&self) -> FixedHasher {
        FixedState::new().build_hasher()
    }

    fn hash_one<T: Hash>(&self, item: T) -> u64 {
        let hash = FixedState::new().hash_one(&item);
        hash ^ u64::from(hash == FixedState::new().hash_one(self.0))
    }
}

#[test]
fn hashers_differ_if_they_hash_one_of_four_integers_differently() {
    let shape = Shape::new(1_000, 7).unwrap();
    let build = |but| BloomFilter::<u64, _>::with_hasher(shape, AllBut(but)).unwrap();
    for probe in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX] {
        let error = Err(IncompatibleError::Hasher);
        assert_eq!(build(2).union_with(&build(probe)), error, "{probe}");
    }
    assert_eq!(build(2).union_with(&build(3)), Ok(()));
}

#[test]
fn an_intersection_with_bits_left_is_not_empty() {
    let build = |item| {
        let mut filter = BlockedBloomFilter::<u64>::new(BlockedShape::new(1).unwrap()).unwrap();
        filter.insert(&item);
        filter
    };
    let mut left = 0;
    for item in 0..200_u64 {
        let mut both = build(item);
        both.intersect_with(&build(item + 1)).unwrap();
        assert_eq!(both.is_empty(), both.fill() == 0.0, "{item}");
        left += u32::from(both.fill() > 0.0);
    }
    assert!(left > 0, "no two items share a bit");
}

#[test]
fn filters_of_other_items_are_not_equal() {
    fn check<F: Filter<u64> + Eq>(build: impl Fn() -> F) {
        let with = |item| {
            let mut filter = build();
            filter.try_insert(&item).unwrap();
            filter
        };
        assert!(with(1) == with(1));
        assert!(with(1) != with(2));
        assert!(with(1) != build());
    }
    let shape = Shape::new(1_000, 7).unwrap();
    check(|| BloomFilter::<u64>::new(shape).unwrap());
    check(|| CountingBloomFilter::<u64>::new(shape).unwrap());
    check(|| PartitionedBloomFilter::<u64>::new(shape).unwrap());
    let blocks = BlockedShape::new(4).unwrap();
    check(|| BlockedBloomFilter::<u64>::new(blocks).unwrap());
    check(|| ScalableBloomFilter::<u64>::with_rate(100, 0.01).unwrap());
}

#[test]
fn an_item_with_saturated_counters_is_removed_and_still_found() {
    // All 20 positions of the item are the one counter, whose highest value is 15. So one insert saturates the counter.
    let mut filter = CountingBloomFilter::<u64>::new(Shape::new(1, 20).unwrap()).unwrap();
    filter.insert(&1);
    assert!(filter.remove(&1));
    assert!(filter.contains(&1));
}
