//! Measures what limits the filters on this machine: the speed of its memory, the cost of a hash, the parts of a
//! query, and the rates of filters with weak hashes. `bench/LIMITS.md` explains the results.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml --example limits
//! ```

use std::hash::{BuildHasher, Hash};
use std::hint::black_box;

use bloom_core::math::blocked::{Block, min_blocks};
use bloom_core::{BlockedBloomFilter, BlockedShape, BloomFilter, FixedState, HashQuality, Shape};
use cpu_time::ThreadTime;
use foldhash::fast::FixedState as FoldHash;

/// The sizes in bytes of the filters whose memory is read and written: 256 KiB fits in a usual second-level cache, 128 MiB in
/// no usual cache.
const SIZES: [usize; 2] = [256 << 10, 128 << 20];

/// Each measurement of memory makes as many calls as read or write a quarter of this number of bytes in total.
const PASSED: usize = 1 << 30;

/// [`seconds`] returns the median of this number of measurements, and [`in_rounds`] that of three times this number.
const ROUNDS: usize = 7;

fn main() {
    println!("| GB/s | 256 KiB | 128 MiB |\n| --- | ---: | ---: |");
    memory();
    println!("\n| ns per hash | ours | foldhash | ratio |\n| --- | ---: | ---: | ---: |");
    hashes();
    println!("\n| ns per key, at 1 % | 1e3 items | 2e7 items |\n| --- | ---: | ---: |");
    parts();
    println!("\n| weak hashes at 1 % | rate/target |\n| --- | ---: |");
    weak_hashes();
}

