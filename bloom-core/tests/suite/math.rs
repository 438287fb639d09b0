//! Tests properties of the formulas for rates, sizes and estimates: monotonicity, inverses, ties and the ends of their ranges.

use std::f64::consts::LN_2;

use bloom_core::math::blocked::{self, Block, Rates};
use bloom_core::math::{
    MAX_BITS, MathError, Model, asymptotic, counter_overflow, estimate_items, estimate_pair, exact,
    expected_fill, hash_floor, lower_bound_bits, lower_bound_bits_at, spread, textbook, usual_rule,
};
use proptest::prelude::*;

/// Returns by how much the values of ln p may differ for two rates p that count as equal: twice the error bound of the exact
/// rate.
fn slack(ln_p: f64) -> f64 {
    8e-14 + 4.0 * f64::EPSILON * ln_p.abs()
}

/// Integers up to `most`, distributed evenly over orders of magnitude.
fn wide(most: f64) -> impl Strategy<Value = u64> {
    (0.0..most.log2()).prop_map(|log| log.exp2() as u64)
}

/// Items n, bits m and hashes k. Apart from the rounding of m, n × k / m is from 1/16 to 4.
fn any_size() -> impl Strategy<Value = (u64, u64, u8)> {
    (wide(1e17), 1_u8..=40, -4.0..2.0_f64).prop_map(|(items, hashes, log_load)| {
        let bits = items as f64 * f64::from(hashes) / log_load.exp2();
        (items, (bits as u64).clamp(1, MAX_BITS / 2), hashes)
    })
}

fn any_model() -> impl Strategy<Value = Model> {
    prop_oneof![
        Just(Model::Exact),
        Just(Model::Textbook),
        Just(Model::Asymptotic)
    ]
}

