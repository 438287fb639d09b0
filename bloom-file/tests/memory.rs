//! Tests that files are mapped: `inspect` and `query` allocate less than 1 MiB whatever the size of the file, and `merge`
//! copies only the first of its filters. This test is alone in its process, because the allocations of all threads are counted
//! together.

use std::alloc::System;
use std::fs::{self, File};
use std::path::Path;

use bloom_formats::{Filter, SparkBloom, SparkVersion};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const MIB: usize = 1 << 20;

/// Runs the command and returns the total number of bytes that it allocated.
fn taken(args: &[&str], code: u8) -> usize {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let region = Region::new(ALLOCATOR);
    let args = [&["bloom-file"], args].concat();
    let ended = bloom_file::run(args, &mut out, &mut err).unwrap();
    assert_eq!(ended, code, "{}", String::from_utf8_lossy(&err));
    region.change().bytes_allocated
}

#[test]
fn only_a_filter_that_is_changed_is_copied_to_memory() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let mut filter = SparkBloom::with_rate(SparkVersion::V2 { seed: 0 }, 7_000_000, 0.01).unwrap();
    filter.insert("key").unwrap();
    let bytes = filter.to_bytes().unwrap();
    let length = bytes.len();
    assert!(length > 8_000_000);
    drop(filter);
    let part = path("mapped.bloom");
    fs::write(&part, &bytes).unwrap();
    drop(bytes);
    assert!(taken(&["inspect", &part], 0) < MIB);
    assert!(taken(&["query", &part, "key"], 0) < MIB);
    assert!(taken(&["query", &part, "key", "--format", "spark"], 0) < MIB);
    // `merge` allocates the size of two filters, however many it merges: a copy of the first filter, and the bytes of the
    // result.
    let merged = path("merged.bloom");
    let parts = [part.as_str(); 8];
    let all = taken(&[&["merge", "-o", &merged][..], &parts].concat(), 0);
    assert!((2 * length..2 * length + MIB).contains(&all), "{all}");
    // A large file that is not a filter is refused without being copied.
    let large = path("large");
    File::create(&large)
        .unwrap()
        .set_len(50_000_000_000)
        .unwrap();
    let refused = taken(&["inspect", &large], 2);
    fs::remove_file(&large).unwrap();
    assert!(refused < MIB, "{refused}");
    // A large file that starts with a filter is not copied, either.
    fs::copy(&part, &large).unwrap();
    File::options()
        .write(true)
        .open(&large)
        .unwrap()
        .set_len(3 << 30)
        .unwrap();
    let inside = taken(&["inspect", &large, "--format", "spark"], 0);
    fs::remove_file(&large).unwrap();
    assert!(inside < MIB, "{inside}");
}
