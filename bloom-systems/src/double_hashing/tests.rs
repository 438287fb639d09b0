//! Compares approximate rates of double hashing, of first order in 1/m, and their bounds with exact rates by enumeration.
//! Compares the computed effects of overflows with those of all patterns of overflows.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::enumeration::{Enumeration, gcd};
use super::repeated::Repeated;
use super::together::Split;
use super::*;
use bloom_core::math::MAX_BITS;

extern crate std;

/// The patterns of overflows and signs of `points` sums a + i b, each with its probability.
fn patterns(points: i64, split: Split) -> BTreeMap<Vec<(i64, bool)>, f64> {
    let halves = if split == Split::Reflected { 2 } else { 1 };
    let mut turns: Vec<(i64, i64)> = Vec::new();
    for below in 1..points {
        for above in 0..=halves * below {
            turns.push((above, halves * below));
        }
    }
    // 720,720 is a multiple of all denominators up to 16.
    turns.sort_by_key(|(above, below)| (above * 720_720 * 1000) / below);
    let turn = |(above, below): (i64, i64)| above as f64 / below as f64;
    let mut patterns = BTreeMap::new();
    for pair in turns.windows(2) {
        let (from, to) = (turn(pair[0]), turn(pair[1]));
        if to - from < 1e-9 {
            continue;
        }
        // A border is a value of `a` at which the pattern changes. A turn is a value of `b` at which borders meet. Between two
        // turns, the borders keep their order, and their distances are linear in `b`.
        let b = f64::midpoint(from, to);
        let mut borders = vec![0.0, 1.0];
        for index in 0..points {
            for half in 0..halves {
                borders.push((half as f64 / halves as f64 - index as f64 * b).rem_euclid(1.0));
            }
        }
        borders.sort_by(f64::total_cmp);
        for ends in borders.windows(2) {
            let a = f64::midpoint(ends[0], ends[1]);
            let pattern = (0..points).map(|index| {
                let sum = a + index as f64 * b;
                let negative = halves == 2 && sum - sum.floor() >= 0.5;
                (sum.floor() as i64 + i64::from(negative), negative)
            });
            *patterns.entry(pattern.collect()).or_insert(0.0) += (ends[1] - ends[0]) * (to - from);
        }
    }
    patterns
}

/// The expected number of groups of each size from 3 on into which overflows split a line of `points`.
fn groups(points: usize, split: Split) -> Vec<f64> {
    let patterns: Vec<_> = patterns(points as i64, split).into_iter().collect();
    // At index i, the expected number of groups with a point after which exactly i further points of the group come.
    let mut later = vec![0.0; points + 1];
    let mut slopes = Vec::new();
    for (item, of_item) in &patterns {
        for (query, of_query) in &patterns {
            for from in 0..points {
                if item[from].1 != query[from].1 {
                    continue;
                }
                let apart = |t: usize| item[t].0 - query[t].0;
                slopes.clear();
                for to in (from + 1..points).filter(|to| item[*to].1 == query[*to].1) {
                    // The factor is a multiple of all denominators up to 16. With larger denominators, slopes stay distinct
                    // after rounding.
                    slopes.push((apart(to) - apart(from)) * 720_720 * 1000 / (to - from) as i64);
                }
                slopes.sort_unstable();
                for group in slopes.chunk_by(|one, other| one == other) {
                    later[group.len()] += of_item * of_query;
                }
            }
        }
    }
    // Points of opposite signs form as many groups as points of equal signs.
    let signs = if split == Split::Reflected { 2.0 } else { 1.0 };
    let exactly = |size: usize| signs * (later[size - 1] - later[size]);
    (3..=points).map(exactly).collect()
}

#[test]
#[ignore = "prints the tables, a minute: cargo test --release -p bloom-systems --lib print_the_tables -- --ignored --nocapture"]
fn print_the_tables() {
    for (split, most) in [(Split::Wrapped, 24), (Split::Reflected, 12)] {
        std::eprintln!("{split:?}");
        for points in 3..=most {
            let row: Vec<_> = groups(points, split);
            let row: Vec<_> = row.iter().map(|x| std::format!("{x:.5}")).collect();
            std::eprintln!("    &[{}],", row.join(", "));
        }
    }
}

#[test]
fn the_table_of_groups_is_that_of_all_patterns_of_overflows() {
    for (split, most) in [(Split::Wrapped, 9), (Split::Reflected, 6)] {
        for points in 3..=most {
            for (index, expected) in groups(points, split).into_iter().enumerate() {
                // Groups of one size have the weight 1, and all others 0. So the mean weight is the expected number of groups
                // of this size.
                let mut weights = vec![0.0; points + 1];
                weights[index + 3] = 1.0;
                let found = split.mean(&weights, points, false);
                assert!((found - expected).abs() < 6e-6, "{points} {index}: {found}");
            }
        }
    }
}

/// For each z, the expected number of values b for which z of k positions repeat others: computed from all patterns of
/// overflows, exactly up to rounding.
fn repeated(k: usize, twos: usize) -> Vec<f64> {
    let mut ways = vec![0.0; k];
    for (pattern, probability) in patterns(k as i64, Split::Wrapped) {
        for order in [1, 2, 4, 8].into_iter().filter(|order| *order <= twos) {
            let mut slopes = Vec::new();
            for one in 0..k {
                for other in (one + order..k).step_by(order) {
                    let (rise, run) = (pattern[other].0 - pattern[one].0, (other - one) as i64);
                    let common = gcd(rise.unsigned_abs(), run as u64) as i64;
                    slopes.push((rise / common, run / common));
                }
            }
            slopes.sort_unstable();
            slopes.dedup();
            for (rise, run) in slopes {
                let place =
                    |index: usize| (index % order, pattern[index].0 * run - rise * index as i64);
                let mut places: Vec<_> = (0..k).map(place).collect();
                places.sort_unstable();
                places.dedup();
                // The number of values b with this order modulo the power of two.
                let values = (order / 2).max(1) as f64;
                ways[k - places.len()] += values * probability;
            }
        }
    }
    ways
}

