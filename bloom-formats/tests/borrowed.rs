//! Filters that are read in place take no memory, and answer as copies do. One test alone in its process,
//! because the allocations of all threads are counted together.

// Shared with the tests that need all of it.
#[allow(dead_code)]
#[path = "suite/common/mod.rs"]
mod common;

use std::alloc::System;

use bloom_formats::{
    DataSketchesBloom, DataSketchesKey, DcsoBloom, GoBloom, GuavaBloom, GuavaKey, HadoopBloom,
    HadoopDynamicBloom, HiveBloom, OrcBloom, ParquetBloom, RedisBloom, SparkBloom,
};
use common::{Key, cases};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Reads the filters of a format at an odd address, with at most `most` bytes of memory, and compares all answers.
fn check<'a, F>(
    format: &str,
    most: usize,
    read: fn(&'a [u8]) -> F,
    contains: fn(&F, &Key) -> bool,
) {
    for case in cases(format) {
        let mut shifted = vec![0];
        shifted.extend(&case.bytes);
        // Leaked, so that one lifetime serves all filters.
        let bytes: &'static [u8] = Vec::leak(shifted);
        let region = Region::new(ALLOCATOR);
        let filter = read(&bytes[1..]);
        let taken = region.change().bytes_allocated;
        assert!(taken <= most, "{}: {taken} bytes", case.name);
        case.check(|query| contains(&filter, query));
    }
}

#[test]
fn filters_in_place_take_no_memory_and_give_the_same_answers() {
    engines_and_files();
    libraries();
}

fn engines_and_files() {
    check(
        "spark",
        0,
        |bytes| SparkBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(&**text),
            Key::Long(value) => filter.contains(*value),
            Key::Int(value) => filter.contains(*value),
            Key::Bytes(bytes) => filter.contains(&**bytes),
            Key::Double(value) => panic!("no filter has {value}"),
        },
    );
    check(
        "guava",
        0,
        |bytes| GuavaBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Long(value) => filter.contains(GuavaKey::Long(*value)),
            // The filter of the funnel of characters alone has 3 hashes.
            Key::Str(text) if filter.shape().hashes() == 3 => {
                filter.contains(GuavaKey::Utf16(text))
            }
            Key::Str(text) => filter.contains(GuavaKey::Utf8(text)),
            other => panic!("no filter has {other:?}"),
        },
    );
    check(
        "sbbf_bitset",
        0,
        |bytes| ParquetBloom::borrowed_bitset(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(&**text),
            Key::Long(value) => filter.contains(*value),
            Key::Int(value) => filter.contains(*value),
            Key::Bytes(bytes) => filter.contains(&**bytes),
            Key::Double(value) => panic!("no filter has {value}"),
        },
    );
}

fn libraries() {
    // The headers of the links.
    check(
        "redisbloom",
        2_000,
        |bytes| RedisBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(text.as_bytes()),
            Key::Long(value) => filter.contains(value.to_string().as_bytes()),
            Key::Int(value) => filter.contains(value.to_string().as_bytes()),
            Key::Bytes(bytes) => filter.contains(bytes),
            Key::Double(value) => panic!("no filter has {value}"),
        },
    );
    check(
        "bitsbloom",
        0,
        |bytes| GoBloom::borrowed(bytes).unwrap(),
        |filter, key| filter.contains(&key.big_endian()),
    );
    check(
        "dcso",
        0,
        |bytes| DcsoBloom::borrowed(bytes).unwrap(),
        |filter, key| filter.contains(&key.big_endian()),
    );
    check(
        "datasketches",
        0,
        |bytes| DataSketchesBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(&**text),
            Key::Long(value) => filter.contains(*value),
            Key::Double(value) => filter.contains(DataSketchesKey::Double(*value)),
            other => panic!("no filter has {other:?}"),
        },
    );
    check(
        "hadoop",
        0,
        |bytes| HadoopBloom::borrowed(bytes).unwrap(),
        |filter, key| filter.contains(&key.big_endian()),
    );
    check(
        "hadoop_dynamic",
        0,
        |bytes| HadoopDynamicBloom::borrowed(bytes).unwrap(),
        |filter, key| filter.contains(&key.big_endian()),
    );
    check(
        "orc",
        0,
        |bytes| OrcBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(&**text),
            Key::Long(value) => filter.contains(*value),
            other => panic!("no filter has {other:?}"),
        },
    );
    check(
        "hive_bloomk",
        0,
        |bytes| HiveBloom::borrowed(bytes).unwrap(),
        |filter, key| match key {
            Key::Str(text) => filter.contains(&**text),
            Key::Long(value) => filter.contains(*value),
            other => panic!("no filter has {other:?}"),
        },
    );
}
