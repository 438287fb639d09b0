//! Tests the book's programming exercises. Each exercise has a starter, which a reader of
//! the book completes, and a solution. One check tests both. The test of the starter is
//! ignored by default, and fails until somebody solves the exercise.

use std::collections::{BTreeSet, HashSet};

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{Model, estimate_items, exact};
use bloom_core::{BloomFilter, BuildError, Shape};
use bloom_listings::exercises;
use bloom_listings::exercises::judge::Subject;
use bloom_listings::exercises::stages::Stage;

/// Returns the next random number, by Steele, Lea and Flood's generator SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns a random number below `bound`.
fn below(state: &mut u64, bound: u64) -> u64 {
    ((u128::from(random(state)) * u128::from(bound)) >> 64) as u64
}

fn exact_rate(items: u64, bits: u64, hashes: u8) -> f64 {
    exact::rate(items, bits, hashes).unwrap().value()
}

/// Defines a test of the solution of an exercise, and an ignored test of its starter.
macro_rules! exercise {
    ($exercise:ident $promise:ident: $check:ident($($function:ident),+)) => {
        mod $exercise {
            use super::{$check, exercises};

            mod solution {
                #[test]
                fn $promise() {
                    super::$check($(super::exercises::solutions::$exercise::$function),+);
                }
            }

            mod starter {
                #[test]
                #[ignore = "an exercise: write it in src/exercises"]
                fn $promise() {
                    super::$check($(super::exercises::$exercise::$function),+);
                }
            }
        }
    };
}

fn check_packing(set: fn(&mut [u64], u64), is_set: fn(&[u64], u64) -> bool) {
    let mut words = [0; 5];
    let mut model = HashSet::new();
    for position in (0..200).map(|i| i * i % 320) {
        set(&mut words, position);
        model.insert(position);
        assert!((0..320).all(|i| is_set(&words, i) == model.contains(&i)));
    }
}

exercise! { packing keeps_every_bit_apart: check_packing(set, is_set) }

type Balls = fn(u64, u64, u64, u64, &mut dyn FnMut(u64) -> u64) -> f64;

fn check_balls(rate: Balls) {
    for (n, m, k) in [(1, 4, 2), (20, 100, 3), (50, 200, 5)] {
        let mut state = n;
        let games = 62_000;
        let measured = rate(n, m, k, games, &mut |bound| below(&mut state, bound));
        let p = exact_rate(n, m, k as u8);
        // `measured` is the share of 62,000 games that end in a false positive. The tolerance is
        // 6.2 standard deviations of this share. A correct solution fails by chance 0.6 times in
        // 10^9, for each n, m and k. Power: with probability 0.5 the check notices a rate that is
        // off by the tolerance, and with probability 0.999 one off by 1.5 times the tolerance.
        let allowed = 6.2 * (p * (1.0 - p) / games as f64).sqrt();
        assert!((measured - p).abs() < allowed, "{n}, {m}, {k}: {measured}");
    }
}

exercise! { balls fool_as_often_as_the_exact_rate_says: check_balls(rate) }

fn check_smallest(bits: fn(f64, &dyn Fn(u64) -> f64) -> u64) {
    for (n, k, p) in [
        (1, 1, 0.5),
        (1_000, 7, 0.01),
        (1_000_000, 10, 0.001),
        (10, 3, 0.9),
    ] {
        let expected = Model::Exact.min_bits(n, k, p).unwrap();
        assert_eq!(bits(p, &|m| exact_rate(n, m, k)), expected);
    }
}

exercise! { smallest is_minimal_and_enough: check_smallest(bits) }

fn check_query_first(rate: fn(u64, u64, u8) -> f64) {
    for (n, m, k) in [(1, 4, 2), (1, 8, 3), (6, 64, 7), (2_000, 19_188, 7)] {
        let p = exact_rate(n, m, k);
        assert!((rate(n, m, k) / p - 1.0).abs() < 1e-12, "{n}, {m}, {k}");
    }
    assert!((rate(1, 4, 2) - 13.0 / 64.0).abs() < 1e-15);
}

exercise! { query_first is_exact: check_query_first(rate) }

