//! Tests that reading a damaged file never panics, and allocates at most four times the file's length plus 256 bytes. These
//! tests have a program of their own, because the allocations of all threads of a process are counted together.

// This program uses only a part of the module; the test program `suite` uses all of it.
#[allow(dead_code)]
#[path = "suite/common/mod.rs"]
mod common;

use std::alloc;
use std::sync::Mutex;

use bloom_formats::go::Go;
use bloom_formats::guava::Guava;
use bloom_formats::hive::Hive;
use bloom_formats::orc::Orc;
use bloom_formats::parquet::Parquet;
use bloom_formats::spark::Spark;
use bloom_formats::{
    Bloom, DataSketchesBloom, DcsoBloom, Filter, GoBloom, HadoopBloom, HadoopDynamicBloom, Key,
    ParquetBloom, RedisBloom, RedisGrowth, System,
};
use bloom_testing::assert_bytes;
use common::{cases, split_mix};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<alloc::System> = &INSTRUMENTED_SYSTEM;

/// Reads a filter from the bytes, checks how much memory this takes, and uses the filter if there is one.
type Read = fn(&[u8]);

/// Calls `read` with the bytes, and checks that it allocates at most four times their length plus 256 bytes.
fn measured<'a, T>(bytes: &'a [u8], read: impl Fn(&'a [u8]) -> T) -> T {
    let most = 4 * bytes.len() + 256;
    let attempt = || {
        let region = Region::new(ALLOCATOR);
        let read = read(bytes);
        (region.change().bytes_allocated, read)
    };
    // The thread of the test harness may allocate memory during an attempt, but hardly during all three attempts.
    let mut attempts = std::iter::repeat_with(attempt).take(3);
    let (_, read) = attempts
        .find(|(taken, _)| *taken <= most)
        .unwrap_or_else(|| panic!("more than {most} bytes for {}", bytes.len()));
    read
}

/// Reads a filter that other bytes may follow. Checks that `to_bytes` returns the bytes that were read, and that the filter
/// takes a key.
fn bloom<S: System>(bytes: &[u8]) {
    if let Ok((filter, rest)) = measured(bytes, Bloom::<S>::from_bytes_lenient) {
        written_and_filled(filter, &bytes[..bytes.len() - rest.len()]);
    }
}

fn written_and_filled(filter: impl Filter, bytes: &[u8]) {
    assert_bytes!(filter.to_bytes().unwrap(), bytes);
    filled(filter);
}

fn filled(mut filter: impl Filter) {
    filter.insert(Key::from("key")).unwrap();
    assert_eq!(filter.contains(Key::from("key")), Ok(true));
}

fn parquet(bytes: &[u8]) {
    let offset = bytes.len().saturating_sub(1_040);
    for bytes in [&bytes[offset..], bytes] {
        bloom::<Parquet>(bytes);
    }
}

fn bitset(bytes: &[u8]) {
    if let Ok(filter) = measured(bytes, ParquetBloom::from_bitset) {
        assert_bytes!(filter.to_bitset().unwrap(), bytes);
        parquet(&filter.to_bytes().unwrap());
    }
}

fn redis(bytes: &[u8]) {
    if let Ok(mut filter) = measured(bytes, RedisBloom::from_bytes) {
        assert_bytes!(filter.to_bytes().unwrap(), bytes);
        // A damaged field for the growth may make an insert ask for any amount of memory.
        if matches!(filter.growth(), RedisGrowth::By(1..=2)) && filter.insert(b"key").is_ok() {
            assert!(filter.contains(b"key"));
        }
    }
}

fn go_json(bytes: &[u8]) {
    if let Ok(filter) = measured(bytes, GoBloom::from_json) {
        let json = filter.to_json().unwrap();
        assert!(GoBloom::from_json(json.as_bytes()).unwrap() == filter);
        bloom::<Go>(&filter.to_bytes().unwrap());
    }
}

fn hadoop(bytes: &[u8]) {
    if let Ok((filter, rest)) = measured(bytes, HadoopBloom::from_bytes_lenient) {
        let written = filter.to_bytes().unwrap();
        // A filter without a version is written with one.
        if written != bytes[..bytes.len() - rest.len()] {
            assert!(bytes[0] < 128 && HadoopBloom::from_bytes(&written).unwrap() == filter);
        }
        filled(filter);
    }
}

fn hadoop_dynamic(bytes: &[u8]) {
    if let Ok((filter, rest)) = measured(bytes, HadoopDynamicBloom::from_bytes_lenient) {
        written_and_filled(filter, &bytes[..bytes.len() - rest.len()]);
    }
}

