//! The systems of `bloom-formats`: how their filters are read and created.

use bloom_formats::{
    Bloom, DataSketchesBloom, DcsoBloom, Filter, FormatError, GoBloom, GuavaBloom, GuavaStrategy,
    HadoopBloom, HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, ParquetBloom, RedisBloom,
    RedisGrowth, SparkBloom, SparkVersion,
};
use bloom_params::InputError;

use super::about::{
    datasketches, dcso, go, guava, hadoop, hadoop_dynamic, hive, orc, parquet, redis, spark,
};
use super::opened::{About, Form, error};
use super::{Build, Create, Opened, Reading, System, Unread};
use crate::key::KeyType;

/// The types of keys of a system that takes bytes alone.
const BYTES: &[KeyType] = &[
    KeyType::Text,
    KeyType::Hex,
    KeyType::I64Be,
    KeyType::I64Le,
    KeyType::I32Be,
    KeyType::I32Le,
];

const PARQUET: &[KeyType] = &[
    KeyType::Text,
    KeyType::Hex,
    KeyType::I64,
    KeyType::I32,
    KeyType::F64,
    KeyType::F32,
];

const SPARK_2: SparkVersion = SparkVersion::V2 { seed: 0 };

/// Reads a filter in place.
fn open<'a, S: bloom_formats::System>(
    bytes: &'a [u8],
    reading: Reading,
    about: fn(&Bloom<'a, S>) -> About,
) -> Result<(Opened<'a>, usize), Unread> {
    match reading {
        Reading::Whole => opened(Bloom::borrowed(bytes).map(alone), about),
        Reading::Part => opened(Bloom::borrowed_lenient(bytes), about),
    }
}

/// Returns a filter that no bytes follow.
fn alone<'a, F>(filter: F) -> (F, &'a [u8]) {
    (filter, &[])
}

/// Returns a filter that was read, and how many bytes follow it.
fn opened<'a, F: Filter + 'a>(
    read: Result<(F, &'a [u8]), FormatError>,
    about: fn(&F) -> About,
) -> Result<(Opened<'a>, usize), Unread> {
    let (filter, rest) = read.map_err(Unread::Foreign)?;
    let about = about(&filter);
    Ok((Opened::foreign(filter, about, None), rest.len()))
}

/// Returns a filter that was read from another form than that of its own bytes, such as text.
fn formed<'a, F: Filter + 'a>(
    filter: Result<F, FormatError>,
    form: Form,
    about: fn(&F) -> About,
    what: &str,
) -> Result<(Opened<'a>, usize), Unread> {
    let filter = filter.map_err(Unread::Foreign)?;
    let mut about = about(&filter);
    about.what += what;
    Ok((Opened::foreign(filter, about, Some(form)), 0))
}

/// Returns the same filter as one that must be named, if nothing in it agrees with its length.
fn bare_if(
    read: Result<(Opened<'_>, usize), Unread>,
    is_bare: bool,
) -> Result<(Opened<'_>, usize), Unread> {
    let (filter, rest) = read?;
    Ok((if is_bare { filter.bare() } else { filter }, rest))
}

/// Returns a filter that was created.
fn created(
    filter: Result<impl Filter + 'static, FormatError>,
) -> Result<Opened<'static>, InputError> {
    let filter = filter.map_err(error)?;
    Ok(Opened::foreign(filter, About::default(), None))
}

/// Returns a filter that was created, in another form than that of its own bytes.
fn created_as(
    form: Form,
    filter: Result<impl Filter + 'static, FormatError>,
) -> Result<Opened<'static>, InputError> {
    let filter = filter.map_err(error)?;
    Ok(Opened::foreign(filter, About::default(), Some(form)))
}

const fn build(name: &'static str, about: &'static str, create: Create) -> Build {
    Build {
        name,
        about,
        create,
    }
}

/// Returns base64 of a filter of Hadoop without blanks and line feeds, which tools add; other bytes are no such text.
fn text(bytes: &[u8]) -> String {
    let start = bytes.trim_ascii_start();
    // Version -1, or fewer than 2^12 hashes: nothing else is copied.
    let is_text = start.starts_with(b"//") || start.starts_with(b"AA");
    let text = is_text.then(|| std::str::from_utf8(bytes).ok()).flatten();
    text.unwrap_or("?").split_ascii_whitespace().collect()
}

fn hudi(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    Ok(HadoopBloom::borrowed(bytes)?.to_base64()?.into_bytes())
}

fn hudi_dynamic(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let filter = HadoopDynamicBloom::borrowed(bytes)?;
    Ok(filter.to_base64()?.into_bytes())
}

