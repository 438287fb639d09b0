//! Compares the mean of the measured rates of many counting, partitioned, blocked and scalable filters with the rate by their
//! exact models. Also compares the estimates of such filters with the true numbers of items.
//!
//! The filters of a test differ by the seeds of their hashers, which are fixed. The tolerance of the mean rate is 6.2 of its
//! standard deviations. The standard deviation is estimated from the measured rates, because there is no closed formula for
//! blocked and scalable filters. Therefore the tolerance is widened by Student's t. It is less than 10 % of the rate. If the
//! true rate were 10 % off, the test would fail with a probability of at least 0.5; if it were 15 % off, of at least 0.999.

use std::hash::{BuildHasher, BuildHasherDefault};

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{Estimate, Model};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, CountingBloomFilter, EstimateError, Filter, FixedState,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};

use crate::rate::Identity;

/// The tolerance of an estimate, in standard deviations. A normal deviate exceeds it 0.6 times in 10^9. For mean rates,
/// [`of_a_sample`] widens it.
const SIGMAS: f64 = 6.2;

/// The mean of a sample and its tolerance.
struct Mean {
    mean: f64,
    allowed: f64,
}

/// Returns the tolerance of the mean of `count` values, in standard deviations that are estimated from these values. A random
/// mean exceeds it as often as a tolerance of [`SIGMAS`] known standard deviations.
///
/// Source: Abramowitz and Stegun (1964), 26.7.5; from a count of 60 on, the omitted terms are below 0.02.
fn of_a_sample(count: f64) -> f64 {
    let (z, freedom) = (SIGMAS, count - 1.0);
    let second = 5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z;
    z + (z.powi(3) + z) / (4.0 * freedom) + second / (96.0 * freedom * freedom)
}

/// Fills `filters` filters, whose hashers have different seeds, with `items` items, and queries `queries` absent items in each.
/// Returns the mean of the shares of absent items that are found, and the tolerance of this mean.
fn measure<F: Filter<u64>>(
    filters: u64,
    items: u64,
    queries: u64,
    build: impl Fn(FixedState) -> F,
) -> Mean {
    let rates: Vec<f64> = (0..filters)
        .map(|seed| {
            let mut filter = build(FixedState::with_seed(seed));
            for item in 0..items {
                filter.try_insert(&item).expect("room for every item");
            }
            let others = items..items + queries;
            let hits = others.filter(|item| filter.contains(item)).count();
            hits as f64 / queries as f64
        })
        .collect();
    let count = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / count;
    let squares: f64 = rates.iter().map(|rate| (rate - mean) * (rate - mean)).sum();
    Mean {
        mean,
        allowed: of_a_sample(count) * (squares / (count - 1.0) / count).sqrt(),
    }
}

impl Mean {
    #[track_caller]
    fn assert_is(&self, expected: f64, what: &str) {
        let off = (self.mean - expected).abs();
        let allowed = self.allowed;
        assert!(
            off <= allowed,
            "{what}: measured {}, expected {expected}, {off} is over {allowed}",
            self.mean
        );
        // The tolerance must be small enough to detect a rate that is 10 % off.
        assert!(
            allowed < 0.1 * expected,
            "{what}: known only within {allowed}"
        );
    }
}

/// Compares the mean rate of filters with 7 hashes with the rate by `model`. `sizes` has numbers of items, bits and filters.
#[track_caller]
fn assert_meets<F: Filter<u64>>(
    model: Model,
    sizes: &[(u64, u64, u64)],
    build: impl Fn(Shape, FixedState) -> F,
) {
    for &(items, bits, filters) in sizes {
        let shape = Shape::new(bits, 7).unwrap();
        let expected = model.rate(items, bits, shape.hashes()).unwrap().value();
        let measured = measure(filters, items, 200, |state| build(shape, state));
        measured.assert_is(expected, &format!("{items} items, {shape}"));
    }
}

#[test]
fn counting_filters_meet_the_exact_rate() {
    let sizes = [(6, 64, 31_000), (102, 1024, 6_200)];
    assert_meets(Model::Exact, &sizes, |shape, state| {
        CountingBloomFilter::with_hasher(shape, state).unwrap()
    });
}

#[test]
fn partitioned_filters_meet_their_exact_rate() {
    let sizes = [(6, 64, 31_000), (10, 100, 31_000), (104, 1043, 6_200)];
    assert_meets(Model::Partitioned, &sizes, |shape, state| {
        PartitionedBloomFilter::with_hasher(shape, state).unwrap()
    });
}

