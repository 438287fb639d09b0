//! The sizes of new filters are those of the rules that bloom-systems has, and those of the systems' files.

use crate::common::{cases, split_mix};
use bloom_core::Shape;
use bloom_formats::{
    DataSketchesBloom, DcsoBloom, GoBloom, GuavaBloom, GuavaStrategy, ParquetBloom, RedisBloom,
    RedisGrowth, SparkBloom, SparkVersion,
};
use bloom_systems::{Request, system};

/// Returns the bits and hashes that a library's rule gives; `None` if it gives no filter.
fn by_rule(library: &str, items: u64, rate: f64) -> Option<(u64, u8)> {
    let built = system(library)
        .unwrap()
        .build(Request::for_rate(items, rate))
        .ok()?;
    Some((built.bits, built.hashes))
}

fn size(shape: Shape) -> (u64, u8) {
    (shape.bits(), shape.hashes())
}

/// What this crate creates.
type Create = fn(u64, f64) -> Option<(u64, u8)>;

const V2: SparkVersion = SparkVersion::V2 { seed: 0 };

/// The libraries, each with the most items that are tried.
const LIBRARIES: [(&str, u64, Create); 10] = [
    ("spark", 100_000, |items, rate| {
        SparkBloom::with_rate(V2, items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    ("spark-dataframe", 20_000_000, |items, rate| {
        SparkBloom::with_data_frame_rate(V2, items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    ("guava", 100_000, |items, rate| {
        GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    // The rule has the default cap of 1 MiB, too.
    ("parquet-java", 100_000, |items, rate| {
        ParquetBloom::with_rate(items, rate)
            .ok()
            .map(|filter| (filter.shape().bits().min(1 << 23), 8))
    }),
    ("redis", 100_000, |items, rate| {
        redis(RedisGrowth::By(2), items, rate)
    }),
    ("redis-nonscaling", 100_000, |items, rate| {
        redis(RedisGrowth::Never, items, rate)
    }),
    ("bits-and-blooms", 100_000, |items, rate| {
        GoBloom::with_rate(items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    ("datasketches", 1 << 40, |items, rate| {
        DataSketchesBloom::with_rate(0, items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    ("dcso", 100_000, |items, rate| {
        DcsoBloom::with_rate(items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
    ("spark", 1, |items, rate| {
        SparkBloom::with_rate(SparkVersion::V1, items, rate)
            .ok()
            .map(|filter| size(filter.shape()))
    }),
];

fn redis(growth: RedisGrowth, items: u64, rate: f64) -> Option<(u64, u8)> {
    // Redis takes a higher rate as 0.25; this crate refuses it.
    let filter = RedisBloom::with_rate(growth, items, rate.min(0.25)).ok()?;
    Some(size(filter.links().next()?.shape))
}

#[test]
fn new_filters_have_the_sizes_of_the_rules() {
    let mut state = 1;
    let mut random = || (split_mix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
    for (library, most, create) in LIBRARIES {
        let mut sizes = 0;
        for round in 0..400 {
            // Few items and round rates decide ties; the others are log-uniform.
            let items = (most as f64).powf(random()) as u64;
            let rate = match round % 4 {
                0 => 0.5_f64.powi(1 + round / 4 % 30),
                1 => 10_f64.powi(-(1 + round / 4 % 12)),
                _ => 10_f64.powf(-12.0 * random()) * 0.999,
            };
            let (created, expected) = (create(items, rate), by_rule(library, items, rate));
            assert_eq!(created, expected, "{library} {items} {rate}");
            sizes += u32::from(created.is_some());
        }
        assert!(sizes > 200, "{library}: {sizes}");
    }
}

#[test]
fn the_files_of_the_systems_have_the_sizes_of_the_rules() {
    let mut files = 0;
    for (format, library, read) in [
        (
            "spark",
            "spark",
            (|bytes| SparkBloom::borrowed(bytes).unwrap().shape()) as fn(&[u8]) -> Shape,
        ),
        ("spark35", "spark", |bytes| {
            SparkBloom::borrowed(bytes).unwrap().shape()
        }),
        ("guava", "guava", |bytes| {
            GuavaBloom::borrowed(bytes).unwrap().shape()
        }),
        ("bitsbloom", "bits-and-blooms", |bytes| {
            GoBloom::borrowed(bytes).unwrap().shape()
        }),
        ("datasketches", "datasketches", |bytes| {
            DataSketchesBloom::borrowed(bytes).unwrap().shape()
        }),
        ("dcso", "dcso", |bytes| {
            DcsoBloom::borrowed(bytes).unwrap().shape()
        }),
    ] {
        for case in cases(format) {
            let parameter = |name| case.number("params", name);
            if let (Some(items), Some(rate)) = (parameter("n"), parameter("fpp")) {
                // Guava takes 0 items as 1.
                let expected = by_rule(library, (items as u64).max(1), rate);
                assert_eq!(Some(size(read(&case.bytes))), expected, "{}", case.name);
                files += 1;
            }
        }
    }
    for case in cases("redisbloom") {
        let fixed = case.facts["params"]["nonscaling"].as_bool().unwrap();
        let library = if fixed { "redis-nonscaling" } else { "redis" };
        let parameter = |name| case.number("params", name);
        if let (Some(items), Some(rate)) = (parameter("capacity"), parameter("error_rate")) {
            let filter = RedisBloom::borrowed(&case.bytes).unwrap();
            let first = filter.links().next().unwrap();
            assert_eq!(
                Some(size(first.shape)),
                by_rule(library, items as u64, rate)
            );
            files += 1;
        }
    }
    assert!(files >= 15, "{files}");
}
