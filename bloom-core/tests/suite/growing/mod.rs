//! Tests scalable filters, which grow by adding Bloom filters, their stages: their false-positive rate, their expected rate and
//! their estimates of the number of items. `limits.rs` tests their limits and the errors at the limits. All hashes are made
//! from fixed seeds.

use std::collections::HashMap;

use bloom_core::math::scalable::{Growth, compound_rate};
use bloom_core::math::{MathError, Model};
use bloom_core::{
    BuildError, GrowError, LoadError, ScalableBloomFilter, ScalableShape, ShapeError, StageError,
};

mod limits;

use crate::forged::{put, repair_checksum};

/// Returns an endless sequence of distinct hashes, another one for each seed, by SplitMix64.
fn hashes(seed: u64) -> impl Iterator<Item = u64> {
    let start = seed.wrapping_mul(0x5851_f42d_4c95_7f2d);
    (1..).map(move |step: u64| {
        let z = start.wrapping_add(step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

fn shape(items: u64, rate: f64, growth: u32, tightening: f64) -> ScalableShape {
    let shape = ScalableShape::new(items, rate).unwrap();
    let shape = shape.with_growth(growth).unwrap();
    shape.with_tightening(tightening).unwrap()
}

/// Returns a filter of this shape to which `items` distinct hashes were offered: it inserted those that it did not find.
fn offered(shape: ScalableShape, seed: u64, items: u64) -> ScalableBloomFilter<u64> {
    let mut filter = ScalableBloomFilter::new(shape).unwrap();
    for hash in hashes(seed).take(items as usize) {
        filter.insert_hash(hash).unwrap();
    }
    filter
}

#[test]
fn memory_is_in_the_documented_range() {
    let mut filter = ScalableBloomFilter::<u64>::with_rate(1_000, 0.01).unwrap();
    let (mut items, mut before) = (0, 0.0);
    let mut jumps = Vec::new();
    for hash in hashes(4).take(1_100_000) {
        let stages = filter.stages().count();
        filter.insert_hash(hash).unwrap();
        items += 1;
        let bits = 8.0 * filter.memory_bytes() as f64 / f64::from(items);
        if filter.stages().count() > stages {
            jumps.push((before, bits));
        }
        before = bits;
    }
    // The first stage is for 1,000 items. The other ten stages begin when the filter has about 1, 3, 7 and so on up to 1,023
    // times as many items. The numbers are not exact, because a stage takes up to a few percent fewer items than it is sized
    // for.
    assert_eq!(jumps.len(), 10);
    // When a stage is added, the bits per item jump. Each row has the number of a jump, and the bits per item before and after
    // it.
    for (number, from, to) in [(0, 13.5, 41.3), (1, 13.8, 32.9), (9, 16.1, 32.9)] {
        let (before, after) = jumps[number];
        let (low, high) = (from - 0.1, from + 0.6);
        assert!(
            low < before && before < high && after < to + 1.2,
            "{before} {after}"
        );
        assert!(after > to - 0.1, "{after}");
    }
}

#[test]
fn every_filter_keeps_its_rate_with_all_stages_full() {
    for rate in [0.01, 0.1, 0.5, 0.9] {
        for tightening in [0.1, 0.3, 0.85] {
            let full = |growth, items, stages| {
                let shape = shape(items, rate, growth, tightening);
                check_full(shape.with_max_stages(stages).unwrap());
            };
            for (items, stages) in [(1, 1), (1, 7), (2, 6), (10, 5), (100, 3), (1_000, 1)] {
                full(2, items, stages);
            }
            for (items, stages) in [(1, 4), (3, 4), (10, 3), (100, 2)] {
                full(4, items, stages);
            }
        }
    }
}

/// Fills filters until they refuse an item, and checks the rate of each stage and the rates of the filters.
fn check_full(shape: ScalableShape) {
    let (filters, queries) = (if shape.items() < 10 { 206 } else { 26 }, 200);
    let (mut hits, mut own) = (0, 0.0);
    for seed in 0..filters {
        let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
        let mut hashes = hashes(seed);
        while filter.insert_hash(hashes.next().unwrap()).is_ok() {}
        assert_eq!(filter.stages().count(), shape.max_stages() as usize);
        for (number, stage) in (0..).zip(filter.stages()) {
            assert!((1..=stage.expected_items).contains(&stage.items));
            let fill = stage.ones as f64 / stage.shape.bits() as f64;
            let share = shape.rate() * (1.0 - shape.tightening()) * shape.tightening().powi(number);
            assert!(
                stage.items == 1 || fill.powi(stage.shape.hashes().into()) <= share * (1.0 + 1e-9),
                "{shape}: {stage:?} is over {share}"
            );
        }
        own += filter.false_positive_rate() / filters as f64;
        let queried = hashes.take(queries);
        hits += queried.filter(|hash| filter.contains_hash(*hash)).count();
    }
    // The mean of the rates that the filters compute from their set bits. It is so far below the limit that this check needs no
    // tolerance.
    assert!(own <= shape.rate(), "{shape}: {own}");
    // The hits are the absent hashes that were found. The tolerance is 6.2 standard deviations of their number, and 6.2 hits
    // more, because a Poisson distribution has a heavier upper tail than a normal one: random hashes would exceed it less than
    // once in 10^9 times. With the fewest filters, the test detects a rate of twice the requested one if that is 1 in 100, and
    // of 1.3 times the requested one if that is 1 in 10.
    let queried = (filters as usize * queries) as f64;
    let most = shape.rate() * queried;
    assert!(
        hits as f64 <= most + 6.2 * most.sqrt() + 6.2,
        "{shape}: {hits} hits"
    );
}

#[test]
fn items_of_every_one_of_many_stages_are_found() {
    let filter = offered(shape(10, 0.1, 1, 0.9), 1, 500);
    assert!(filter.stages().count() >= 40);
    assert!(hashes(1).take(500).all(|hash| filter.contains_hash(hash)));
    let mut answers = Vec::new();
    let all: Vec<u64> = hashes(1).take(500).collect();
    answers.resize(all.len(), false);
    filter.contains_hashes_into(&all, &mut answers).unwrap();
    assert!(answers.len() == 500 && answers.into_iter().all(|answer| answer));
}

#[test]
fn adversarial_items_leave_the_rate_for_others() {
    // An adversary who knows the hasher chooses, of each eight items, the one that sets the most new bits, or the fewest.
    for most_bits in [true, false] {
        let mut filter = ScalableBloomFilter::<u64>::with_rate(100, 0.01).unwrap();
        let mut hashes = hashes(2);
        for _ in 0..2_000 {
            let pick = |filter: &ScalableBloomFilter<u64>, hash: u64| {
                let mut with = filter.clone();
                with.insert_hash(hash).unwrap();
                let ones = |filter: &ScalableBloomFilter<u64>| -> u64 {
                    filter.stages().map(|stage| stage.ones).sum()
                };
                let new = ones(&with) - ones(filter);
                if most_bits { new } else { u64::MAX - new }
            };
            let few: Vec<u64> = hashes.by_ref().take(8).collect();
            let chosen = few.iter().max_by_key(|hash| pick(&filter, **hash));
            filter.insert_hash(*chosen.unwrap()).unwrap();
        }
        let queries = 100_000;
        let hits = hashes
            .take(queries)
            .filter(|hash| filter.contains_hash(*hash));
        let hits = hits.count();
        // At most 1,000 of the 100,000 queries may be hits, as at the promised rate of 0.01. The rate that the filter computes
        // from its set bits is below 0.008, so 1,000 hits are at least 7 standard deviations above the mean. Random queries
        // would exceed them less than once in 10^10 times. The assertion fails with a probability of 0.5 if the true rate is
        // 0.01, and of 0.999 if it is 0.011.
        assert!(
            filter.false_positive_rate() < 0.008,
            "{filter:?}: {}",
            filter.false_positive_rate()
        );
        assert!(hits <= 1_000, "{hits} of {queries}");
    }
}

#[test]
fn the_expected_rate_is_the_mean_of_the_filters_own_rates() {
    // Each case has filters with one stage that is partly full, one stage that is nearly full, or several stages. Compared are
    // the mean of the rates that the filters compute from their set bits, and the mean of the rates that their model expects.
    // The tolerance is 1 %, of which 0.3 % is for errors of the model. The other 0.7 % is more than 6.2 standard deviations of
    // the difference, which a normal deviate exceeds 0.6 times in 10^9. The test fails with a probability of 0.5 if the
    // expected rate is 1 % off, and of 0.999 if it is 1.5 % off.
    for (items, rate, offers, filters) in [
        (100, 0.1, 70, 12_000),
        (100, 0.1, 99, 1_200),
        (100, 0.1, 150, 1_000),
        (100, 0.01, 95, 11_000),
        (100, 0.01, 250, 1_000),
        (100, 0.01, 290, 1_400),
        (100, 0.3, 90, 6_600),
        (1_000, 0.1, 980, 1_000),
        (1_000, 0.5, 700, 900),
    ] {
        let (mut own, mut squares, mut expected) = (0.0, 0.0, 0.0);
        let mut known = HashMap::new();
        for seed in 0..filters {
            let shape = ScalableShape::new(items, rate).unwrap();
            let filter = offered(shape, seed, offers);
            // Filters have the same expected rate if their stages have the same numbers of set bits and of items. Computing
            // this rate takes most of the time of the test, so it is computed once for all such filters.
            let stages = filter.stages().map(|stage| (stage.ones, stage.items));
            let model = *known
                .entry(stages.collect::<Vec<_>>())
                .or_insert_with(|| filter.expected_false_positive_rate());
            own += filter.false_positive_rate();
            squares += (filter.false_positive_rate() - model).powi(2);
            expected += model;
        }
        let count = filters as f64;
        let (own, expected) = (own / count, expected / count);
        let deviation = ((squares / count - (own - expected).powi(2)) / count).sqrt();
        let what = format!("{offers} of {items} at {rate}: {own}, expected {expected}");
        assert!(
            6.2 * deviation < 0.007 * own,
            "{what}, standard deviation {deviation}"
        );
        assert!((own / expected - 1.0).abs() < 0.01, "{what}");
    }
}

#[test]
fn the_expected_rate_of_a_stage_with_room_is_that_of_its_items() {
    let filter = offered(shape(1_000, 0.01, 2, 0.85), 1, 600);
    let stage = filter.stages().next().unwrap();
    let shape = stage.shape;
    let of_items = Model::Exact.rate(stage.items, shape.bits(), shape.hashes());
    let expected = filter.expected_false_positive_rate();
    // The expected rate also takes into account the few of the 600 items that were false positives and so were not inserted.
    // Therefore it differs slightly from the rate of a filter with the inserted items.
    let (of_items, own) = (of_items.unwrap().value(), filter.false_positive_rate());
    let what = format!("{} items, {shape}: expected {expected}", stage.items);
    assert!(
        (expected / of_items - 1.0).abs() < 0.003,
        "{what}, of its items {of_items}"
    );
    assert!(
        (expected / own - 1.0).abs() > 0.01,
        "{what}, of its bits {own}"
    );
}

#[test]
fn a_stage_takes_items_up_to_the_most_bits_that_keep_its_rate() {
    let shape = shape(50, 0.01, 2, 0.85);
    let (mut fullest, mut most) = (0, 0);
    for seed in 0..60 {
        let first = offered(shape, seed, 100).stages().next().unwrap();
        let (bits, hashes) = (first.shape.bits() as f64, first.shape.hashes());
        most = (bits * 0.0015_f64.powf(1.0 / f64::from(hashes))).floor() as u64;
        fullest = first.ones.max(fullest);
    }
    assert_eq!(fullest, most);
}

#[test]
fn estimates_count_the_distinct_items_offered() {
    // With the default growth and tightening ratio, an estimate is off by at most 6.2 of the standard deviations that it
    // states.
    for (items, offers) in [(100, 100_000), (1_000, 100_000), (100, 1_000_000)] {
        let filter = offered(ScalableShape::new(items, 0.01).unwrap(), 3, offers);
        let estimate = filter.estimated_items().unwrap();
        let off = (estimate.items - offers as f64) / estimate.standard_deviation;
        assert!(off.abs() < 6.2, "{estimate:?} for {offers}");
        // Items that were false positives are not inserted, so the number of inserted items is lower than the number offered.
        let inserted = filter.inserted_items();
        assert!(inserted < offers - offers / 500, "{inserted} of {offers}");
    }
    // For 775 filters, the error of the estimate is divided by the standard deviation that the estimate states. The mean of the
    // quotients must be within 0 ± 0.25, and the mean of their squares within 1 ± 0.35. Both tolerances are 6.9 standard errors
    // (0.036 and 0.051), because the upper tail of chi-squared is heavier than the normal one: random seeds would fail about
    // once in 10^9 times. If a true mean is off by its tolerance, the test fails with a probability of 0.5; if it is off by 1.5
    // times the tolerance, of 0.99.
    for (items, rate) in [(100, 0.01), (1_000, 0.01), (100, 0.1)] {
        let (filters, offers) = (775, 4_000);
        let (mut sum, mut squares) = (0.0, 0.0);
        for seed in 0..filters {
            let filter = offered(ScalableShape::new(items, rate).unwrap(), seed, offers);
            let estimate = filter.estimated_items().unwrap();
            let off = (estimate.items - offers as f64) / estimate.standard_deviation;
            sum += off / filters as f64;
            squares += off * off / filters as f64;
        }
        assert!(sum.abs() < 0.25, "{items} at {rate}: mean {sum}");
        assert!(
            (squares - 1.0).abs() < 0.35,
            "{items} at {rate}: variance {squares}"
        );
    }
    let empty = ScalableBloomFilter::<u64>::with_rate(10, 0.1).unwrap();
    assert_eq!(empty.estimated_items().unwrap().items, 0.0);
}

#[test]
fn stages_of_constant_size_are_not_computed_one_by_one() {
    let growth = Growth {
        items: 3,
        rate: 0.01,
        growth: 1,
        tightening: 0.9,
    };
    assert_eq!(growth.capacity(u32::MAX), Some(3 * u64::from(u32::MAX)));
    // This many items fill 2^32 - 1 stages of 3 items, the most stages that a `u32` can number. One item more is an error.
    let most = 3 * u64::from(u32::MAX);
    assert_eq!(growth.stages(most), Ok(u32::MAX));
    let error = growth.stages(most + 1).unwrap_err();
    assert_eq!(error, MathError::StagesOutOfRange(1 << 32));
    assert_eq!(
        error.to_string(),
        "stages must be at most 4294967295, got 4294967296"
    );
    assert_eq!(growth.capacity(0), Some(0));
    let large = Growth {
        items: u64::MAX / 2,
        ..growth
    };
    assert_eq!(
        (large.capacity(2), large.capacity(3)),
        (Some(u64::MAX - 1), None)
    );
    let two = Growth {
        growth: 2,
        ..growth
    };
    assert_eq!((two.capacity(3), two.capacity(u32::MAX)), (Some(21), None));
    assert!(two.ideal_bits(u32::MAX) == f64::INFINITY);
    let sum: f64 = (0..40)
        .map(|i| -growth.stage_rate(i).ln() * 3.0 / 2_f64.ln().powi(2))
        .sum();
    assert!((growth.ideal_bits(40) / sum - 1.0).abs() < 1e-14);
    let none = [growth.ideal_bits(0), two.ideal_bits(0), growth.full_rate(0)];
    assert_eq!(none.map(f64::to_bits), [0; 3], "not -0: {none:?}");
    assert!(growth.ideal_bits(u32::MAX).is_finite());

    // A list of 2^32 - 1 stages is an error: the list does not fit in memory, or the rate of one stage becomes too low.
    let many = Growth {
        items: 1,
        tightening: 0.5,
        ..growth
    };
    let error = many.all_stages(Model::Exact, u32::MAX.into()).unwrap_err();
    assert!(matches!(
        error,
        MathError::StagesDoNotFit(u32::MAX) | MathError::StageRateTooLow { .. }
    ));
    let low = Growth {
        rate: 5e-324,
        ..many
    };
    assert_eq!(
        low.stage(Model::Exact, 1).unwrap_err().to_string(),
        "false-positive rate of stage 1 must be above 0, but its share of 5e-324 at a tightening ratio \
         of 0.5 is too small for an f64"
    );
}

#[test]
fn the_rate_of_full_stages_is_the_product_over_them() {
    for rate in [1e-9, 0.01, 0.5, 0.999_999] {
        for tightening in [
            1e-9,
            0.1,
            0.3,
            0.5,
            0.74,
            0.9,
            0.999,
            1.0 - f64::EPSILON / 2.0,
        ] {
            let growth = Growth {
                items: 1,
                rate,
                growth: 1,
                tightening,
            };
            for stages in [0, 1, 2, 3, 10, 1_000] {
                let one_by_one = compound_rate((0..stages).map(|stage| growth.stage_rate(stage)));
                let closed = growth.full_rate(stages);
                assert!(
                    (closed - one_by_one).abs() <= 1e-13 * one_by_one,
                    "{growth:?}, {stages}: {closed}, one by one {one_by_one}"
                );
            }
            assert!(growth.full_rate(u32::MAX) <= rate * (1.0 + 1e-15));
        }
    }
}

#[test]
fn shapes_are_shown_as_they_are_set() {
    let shape = shape(1_000, 0.01, 4, 0.8);
    assert_eq!(
        shape.to_string(),
        "from 1000 items at a false-positive rate of 1e-2, growth 4, tightening 0.8, at most 64 \
         stages"
    );
    assert!(
        shape
            .with_max_bytes(99)
            .unwrap()
            .to_string()
            .ends_with(" stages and 99 bytes")
    );
    assert_eq!(
        format!("{shape:?}"),
        "ScalableShape { items: 1000, rate: 0.01, growth: 4, tightening: 0.8, max_stages: 64, \
         max_bytes: None }"
    );
}