/// Reads a filter of DCSO, to which all bytes after the bits belong, as data.
fn dcso(bytes: &[u8]) {
    if let Ok(filter) = measured(bytes, DcsoBloom::from_bytes) {
        written_and_filled(filter, bytes);
    }
}

fn datasketches(bytes: &[u8]) {
    if let Ok(filter) = measured(bytes, DataSketchesBloom::from_bytes) {
        assert_bytes!(filter.to_bytes().unwrap(), bytes);
    }
    if let Ok((filter, rest)) = measured(bytes, DataSketchesBloom::from_bytes_lenient) {
        // Bytes that the libraries ignore are written with the values that the libraries write.
        let file = filter.to_bytes().unwrap();
        assert_eq!(file.len(), bytes.len() - rest.len());
        assert!(DataSketchesBloom::from_bytes(&file).is_ok());
        // A damaged number of words may make an insert ask for any amount of memory.
        if filter.shape().bits() <= 1 << 20 {
            filled(filter);
        }
    }
}

/// The folders of tests/golden whose files are damaged, each with the function that reads its filters.
const FORMATS: &[(&str, Read)] = &[
    ("bitsbloom", bloom::<Go>),
    ("bitsbloom_json", go_json),
    ("hadoop", hadoop),
    ("hadoop_dynamic", hadoop_dynamic),
    ("hive_bloomk", bloom::<Hive>),
    ("orc", bloom::<Orc>),
    ("datasketches", datasketches),
    ("dcso", dcso),
    ("redisbloom", redis),
    ("sbbf_bitset", bitset),
    ("guava", bloom::<Guava>),
    ("spark", bloom::<Spark>),
    ("spark35", bloom::<Spark>),
    ("spark_runtime", bloom::<Spark>),
];

/// Lets only one of the two tests of this program run at a time, as the allocations of all threads are counted together.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn every_prefix_and_ten_thousand_flips_of_each_file_are_read_or_refused() {
    let _alone = ALONE.lock();
    for &(format, read) in FORMATS {
        for case in cases(format) {
            for end in 0..case.bytes.len() {
                read(&case.bytes[..end]);
            }
            let mut state = 1;
            for _ in 0..10_000 {
                let mut bytes = case.bytes.clone();
                // Half of the flips are drawn from the whole file. The other half are drawn from the first 32 bytes, where
                // every header begins.
                let end = if split_mix(&mut state).is_multiple_of(2) {
                    bytes.len()
                } else {
                    32.min(bytes.len())
                };
                let bit = split_mix(&mut state) as usize % (8 * end);
                bytes[bit / 8] ^= 1 << (bit % 8);
                read(&bytes);
            }
        }
    }
}

/// Numbers that a function may handle wrongly if they are in a header.
const NUMBERS: [u64; 12] = [
    0,
    1,
    63,
    64,
    255,
    256,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 61,
    1 << 63,
    u64::MAX,
];

/// Damages the bytes in one of five ways, or adds a byte if there is none.
fn damage(bytes: &mut Vec<u8>, state: &mut u64) {
    let mut draw = |below: usize| split_mix(state) as usize % below.max(1);
    let length = bytes.len();
    // Half of the places are drawn from the whole file, the other half from the first 40 bytes, where every header begins.
    let end = [length, 40.min(length)][draw(2)];
    let at = draw(end);
    match draw(7) {
        _ if length == 0 => bytes.push(draw(256) as u8),
        0 | 1 => bytes[at] ^= 1 << draw(8),
        2 => bytes[at] = draw(256) as u8,
        3 | 4 => {
            let number = NUMBERS[draw(NUMBERS.len())];
            let orders = [number.to_le_bytes(), number.to_be_bytes()];
            let width = [4, 8][draw(2)].min(length - at);
            let number = match draw(2) {
                0 => &orders[0][..width],
                _ => &orders[1][8 - width..],
            };
            bytes[at..at + width].copy_from_slice(number);
        }
        5 => bytes.truncate(draw(length)),
        _ => {
            let part = bytes[at..].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

#[test]
#[ignore = "takes ten seconds: cargo test --release -p bloom-formats --test damaged -- --ignored"]
fn ten_million_damaged_files_are_read_or_refused() {
    let _alone = ALONE.lock();
    let files = FORMATS.iter().flat_map(|&(format, read)| {
        let cases = cases(format).into_iter();
        cases.map(move |case| (case.bytes, read))
    });
    let files: Vec<(Vec<u8>, Read)> = files.collect();
    let mut state = 7;
    for number in 0..10_000_000 {
        let (bytes, read) = &files[number % files.len()];
        let mut bytes = bytes.clone();
        for _ in 0..=split_mix(&mut state) % 4 {
            damage(&mut bytes, &mut state);
        }
        read(&bytes);
    }
}