#[test]
fn blocked_filters_meet_the_rate_of_uneven_blocks() {
    for (blocks, items, filters) in [
        (1, 50, 9_300),
        (2, 100, 9_300),
        (20, 1_000, 3_100),
        (200, 10_000, 650),
    ] {
        let shape = BlockedShape::new(blocks).unwrap();
        let build = |state| BlockedBloomFilter::with_hasher(shape, state).unwrap();
        let expected = build(FixedState::new()).expected_false_positive_rate(items);
        measure(filters, items, 1_000, build).assert_is(expected, &format!("{shape}"));
    }
}

#[test]
fn blocked_filters_with_a_promised_rate_deliver_it_on_average() {
    for (items, rate, filters, queries) in [(2_000, 0.01, 490, 3_000), (5_000, 0.001, 335, 20_000)]
    {
        let shape = BlockedShape::for_rate(items, rate).unwrap();
        let build = |state| BlockedBloomFilter::with_hasher(shape, state).unwrap();
        let expected = build(FixedState::new()).expected_false_positive_rate(items);
        assert!(
            expected <= rate,
            "{items} items, {shape}: {expected} above {rate}"
        );
        let smaller = BlockedShape::new(shape.blocks() - 1).unwrap();
        let smaller = BlockedBloomFilter::<u64>::new(smaller).unwrap();
        let of_smaller = smaller.expected_false_positive_rate(items);
        assert!(
            of_smaller > rate,
            "{items} items, {smaller:?}: {of_smaller} keeps {rate}"
        );
        measure(filters, items, queries, build).assert_is(expected, &format!("{shape}"));
    }
}

#[test]
fn a_promised_rate_takes_the_fewest_blocks_at_any_size() {
    let block = Block::Split {
        lanes: 8,
        lane_bits: 64,
    };
    for items in [20_001, 100_000, 1_000_000, 20_000_000] {
        for rate in [0.1, 0.01, 0.000_1] {
            let blocks = BlockedShape::for_rate(items, rate).unwrap().blocks();
            let of = |blocks| blocked::rate(items, blocks, block).unwrap().value();
            assert!(
                of(blocks) <= rate && of(blocks - 1) > rate,
                "{items} at {rate}"
            );
        }
    }
}

/// A scalable filter consists of Bloom filters, its stages. The test also checks that the rate of all stages together would
/// exceed the requested rate if each stage had the requested rate.
#[test]
fn a_filter_grown_a_thousandfold_keeps_its_rate() {
    let (rate, items) = (0.05, 100_000);
    let shape = ScalableShape::new(100, rate).unwrap();
    let build = |state| ScalableBloomFilter::<u64, _>::with_hasher(shape, state).unwrap();
    let measured = measure(88, items, 5_000, build);
    assert!(
        measured.mean + measured.allowed <= rate,
        "{}",
        measured.mean
    );

    let mut grown = build(FixedState::new());
    for item in 0..items {
        grown.insert(&item).unwrap();
    }
    assert!(grown.stages().count() >= 10);
    measured.assert_is(grown.expected_false_positive_rate(), "ten stages");

    // If every stage had the requested rate, the rate of all stages together would be more than 6 times the requested rate.
    let same: Vec<f64> = grown
        .stages()
        .map(|stage| {
            let (bits, hashes) = Model::Exact.min_size(stage.expected_items, rate).unwrap();
            let items = stage.items.min(stage.expected_items);
            Model::Exact.rate(items, bits, hashes).unwrap().value()
        })
        .collect();
    let compound = bloom_core::math::scalable::compound_rate(same);
    assert!(compound > 6.0 * rate, "{compound}");
}

/// Fills a filter, and compares the share of absent items that it finds with the rate that it computes from its set bits. The
/// tolerance is 6.7 standard deviations of the number of items found, because a test checks up to twenty filters: with random
/// items, such a test would fail 0.4 times in 10^9 runs. At a rate of 1 in 100, the assertion fails with a probability of 0.5
/// if the true rate is 12 % off, and of 0.999 if it is 18 % off.
fn assert_own_rate<F: Filter<u64>>(mut filter: F, items: u64, what: &str) {
    for item in 0..items {
        filter.try_insert(&item).expect("room for every item");
    }
    let (queries, rate) = (310_000, filter.false_positive_rate());
    let others = items..items + queries;
    let hits = others.filter(|item| filter.contains(item)).count() as f64;
    let expected = queries as f64 * rate;
    let allowed = 6.7 * (expected * (1.0 - rate)).sqrt();
    assert!(
        (hits - expected).abs() <= allowed,
        "{what}: {hits} hits, expected {expected}"
    );
}