/// Returns the seconds that a call takes: the median of [`ROUNDS`] measurements, each of which makes `calls` calls.
fn seconds(calls: usize, mut call: impl FnMut()) -> f64 {
    call();
    let mut times = [0.0; ROUNDS];
    for time in &mut times {
        let start = ThreadTime::now();
        for _ in 0..calls {
            call();
        }
        *time = start.elapsed().as_secs_f64() / calls as f64;
    }
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// Prints a line of the memory table, with a speed for each size. A call reads or writes one filter, and the speed is the bytes
/// of that filter divided by the time of the call. If an operation takes two filters, only the bytes of one count.
fn line(name: &str, mut make: impl FnMut(usize) -> Box<dyn FnMut()>) {
    let speeds = SIZES.map(|bytes| {
        let call = make(bytes);
        bytes as f64 / seconds(PASSED / bytes / 4, call) * 1e-9
    });
    println!("| {name} | {:.1} | {:.1} |", speeds[0], speeds[1]);
}

fn bloom(bytes: usize) -> BloomFilter<u64> {
    let mut filter = BloomFilter::new(Shape::new(8 * bytes as u64, 7).unwrap()).unwrap();
    // Every page of memory is written: otherwise, all pages would map to one page of zeros.
    (0..bytes as u64 / 512).for_each(|item| _ = filter.insert(&item));
    filter
}

fn blocked(bytes: usize) -> BlockedBloomFilter<u64> {
    let shape = BlockedShape::new(bytes as u64 / 64).unwrap();
    let mut filter = BlockedBloomFilter::new(shape).unwrap();
    (0..bytes as u64 / 64).for_each(|item| _ = filter.insert(&item));
    filter
}

fn memory() {
    line("read: sum of words", |bytes| {
        let words = vec![1_u64; bytes / 8];
        Box::new(move || _ = black_box(black_box(&words).iter().sum::<u64>()))
    });
    line("BloomFilter::fill", |bytes| {
        let filter = bloom(bytes);
        Box::new(move || _ = black_box(black_box(&filter).fill()))
    });
    line("BlockedBloomFilter::fill", |bytes| {
        let filter = blocked(bytes);
        Box::new(move || _ = black_box(black_box(&filter).fill()))
    });
    line("copy: memcpy", |bytes| {
        let (from, mut to) = (vec![1_u64; bytes / 8], vec![2_u64; bytes / 8]);
        Box::new(move || black_box(&mut to).copy_from_slice(black_box(&from)))
    });
    line("BloomFilter::union_with", |bytes| {
        let (mut filter, other) = (bloom(bytes), bloom(bytes));
        Box::new(move || black_box(&mut filter).union_with(&other).unwrap())
    });
    line("BlockedBloomFilter::union_with", |bytes| {
        let (mut filter, other) = (blocked(bytes), blocked(bytes));
        Box::new(move || black_box(&mut filter).union_with(&other).unwrap())
    });
}

fn hashes() {
    let numbers: Vec<u64> = (0..4096_u64).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let texts: Vec<String> = numbers.iter().map(|i| format!("{i:016x}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    compare("u64", &numbers);
    compare("16-byte text", &texts);
}

fn compare<T: Hash>(name: &str, keys: &[T]) {
    let ours = nanoseconds(&FixedState::new(), keys);
    let theirs = nanoseconds(&FoldHash::default(), keys);
    println!(
        "| {name} | {ours:.2} | {theirs:.2} | {:.2} |",
        ours / theirs
    );
}

fn nanoseconds<T: Hash>(state: &impl BuildHasher, keys: &[T]) -> f64 {
    let all = seconds(500, || {
        let sum = black_box(keys)
            .iter()
            .fold(0, |sum: u64, key| sum.wrapping_add(state.hash_one(key)));
        black_box(sum);
    });
    all / keys.len() as f64 * 1e9
}

/// The number of keys in each timed loop: more than the branch predictor can learn.
const QUERIES: usize = 1 << 16;

/// Prints the table of times of the parts of a query, of whole queries and of inserts, with a column for each number of items.
fn parts() {
    let (small, large) = (parts_of(1_000), parts_of(20_000_000));
    for ((name, near), (_, far)) in small.iter().zip(large) {
        println!("| {name} | {near:.2} | {far:.2} |");
    }
}

/// Builds filters of `items` items, and returns the name of each row of the table with its nanoseconds per key. Each round
/// times all rows, one after the other.
#[expect(
    clippy::too_many_lines,
    reason = "a row of the table takes several lines"
)]
fn parts_of(items: u64) -> Vec<(&'static str, f64)> {
    let state = FoldHash::default();
    let hash = |key: u64| state.hash_one(key);
    // The factor is odd, so every key is a different number.
    let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let shape = Shape::for_rate(items, 0.01).unwrap();
    let hashes = u64::from(shape.hashes());
    let words = vec![1_u64; shape.bits().div_ceil(64) as usize];
    let mut to_set = words.clone();
    let place = |hash: u64, probe: u64| {
        let mixed = hash.wrapping_mul(2 * probe + 0xd134_2543_de82_ef95);
        ((u128::from(mixed) * words.len() as u128) >> 64) as usize
    };
    let folded = HashQuality::Folded;
    let bloom = BloomFilter::<u64, _>::with_rate_and_hasher(items, 0.01, state.clone());
    let mut bloom = bloom.unwrap().with_hash_quality(folded).unwrap();
    let blocked = BlockedBloomFilter::<u64, _>::with_rate_and_hasher(items, 0.01, state.clone());
    let mut blocked = blocked.unwrap().with_hash_quality(folded).unwrap();
    let mut fastbloom = fastbloom::BloomFilter::with_false_pos(0.01)
        .hasher(state.clone())
        .expected_items(items as usize);
    let split = Block::Split {
        lanes: 8,
        lane_bits: 32,
    };
    let blocks = min_blocks(items, split, 0.01).unwrap();
    let mut sbbf = sbbf_rs_safe::Filter::new(split.bits() as usize, blocks as usize);
    for item in (0..items).map(key) {
        bloom.insert(&item);
        blocked.insert(&item);
        fastbloom.insert(&item);
        sbbf.insert_hash(hash(item));
    }
    let step = (items / QUERIES as u64).max(1);
    let present: Vec<u64> = (0..QUERIES as u64)
        .map(|query| key(query * step % items))
        .collect();
    let absent: Vec<u64> = (0..QUERIES as u64)
        .map(|query| key(items + query))
        .collect();
    let mut fresh = bloom.clone();
    let mut fresh_fastbloom = fastbloom.clone();

    macro_rules! each {
        ($keys:expr, $key:ident => $answer:expr) => {
            Box::new(|| {
                let mut all = 0_u64;
                for &$key in black_box(&$keys) {
                    all = all.wrapping_add(u64::from($answer));
                }
                black_box(all);
            })
        };
    }
    in_rounds(vec![
        ("hash", each!(present, key => hash(key))),
        (
            "hash, folded once",
            each!(present, key => folded_once(hash(key))),
        ),
        (
            "hash, one word of memory",
            each!(present, key => words[place(hash(key), 0)]),
        ),
        (
            "hash, seven words of memory",
            each!(present, key => {
                let hash = hash(key);
                (0..hashes).fold(0, |all, probe| all ^ words[place(hash, probe)])
            }),
        ),
        (
            "hash, seven words set",
            each!(present, key => {
                let hash = hash(key);
                (0..hashes).for_each(|probe| to_set[place(hash, probe)] |= hash);
                hash
            }),
        ),
        (
            "sbbf-rs-safe, present",
            each!(present, key => sbbf.contains_hash(hash(key))),
        ),
        (
            "blocked, present",
            each!(present, key => blocked.contains(&key)),
        ),
        (
            "fastbloom, present",
            each!(present, key => fastbloom.contains(&key)),
        ),
        (
            "bloom, present",
            each!(present, key => bloom.contains(&key)),
        ),
        (
            "fastbloom, absent",
            each!(absent, key => fastbloom.contains(&key)),
        ),
        ("bloom, absent", each!(absent, key => bloom.contains(&key))),
        (
            "fastbloom, insert",
            each!(present, key => fresh_fastbloom.insert(&key)),
        ),
        ("bloom, insert", each!(present, key => fresh.insert(&key))),
    ])
}

/// Named calls, each of which runs its loop over all keys once.
type Calls<'a> = Vec<(&'static str, Box<dyn FnMut() + 'a>)>;

/// Times every call in each of `3 * ROUNDS` rounds, and returns the median nanoseconds per key of each call.
fn in_rounds(mut all: Calls<'_>) -> Vec<(&'static str, f64)> {
    let mut times = vec![Vec::new(); all.len()];
    for _ in 0..3 * ROUNDS {
        for (times, (_, call)) in times.iter_mut().zip(&mut all) {
            call();
            let start = ThreadTime::now();
            (0..4).for_each(|_| call());
            times.push(start.elapsed().as_secs_f64() * 1e9 / (4 * QUERIES) as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let names = all.iter().map(|(name, _)| *name);
    names.zip(times.into_iter().map(median)).collect()
}

/// Folds a hash as a filter folds each hash of foldhash: multiplies it by a constant and combines both halves of the 128-bit
/// product by XOR.
fn folded_once(hash: u64) -> u64 {
    let wide = u128::from(hash) * u128::from(0xbf58_476d_1ce4_e5b9_u64);
    wide as u64 ^ (wide >> 64) as u64
}

/// Prints the measured rate divided by the target rate, for filters that take sequential integers as hashes.
fn weak_hashes() {
    const ITEMS: u64 = 100_000;
    const ASKED: u64 = 4_000_000;
    const RATE: f64 = 0.01;
    let over_asked = |contains: &dyn Fn(u64) -> bool| {
        let found = (ITEMS..ITEMS + ASKED).filter(|hash| contains(*hash));
        found.count() as f64 / ASKED as f64 / RATE
    };
    let mut ours = BlockedBloomFilter::<u64>::with_rate(ITEMS, RATE).unwrap();
    let mut classic = BloomFilter::<u64>::with_rate(ITEMS, RATE).unwrap();
    let split = Block::Split {
        lanes: 8,
        lane_bits: 32,
    };
    let blocks = min_blocks(ITEMS, split, RATE).unwrap();
    let mut theirs = sbbf_rs_safe::Filter::new(split.bits() as usize, blocks as usize);
    let mut fastbloom = fastbloom::BloomFilter::with_false_pos(RATE).expected_items(ITEMS as usize);
    for hash in 0..ITEMS {
        ours.insert_hash(hash);
        classic.insert_hash(hash);
        theirs.insert_hash(hash);
        fastbloom.insert_hash(hash);
    }
    let filters: [(&str, &dyn Fn(u64) -> bool); 4] = [
        ("blocked", &|hash| ours.contains_hash(hash)),
        ("bloom", &|hash| classic.contains_hash(hash)),
        ("sbbf-rs-safe", &|hash| theirs.contains_hash(hash)),
        ("fastbloom", &|hash| fastbloom.contains_hash(hash)),
    ];
    for (name, contains) in filters {
        println!("| {name} | {:.3} |", over_asked(contains));
    }
}
