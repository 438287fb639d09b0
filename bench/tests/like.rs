//! Checks what `bloom-params --like` states about filters of other crates against filters that these crates build: bits, hashes
//! and false-positive rate.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use parquet::bloom_filter::Sbbf;

/// The number of items inserted into a filter.
const ITEMS: u64 = 200_000;

/// The number of absent items that are queried in each filter.
const OTHERS: u64 = 20 * ITEMS;

/// The number of filters of each size. Each filter has items of its own.
const FILTERS: u64 = 3;

/// Turns a counter into a random-looking key. It is a bijection, so distinct counters give distinct keys. Sequential
/// keys would favour some hashers and penalise others.
fn key(counter: u64) -> u64 {
    let key = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

/// Returns one number of the answer of `bloom-params`: the rate `p`, the bits `m` or the hashes `k`.
fn stated(question: &str, letter: &str) -> f64 {
    let line = format!("bloom-params {question} --get {letter}");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    bloom_params::run(line.split(' '), &mut out, &mut err).expect("a vector takes everything");
    let out = String::from_utf8(out).expect("text");
    out.trim().replace(',', "").parse().expect("a number")
}

/// Returns the standard deviation of the rates of half-full filters of this size, divided by their mean rate: 0.55 k / sqrt(m)
/// by theory, here rounded up to 0.6 k / sqrt(m).
fn classic((bits, hashes): (u64, u32)) -> f64 {
    0.6 * f64::from(hashes) / (bits as f64).sqrt()
}

/// Checks filters against the answer of `bloom-params`. `build` takes the items, and returns the size (bits and hashes) and a
/// function that queries an item. `between` returns the standard deviation of the rates of filters of this size, divided by
/// their mean rate.
#[track_caller]
fn assert_as_stated<F: Fn(u64) -> bool>(
    question: &str,
    between: impl Fn((u64, u32)) -> f64,
    build: impl Fn(&mut dyn Iterator<Item = u64>) -> ((u64, u32), F),
) {
    let p = stated(question, "p");
    let (mut hits, mut of_filters) = (0, 0.0);
    for filter in 0..FILTERS {
        let first = filter * (ITEMS + OTHERS);
        let others = first + ITEMS..first + ITEMS + OTHERS;
        let ((bits, hashes), found) = build(&mut (first..first + ITEMS).map(key));
        assert_eq!(stated(question, "m") as u64, bits, "m of {question}");
        assert_eq!(stated(question, "k") as u32, hashes, "k of {question}");
        hits += others.filter(|item| found(key(*item))).count();
        of_filters = between((bits, hashes)) * p / (FILTERS as f64).sqrt();
    }
    let queried = (FILTERS * OTHERS) as f64;
    let measured = hits as f64 / queried;
    // The tolerance is 6.2 standard deviations, which come from the number of false positives and from the differences between
    // filters. The test fails by chance 0.6 times in 10^9 runs. The tolerance is 2.1 % of the rate for a classic filter at 1 in
    // 100, and for a filter of 256-bit blocks 2.9 % at about 1 in 100 and 11 % at 1 in 3000. An error as large as the tolerance
    // is detected with a probability of 0.5, and one of 1.5 times the tolerance with 0.999.
    let margin = 6.2 * (p / queried).sqrt().hypot(of_filters);
    assert!(
        (measured - p).abs() < margin,
        "{question}: measured {measured}, stated {p} +- {margin}"
    );
}

#[test]
fn fastbloom_builds_what_the_calculator_states() {
    let hasher = FixedState::default;
    let rate = || fastbloom::BloomFilter::with_false_pos(0.01).hasher(hasher());
    let bits = || fastbloom::BloomFilter::with_num_bits(1_500_001).hasher(hasher());
    for (question, of_bits) in [("-p 0.01", false), ("-m 1500001", true)] {
        let question = format!("-n {ITEMS} {question} --like fastbloom");
        assert_as_stated(&question, classic, |items| {
            let mut filter = if of_bits {
                bits().expected_items(ITEMS as usize)
            } else {
                rate().expected_items(ITEMS as usize)
            };
            items.for_each(|item| {
                filter.insert(&item);
            });
            let size = (filter.num_bits() as u64, filter.num_hashes());
            (size, move |item| filter.contains(&item))
        });
    }
}

#[test]
fn bloomfilter_builds_what_the_calculator_states() {
    let question = format!("-n {ITEMS} -p 0.01 --like bloomfilter");
    assert_as_stated(&question, classic, |items| {
        // The halves of the seed must differ: equal halves would make the filter's two hashes the same.
        let seed = std::array::from_fn(|byte| byte as u8);
        let filter = bloomfilter::Bloom::new_for_fp_rate_with_seed(ITEMS as usize, 0.01, &seed);
        let mut filter = filter.expect("a valid size");
        items.for_each(|item| filter.set(&item));
        let size = (filter.len(), filter.number_of_hash_functions());
        (size, move |item| filter.check(&item))
    });
}

#[test]
fn parquet_builds_what_the_calculator_states() {
    // The numbers of `between` were measured on 600 simulated split block filters of each size.
    for (rate, between) in [(0.005, 0.012), (0.05, 0.0065)] {
        let question = format!("-n {ITEMS} -p {rate} --like parquet");
        assert_as_stated(
            &question,
            |_| between,
            |items| {
                let mut filter = Sbbf::new_with_ndv_fpp(ITEMS, rate).expect("a valid rate");
                items.for_each(|item| filter.insert(&item.cast_signed()));
                let size = (filter.num_blocks() as u64 * 256, 8);
                (size, move |item: u64| filter.check(&item.cast_signed()))
            },
        );
    }
}

#[test]
fn sbbf_rs_safe_builds_what_the_calculator_states() {
    let question = format!("-n {ITEMS} -m {} --like sbbf-rs-safe", 11 * ITEMS);
    let hash = |item: u64| {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write_u64(item);
        hasher.finish()
    };
    // The number 0.0065 is the argument `between`; it was measured on 600 simulated filters of this size.
    assert_as_stated(
        &question,
        |_| 0.0065,
        |items| {
            let mut filter = sbbf_rs_safe::Filter::new(11, ITEMS as usize);
            items.for_each(|item| {
                filter.insert_hash(hash(item));
            });
            let size = (filter.as_bytes().len() as u64 * 8, 8);
            (size, move |item| filter.contains_hash(hash(item)))
        },
    );
}
