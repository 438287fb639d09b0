//! Compares the computed excess of double hashing, which is what double hashing adds to the false-positive rate of k
//! independent positions, with simulated filters. Their positions come from random hash values, by the arithmetic of libraries.

use bloom_core::math::{MAX_BITS, MathError, exact};
use bloom_systems::double_hashing::{Excess, Scheme, excess};

/// Returns a library's position i among m bits, for an item with 64-bit hash values a and b. The arguments are a, b, i and m.
type Position = fn(u64, u64, u64, u64) -> u64;

/// The libraries, each with its scheme in this crate, and the position i of an item by the arithmetic of the library's source.
const LIBRARIES: [(&str, Scheme, Position); 5] = [
    ("guava", Scheme::Wrapping { bits: 63 }, |a, b, i, m| {
        (a.wrapping_add(i.wrapping_mul(b)) & i64::MAX as u64) % m
    }),
    ("redis", Scheme::Wrapping { bits: 64 }, |a, b, i, m| {
        a.wrapping_add(i.wrapping_mul(b)) % m
    }),
    ("spark", Scheme::Modular { bits: 32 }, |a, b, i, m| {
        // Spark's hash values have 32 bits, here the lower ones of a and b. Negative sums are flipped.
        let sum = i64::from(a as i32) * 0x7fff_ffff + (i as i64 + 1) * i64::from(b as i32);
        (if sum < 0 { !sum } else { sum }) as u64 % m
    }),
    ("cassandra", Scheme::Reflected, |a, b, i, m| {
        let sum = (a as i64).wrapping_add((i as i64).wrapping_mul(b as i64));
        (sum % m as i64).unsigned_abs()
    }),
    (
        "bloomfilter",
        Scheme::WrappingWithoutSecond { bits: 64 },
        |a, b, i, m| match i {
            0 => a % m,
            1 => b % m,
            _ => a.wrapping_add(i.wrapping_mul(b)) % 0xffff_ffff_ffff_ffc5 % m,
        },
    ),
];

/// The 64-bit generator SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the mean excess of simulated filters over the exact rate of independent positions, and the standard error of this
/// mean.
///
/// The fill of a filter, to the power k, predicts most of the filter's rate. So this prediction and the difference of the rate
/// from it are averaged separately.
fn measure(
    position: Position,
    (items, bits, hashes): (u64, u64, u8),
    filters: u64,
    queries: u64,
) -> (f64, f64) {
    let mut state = bits * 1_000 + u64::from(hashes);
    let mut sums = [0.0; 4];
    let places = 0..u64::from(hashes);
    let mut row = vec![false; bits as usize];
    for _ in 0..filters {
        row.fill(false);
        for _ in 0..items {
            let (a, b) = (random(&mut state), random(&mut state));
            places
                .clone()
                .for_each(|i| row[position(a, b, i, bits) as usize] = true);
        }
        let mut hits = 0;
        for _ in 0..queries {
            let (a, b) = (random(&mut state), random(&mut state));
            let found = places
                .clone()
                .all(|i| row[position(a, b, i, bits) as usize]);
            hits += u64::from(found);
        }
        let set = row.iter().filter(|bit| **bit).count();
        let own = (set as f64 / bits as f64).powi(hashes.into());
        let apart = hits as f64 / queries as f64 - own;
        let terms = [own, own * own, apart, apart * apart];
        sums.iter_mut()
            .zip(terms)
            .for_each(|(sum, term)| *sum += term);
    }
    let [own, own_square, apart, apart_square] = sums.map(|sum| sum / filters as f64);
    let variance = own_square - own * own + apart_square - apart * apart;
    let independent = exact::rate(items, bits, hashes).unwrap().value();
    (
        own + apart - independent,
        (variance / filters as f64).sqrt(),
    )
}

/// Checks that the measured excess is within the computed bounds, or outside by at most a slack of 6.2 standard deviations, and
/// returns the slack and the bounds. A normally distributed number exceeds this slack less than once in 10^9 times.
#[track_caller]
fn check(name: &str, size: (u64, u64, u8), filters: u64, queries: u64) -> (f64, Excess) {
    let (_, scheme, position) = LIBRARIES.into_iter().find(|row| row.0 == name).unwrap();
    let bounds = excess(scheme, size.0, size.1, size.2).unwrap();
    let (measured, deviation) = measure(position, size, filters, queries);
    let m = size.1 as f64;
    println!(
        "{name} {size:?}: {:.4} +- {:.4} of {:.4} to {:.4}, over m",
        measured * m,
        deviation * m,
        bounds.low * m,
        bounds.high * m
    );
    let slack = 6.2 * deviation;
    assert!(
        (bounds.low - slack..=bounds.high + slack).contains(&measured),
        "{name} {size:?}: {measured} +- {deviation}, {bounds:?}"
    );
    (slack, bounds)
}