fn go_json(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    Ok(GoBloom::borrowed(bytes)?.to_json()?.into_bytes())
}

fn parquet_bitset(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    ParquetBloom::borrowed(bytes)?.to_bitset()
}

/// All systems but bloom-core.
pub(super) static SYSTEMS: &[System] = &[
    System {
        name: "spark",
        about: "Apache Spark: BloomFilter.writeTo, df.stat.bloomFilter, runtime filters",
        keys: &[
            KeyType::Text,
            KeyType::Hex,
            KeyType::I64,
            KeyType::I32,
            KeyType::Xxhash64Text,
            KeyType::Xxhash64I64,
            KeyType::Xxhash64I32,
        ],
        builds: &[
            build(
                "spark",
                "as BloomFilter.create of Spark 4.1 and later, version 2",
                |items, rate| created(SparkBloom::with_rate(SPARK_2, items, rate)),
            ),
            build(
                "spark-1",
                "as BloomFilter.create of Spark up to 4.0, version 1",
                |items, rate| created(SparkBloom::with_rate(SparkVersion::V1, items, rate)),
            ),
            build(
                "spark-dataframe",
                "as df.stat.bloomFilter of Spark 4.1 and later, with its caps",
                |items, rate| created(SparkBloom::with_data_frame_rate(SPARK_2, items, rate)),
            ),
        ],
        open: |bytes, reading| open(bytes, reading, spark),
        merges: true,
    },
    System {
        name: "guava",
        about: "Google Guava: BloomFilter.writeTo",
        keys: &[
            KeyType::Text,
            KeyType::Hex,
            KeyType::I64,
            KeyType::I32,
            KeyType::Utf16,
        ],
        builds: &[
            build(
                "guava",
                "as BloomFilter.create of Guava 33, strategy 1",
                |items, rate| created(GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate)),
            ),
            build("guava-32", "strategy 0 of old releases", |items, rate| {
                created(GuavaBloom::with_rate(GuavaStrategy::Mitz32, items, rate))
            }),
        ],
        open: |bytes, reading| open(bytes, reading, guava),
        merges: true,
    },
    System {
        name: "redis",
        about: "RedisBloom: the data of all chunks of BF.SCANDUMP, one after another",
        keys: &[KeyType::Text, KeyType::Hex],
        open: |bytes, reading| match reading {
            Reading::Whole => opened(RedisBloom::borrowed(bytes).map(alone), redis),
            Reading::Part => opened(RedisBloom::borrowed_lenient(bytes), redis),
        },
        merges: false,
        builds: &[
            build("redis", "as BF.RESERVE, growing by 2", |items, rate| {
                created(RedisBloom::with_rate(RedisGrowth::By(2), items, rate))
            }),
            build(
                "redis-nonscaling",
                "as BF.RESERVE with NONSCALING",
                |items, rate| created(RedisBloom::with_rate(RedisGrowth::Never, items, rate)),
            ),
        ],
    },
    System {
        name: "bits-and-blooms",
        about: "bits-and-blooms/bloom of Go: WriteTo",
        keys: BYTES,
        builds: &[build(
            "bits-and-blooms",
            "as bloom.NewWithEstimates",
            |items, rate| created(GoBloom::with_rate(items, rate)),
        )],
        open: |bytes, reading| open(bytes, reading, go),
        merges: true,
    },
    System {
        name: "bits-and-blooms-json",
        about: "the same as JSON",
        keys: BYTES,
        builds: &[build(
            "bits-and-blooms-json",
            "the same as JSON",
            |items, rate| created_as(go_json, GoBloom::with_rate(items, rate)),
        )],
        open: |bytes, _| formed(GoBloom::from_json(bytes), go_json, go, ", JSON"),
        merges: true,
    },
    System {
        name: "parquet",
        about: "Apache Parquet: header and bitset at bloom_filter_offset",
        keys: PARQUET,
        builds: &[build(
            "parquet",
            "as parquet-java, a power of two",
            |items, rate| created(ParquetBloom::with_rate(items, rate)),
        )],
        open: |bytes, reading| open(bytes, reading, parquet),
        merges: true,
    },
    System {
        name: "parquet-bitset",
        about: "the bitset of a Parquet filter alone",
        keys: PARQUET,
        builds: &[build(
            "parquet-bitset",
            "the same without the header",
            |items, rate| created_as(parquet_bitset, ParquetBloom::with_rate(items, rate)),
        )],
        open: |bytes, _| {
            let filter = ParquetBloom::borrowed_bitset(bytes);
            let read = formed(filter, parquet_bitset, parquet, ", without a header");
            bare_if(read, true)
        },
        merges: true,
    },
    System {
        name: "hadoop",
        about: "Apache Hadoop: BloomFilter.write, with murmur or Jenkins hash",
        keys: BYTES,
        builds: &[
            build(
                "hadoop",
                "murmur hash, of the size that Hudi gives it",
                |items, rate| created(HadoopBloom::with_rate(HadoopHash::Murmur, items, rate)),
            ),
            build(
                "hadoop-jenkins",
                "the same with the Jenkins hash",
                |items, rate| created(HadoopBloom::with_rate(HadoopHash::Jenkins, items, rate)),
            ),
        ],
        open: |bytes, reading| {
            // The old form has no version. And the start of a dynamic filter is a whole simple one, whose bits are the
            // header of a row.
            let is_old = bytes.first().is_some_and(|byte| *byte < 0x80);
            let is_row = bytes.get(25..38).is_some_and(|row| row == &bytes[..13]);
            bare_if(open(bytes, reading, hadoop), is_old || is_row)
        },
        merges: true,
    },
    System {
        name: "hadoop-dynamic",
        about: "Apache Hadoop: DynamicBloomFilter.write",
        keys: BYTES,
        builds: &[build(
            "hadoop-dynamic",
            "rows of that size, a new one for each n keys",
            |items, rate| {
                created(HadoopDynamicBloom::with_rate(
                    HadoopHash::Murmur,
                    items,
                    rate,
                ))
            },
        )],
        open: |bytes, reading| match reading {
            Reading::Whole => opened(
                HadoopDynamicBloom::borrowed(bytes).map(alone),
                hadoop_dynamic,
            ),
            Reading::Part => opened(HadoopDynamicBloom::borrowed_lenient(bytes), hadoop_dynamic),
        },
        merges: true,
    },
    System {
        name: "hudi",
        about: "Apache Hudi: org.apache.hudi.bloomfilter in a footer, base64",
        keys: BYTES,
        builds: &[build("hudi", "hadoop as base64", |items, rate| {
            created_as(
                hudi,
                HadoopBloom::with_rate(HadoopHash::Murmur, items, rate),
            )
        })],
        open: |bytes, _| {
            let filter = HadoopBloom::from_base64(&text(bytes));
            formed(filter, hudi, hadoop, ", base64")
        },
        merges: true,
    },
    System {
        name: "hudi-dynamic",
        about: "Apache Hudi: the same of type DYNAMIC_V0",
        keys: BYTES,
        builds: &[build(
            "hudi-dynamic",
            "hadoop-dynamic as base64",
            |items, rate| {
                created_as(
                    hudi_dynamic,
                    HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items, rate),
                )
            },
        )],
        open: |bytes, _| {
            let filter = HadoopDynamicBloom::from_base64(&text(bytes));
            formed(filter, hudi_dynamic, hadoop_dynamic, ", base64")
        },
        merges: true,
    },
    System {
        name: "datasketches",
        about: "Apache DataSketches, Java and C++: BloomFilter.toByteArray",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build(
            "datasketches",
            "as BloomFilterBuilder.createByAccuracy, seed 9001",
            |items, rate| created(DataSketchesBloom::with_rate(9001, items, rate)),
        )],
        open: |bytes, reading| open(bytes, reading, datasketches),
        merges: true,
    },
    System {
        name: "dcso",
        about: "DCSO bloom of Go and flor of Python: Write, with its data",
        keys: BYTES,
        open: |bytes, reading| open(bytes, reading, dcso),
        merges: true,
        builds: &[build("dcso", "as bloom.Initialize", |items, rate| {
            created(DcsoBloom::with_rate(items, rate))
        })],
    },
    System {
        name: "orc",
        about: "Apache ORC: one BloomFilter message of a BLOOM_FILTER_UTF8 stream",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build("orc", "as BloomFilterUtf8", |items, rate| {
            created(OrcBloom::with_rate(items, rate))
        })],
        open: |bytes, reading| open(bytes, reading, orc),
        merges: true,
    },
    System {
        name: "hive",
        about: "Apache Hive: BloomKFilter.serialize",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[Build {
            name: "hive",
            about: "as BloomKFilter, whose rate is always 5 %",
            create: |items, rate| {
                if rate != 0.05 {
                    let message = format!("p of a hive filter must be 0.05, got {rate}");
                    return Err(InputError::new(message).with_hint("Hive has no other rate"));
                }
                created(HiveBloom::with_items(items))
            },
        }],
        open: |bytes, reading| open(bytes, reading, hive),
        merges: true,
    },
];