#[test]
fn hits_stay_near_the_filters_own_rate() {
    for seed in 0..5 {
        let state = FixedState::with_seed(seed);
        let items = 1_000;
        assert_own_rate(
            CountingBloomFilter::with_rate_and_hasher(items, 0.01, state).unwrap(),
            items,
            "counting",
        );
        assert_own_rate(
            PartitionedBloomFilter::with_rate_and_hasher(items, 0.01, state).unwrap(),
            items,
            "partitioned",
        );
        assert_own_rate(
            BlockedBloomFilter::with_rate_and_hasher(items, 0.01, state).unwrap(),
            items,
            "blocked",
        );
        assert_own_rate(
            ScalableBloomFilter::with_rate_and_hasher(10, 0.05, state).unwrap(),
            items,
            "scalable",
        );
    }
}

/// Fills filters that have a weak hasher with sequential integers. Compares their measured rates with the rates that they
/// compute from their set bits, and for a blocked filter also the latter with the rate for independent hashes.
fn assert_weak_hashes_do<S: BuildHasher + Clone>(state: &S, name: &str) {
    let (items, rate) = (2_000, 0.01);
    let state = || state.clone();
    let counting = CountingBloomFilter::with_rate_and_hasher(items, rate, state()).unwrap();
    assert_own_rate(counting, items, name);
    let partitioned = PartitionedBloomFilter::with_rate_and_hasher(items, rate, state()).unwrap();
    assert_own_rate(partitioned, items, name);
    let blocked = BlockedBloomFilter::with_rate_and_hasher(items, rate, state()).unwrap();
    assert_own_rate(blocked, items, name);
    // The rate that a filter of 100,000 items computes from its set bits must be near the mean for independent hashes. Between
    // such filters, this rate has a standard deviation of 0.74 % (simulated, 600 filters). The tolerance is 6.2 standard
    // deviations, which independent hashes exceed 0.6 times in 10^9. The assertion fails with a probability of 0.5 if the true
    // mean is 4.6 % off, and of 0.999 if it is 7 % off.
    let many = 100_000;
    let mut filled = BlockedBloomFilter::with_rate_and_hasher(many, rate, state()).unwrap();
    filled.extend(0..many);
    let (own, expected) = (
        filled.false_positive_rate(),
        filled.expected_false_positive_rate(many),
    );
    assert!(
        (own / expected - 1.0).abs() < 6.2 * 0.0074,
        "{name}: {own}, expected {expected}"
    );
    let scalable = ScalableBloomFilter::with_rate_and_hasher(10, 0.05, state()).unwrap();
    assert_own_rate(scalable, items, name);
}

#[test]
fn sequential_integers_with_weak_hashers_keep_the_rate() {
    assert_weak_hashes_do(&BuildHasherDefault::<Identity>::default(), "identity");
    assert_weak_hashes_do(&fnv::FnvBuildHasher::default(), "FNV");
}

#[test]
fn no_hash_collapses_to_one_position() {
    let shape = Shape::new(1 << 20, 20).unwrap();
    for hash in [0, 1, u64::MAX, 1 << 63, u64::from(u32::MAX)] {
        let mut partitioned = PartitionedBloomFilter::<u64>::new(shape).unwrap();
        partitioned.insert_hash(hash);
        assert_eq!(
            partitioned.fill() * f64::from(1 << 20),
            20.0,
            "one bit a slice"
        );
        let mut counting = CountingBloomFilter::<u64>::new(shape).unwrap();
        counting.insert_hash(hash);
        assert!(counting.fill() * f64::from(1 << 20) > 18.5, "{hash}");
        assert!(counting.remove_hash(hash) && counting.is_empty());
        let mut blocked =
            BlockedBloomFilter::<u64>::new(BlockedShape::new(2_048).unwrap()).unwrap();
        blocked.insert_hash(hash);
        assert_eq!(blocked.fill() * f64::from(1 << 20), 8.0, "one bit a lane");
        let mut scalable = ScalableBloomFilter::<u64>::with_rate(10, 0.01).unwrap();
        assert_eq!(scalable.insert_hash(hash), Ok(true));
        assert_eq!(scalable.insert_hash(hash), Ok(false));
        assert!(scalable.contains_hash(hash));
    }
}

#[test]
fn estimates_are_near() {
    for items in [100, 1_000, 3_000] {
        let mut counting = CountingBloomFilter::<u64>::with_rate(2_000, 0.01).unwrap();
        let mut partitioned = PartitionedBloomFilter::<u64>::with_rate(2_000, 0.01).unwrap();
        let mut blocked = BlockedBloomFilter::<u64>::with_rate(2_000, 0.01).unwrap();
        counting.extend(0..items);
        partitioned.extend(0..items);
        blocked.extend(0..items);
        let mut scalable = ScalableBloomFilter::<u64>::with_rate(100, 1e-6).unwrap();
        for item in 0..items {
            scalable.insert(&item).unwrap();
        }
        for (name, estimate) in [
            ("counting", counting.estimated_items()),
            ("partitioned", partitioned.estimated_items()),
            ("blocked", blocked.estimated_items()),
            ("scalable", scalable.estimated_items()),
        ] {
            assert_near(estimate.expect("not every bit is set"), items, name);
        }
    }
}