#[test]
fn simulated_filters_of_libraries_have_the_excess_of_their_scheme() {
    for (name, size) in [
        ("guava", (72, 1_088, 10)),
        ("guava", (20, 192, 7)),
        ("guava", (10, 192, 10)),
        ("guava", (4, 192, 30)),
        ("guava", (3, 192, 20)),
        ("guava", (10, 448, 20)),
        ("guava", (30, 1_344, 30)),
        ("redis", (60, 704, 8)),
        ("redis", (23, 448, 13)),
        ("spark", (72, 1_088, 10)),
        ("cassandra", (50, 1_024, 10)),
        ("cassandra", (70, 1_088, 7)),
        ("bloomfilter", (72, 1_000, 10)),
    ] {
        let (slack, bounds) = check(name, size, 4_000, 2_000);
        // The slack is small enough to detect independent positions, or a wrong scheme.
        assert!(slack < 0.45 * bounds.high, "{name} {size:?}: {slack}");
    }
}

#[test]
#[ignore = "12 minutes: cargo test --release -p bloom-systems --test suite double_hashing:: -- --ignored --nocapture"]
fn large_simulated_filters_of_libraries_have_the_excess_of_their_scheme() {
    for (name, size, filters, queries) in [
        ("guava", (1_000, 9_600, 7), 20_000, 20_000),
        ("guava", (1_000, 14_400, 10), 10_000, 40_000),
        ("guava", (5_000, 71_936, 10), 10_000, 200_000),
        ("redis", (1_000, 11_072, 8), 20_000, 20_000),
        ("spark", (1_000, 9_600, 7), 20_000, 20_000),
        ("spark", (5_000, 71_936, 10), 10_000, 100_000),
        ("cassandra", (1_000, 10_048, 5), 20_000, 40_000),
        ("cassandra", (1_000, 16_064, 8), 20_000, 40_000),
        ("guava", (1_000, 5_056, 3), 100_000, 20_000),
        ("guava", (5_000, 47_936, 7), 40_000, 100_000),
    ] {
        check(name, size, filters, queries);
    }
}

/// Spark's hashes have 32 bits, so a large filter has nearly as many bits as there are hash values, or more. The filters of
/// this test are like it on a small scale: they have 1,088 bits and hashes of 9 to 12 bits.
#[test]
fn narrow_hashes_have_an_excess_within_wider_bounds() {
    let size = (60, 1_088, 10);
    for (bits, position) in [
        (9, (|a, b, i, m| (a % m + i * (b % 512)) % m) as Position),
        (10, |a, b, i, m| (a % m + i * (b % 1_024)) % m),
        (12, |a, b, i, m| (a % m + i * (b % 4_096)) % m),
    ] {
        let bounds = excess(Scheme::Modular { bits }, size.0, size.1, size.2).unwrap();
        let (measured, deviation) = measure(position, size, 4_000, 2_000);
        let slack = 6.2 * deviation;
        assert!(
            (bounds.low - slack..=bounds.high + slack).contains(&measured),
            "{bits}: {measured} {bounds:?}"
        );
        // The slack is small enough to detect independent positions.
        assert!(slack < bounds.low, "{bits}: {slack} {bounds:?}");
    }
}

#[test]
fn small_filters_have_the_reference_rates() {
    let mut compared = 0;
    for line in include_str!("../../../bloom-core/tests/vectors/double_hashing_exact.csv").lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let scheme = match fields[0] {
            "plain_any_h2" => Scheme::Modular { bits: 64 },
            "enhanced_any_h2" => Scheme::Enhanced,
            _ => continue,
        };
        let whole = |field: usize| fields[field].parse::<u64>().unwrap();
        let (bits, items, hashes) = (whole(1), whole(2), whole(3) as u8);
        let expected: f64 = fields[4].parse().unwrap();
        let added = excess(scheme, items, bits, hashes).unwrap();
        let rate = |added| exact::rate(items, bits, hashes).unwrap().value() + added;
        if added.low == added.high {
            // The rates in the file have 13 digits, of which the last two may differ.
            let got = rate(added.low);
            assert!((got / expected - 1.0).abs() < 2e-11, "{line}: {got}");
            compared += 1;
        } else {
            let bounds = rate(added.low)..=rate(added.high);
            assert!(bounds.contains(&expected), "{line}: {bounds:?}");
        }
    }
    assert!(compared > 15, "{compared}");
}