fn check_position(position: fn(u64, u64) -> u64) {
    assert_eq!(position(0, 1), 0);
    assert_eq!(position(u64::MAX, 1_000), 999);
    assert_eq!(position(1 << 63, 5 << 40), 5 << 39);
    // On average each third of the 3 × 2^30 bits is hit 15,500 times, with a standard
    // deviation of 102. The tolerance is 6.2 standard deviations, which chance exceeds
    // 0.6 times in 10^9 in each third. Power: the check notices a count 4.1 % off with
    // probability 0.5, and one 6.1 % off with probability 0.999.
    let (mut state, mut thirds) = (1, [0_i32; 3]);
    for _ in 0..46_500 {
        thirds[(position(random(&mut state), 3 << 30) >> 30) as usize] += 1;
    }
    assert!(
        thirds.iter().all(|hits| (hits - 15_500).abs() < 630),
        "{thirds:?}"
    );
}

exercise! { position is_even_and_reaches_every_bit: check_position(position) }

type Change = fn(&mut [u8], usize);

fn check_counters(count: fn(&[u8], usize) -> u8, add: Change, take_off: Change) {
    let mut bytes = [0; 3];
    for number in [0, 1, 1, 4, 5, 5, 5] {
        add(&mut bytes, number);
    }
    take_off(&mut bytes, 5);
    take_off(&mut bytes, 3); // counter 3 is 0 and stays 0
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(|number| count(&bytes, number)),
        [1, 2, 0, 0, 1, 2]
    );
    for _ in 0..20 {
        add(&mut bytes, 0);
    }
    for _ in 0..20 {
        take_off(&mut bytes, 0);
    }
    assert_eq!([0, 1].map(|number| count(&bytes, number)), [15, 2]);
}

exercise! { counters stick_at_15_and_leave_their_neighbours_alone: check_counters(count, add, take_off) }

type InsertIntoStages = fn(&mut Vec<Stage>, u64, f64) -> Result<(), BuildError>;

fn check_stages(insert: InsertIntoStages, contains: fn(&[Stage], u64) -> bool) {
    let mut stages = Vec::new();
    for item in (0..5_000).chain(0..5_000) {
        insert(&mut stages, item, 0.01).unwrap();
    }
    assert!((0..5_000).all(|item| contains(&stages, item)));
    // Six stages, for 100, 200, 400, …, 3,200 items, have room for 6,300 items. The second
    // 5,000 insertions are of the same items, so they need no room.
    assert_eq!(stages.len(), 6);
    let found = (5_000..105_000)
        .filter(|&item| contains(&stages, item))
        .count();
    assert!(found < 1_000, "{found} of 100000");
}

exercise! { stages keep_the_rate_of_the_whole: check_stages(insert, contains) }

type WordAndMask = fn(usize, u8, &mut dyn FnMut(u64) -> u64) -> (usize, u64);

fn check_words(word_and_mask: WordAndMask, has: fn(u64, u64) -> bool) {
    let (items, hashes) = (250_000, 5);
    let mut words = vec![0_u64; 47_500];
    let place = |item: u64| {
        let mut state = item << 20;
        word_and_mask(47_500, hashes, &mut |bound| below(&mut state, bound))
    };
    for item in 0..items {
        let (word, mask) = place(item);
        words[word] |= mask;
    }
    let contains = |item: &u64| {
        let (word, mask) = place(*item);
        has(words[word], mask)
    };
    assert!((0..items).all(|item| contains(&item)));
    let queries = 2_000_000;
    let measured = (items..items + queries).filter(contains).count() as f64 / queries as f64;
    let block = Block::Independent { bits: 64, hashes };
    let p = blocked::rate(items, words.len() as u64, block)
        .unwrap()
        .value();
    // The rates of different filters of this size have a standard deviation of 0.5 %, and the
    // finite number of queries adds one of 0.7 %. The tolerance of 5.3 % is 6.2 standard
    // deviations of both together, which chance exceeds 0.6 times in 10^9. Power: the check
    // notices a rate 5.3 % off with probability 0.5, and one 8 % off with probability 0.999.
    assert!((measured / p - 1.0).abs() < 0.053, "{measured} for {p}");
}

