//! Measures the time of a query for an inserted item, for k = 1 to 16 hashes. Checks that, with more hashes, the time per probe
//! (the reading of one bit) never rises and the time per query never falls.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml --example probes [TOLERANCE in %, default 15] [ROUNDS, default 101]
//! ```
//!
//! A number of hashes k breaks this rule if, by more than the tolerance, its time per probe exceeds that of k - 1, or its time
//! per query exceeds that of k + 1. The time per probe for k hashes may exceed that for k + 1: a query also has costs that do
//! not depend on k, so with fewer hashes each probe takes longer. The exit code is 1 if the rule is broken.

use std::env;
use std::fs;
use std::hint::black_box;
use std::process::ExitCode;

use bloom_core::{BloomFilter, HashQuality, Shape};
use cpu_time::ThreadTime;
use foldhash::fast::FixedState;

const ITEMS: u64 = 1_000;
const HASHES: u8 = 16;

/// More queries than the branch predictor can learn.
const QUERIES: u64 = 1 << 16;

/// Returns the key of a number. The factor is odd, so different numbers have different keys.
fn key(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns a filter with [`ITEMS`] items, of the size for which this number of hashes is best, so that about half of its bits
/// are set.
fn filled(hashes: u8) -> BloomFilter<u64, FixedState> {
    let bits = (ITEMS as f64 * f64::from(hashes) / std::f64::consts::LN_2).ceil();
    let shape = Shape::new(bits as u64, hashes).expect("a valid size");
    let filter = BloomFilter::with_hasher(shape, FixedState::default()).expect("there is memory");
    let mut filter = filter
        .with_hash_quality(HashQuality::Folded)
        .expect("empty");
    (0..ITEMS).for_each(|item| _ = filter.insert(&key(item)));
    filter
}

fn found(filter: &BloomFilter<u64, FixedState>, keys: &[u64]) -> usize {
    keys.iter().filter(|key| filter.contains(*key)).count()
}

/// Returns the median nanoseconds per query for each number of hashes. Each round measures all
/// filters, and begins one filter later than the round before.
fn times(rounds: usize) -> Vec<f64> {
    let keys: Vec<u64> = (0..QUERIES)
        .map(|query| key(key(query) >> 32) % ITEMS)
        .map(key)
        .collect();
    let filters: Vec<_> = (1..=HASHES).map(filled).collect();
    let mut samples = vec![Vec::new(); filters.len()];
    for round in 0..rounds {
        for place in 0..filters.len() {
            let index = (place + round) % filters.len();
            let start = ThreadTime::now();
            let count = found(black_box(&filters[index]), black_box(&keys));
            samples[index].push(start.elapsed().as_secs_f64() * 1e9 / QUERIES as f64);
            assert_eq!(count, keys.len(), "every item is found");
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    samples.into_iter().map(median).collect()
}

fn main() -> ExitCode {
    let argument = |index: usize, usual: usize| {
        let given = env::args().nth(index);
        given.map_or(usual, |text| text.parse().expect("a whole number"))
    };
    let allowed = 1.0 + argument(1, 15) as f64 / 100.0;
    let times = times(argument(2, 101));
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    println!(
        "{}\n",
        name.unwrap_or("unknown")
            .trim_start_matches(['\t', ' ', ':'])
    );
    println!("| k | ns per query | ns per probe | probe, over k - 1 | query, over k + 1 |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    let mut kept = true;
    for (index, time) in times.iter().enumerate() {
        let hashes = index as f64 + 1.0;
        let before = index
            .checked_sub(1)
            .map(|before| times[before] / (hashes - 1.0));
        let ratios = [
            before.map(|probe| time / hashes / probe),
            times.get(index + 1).map(|query| time / query),
        ];
        let texts = ratios.map(|ratio| match ratio {
            Some(ratio) if ratio > allowed => format!("**{ratio:.2}**"),
            Some(ratio) => format!("{ratio:.2}"),
            None => String::new(),
        });
        kept &= ratios.iter().flatten().all(|ratio| *ratio <= allowed);
        let [probe, query] = texts;
        println!(
            "| {hashes} | {time:.2} | {:.3} | {probe} | {query} |",
            time / hashes
        );
    }
    if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