/// Rates with four digits, from 1e-12 to nearly 1.
fn any_rate() -> impl Strategy<Value = f64> {
    (1.0..9.99_f64, -12..0_i32).prop_map(|(digits, exponent)| {
        let text = format!("{digits:.3}e{exponent}");
        text.parse().unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_rate_rises_with_items_and_falls_with_bits((n, m, k) in any_size()) {
        let rate = exact::rate(n, m, k).unwrap().ln();
        let more_items = exact::rate(n + 1 + n / 1_000, m, k).unwrap().ln();
        let more_bits = exact::rate(n, m + 1 + m / 1_000, k).unwrap().ln();
        prop_assert!(more_items >= rate - slack(rate));
        prop_assert!(more_bits <= rate + slack(rate));
        if m > 1 && rate < -1e-9 {
            prop_assert!(more_items > rate, "{rate} to {more_items}");
            prop_assert!(more_bits < rate, "{rate} to {more_bits}");
        }
    }

    #[test]
    fn the_three_models_are_ordered((n, m, k) in any_size()) {
        let exact = exact::rate(n, m, k).unwrap().ln();
        let textbook = textbook::rate(n, m, k).unwrap().ln();
        let asymptotic = asymptotic::rate(n, m, k).unwrap().ln();
        prop_assert!(textbook <= exact + slack(exact));
        prop_assert!(asymptotic <= textbook + slack(textbook));
    }

    #[test]
    fn both_forms_of_a_rate_agree((n, m, k) in any_size(), model in any_model()) {
        let rate = model.rate(n, m, k).unwrap();
        prop_assert!((0.0..=1.0).contains(&rate.value()));
        prop_assert!(rate.ln() <= 0.0);
        if rate.ln() > -700.0 {
            let error = (rate.value() / rate.ln().exp() - 1.0).abs();
            prop_assert!(error <= slack(rate.ln()));
        }
    }

    #[test]
    fn minimal_bits_meet_the_rate_and_one_less_misses(
        n in wide(1e12), k in 1_u8..=30, p in any_rate(), model in any_model(),
    ) {
        let Ok(m) = model.min_bits(n, k, p) else {
            prop_assert!(!model.meets(n, MAX_BITS, k, p).unwrap(), "{MAX_BITS} bits meet the rate");
            return Ok(());
        };
        prop_assert!(model.meets(n, m, k, p).unwrap());
        // `meets` compares more digits than an `f64` has, so a rate that meets `p` may round to just above `p`.
        prop_assert!(model.rate(n, m, k).unwrap().value() <= p * (1.0 + 1e-13));
        if m > 1 {
            prop_assert!(!model.meets(n, m - 1, k, p).unwrap());
        }
    }

    #[test]
    fn a_size_meets_the_rates_above_its_own_and_none_below(
        (n, m, k) in any_size(),
        model in any_model(),
        exponent in 3_i32..12,
    ) {
        let p = model.rate(n, m, k).unwrap().value();
        let (above, below) = (p * (1.0 + 0.1_f64.powi(exponent)), p * (1.0 - 0.1_f64.powi(exponent)));
        prop_assume!(below > 1e-300 && above < 1.0);
        prop_assert!(model.meets(n, m, k, above).unwrap());
        prop_assert!(!model.meets(n, m, k, below).unwrap());
    }

    #[test]
    fn a_minimal_size_has_no_smaller_one(n in wide(1e12), p in any_rate(), model in any_model()) {
        let (m, k) = model.min_size(n, p).unwrap();
        prop_assert!(model.meets(n, m, k, p).unwrap());
        // With one hash less, m bits miss the rate. With m - 1 bits, k hashes and all numbers of hashes near k miss it.
        prop_assert!(k == 1 || !model.meets(n, m, k - 1, p).unwrap());
        for hashes in k.saturating_sub(12).max(1)..k + 12 {
            prop_assert!(m == 1 || !model.meets(n, m - 1, hashes, p).unwrap());
        }
    }

    #[test]
    fn maximal_items_meet_the_rate_and_one_more_misses(
        m in wide(1e12), k in 1_u8..=30, p in any_rate(), model in any_model(),
    ) {
        let n = model.max_items(m, k, p).unwrap();
        prop_assert!(n == 0 || model.meets(n, m, k, p).unwrap());
        prop_assert!(!model.meets(n + 1, m, k, p).unwrap());
    }

    #[test]
    fn no_number_of_hashes_takes_more_than_the_maximal_items(m in wide(1e12), p in any_rate()) {
        let model = Model::Exact;
        let (n, k) = model.max_items_and_hashes(m, p).unwrap();
        prop_assert_eq!(model.max_items(m, k, p).unwrap(), n);
        for hashes in k.saturating_sub(12).max(1)..k + 12 {
            prop_assert!(!model.meets(n + 1, m, hashes, p).unwrap());
        }
    }

    #[test]
    fn minimal_bits_and_maximal_items_invert_the_rate(
        n in wide(1e9), k in 1_u8..=20, load in 0.1..2.0_f64, model in any_model(),
    ) {
        let m = ((n as f64 * f64::from(k) / load) as u64).max(2);
        let rate = model.rate(n, m, k).unwrap();
        prop_assume!(rate.ln() < -1e-3);
        // The `f64` nearest to the true rate may be slightly below it, and then m bits would miss this `f64`.
        let rounded_up = rate.value() * (1.0 + 1e-12);
        prop_assert_eq!(model.min_bits(n, k, rounded_up).unwrap(), m);
        prop_assert_eq!(model.max_items(m, k, rounded_up).unwrap(), n);
    }

    #[test]
    fn the_best_hashes_have_no_better_neighbour((n, m, _) in any_size(), model in any_model()) {
        let best = model.best_hashes(n, m).unwrap();
        let rate = |k| model.rate(n, m, k).unwrap().ln();
        let lowest = rate(best);
        for k in 1..=best.saturating_add(40) {
            prop_assert!(rate(k) >= lowest - slack(lowest), "{k} beats {best}");
        }
    }

    #[test]
    fn the_range_of_hashes_has_exactly_those_that_meet_the_rate(n in 1_u64..300, c in 2_u64..40, p in any_rate()) {
        let m = n * c;
        let range = Model::Exact.hashes_range(n, m, p).unwrap();
        for k in 1..=255 {
            let inside = range.as_ref().is_some_and(|range| range.contains(&k));
            prop_assert_eq!(Model::Exact.meets(n, m, k, p).unwrap(), inside, "{}", k);
        }
    }

    #[test]
    fn no_size_is_under_the_lower_bound(n in wide(1e12), p in any_rate()) {
        // The lower bound, n log2(1/p) bits, holds if the set is much smaller than its universe.
        let (m, _) = Model::Asymptotic.min_size(n, p).unwrap();
        prop_assert!(m as f64 >= lower_bound_bits(n, p).unwrap());
    }

    #[test]
    fn the_estimate_inverts_the_expected_fill(n in 1_u64..10_000, k in 1_u8..20) {
        let m = 1_000_000;
        let ones = expected_fill(n, m, k).unwrap() * m as f64;
        let estimate = estimate_items(m, k, ones.round() as u64).unwrap().unwrap();
        prop_assert!((estimate.items - n as f64).abs() <= 1.0);
    }
}

#[test]
fn known_sizes_and_rates_hold() {
    let model = Model::Exact;
    assert_eq!(model.min_size(2_000, 0.01), Ok((19_188, 7)));
    assert_eq!(Model::Textbook.min_size(2_000, 0.01), Ok((19_187, 7)));
    assert_eq!(Model::Asymptotic.min_size(2_000, 0.01), Ok((19_186, 7)));
    assert_eq!(model.max_items(20_000, 5, 0.01), Ok(2_030));
    assert_eq!(model.best_hashes(2_000, 20_000), Ok(7));
    let usual = usual_rule(2_000, 0.01).unwrap().unwrap();
    assert_eq!((usual.bits, usual.hashes), (19_171, 7));
    assert!((usual.rate.value() - 0.010_041_5).abs() < 5e-8);
    // For these arguments (m/n) ln 2 rounds to 0, but at least one hash is used.
    assert_eq!(usual_rule(1_000, 0.9).unwrap().unwrap().hashes, 1);
}

#[test]
fn ties_are_decided_on_the_exact_value_of_the_target() {
    // With one item and one hash, the rate is exactly 1/m. As an f64, 0.01 is slightly more than 1/100, 1e-6
    // slightly less than 1/10^6, and 1/3 slightly less than a third.
    assert_eq!(Model::Exact.min_bits(1, 1, 0.01), Ok(100));
    assert_eq!(Model::Exact.min_bits(1, 1, 1e-6), Ok(1_000_001));
    assert_eq!(Model::Exact.min_bits(1, 1, 1.0 / 3.0), Ok(4));
    assert_eq!(Model::Exact.min_bits(1, 1, 0.5), Ok(2));
    assert_eq!(Model::Textbook.min_bits(1, 1, 1e-6), Ok(1_000_001));
    // One and two hashes both have a rate of 1/3 here. The smaller number of hashes counts as the best.
    assert_eq!(Model::Exact.best_hashes(1, 3), Ok(1));
}

/// Returns, for each x, the number of ways in which `throws` balls fall into exactly x of `bits` bins.
fn ways(bits: u128, throws: u32) -> Vec<u128> {
    let mut ways = vec![0; bits as usize + 1];
    ways[0] = 1;
    for _ in 0..throws {
        for x in (1..ways.len()).rev() {
            ways[x] = ways[x] * x as u128 + ways[x - 1] * (bits - x as u128 + 1);
        }
        ways[0] = 0;
    }
    ways
}

#[test]
fn every_small_size_is_decided_as_by_exact_fractions() {
    for (bits, items, hashes) in (1..=10_u128)
        .flat_map(|m| (1..=3_u32).flat_map(move |n| (1..=3_u32).map(move |k| (m, n, k))))
    {
        // The exact rate is a fraction of integers: the sum of ways(x) × x^k over all x, divided by m^(k × n + k).
        let throws = items * hashes;
        let ways = ways(bits, throws).into_iter().enumerate();
        let hits: u128 = ways.map(|(x, ways)| ways * (x as u128).pow(hashes)).sum();
        let all = bits.pow(throws + hashes);
        let nearest = hits as f64 / all as f64;
        for target in [-1_i64, 0, 1].map(|ulps| (nearest.to_bits() as i64 + ulps) as u64) {
            let target = f64::from_bits(target);
            if target >= 1.0 {
                continue;
            }
            // The target is exactly mantissa / 2^shift.
            let mantissa = u128::from(target.to_bits() & ((1 << 52) - 1) | 1 << 52);
            let shift = 1075 - (target.to_bits() >> 52);
            let met = hits << shift <= mantissa * all;
            let (n, m, k) = (u64::from(items), bits as u64, hashes as u8);
            let ours = Model::Exact.meets(n, m, k, target).unwrap();
            assert_eq!(ours, met, "n = {n}, m = {m}, k = {k} at {target:e}");
        }
    }
}

#[test]
fn more_hashes_are_wanted_only_where_256_are_better_than_255() {
    // With one item, more than 255 hashes are best from 476 bits on.
    for bits in 1..1_000 {
        let best = Model::Exact.best_hashes(1, bits).unwrap();
        let wants_more = Model::Exact.wants_more_hashes(1, bits).unwrap();
        assert!(best == 255 || !wants_more, "{bits}");
    }
    // For some sizes, 255 hashes are the best number, and 256 are not better.
    let just_best = |bits: &u64| {
        Model::Exact.best_hashes(1, *bits) == Ok(255)
            && Model::Exact.wants_more_hashes(1, *bits) == Ok(false)
    };
    assert!((1..1_000).any(|bits| just_best(&bits)));
    assert_eq!(Model::Exact.wants_more_hashes(1, 1_000), Ok(true));
    // Computed by exact fractions, 256 hashes have a lower rate in 476 bits than 255 and than 257.
    assert_eq!(Model::Exact.wants_more_hashes(1, 476), Ok(true));
    assert_eq!(Model::Exact.wants_more_hashes(2_000, 20_000), Ok(false));
}

#[test]
fn maximal_items_are_those_of_the_best_of_all_hashes() {
    for model in [Model::Exact, Model::Textbook, Model::Partitioned] {
        for bits in (1..150).step_by(4) {
            for rate in [0.3, 0.05, 0.004] {
                let most = (1..=12)
                    .map(|hashes| model.max_items(bits, hashes, rate).unwrap_or(0))
                    .max();
                let (items, _) = model.max_items_and_hashes(bits, rate).unwrap();
                assert_eq!(Some(items), most, "{model:?} {bits} {rate}");
            }
        }
    }
}

#[test]
fn rates_under_the_range_of_f64_keep_their_logarithm() {
    let rate = exact::rate(1, 1 << 62, 255).unwrap();
    assert_eq!(rate.value(), 0.0);
    assert!(rate.ln() < -9_000.0 && rate.ln().is_finite());
}

#[test]
fn rates_and_spreads_are_numbers_at_every_load() {
    for n in [1, 2, 7, 8, 1_000, 1 << 40, 1 << 54, u64::MAX] {
        for m in [1, 2, 19, 64, 1_000, 1 << 30, 782_227_029_865_214, MAX_BITS] {
            for k in [1, 2, 12, 22, 255] {
                let size = format!("{n} items, {m} bits, {k} hashes");
                let spread = spread(n, m, k).unwrap();
                let (p, ln_p) = (spread.mean.value(), spread.mean.ln());
                assert!((0.0..=1.0).contains(&p), "{size}: {p}");
                assert!(ln_p.is_finite() && ln_p <= 0.0, "{size}: {ln_p}");
                assert!(ln_p != 0.0 || ln_p.is_sign_positive(), "{size}: -0");
                // No random number from 0 to 1 has a larger standard deviation than a fair coin with the values 0 and 1: 1/2.
                assert!((0.0..=0.5).contains(&spread.standard_deviation), "{size}");
            }
        }
    }
}

/// `Rates` keeps the rates of single blocks for later calls. It must return the same results as the functions of `blocked`,
/// which compute these rates anew.
#[test]
fn cached_rates_inside_blocks_equal_those_of_single_calls() {
    for block in [
        Block::Independent {
            bits: 512,
            hashes: 7,
        },
        Block::Independent {
            bits: 32,
            hashes: 3,
        },
        Block::Distinct {
            bits: 512,
            hashes: 6,
        },
        Block::Split {
            lanes: 8,
            lane_bits: 32,
        },
        Block::Split {
            lanes: 1,
            lane_bits: 65_536,
        },
    ] {
        let mut rates = Rates::new(block).unwrap();
        for items in [1_000_000_000, 1, 70, 100_000, 3, u64::MAX] {
            for blocks in [1, 2, 1_000, 77, 1 << 40] {
                let rate = blocked::rate(items, blocks, block);
                assert_eq!(
                    rates.rate(items, blocks),
                    rate,
                    "{block:?} {items} {blocks}"
                );
            }
            for rate in [0.3, 0.001] {
                let fewest = blocked::min_blocks(items, block, rate);
                assert_eq!(
                    rates.min_blocks(items, rate),
                    fewest,
                    "{block:?} {items} {rate}"
                );
            }
        }
        assert_eq!(rates.rate(5, 0), Err(MathError::NoBlocks));
        assert_eq!(rates.min_blocks(0, 0.1), Err(MathError::NoItems));
    }
    let nothing = Block::Independent { bits: 0, hashes: 1 };
    assert_eq!(Rates::new(nothing).err(), Some(MathError::NoBits));
}

#[test]
fn edges_have_their_plain_values() {
    for model in [Model::Exact, Model::Textbook, Model::Asymptotic] {
        assert_eq!(model.rate(0, 100, 3).unwrap().value(), 0.0);
        assert_eq!(model.rate(0, 100, 3).unwrap().ln(), f64::NEG_INFINITY);
        assert!(model.rate(u64::MAX, MAX_BITS, 255).unwrap().value() > 0.99);
        assert_eq!(model.rate(u64::MAX, 2, 255).unwrap().value(), 1.0);
    }
    for model in [Model::Exact, Model::Asymptotic, Model::Partitioned] {
        let ln = model.rate(u64::MAX, 300, 255).unwrap().ln();
        assert_eq!(ln.to_bits(), 0, "{ln} is not 0, or -0");
    }
    assert_eq!(exact::rate(1, 1, 1).unwrap().value(), 1.0);
    assert_eq!(exact::rate(1, 4, 2).unwrap().value(), 13.0 / 64.0);
    assert_eq!(expected_fill(0, 10, 3), Ok(0.0));
    assert_eq!(expected_fill(1, 1, 1), Ok(1.0));
    assert_eq!(hash_floor(0, 64), Ok(0.0));
    assert_eq!(spread(0, 10, 3).unwrap().standard_deviation, 0.0);
    assert_eq!(Model::Exact.max_items(1, 1, 0.5), Ok(0));
    assert_eq!(Model::Exact.max_items_and_hashes(1, 0.5), Ok((0, 1)));
}

#[test]
fn the_usual_rule_answers_up_to_the_largest_number_of_bits() {
    let usual = |items, rate| usual_rule(items, rate).unwrap();
    let rate = 0.021_415_847_120_683_72;
    assert_eq!(usual(1 << 60, rate).map(|usual| usual.bits), Some(MAX_BITS));
    assert_eq!(usual(1 << 60, rate - 1e-15), None);
}

#[test]
fn the_lower_bound_is_known_where_no_f64_holds_the_rate() {
    let all = exact::rate(1, 1, 1).unwrap();
    assert!(lower_bound_bits_at(1, all).to_bits() == 0, "not 0, or -0");
    for p in [0.9, 0.5, 0.01, 1e-300] {
        let bits = lower_bound_bits(7, p).unwrap();
        assert_eq!(lower_bound_bits_at(7, all.at_most(p)), bits);
    }
    assert_eq!(lower_bound_bits(3, 2f64.powi(-62)), Ok(186.0));
    let tiny = exact::rate(1, 1 << 62, 255).unwrap();
    let bits = lower_bound_bits_at(1, tiny);
    assert!((bits / (-tiny.ln() / LN_2) - 1.0).abs() < 1e-15, "{bits}");
    // This rate is 1 - 2^-100, which rounds to 1 as an `f64`.
    let near = exact::rate(100, 2, 1).unwrap();
    let bits = 100.0 * 2f64.powi(-100) / LN_2;
    assert!((lower_bound_bits_at(100, near) / bits - 1.0).abs() < 1e-13);
    assert_eq!(lower_bound_bits_at(0, exact::rate(0, 1, 1).unwrap()), 0.0);
}

#[test]
fn every_estimate_is_a_finite_number() {
    for bits in [
        1,
        2,
        3,
        64,
        1_000,
        1 << 53,
        (1 << 53) + 1,
        MAX_BITS - 1,
        MAX_BITS,
    ] {
        for hashes in [1, 7, 255] {
            assert_eq!(estimate_items(bits, hashes, bits), Ok(None));
            let mut before = -1.0;
            let clear = [bits, bits / 2, 1_000, 3, 2, 1];
            for clear in clear.into_iter().filter(|clear| (1..=bits).contains(clear)) {
                let ones = bits - clear;
                let estimate = estimate_items(bits, hashes, ones).unwrap().unwrap();
                assert!(estimate.items.is_finite() && estimate.items >= 0.0);
                assert!(estimate.standard_deviation.is_finite());
                let pair = estimate_pair(bits, hashes, ones, ones, ones);
                let both = pair.unwrap().unwrap().intersection;
                assert_eq!(both.items, estimate.items);
                assert!(both.standard_deviation.is_finite());
                before = estimate.items.max(before);
            }
            let last = estimate_items(bits, hashes, bits - 1).unwrap().unwrap();
            assert_eq!(last.items, before, "highest with one clear bit");
        }
    }
}

#[test]
fn overflow_probabilities_are_between_0_and_1_at_every_size() {
    for items in [0, 1, 1_000, 1 << 32, 1 << 62, u64::MAX] {
        for bits in [1, 2, 1_000, 1 << 20, 1 << 40, MAX_BITS] {
            for hashes in [1, 2, 255] {
                let mut before = 1.0;
                for threshold in [0, 1, 2, 16, 1_024, 1_025, 70_000_000, 100_000_000, u32::MAX] {
                    let size = format!("{items}, {bits}, {hashes}, {threshold}");
                    let overflow = counter_overflow(items, bits, hashes, threshold).unwrap();
                    for chance in [overflow.one, overflow.any_at_least, overflow.any_at_most] {
                        assert!((0.0..=1.0).contains(&chance), "{size}: {overflow:?}");
                    }
                    assert!(overflow.any_at_least <= overflow.any_at_most, "{size}");
                    assert!(
                        overflow.one <= before,
                        "{size}: more than at a lower threshold"
                    );
                    before = overflow.one;
                }
            }
        }
    }
}