/// Checks that an estimate is off the true number of items by at most [`SIGMAS`] of the standard deviations that it states.
/// Whether the stated deviations are right is tested with many filters, in the last test of this file, in `family_algebra.rs`
/// and in `growing/mod.rs`.
#[track_caller]
fn assert_near(estimate: Estimate, items: u64, name: &str) {
    let off = (estimate.items - items as f64).abs();
    assert!(
        off <= SIGMAS * estimate.standard_deviation,
        "{name}, {items}: {estimate:?}"
    );
}

#[test]
fn sizes_of_union_and_intersection_are_near() {
    for shared in [0, 700, 2_000] {
        let (one, other) = (0..2_000, 2_000 - shared..4_000 - shared);
        macro_rules! pair {
            ($filter:ident) => {{
                let mut filters = [(); 2].map(|()| $filter::<u64>::with_rate(4_000, 0.01).unwrap());
                filters[0].extend(one.clone());
                filters[1].extend(other.clone());
                let pair = filters[0].estimated_pair(&filters[1]);
                (stringify!($filter), pair.expect("not every bit is set"))
            }};
        }
        for (name, pair) in [
            pair!(CountingBloomFilter),
            pair!(PartitionedBloomFilter),
            pair!(BlockedBloomFilter),
        ] {
            assert_near(pair.union, 4_000 - shared, name);
            assert_near(pair.intersection, shared, name);
        }
    }
    let full = |filter: &mut BlockedBloomFilter<u64>| filter.extend(0..100_000);
    let mut filter = BlockedBloomFilter::<u64>::with_rate(100, 0.01).unwrap();
    full(&mut filter);
    assert_eq!(filter.estimated_pair(&filter), Err(EstimateError::Full));
    let other = BlockedBloomFilter::<u64>::with_rate(1_000, 0.01).unwrap();
    assert!(filter.estimated_pair(&other).is_err());
}

#[test]
fn estimates_of_blocked_filters_are_unbiased_and_spread_as_stated() {
    // An estimate that summed up estimates of the single blocks would be biased: by 4 standard deviations in the first of these
    // cases and by 16 in the last.
    for items in [50_000_u64, 1_000_000] {
        for load in [0.5, 1.0, 1.5] {
            let expected = (items as f64 / load) as u64;
            let mut one = BlockedBloomFilter::<u64>::with_rate(expected, 0.01).unwrap();
            let mut other = BlockedBloomFilter::<u64>::new(one.shape()).unwrap();
            one.extend(0..items);
            other.extend(items / 2..items + items / 2);
            let name = format!("{load} times full");
            assert_near(one.estimated_items().unwrap(), items, &name);
            let pair = one.estimated_pair(&other).unwrap();
            assert_near(pair.union, items + items / 2, &name);
            assert_near(pair.intersection, items / 2, &name);
        }
    }
    // The variance of the estimates of 1,840 filters must be within 22 % of the variance that the estimates state. Relative to
    // the true variance, this sample variance has a standard deviation of (2/1840)^(1/2), so the tolerance is 6.7 standard
    // deviations. Random seeds would exceed it about once in 10^9 times; for a normal distribution 6.2 would do, but the upper
    // tail of chi-squared is heavier. The test fails with a probability of 0.5 if the true variance is 22 % off, and with 0.999
    // if it is 36 % off.
    let (items, filters) = (1_000, 1_840);
    let (mut single, mut both) = (0.0, 0.0);
    for seed in 0..filters {
        let state = FixedState::with_seed(seed);
        let build = || BlockedBloomFilter::with_rate_and_hasher(items, 0.01, state).unwrap();
        let (mut one, mut other): (BlockedBloomFilter<u64>, BlockedBloomFilter<u64>) =
            (build(), build());
        one.extend(0..items);
        other.extend(items / 2..items + items / 2);
        let share = |estimate: Estimate, items: u64| {
            ((estimate.items - items as f64) / estimate.standard_deviation).powi(2)
        };
        single += share(one.estimated_items().unwrap(), items);
        let pair = one.estimated_pair(&other).unwrap();
        both += share(pair.intersection, items / 2);
    }
    for variance in [single, both].map(|sum| sum / filters as f64) {
        assert!((variance - 1.0).abs() < 0.22, "{variance}");
    }
}