exercise! { words err_as_the_model_of_blocks_says: check_words(word_and_mask, has) }

fn check_estimate(items: fn(u64, u8, u64) -> Option<f64>) {
    for (bits, hashes, ones) in [(20_000, 5, 7_869), (1_000, 7, 999), (64, 1, 0)] {
        let expected = estimate_items(bits, hashes, ones).unwrap().unwrap().items;
        let estimate = items(bits, hashes, ones).expect("not every bit is set");
        assert!((estimate - expected).abs() <= 1e-9 * expected);
    }
    assert_eq!(items(1_000, 7, 1_000), None);
}

exercise! { estimate counts_or_says_that_it_does_not_know: check_estimate(items) }

type Exceptions = fn(&BloomFilter<str>, &[String]) -> BTreeSet<String>;
type IsBlocked = fn(&BloomFilter<str>, &BTreeSet<String>, &str) -> bool;

fn check_exceptions(exceptions: Exceptions, is_blocked: IsBlocked) {
    let mut filter = BloomFilter::<str>::with_rate(1_000, 0.05).unwrap();
    filter.extend((0..1_000).map(|i| format!("spam-{i}.example")));
    let friends: Vec<_> = (0..2_000).map(|i| format!("friend-{i}.example")).collect();
    let list = exceptions(&filter, &friends);
    assert!(
        !list.is_empty() && list.len() < 200,
        "{} exceptions",
        list.len()
    );
    assert!(
        friends
            .iter()
            .all(|friend| !is_blocked(&filter, &list, friend))
    );
    assert!((0..1_000).all(|i| is_blocked(&filter, &list, &format!("spam-{i}.example"))));
}

exercise! { exceptions protect_friends_and_nobody_else: check_exceptions(exceptions, is_blocked) }

/// A filter that is sound, or broken in one way. The seed is XORed into each item, so filters
/// with different seeds hold different items.
struct Accused {
    filter: BloomFilter<u64>,
    crime: Crime,
    seed: u64,
}

#[derive(Clone, Copy)]
enum Crime {
    None,
    Forgets,
    SaysYes,
    HalfItsBits,
    SkipsPositions,
}

const SIZE: (u64, u64, u8) = (2_000, 20_000, 7);

impl Accused {
    fn of(crime: Crime, seed: u64) -> Self {
        let (bits, hashes) = match crime {
            Crime::HalfItsBits => (SIZE.1 / 2, SIZE.2),
            Crime::SkipsPositions => (SIZE.1, SIZE.2 - 3),
            _ => (SIZE.1, SIZE.2),
        };
        let filter = BloomFilter::new(Shape::new(bits, hashes).unwrap()).unwrap();
        let seed = seed << 40;
        Self {
            filter,
            crime,
            seed,
        }
    }
}

impl Subject for Accused {
    fn insert(&mut self, item: u64) {
        if !matches!(self.crime, Crime::Forgets) || item % 100 != 7 {
            self.filter.insert(&(item ^ self.seed));
        }
    }

    fn contains(&self, item: u64) -> bool {
        matches!(self.crime, Crime::SaysYes) || self.filter.contains(&(item ^ self.seed))
    }
}

fn check_judge(is_sound: fn(&mut dyn Subject, u64, u64, u8) -> bool) {
    let (items, bits, hashes) = SIZE;
    let judge = |crime, seed| is_sound(&mut Accused::of(crime, seed), items, bits, hashes);
    // A judge that accepts rates within 6.2 standard deviations of the exact rate rejects at least
    // one of ten sound filters with probability 6 in 10^9. `Forgets` loses items, which needs no
    // tolerance; the rates of the other broken filters are off by far more than the tolerance.
    assert!((0..10).all(|seed| judge(Crime::None, seed)));
    let crimes = [
        Crime::Forgets,
        Crime::SaysYes,
        Crime::HalfItsBits,
        Crime::SkipsPositions,
    ];
    assert!(crimes.into_iter().all(|crime| !judge(crime, 0)));
}

exercise! { judge lets_the_sound_go_and_condemns_the_broken: check_judge(is_sound) }
