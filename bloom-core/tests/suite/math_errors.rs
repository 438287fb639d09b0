//! Tests which arguments the formulas refuse, and which errors they return for them.

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::measured::{Band, Sample, Tolerance, share_bound, share_interval};
use bloom_core::math::{
    MAX_BITS, MathError, Model, Rate, estimate_items, estimate_pair, first_true, hash_floor,
    lower_bound_bits, partitioned, scalable::Growth, scalable::same_rate_compound, usual_rule,
};

#[test]
fn arguments_outside_the_domain_are_errors() {
    let model = Model::Exact;
    assert_eq!(model.rate(1, 0, 1), Err(MathError::NoBits));
    assert_eq!(model.rate(1, 1, 0), Err(MathError::NoHashes));
    let too_many = MAX_BITS + 1;
    assert_eq!(
        model.rate(1, too_many, 1),
        Err(MathError::TooManyBits(too_many))
    );
    assert_eq!(model.best_hashes(0, 10), Err(MathError::NoItems));
    assert_eq!(model.min_bits(0, 1, 0.5), Err(MathError::NoItems));
    for rate in [0.0, 1.0, -1.0, 2.0, f64::INFINITY] {
        let error = Err(MathError::RateOutOfRange(rate));
        assert_eq!(model.min_bits(1, 1, rate), error);
        assert_eq!(model.max_items(1, 1, rate), error);
        assert_eq!(model.min_size(1, rate).map(|(bits, _)| bits), error);
        assert_eq!(model.meets(1, 1, 1, rate).map(u64::from), error);
        assert_eq!(lower_bound_bits(1, rate).map(|_| 0), error);
    }
    assert!(model.min_size(1, f64::NAN).is_err());
    assert!(matches!(
        model.min_size(u64::MAX, 1e-300),
        Err(MathError::NeedsTooManyBits { .. })
    ));
    assert!(matches!(
        model.max_items(MAX_BITS, 1, 0.999),
        Err(MathError::HoldsTooManyItems { .. })
    ));
    assert_eq!(usual_rule(u64::MAX, 1e-300), Ok(None));
    assert_eq!(hash_floor(1, 0), Err(MathError::NoHashBits));
    assert!(estimate_items(10, 1, 11).is_err());
    let too_many = Err(MathError::TooManyOnes { ones: 11, bits: 10 });
    assert_eq!(estimate_pair(10, 1, 5, 5, 11), too_many);
}

#[test]
fn an_impossible_union_is_refused() {
    for (ones, other_ones, union_ones) in [(5, 5, 1), (5, 4, 4), (4, 5, 4), (5, 5, 11), (0, 0, 1)] {
        let error = estimate_pair(1_000, 3, ones, other_ones, union_ones).unwrap_err();
        assert_eq!(
            error,
            MathError::NoUnionOfBoth {
                ones,
                other_ones,
                union_ones
            }
        );
        assert_eq!(
            error.to_string(),
            format!(
                "set bits of the union must be at least those of each filter ({ones} and \
                 {other_ones}) and at most their sum, got {union_ones}"
            )
        );
    }
    for union_ones in 5..=10 {
        assert!(estimate_pair(1_000, 3, 5, 5, union_ones).is_ok());
    }
    assert_eq!(estimate_pair(1_000, 3, 900, 200, 1_000), Ok(None));
}

#[test]
fn impossible_blocks_and_slices_are_refused_with_rule_and_value() {
    let rate = |blocks, block| blocked::rate(10, blocks, block).map(Rate::value);
    let (bits, hashes) = (64, 3);
    let block = Block::Independent { bits, hashes };
    assert_eq!(rate(0, block), Err(MathError::NoBlocks));
    let none = Block::Independent { bits: 0, hashes };
    assert_eq!(rate(1, none), Err(MathError::NoBits));
    let bits = (1 << 16) + 1;
    let large = Block::Distinct { bits, hashes };
    assert_eq!(rate(1, large), Err(MathError::BlockTooLarge(bits.into())));
    let few = MathError::FewerBitsThanHashes { bits: 2, hashes };
    assert_eq!(rate(1, Block::Distinct { bits: 2, hashes }), Err(few));
    assert_eq!(partitioned::rate(10, 2, 3), Err(few));
    // The first item sets all bits of a block whose lanes have one bit each.
    let single = Block::Split {
        lanes: 8,
        lane_bits: 1,
    };
    assert_eq!(rate(1, single), Ok(1.0));
    assert_eq!(partitioned::rate(0, 10, 3).unwrap().value(), 0.0);
}

