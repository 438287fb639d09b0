//! Tests that filters which are read in place, in given bytes, take no memory for bits, and give the answers of their systems.
//! This test is alone in its program, because the allocations of all threads of a process are counted together.

// This program uses only a part of the module; the test program `suite` uses all of it.
#[allow(dead_code)]
#[path = "suite/common/mod.rs"]
mod common;

use std::alloc::System;

use bloom_formats::{
    Bloom, ByteKey, DataSketchesBloom, DataSketchesKey, DcsoBloom, FormatError, GoBloom,
    GuavaBloom, GuavaKey, HadoopBloom, HadoopDynamicBloom, HiveBloom, OrcBloom, OrcKey,
    ParquetBloom, ParquetKey, RedisBloom, SparkBloom, SparkKey,
};
use common::{Key, cases};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Reads the filters of a folder of tests/golden, each from bytes that start one byte after the start of an allocation, so that
/// words in them may be unaligned. Checks that reading takes at most `most` bytes of memory, and that all queries get the
/// answers of the system.
fn check<F>(
    folder: &str,
    most: usize,
    read: impl Fn(&'static [u8]) -> Result<F, FormatError>,
    contains: impl Fn(&F, &Key) -> bool,
) {
    for case in cases(folder) {
        let mut shifted = vec![0];
        shifted.extend(&case.bytes);
        // Leaked, so that one lifetime serves all filters.
        let bytes: &'static [u8] = Vec::leak(shifted);
        let region = Region::new(ALLOCATOR);
        let filter = read(&bytes[1..]).unwrap();
        let taken = region.change().bytes_allocated;
        assert!(taken <= most, "{}: {taken} bytes", case.name);
        case.check(|query| contains(&filter, query));
    }
}

#[test]
fn filters_in_place_take_no_memory_and_give_the_same_answers() {
    typed();
    bytes_alone();
}

/// Checks the filters of systems that hash keys by their types.
fn typed() {
    for folder in ["spark", "spark35"] {
        check(folder, 0, SparkBloom::borrowed, |filter, key| {
            filter.contains(key.typed::<SparkKey<'_>>())
        });
    }
    check("guava", 0, GuavaBloom::borrowed, |filter, key| match key {
        Key::Long(value) => filter.contains(GuavaKey::Long(*value)),
        // Of Guava's filters here, only the one that hashes strings as UTF-16 has 3 hashes.
        Key::Str(text) if filter.shape().hashes() == 3 => filter.contains(GuavaKey::Utf16(text)),
        Key::Str(text) => filter.contains(GuavaKey::Utf8(text)),
        other => panic!("no filter has {other:?}"),
    });
    let parquet =
        |filter: &ParquetBloom<'_>, key: &Key| filter.contains(key.typed::<ParquetKey<'_>>());
    check("sbbf_bitset", 0, ParquetBloom::borrowed_bitset, parquet);
    for case in cases("parquet") {
        let at = case.facts["bloom_filters"][0]["offset"].as_u64().unwrap() as usize;
        let (filter, _) = ParquetBloom::borrowed_lenient(&case.bytes[at..]).unwrap();
        case.check(|query| parquet(&filter, query));
    }
    for folder in ["datasketches", "datasketches_dirty"] {
        check(
            folder,
            0,
            DataSketchesBloom::borrowed,
            |filter, key| match key {
                Key::Double(value) => filter.contains(DataSketchesKey::Double(*value)),
                other => filter.contains(other.typed::<DataSketchesKey<'_>>()),
            },
        );
    }
    check("orc", 0, OrcBloom::borrowed, |filter, key| {
        filter.contains(key.typed::<OrcKey<'_>>())
    });
    check("hive_bloomk", 0, HiveBloom::borrowed, |filter, key| {
        filter.contains(key.typed::<OrcKey<'_>>())
    });
}

/// Checks the filters of systems whose keys are bytes.
fn bytes_alone() {
    // A filter of RedisBloom is a chain of Bloom filters. It takes memory for the list of these filters, here at most 2,000
    // bytes.
    check("redisbloom", 2_000, RedisBloom::borrowed, |filter, key| {
        filter.contains(&key.decimal())
    });
    check(
        "hadoop_dynamic",
        0,
        HadoopDynamicBloom::borrowed,
        |filter, key| filter.contains(&key.big_endian()),
    );
    in_bytes("bitsbloom", GoBloom::borrowed);
    in_bytes("dcso", DcsoBloom::borrowed);
    in_bytes("hadoop", HadoopBloom::borrowed);
}

fn in_bytes<S>(folder: &str, read: fn(&'static [u8]) -> Result<Bloom<'static, S>, FormatError>)
where
    S: for<'k> bloom_formats::System<Key<'k> = ByteKey<'k>>,
{
    check(folder, 0, read, |filter, key| {
        filter.contains(ByteKey(&key.big_endian()))
    });
}
