//! Lists the systems of `bloom-formats`, and how their filters are read and created.

use bloom_formats::{
    Bloom, DataSketchesBloom, DcsoBloom, Filter, FormatError, GoBloom, GuavaStrategy, HadoopBloom,
    HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, ParquetBloom, RedisBloom, RedisGrowth,
    SparkBloom, SparkVersion,
};
use bloom_params::InputError;
use bloom_params::units::displayed;

use super::about::{
    datasketches, dcso, go, guava, hadoop, hadoop_dynamic, hive, orc, parquet, redis, spark,
};
use super::create::{self, created};
use super::forms;
use super::opened::About;
use super::{Build, Create, Extra, Opened, Options, Reading, Stored, System, Unread};
use crate::key::KeyType;

/// The types of keys of a system that takes only bytes.
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

/// Returns a filter that fills all of its bytes, in the form of [`Bloom::borrowed_lenient`]: with an empty rest.
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
    Ok((Opened::foreign(filter, about), rest.len()))
}

/// Returns a filter that was read from another form than the binary one, such as text.
fn formed<'a, F: Filter + 'a>(
    filter: Result<F, FormatError>,
    about: fn(&F) -> About,
    what: &str,
) -> Result<(Opened<'a>, usize), Unread> {
    let filter = filter.map_err(Unread::Foreign)?;
    let mut about = about(&filter);
    about.what += what;
    Ok((Opened::foreign(filter, about), 0))
}

/// Returns a filter that was read from base64.
fn in_base64<'a, F: Filter + 'a>(
    bytes: &[u8],
    read: fn(&str) -> Result<F, FormatError>,
    about: fn(&F) -> About,
) -> Result<(Opened<'a>, usize), Unread> {
    let filter = forms::text(bytes).and_then(|text| read(&text));
    formed(filter, about, ", base64")
}

