//! Tests that new filters have the sizes that the rules in the crate bloom-systems give, and that the files which the systems
//! themselves wrote have these sizes, too.

use crate::common::{cases, split_mix};
use bloom_core::Shape;
use bloom_formats::{
    DataSketchesBloom, DcsoBloom, FormatError, GoBloom, GuavaBloom, GuavaStrategy, HadoopBloom,
    HadoopHash, OrcBloom, ParquetBloom, RedisBloom, RedisGrowth, SparkBloom, SparkVersion,
};
use bloom_systems::{Request, system};

/// Returns the numbers of bits and hashes that a library's rule gives; `None` if the rule gives no filter.
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

/// Creates a filter for a number of items at a rate, and returns its shape.
type Create = fn(u64, f64) -> Result<Shape, FormatError>;

const V2: SparkVersion = SparkVersion::V2 { seed: 0 };

/// The libraries. For each library, the list has the largest number of items that is tried, and the function that creates a
/// filter of this library.
const LIBRARIES: [(&str, u64, Create); 10] = [
    ("spark", 100_000, |items, rate| {
        Ok(SparkBloom::with_rate(V2, items, rate)?.shape())
    }),
    ("spark-dataframe", 20_000_000, |items, rate| {
        Ok(SparkBloom::with_data_frame_rate(V2, items, rate)?.shape())
    }),
    ("guava", 100_000, |items, rate| {
        Ok(GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate)?.shape())
    }),
    // The rule in bloom-systems caps a filter at the library's default maximum, 1 MiB. `with_rate` does not, so the cap is
    // applied here.
    ("parquet-java", 100_000, |items, rate| {
        let shape = ParquetBloom::with_rate(items, rate)?.shape();
        Ok(Shape::new(shape.bits().min(1 << 23), 8).unwrap())
    }),
    ("redis", 100_000, |items, rate| {
        first_link(RedisGrowth::By(2), items, rate)
    }),
    ("redis-nonscaling", 100_000, |items, rate| {
        first_link(RedisGrowth::Never, items, rate)
    }),
    ("bits-and-blooms", 100_000, |items, rate| {
        Ok(GoBloom::with_rate(items, rate)?.shape())
    }),
    ("datasketches", 1 << 40, |items, rate| {
        Ok(DataSketchesBloom::with_rate(0, items, rate)?.shape())
    }),
    ("dcso", 100_000, |items, rate| {
        Ok(DcsoBloom::with_rate(items, rate)?.shape())
    }),
    ("spark", 1, |items, rate| {
        Ok(SparkBloom::with_rate(SparkVersion::V1, items, rate)?.shape())
    }),
];

fn first_link(growth: RedisGrowth, items: u64, rate: f64) -> Result<Shape, FormatError> {
    // Redis replaces a rate above 0.25 by 0.25; this crate refuses such a rate.
    let filter = RedisBloom::with_rate(growth, items, rate.min(0.25))?;
    Ok(filter.links().next().unwrap().shape)
}

#[test]
fn new_filters_have_the_sizes_of_the_rules() {
    let mut state = 1;
    let mut random = || (split_mix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
    for (library, most, create) in LIBRARIES {
        let mut sizes = 0;
        for round in 0..400 {
            // Half of the rates are powers of 1/2 or of 1/10, which may give ties in rounding, above all with few items. The
            // other rates, and the numbers of items, are log-uniform.
            let items = (most as f64).powf(random()) as u64;
            let rate = match round % 4 {
                0 => 0.5_f64.powi(1 + round / 4 % 30),
                1 => 10_f64.powi(-(1 + round / 4 % 12)),
                _ => 10_f64.powf(-12.0 * random()) * 0.999,
            };
            let created = create(items, rate).ok().map(size);
            let expected = by_rule(library, items, rate);
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

/// Returns the function that creates a filter of a library.
fn create(library: &str) -> Create {
    let found = LIBRARIES.iter().find(|(name, ..)| *name == library);
    found.expect("a library").2
}

/// Compares new filters with sizes that were worked out by hand. Each entry has n, p, m and k.
#[track_caller]
fn assert_sizes(create: Create, sizes: &[(u64, f64, u64, u8)]) {
    for &(items, rate, bits, hashes) in sizes {
        let created = create(items, rate).map(size);
        assert_eq!(created, Ok((bits, hashes)), "{items} {rate}");
    }
}

#[test]
fn new_filters_have_the_sizes_that_were_worked_out_by_hand() {
    // For m' = ceil(-n ln p / ln² 2), m is m' rounded up to a multiple of 64, and k = ceil(ln 2 × m' / n).
    assert_sizes(
        create("datasketches"),
        &[
            (540, 0.03, 3_968, 6),
            // -log2 p is 2, but k is 3: it follows from m', which is rounded up.
            (1_000, 0.25, 2_944, 3),
            (1_000, 0.01, 9_600, 7),
            (1, 0.9, 64, 1),
        ],
    );
    // m = n |ln p| / ln² 2 without its fraction, and k = ceil(ln 2 × m / n).
    assert_sizes(
        create("dcso"),
        &[
            (1, 0.5, 1, 1),
            (1_000, 0.25, 2_885, 2),
            (540, 0.03, 3_941, 6),
        ],
    );
    // m = ceil(-n ln p / ln² 2) and k = ceil(ln 2 × m / n), computed with 50 digits. Hudi's defaults are n = 60,000 and p =
    // 1e-9.
    assert_sizes(
        |items, rate| Ok(HadoopBloom::with_rate(HadoopHash::Murmur, items, rate)?.shape()),
        &[
            (60_000, 1e-9, 2_587_966, 30),
            (1, 0.5, 2, 2),
            (1_000, 0.01, 9_586, 7),
        ],
    );
    // The sizes were computed with 50 digits in Python. As in ORC, a word is added if the computed number of bits is a multiple
    // of 64.
    assert_sizes(
        |items, rate| Ok(OrcBloom::with_rate(items, rate)?.shape()),
        &[
            (0, 0.05, 64, 44),
            (1, 0.05, 64, 44),
            (10, 0.05, 64, 4),
            (540, 0.05, 3_392, 4),
            // 448 computed bits, a multiple of 64, and the 64 bits of the added word.
            (72, 0.05, 512, 5),
        ],
    );
    // The sizes were computed with 50 digits in Python: m = -8 n / ln(1 - p^(1/8)) is truncated to an integer, 255 is added, the
    // bit of value 256 of the sum is cleared, the sum is divided by 8 without its fraction, and these bytes are rounded up to a
    // power of two. So 424 items get fewer bits than 423.
    for (items, bytes) in [
        (1, 32),
        (397, 512),
        (398, 1_024),
        (423, 1_024),
        (424, 512),
        (425, 1_024),
        (1_000, 2_048),
    ] {
        let parquet: Create = |items, rate| Ok(ParquetBloom::with_rate(items, rate)?.shape());
        assert_sizes(parquet, &[(items, 0.01, 8 * bytes, 8)]);
    }
}