#[test]
fn averaged_coincidences_are_those_of_all_patterns_of_overflows() {
    for (k, bits) in [
        (5, 1_001_u64),
        (7, 9_600),
        (10, 71_936),
        (14, 1_002),
        (20, 1_001),
        (40, 1_001),
    ] {
        let exact = repeated(k, 1 << bits.trailing_zeros().min(3));
        let averaged = Repeated::new(Split::Wrapped, bits, k);
        for fill in [0.1_f64, 0.5] {
            let sum = |ways: &[f64]| {
                let terms = ways.iter().enumerate();
                let terms = terms.map(|(lost, ways)| ways * fill.powi((k - lost) as i32));
                terms.skip(1).sum::<f64>()
            };
            let off = (sum(&averaged.ways) / sum(&exact) - 1.0).abs();
            assert!(off < averaging_error(k), "{k} {bits}: {off}");
        }
    }
}

#[test]
fn the_first_order_is_within_its_margin_of_the_enumeration() {
    let mut compared = 0;
    for hashes in 3..=12 {
        for bits in [
            31, 64, 97, 127, 128, 192, 251, 256, 360, 509, 512, 960, 1_021,
        ] {
            let scheme = Scheme::Modular { bits: 64 };
            let Some(pairs) = Enumeration::within(8_000_000, scheme, bits, hashes) else {
                continue;
            };
            for per_item in [1, 2, 5, 10, 15, 20, 40, 100, 1_000] {
                let items = (bits / per_item).max(1);
                let rate = pairs.rate(items);
                let independent = exact::rate(items, bits, hashes).unwrap().value();
                let first = Fill::new(&Known::default(), items, bits, hashes)
                    .both(Split::None, hashes)
                    .0;
                let off = rate - independent - first.value;
                let share = (f64::from(hashes).powi(2) / bits as f64).min(1.0);
                let size = (items, bits, hashes);
                assert!(off <= share * first.size + 1e-15, "{size:?}: {off}");
                assert!(
                    -off <= share / (1.0 + share) * first.size + 1e-15,
                    "{size:?}: {off}"
                );
                // Usual filters: at least 10 items and 500 bits, and a rate below 0.1.
                if items >= 10 && bits >= 500 && rate < 0.1 {
                    let value = first.value;
                    assert!(off.abs() < 0.1 * value, "{size:?}: {off} of {value}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 800, "{compared}");
}

#[test]
fn the_first_order_of_enhanced_double_hashing_is_most_of_its_excess() {
    for (bits, per_item, hashes) in [(251, 10, 7), (256, 10, 7), (509, 5, 3)] {
        let items = (bits + per_item / 2) / per_item;
        let rate = Enumeration::new(Scheme::Enhanced, bits, hashes)
            .unwrap()
            .rate(items);
        let independent = exact::rate(items, bits, hashes).unwrap().value();
        let (low, high) = Fill::new(&Known::default(), items, bits, hashes).enhanced();
        let excess = rate - independent;
        assert!(
            (low.value..high.value).contains(&excess),
            "{excess} {low:?} {high:?}"
        );
    }
}

/// Returns the exact rate of filters of one item: among all pairs of an item, whose first hash value is 0, and a query, the
/// share in which the item has all positions of the query.
fn of_one_item(scheme: Scheme, bits: u64, hashes: u8) -> f64 {
    let mask = |a, b| {
        let positions = scheme.positions(a, b, bits, hashes);
        positions.fold(0_u32, |mask, position| mask | 1 << position)
    };
    let of_item: Vec<u32> = (0..bits).map(|b| mask(0, b)).collect();
    let queries = (0..bits).flat_map(|a| (0..bits).map(move |b| mask(a, b)));
    let found = |query| of_item.iter().filter(|item| query & !**item == 0).count();
    queries.map(found).sum::<usize>() as f64 / bits.pow(3) as f64
}

#[test]
fn bounds_hold_for_any_number_of_hashes_in_few_bits() {
    let mut compared = 0;
    for scheme in [Scheme::Modular { bits: 64 }, Scheme::Enhanced] {
        for bits in 8..=30 {
            for hashes in 3..=40 {
                let independent = exact::rate(1, bits, hashes).unwrap().value();
                let added = of_one_item(scheme, bits, hashes) - independent;
                let bounds = excess(scheme, 1, bits, hashes).unwrap();
                let range = bounds.low - 1e-12..=bounds.high + 1e-12;
                assert!(
                    range.contains(&added),
                    "{scheme:?} {bits} {hashes}: {added} {bounds:?}"
                );
                compared += u32::from(bounds.low < bounds.high);
            }
        }
    }
    assert!(compared > 900, "{compared}");
}

#[test]
fn slow_cases_are_not_enumerated() {
    assert!(Enumeration::new(Scheme::Modular { bits: 64 }, 1 << 40, 7).is_none());
    assert!(Enumeration::new(Scheme::Enhanced, 1 << 13, 7).is_none());
    assert!(Enumeration::new(Scheme::Modular { bits: 64 }, 1 << 8, 7).is_some());
    assert!(Enumeration::new(Scheme::Modular { bits: 64 }, MAX_BITS, 255).is_none());
}