/// Returns the filter that was read. If `needs_name` is true, marks it as a filter whose format must be named.
fn bare_if(
    read: Result<(Opened<'_>, usize), Unread>,
    needs_name: bool,
) -> Result<(Opened<'_>, usize), Unread> {
    let (filter, rest) = read?;
    Ok((if needs_name { filter.bare() } else { filter }, rest))
}

const fn build(
    name: &'static str,
    about: &'static str,
    takes: &'static [Extra],
    create: Create,
) -> Build {
    Build {
        name,
        about,
        takes,
        create,
    }
}

/// A kind of filter of the library for Go; its [`System`] decides between binary and JSON.
const fn go_build(name: &'static str, about: &'static str) -> Build {
    build(name, about, SIZE, |request| created(create::go(request)))
}

/// A kind of filter of Parquet; its [`System`] decides whether a header is written.
const fn parquet_build(name: &'static str, about: &'static str) -> Build {
    build(name, about, &[Extra::Bits], |request| {
        created(create::parquet(request))
    })
}

/// A dynamic filter of Hadoop; its [`System`] decides between binary and base64.
const fn dynamic_build(name: &'static str, about: &'static str) -> Build {
    build(name, about, ROWS, |request| {
        created(create::dynamic(request))
    })
}

const SIZE: &[Extra] = &[Extra::Bits, Extra::Hashes];
const ROWS: &[Extra] = &[Extra::Bits, Extra::Hashes, Extra::Items];

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
            KeyType::Xxhash64Hex,
            KeyType::Xxhash64I64,
            KeyType::Xxhash64I32,
        ],
        builds: &[
            build(
                "spark",
                "as BloomFilter.create of Spark 4.1 and later, version 2",
                &[Extra::Bits, Extra::Items, Extra::Seed],
                |request| {
                    let seed = request.seed.unwrap_or(0);
                    let seed = i32::try_from(seed).map_err(|_| create::wide_seed(seed))?;
                    created(create::spark(SparkVersion::V2 { seed }, request))
                },
            ),
            build(
                "spark-1",
                "as BloomFilter.create of Spark up to 4.0, version 1",
                &[Extra::Bits, Extra::Items],
                |request| created(create::spark(SparkVersion::V1, request)),
            ),
            build(
                "spark-dataframe",
                "as df.stat.bloomFilter of Spark 4.1 and later, with its limits",
                &[],
                |request| {
                    let version = SparkVersion::V2 { seed: 0 };
                    let (items, rate) = (request.items, request.rate);
                    created(SparkBloom::with_data_frame_rate(version, items, rate))
                },
            ),
        ],
        open: |bytes, reading| open(bytes, reading, spark),
        options: Options::USUAL,
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
                SIZE,
                |request| created(create::guava(GuavaStrategy::Mitz64, request)),
            ),
            build(
                "guava-32",
                "strategy 0, of old releases of Guava",
                SIZE,
                |request| created(create::guava(GuavaStrategy::Mitz32, request)),
            ),
        ],
        open: |bytes, reading| open(bytes, reading, guava),
        options: Options::USUAL,
    },
    System {
        name: "redis",
        about: "RedisBloom: the data of all chunks of BF.SCANDUMP, one after another, or what --chunks writes",
        keys: &[KeyType::Text, KeyType::Hex],
        open: |bytes, reading| match reading {
            _ if RedisBloom::is_commands(bytes) => {
                let read = RedisBloom::from_commands(bytes);
                let key = read.as_ref().map_or(&b""[..], |(_, key)| key);
                let what = format!(
                    ", as commands for the key {}",
                    displayed(&String::from_utf8_lossy(key))
                );
                formed(read.map(|(filter, _)| filter), redis, &what)
            }
            Reading::Whole => opened(RedisBloom::borrowed(bytes).map(alone), redis),
            Reading::Part => opened(RedisBloom::borrowed_lenient(bytes), redis),
        },
        options: Options {
            merges: false,
            stored: Stored::New,
            commands: Some(|bytes, key| RedisBloom::borrowed(bytes)?.to_commands(key)),
            key_hint: Some("Redis stores a number as its decimal digits: use --keys text"),
            ..Options::USUAL
        },
        builds: &[
            build(
                "redis",
                "as BF.RESERVE, growing by a factor of 2",
                &[Extra::Growth],
                |request| {
                    let growth = RedisGrowth::By(request.growth.unwrap_or(2));
                    created(RedisBloom::with_rate(growth, request.items, request.rate))
                },
            ),
            build(
                "redis-nonscaling",
                "as BF.RESERVE with NONSCALING",
                &[],
                |request| {
                    let growth = RedisGrowth::Never;
                    created(RedisBloom::with_rate(growth, request.items, request.rate))
                },
            ),
        ],
    },
    System {
        name: "bits-and-blooms",
        about: "bits-and-blooms/bloom (Go): WriteTo",
        keys: BYTES,
        builds: &[go_build("bits-and-blooms", "as bloom.NewWithEstimates")],
        open: |bytes, reading| open(bytes, reading, go),
        options: Options::USUAL,
    },
    System {
        name: "bits-and-blooms-json",
        about: "bits-and-blooms/bloom (Go): MarshalJSON",
        keys: BYTES,
        builds: &[go_build("bits-and-blooms-json", "bits-and-blooms as JSON")],
        open: |bytes, _| formed(GoBloom::from_json(bytes), go, ", JSON"),
        options: Options::of_form(forms::go_json, "bits-and-blooms"),
    },
    System {
        name: "parquet",
        about: "Apache Parquet: header and bitset at bloom_filter_offset",
        keys: PARQUET,
        builds: &[parquet_build(
            "parquet",
            "as parquet-java, with a power of two as its size",
        )],
        open: |bytes, reading| open(bytes, reading, parquet),
        options: Options::USUAL,
    },
    System {
        name: "parquet-bitset",
        about: "the bitset of a Parquet filter, without the header",
        keys: PARQUET,
        builds: &[parquet_build(
            "parquet-bitset",
            "as parquet-java, with a power of two as its size, without the header",
        )],
        open: |bytes, _| {
            let filter = ParquetBloom::borrowed_bitset(bytes);
            let read = formed(filter, parquet, ", without a header");
            bare_if(read, true)
        },
        options: Options::of_form(forms::parquet_bitset, "parquet"),
    },
    System {
        name: "hadoop",
        about: "Apache Hadoop: BloomFilter.write, with murmur or Jenkins hash",
        keys: BYTES,
        builds: &[
            build(
                "hadoop",
                "murmur hash, with the size that Hudi computes",
                SIZE,
                |request| created(create::hadoop(HadoopHash::Murmur, request)),
            ),
            build(
                "hadoop-jenkins",
                "Jenkins hash, with the size that Hudi computes",
                SIZE,
                |request| created(create::hadoop(HadoopHash::Jenkins, request)),
            ),
        ],
        open: |bytes, reading| {
            // The old form has no version, so nothing in the bytes proves it. A dynamic filter is a series of filters, called
            // rows. It begins like a simple filter, but at byte 25, where a simple filter has bits, its first row repeats the
            // first 13 bytes. In both cases, the bytes are read as a simple filter only if the format is named.
            let is_old = bytes.first().is_some_and(|byte| *byte < 0x80);
            let is_row = bytes.get(25..38).is_some_and(|row| row == &bytes[..13]);
            bare_if(open(bytes, reading, hadoop), is_old || is_row)
        },
        options: Options::USUAL,
    },
    System {
        name: "hadoop-dynamic",
        about: "Apache Hadoop: DynamicBloomFilter.write",
        keys: BYTES,
        builds: &[dynamic_build(
            "hadoop-dynamic",
            "rows with the size that Hudi computes, a new row every n keys",
        )],
        open: |bytes, reading| match reading {
            Reading::Whole => opened(
                HadoopDynamicBloom::borrowed(bytes).map(alone),
                hadoop_dynamic,
            ),
            Reading::Part => opened(HadoopDynamicBloom::borrowed_lenient(bytes), hadoop_dynamic),
        },
        options: Options {
            stored: Stored::All,
            ..Options::USUAL
        },
    },
    System {
        name: "hudi",
        about: "Apache Hudi: org.apache.hudi.bloomfilter in a footer, base64",
        keys: BYTES,
        builds: &[build("hudi", "hadoop as base64", SIZE, |request| {
            created(create::hadoop(HadoopHash::Murmur, request))
        })],
        open: |bytes, _| in_base64(bytes, HadoopBloom::from_base64, hadoop),
        options: Options {
            is_base64: true,
            ..Options::of_form(forms::hudi, "hadoop")
        },
    },
    System {
        name: "hudi-dynamic",
        about: "Apache Hudi: org.apache.hudi.bloomfilter of type DYNAMIC_V0, base64",
        keys: BYTES,
        builds: &[dynamic_build("hudi-dynamic", "hadoop-dynamic as base64")],
        open: |bytes, _| in_base64(bytes, HadoopDynamicBloom::from_base64, hadoop_dynamic),
        options: Options {
            stored: Stored::All,
            is_base64: true,
            ..Options::of_form(forms::hudi_dynamic, "hadoop-dynamic")
        },
    },
    System {
        name: "datasketches",
        about: "Apache DataSketches, Java and C++: BloomFilter.toByteArray",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build(
            "datasketches",
            "as BloomFilterBuilder.createByAccuracy, seed 9001",
            &[Extra::Bits, Extra::Hashes, Extra::Seed],
            |request| {
                // The seed may be a signed long of Java, or unsigned, as inspect prints it.
                let seed = request.seed.unwrap_or(9001) as u64;
                created(request.create_with(
                    seed,
                    DataSketchesBloom::with_bits,
                    DataSketchesBloom::with_rate,
                ))
            },
        )],
        open: |bytes, reading| open(bytes, reading, datasketches),
        options: Options::USUAL,
    },
    System {
        name: "dcso",
        about: "DCSO bloom (Go) and flor (Python): Write, with attached data",
        keys: BYTES,
        open: |bytes, reading| open(bytes, reading, dcso),
        builds: &[build("dcso", "as bloom.Initialize", &[], |request| {
            created(DcsoBloom::with_rate(request.items, request.rate))
        })],
        options: Options::USUAL,
    },
    System {
        name: "orc",
        about: "Apache ORC: one BloomFilter message of a BLOOM_FILTER_UTF8 stream",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build("orc", "as BloomFilterUtf8", SIZE, |request| {
            created(request.create(OrcBloom::with_bits, OrcBloom::with_rate))
        })],
        open: |bytes, reading| open(bytes, reading, orc),
        options: Options::USUAL,
    },
    System {
        name: "hive",
        about: "Apache Hive: BloomKFilter.serialize",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[Build {
            name: "hive",
            about: "as BloomKFilter, whose rate is always 5 %",
            takes: &[],
            create: |request| {
                if request.rate != 0.05 {
                    let message = format!("p of a hive filter must be 0.05, got {}", request.rate);
                    return Err(InputError::new(message).with_hint("Hive has no other rate"));
                }
                created(HiveBloom::with_items(request.items))
            },
        }],
        open: |bytes, reading| open(bytes, reading, hive),
        options: Options::USUAL,
    },
];