#[test]
fn impossible_measurements_are_refused_with_rule_and_value() {
    let messages = [
        Sample::new(&[1], 9).unwrap_err().to_string(),
        Sample::new(&[1, 1], 0).unwrap_err().to_string(),
        share_interval(10, 9, 0.1).unwrap_err().to_string(),
        share_bound(9, 1.5).unwrap_err().to_string(),
        Sample::new(&[0, 1 << 40], 1 << 40).unwrap_err().to_string(),
        share_bound(u64::MAX, 0.1).unwrap_err().to_string(),
        Band::new(9, 0.9, 0.1, 0.1).unwrap_err().to_string(),
        Tolerance::by_model(0.1, -5.0, 9, 9, 0.1)
            .unwrap_err()
            .to_string(),
        Tolerance::by_model(0.1, f64::NAN, 9, 9, 0.1)
            .unwrap_err()
            .to_string(),
    ];
    assert_eq!(
        messages,
        [
            "filters must be at least 2, got 1",
            "queries must be at least 1, got 0",
            "hits must not exceed the 9 queries, got 10",
            "error probability must be between 0 and 1 (exclusive), got 1.5",
            "queries in all must be at most 2^40, got 2199023255552",
            "queries in all must be at most 2^40, got 18446744073709551615",
            "lowest rate must be at most the highest rate (0.1), got 0.9",
            "standard deviation must be from 0 to 1, got -5.0",
            "standard deviation must be from 0 to 1, got NaN",
        ]
    );
    // Large numbers of trials are no error. In the first row, the limits are 6.2 standard deviations from the share of 1/2. In
    // the second, they are 0 and 33 of the 2^40 trials.
    for (trials, seen, low, high) in [
        (1 << 28, 1_u64 << 27, 0.4998, 0.5002),
        (1 << 40, 3, 0.0, 3e-11),
    ] {
        let interval = share_interval(seen, trials, 1e-9).unwrap();
        let share = seen as f64 / trials as f64;
        let ends = [low, interval.low, share, interval.high, high];
        assert!(
            ends.is_sorted() && interval.low < share && share < interval.high,
            "{ends:?}"
        );
    }
    assert_eq!(first_true(5, 3, 4, |_| true), None);
    assert_eq!(same_rate_compound(1.0, 0), 0.0);
}

/// With one hash, 1 - p is (1 - 1/m)^n. The expected sizes were computed from this formula with 60 digits.
#[test]
fn sizes_for_rates_near_one_are_as_exact_as_others() {
    let nearest = 1.0 - f64::EPSILON / 2.0;
    let model = Model::Exact;
    assert_eq!(
        model.min_size(100_000, 0.999_999_999_999_99),
        Ok((3_103, 1))
    );
    assert_eq!(model.min_size(100_000, nearest), Ok((2_723, 1)));
    assert_eq!(model.max_items(1_000, 1, 0.999_999_999_999_99), Ok(32_220));
    assert_eq!(model.max_items_and_hashes(64, nearest), Ok((2_332, 1)));
    assert_eq!(
        model.max_items_and_hashes(1_000_000, 0.999_999_999_999),
        Ok((27_631_029, 1))
    );
}

/// With a growth of 0, the functions must return an error, `None` or NaN, and not loop over 2^32 stages of a scalable filter.
#[test]
fn stages_without_items_have_no_sizes() {
    let growth = Growth {
        items: 1_000,
        rate: 0.01,
        growth: 0,
        tightening: 0.85,
    };
    assert_eq!(growth.check(), Err(MathError::NoGrowth));
    assert_eq!(growth.stages(1), Err(MathError::NoGrowth));
    assert_eq!((growth.stage_items(0), growth.stage_items(1)), (None, None));
    assert_eq!(growth.capacity(u32::MAX), None);
    assert!(growth.ideal_bits(u32::MAX).is_nan());
}

#[test]
fn a_rate_that_may_be_0_or_1_is_refused_outside_of_them() {
    assert!(Band::new(9, 0.0, 1.0, 0.1).is_ok());
    assert_eq!(
        Band::new(9, 1.5, 1.6, 0.1).unwrap_err().to_string(),
        "rate must be from 0 to 1, got 1.5"
    );
}
