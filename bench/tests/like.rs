//! What the calculator says that other libraries build, held to the libraries themselves: bits, hashes
//! and the rate, which is measured.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use parquet::bloom_filter::Sbbf;

/// Items inserted, and twenty times as many others that are asked for.
const ITEMS: u64 = 200_000;
const OTHERS: u64 = 20 * ITEMS;

/// Turns a counter into a random-looking key; a bijection, so distinct stay distinct. Keys in sequence
/// would flatter some hashers and wrong others.
fn key(counter: u64) -> u64 {
    let key = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

/// Asks the calculator for one number of its answer.
fn told(question: &str, letter: &str) -> f64 {
    let line = format!("bloom-params {question} --get {letter}");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    bloom_params::run(line.split(' '), &mut out, &mut err).expect("a vector takes everything");
    let out = String::from_utf8(out).expect("text");
    out.trim().replace(',', "").parse().expect("a number")
}

/// Holds a filter to what is told of it.
#[track_caller]
fn assert_as_told(question: &str, (bits, hashes): (u64, u32), found: impl Fn(u64) -> bool) {
    assert_eq!(told(question, "m") as u64, bits, "m of {question}");
    assert_eq!(told(question, "k") as u32, hashes, "k of {question}");
    let p = told(question, "p");
    let hits = (ITEMS..ITEMS + OTHERS)
        .filter(|item| found(key(*item)))
        .count();
    let measured = hits as f64 / OTHERS as f64;
    // Five standard deviations: of the hits, and of one filter among many (0.6 k/sqrt m of p).
    let of_hits = (p / OTHERS as f64).sqrt();
    let of_filters = 0.6 * f64::from(hashes) / (bits as f64).sqrt() * p;
    let margin = 5.0 * of_hits.hypot(of_filters);
    assert!(
        (measured - p).abs() < margin,
        "{question}: measured {measured}, told {p} +- {margin}"
    );
}

#[test]
fn fastbloom_builds_what_is_told() {
    for (question, builder) in [
        (
            format!("-n {ITEMS} -p 0.01"),
            fastbloom::BloomFilter::with_false_pos(0.01)
                .hasher(FixedState::default())
                .expected_items(ITEMS as usize),
        ),
        (
            format!("-n {ITEMS} -m 1500001"),
            fastbloom::BloomFilter::with_num_bits(1_500_001)
                .hasher(FixedState::default())
                .expected_items(ITEMS as usize),
        ),
    ] {
        let mut filter = builder;
        (0..ITEMS).map(key).for_each(|item| {
            filter.insert(&item);
        });
        let size = (filter.num_bits() as u64, filter.num_hashes());
        let question = format!("{question} --like fastbloom");
        assert_as_told(&question, size, |item| filter.contains(&item));
    }
}

#[test]
fn bloomfilter_builds_what_is_told() {
    // Two halves that differ: equal ones would make its hashes one.
    let seed = std::array::from_fn(|byte| byte as u8);
    let filter = bloomfilter::Bloom::new_for_fp_rate_with_seed(ITEMS as usize, 0.01, &seed);
    let mut filter = filter.expect("a valid size");
    (0..ITEMS).map(key).for_each(|item| filter.set(&item));
    let size = (filter.len(), filter.number_of_hash_functions());
    let question = format!("-n {ITEMS} -p 0.01 --like bloomfilter");
    assert_as_told(&question, size, |item| filter.check(&item));
}

#[test]
fn parquet_builds_what_is_told() {
    for rate in [0.005, 0.05] {
        let mut filter = Sbbf::new_with_ndv_fpp(ITEMS, rate).expect("a valid rate");
        (0..ITEMS)
            .map(key)
            .for_each(|item| filter.insert(&item.cast_signed()));
        let size = (filter.num_blocks() as u64 * 256, 8);
        let question = format!("-n {ITEMS} -p {rate} --like parquet");
        assert_as_told(&question, size, |item| filter.check(&item.cast_signed()));
    }
}

#[test]
fn sbbf_rs_safe_builds_what_is_told() {
    let mut filter = sbbf_rs_safe::Filter::new(11, ITEMS as usize);
    let hash = |item: u64| {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write_u64(item);
        hasher.finish()
    };
    (0..ITEMS).map(key).for_each(|item| {
        filter.insert_hash(hash(item));
    });
    let size = (filter.as_bytes().len() as u64 * 8, 8);
    let question = format!("-n {ITEMS} -m {} --like sbbf-rs-safe", 11 * ITEMS);
    assert_as_told(&question, size, |item| filter.contains_hash(hash(item)));
}