#[test]
fn positions_are_those_of_the_libraries() {
    let mut state = 1;
    for (name, scheme, position) in LIBRARIES {
        for bits in [1, 61, 64, 9_600, 71_936, MAX_BITS] {
            // Spark is left out, because its hash values have only 32 bits.
            if name == "spark" {
                continue;
            }
            let (a, b) = (random(&mut state), random(&mut state));
            // The crate bloomfilter also takes a remainder modulo 2^64 - 59, which the scheme leaves out. It hardly ever
            // changes a position.
            let expected = (0..12).map(|i| position(a, b, i, bits));
            assert!(
                scheme.positions(a, b, bits, 12).eq(expected),
                "{name} {bits}"
            );
        }
    }
    let (a, b, m) = (40_i64, 33, 61);
    for (scheme, cubic) in [(Scheme::Modular { bits: 64 }, 0), (Scheme::Enhanced, 1)] {
        let at = |i: i64| a + i * b + cubic * (i * i * i - i) / 6;
        let expected = (0..9).map(|i| at(i).rem_euclid(m) as u64);
        assert!(
            scheme
                .positions(a as u64, b as u64, m as u64, 9)
                .eq(expected)
        );
    }
}

#[test]
fn every_size_has_an_excess() {
    let schemes = [Scheme::Modular { bits: 64 }, Scheme::Enhanced];
    for scheme in LIBRARIES.map(|row| row.1).into_iter().chain(schemes) {
        for bits in [1, 3, 64, 1_000, 71_936, MAX_BITS - 1, MAX_BITS] {
            for items in [0, 1, 1_000, u64::MAX] {
                for hashes in [1, 2, 3, 5, 10, 25, 33, 255] {
                    let added = excess(scheme, items, bits, hashes).unwrap();
                    let rate = exact::rate(items, bits, hashes).unwrap().value();
                    let size = (items, bits, hashes);
                    let bounds = added.low..=added.high;
                    assert!(
                        bounds.contains(&added.expected),
                        "{scheme:?} {size:?} {added:?}"
                    );
                    assert!(
                        rate + added.low >= 0.0 && rate + added.high <= 1.0,
                        "{scheme:?} {size:?} {added:?}"
                    );
                    if hashes < 3 || items == 0 || bits == 1 {
                        assert_eq!((added.low, added.high), (0.0, 0.0), "{size:?}");
                    }
                }
            }
        }
        assert_eq!(excess(scheme, 1, 0, 3), Err(MathError::NoBits));
        assert_eq!(excess(scheme, 1, 9, 0), Err(MathError::NoHashes));
    }
}

/// Where m is large and has no small odd divisors, the bounds of the excess are within a few percent of each other. Where p,
/// the exact rate of independent positions, is about 1e-9, the excess is more than 3 p.
#[test]
fn bounds_are_near_where_bits_are_many() {
    let wrapping = Scheme::Wrapping { bits: 64 };
    let added = excess(wrapping, 1_000_000, 14_377_856, 10).unwrap();
    assert!(added.high / added.low - 1.0 < 5e-3, "{added:?}");
    let (items, bits) = (1_000_000, 43_132_864);
    let added = excess(wrapping, items, bits, 30).unwrap();
    let rate = exact::rate(items, bits, 30).unwrap().value();
    assert!(added.low > 3.0 * rate, "{added:?} {rate}");
    assert!(added.high / added.low - 1.0 < 0.05, "{added:?}");
}

/// Here m has small odd divisors. Simulated filters whose sums have 63 bits had excesses of (7.984 +- 0.023) × 10^-6 and
/// (5.570 +- 0.033) × 10^-6.
#[test]
fn bounds_hold_where_odd_numbers_divide_m() {
    let wrapping = Scheme::Wrapping { bits: 63 };
    for (bits, hashes, simulated, deviation) in [
        (28_800, 20, 7.984e-6, 2.3e-8),
        (33_600, 23, 5.570e-6, 3.3e-8),
    ] {
        let added = excess(wrapping, 1_000, bits, hashes).unwrap();
        let within = added.low - 3.0 * deviation..=added.high + 3.0 * deviation;
        assert!(within.contains(&simulated), "{bits}: {added:?}");
    }
}
