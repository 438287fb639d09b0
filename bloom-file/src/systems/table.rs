//! The systems of `bloom-formats`: how their filters are read, merged and created.

use bloom_formats::{
    DataSketchesBloom, DcsoBloom, FormatError, GoBloom, GuavaBloom, GuavaStrategy, HadoopBloom,
    HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, ParquetBloom, RedisBloom, RedisGrowth,
    SparkBloom, SparkVersion,
};

use bloom_params::InputError;

use super::filters::Form;
use super::{Build, Refused, System, error};
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

/// A system, with how its filters are read and merged; the rest is empty.
macro_rules! reads {
    ($type:ident) => {
        System {
            name: "",
            about: "",
            keys: &[],
            read: |bytes| Ok(Box::new($type::borrowed(bytes).map_err(error)?)),
            read_part: |bytes| {
                let (filter, rest) = $type::borrowed_lenient(bytes).map_err(error)?;
                Ok((Box::new(filter), rest.len()))
            },
            merge: Some(|files| {
                let merged = merged(files, $type::from_bytes, |all, file| {
                    all.merge(&$type::borrowed(file)?)
                });
                Ok(Box::new(merged?))
            }),
            is_bare: false,
            builds: &[],
        }
    };
    ($type:ident, $read:expr, $write:expr, $what:literal) => {
        System {
            name: "",
            about: "",
            keys: &[],
            read: |bytes| {
                Ok(Box::new(Form::new(
                    $read(bytes).map_err(error)?,
                    $what,
                    $write,
                )))
            },
            read_part: |bytes| {
                let filter = Form::new($read(bytes).map_err(error)?, $what, $write);
                Ok((Box::new(filter), 0))
            },
            merge: Some(|files| {
                let merged = merged(files, $read, |all: &mut $type, file| {
                    all.merge(&$read(file)?)
                });
                Ok(Box::new(Form::new(merged?, $what, $write)))
            }),
            is_bare: false,
            builds: &[],
        }
    };
}

/// A filter that is created by a call of the items and the rate.
macro_rules! build {
    ($name:literal, $about:literal, $create:expr) => {
        Build {
            name: $name,
            about: $about,
            create: |items, rate| Ok(Box::new($create(items, rate).map_err(error)?)),
        }
    };
    ($name:literal, $about:literal, $create:expr, $write:expr) => {
        Build {
            name: $name,
            about: $about,
            create: |items, rate| {
                let filter = $create(items, rate).map_err(error)?;
                Ok(Box::new(Form::new(filter, "", $write)))
            },
        }
    };
}

/// Merges files; the error has the index of the one that does not fit.
fn merged<F>(
    files: &[&[u8]],
    read: impl Fn(&[u8]) -> Result<F, FormatError>,
    merge: impl Fn(&mut F, &[u8]) -> Result<(), FormatError>,
) -> Result<F, Refused> {
    let mut all = read(files[0]).map_err(|refused| (0, error(refused)))?;
    for (index, file) in files.iter().enumerate().skip(1) {
        merge(&mut all, file).map_err(|refused| (index, error(refused)))?;
    }
    Ok(all)
}

/// Returns a text without blanks and line feeds, which tools add; bytes that are no text are not base64.
fn text(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).unwrap_or("?");
    text.split_ascii_whitespace().collect()
}

fn hudi(bytes: &[u8]) -> Result<HadoopBloom, FormatError> {
    HadoopBloom::from_base64(&text(bytes))
}

fn hudi_dynamic(bytes: &[u8]) -> Result<HadoopDynamicBloom, FormatError> {
    HadoopDynamicBloom::from_base64(&text(bytes))
}

fn hudi_text(filter: &HadoopBloom) -> Result<Vec<u8>, FormatError> {
    filter.to_base64().map(String::into_bytes)
}

fn hudi_dynamic_text(filter: &HadoopDynamicBloom) -> Result<Vec<u8>, FormatError> {
    filter.to_base64().map(String::into_bytes)
}

fn go_json(filter: &GoBloom) -> Result<Vec<u8>, FormatError> {
    filter.to_json().map(String::into_bytes)
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
            build!(
                "spark",
                "as BloomFilter.create of Spark 4.1 and later, version 2",
                |items, rate| SparkBloom::with_rate(SPARK_2, items, rate)
            ),
            build!(
                "spark-1",
                "as BloomFilter.create of Spark up to 4.0, version 1",
                |items, rate| SparkBloom::with_rate(SparkVersion::V1, items, rate)
            ),
            build!(
                "spark-dataframe",
                "as df.stat.bloomFilter of Spark 4.1 and later, with its caps",
                |items, rate| SparkBloom::with_data_frame_rate(SPARK_2, items, rate)
            ),
        ],
        ..reads!(SparkBloom)
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
            build!(
                "guava",
                "as BloomFilter.create of Guava 33, strategy 1",
                |items, rate| GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate)
            ),
            build!("guava-32", "strategy 0 of old releases", |items, rate| {
                GuavaBloom::with_rate(GuavaStrategy::Mitz32, items, rate)
            }),
        ],
        ..reads!(GuavaBloom)
    },
    System {
        name: "redis",
        about: "RedisBloom: the data of all chunks of BF.SCANDUMP, one after another",
        keys: &[KeyType::Text, KeyType::Hex],
        read: |bytes| Ok(Box::new(RedisBloom::borrowed(bytes).map_err(error)?)),
        read_part: |bytes| Ok((Box::new(RedisBloom::borrowed(bytes).map_err(error)?), 0)),
        merge: None,
        is_bare: false,
        builds: &[
            build!("redis", "as BF.RESERVE, growing by 2", |items, rate| {
                RedisBloom::with_rate(RedisGrowth::By(2), items, rate)
            }),
            build!(
                "redis-nonscaling",
                "as BF.RESERVE with NONSCALING",
                |items, rate| RedisBloom::with_rate(RedisGrowth::Never, items, rate)
            ),
        ],
    },
    System {
        name: "bits-and-blooms",
        about: "bits-and-blooms/bloom of Go: WriteTo",
        keys: BYTES,
        builds: &[build!(
            "bits-and-blooms",
            "as bloom.NewWithEstimates",
            GoBloom::with_rate
        )],
        ..reads!(GoBloom)
    },
    System {
        name: "bits-and-blooms-json",
        about: "the same as JSON",
        keys: BYTES,
        builds: &[build!(
            "bits-and-blooms-json",
            "the same as JSON",
            GoBloom::with_rate,
            go_json
        )],
        ..reads!(GoBloom, GoBloom::from_json, go_json, ", JSON")
    },
    System {
        name: "parquet",
        about: "Apache Parquet: header and bitset at bloom_filter_offset",
        keys: PARQUET,
        builds: &[build!(
            "parquet",
            "as parquet-java, a power of two",
            ParquetBloom::with_rate
        )],
        ..reads!(ParquetBloom)
    },
    System {
        name: "parquet-bitset",
        about: "the bitset of a Parquet filter alone",
        keys: PARQUET,
        is_bare: true,
        builds: &[build!(
            "parquet-bitset",
            "the same without the header",
            ParquetBloom::with_rate,
            ParquetBloom::to_bitset
        )],
        ..reads!(
            ParquetBloom,
            ParquetBloom::from_bitset,
            ParquetBloom::to_bitset,
            ", without a header"
        )
    },
    System {
        name: "hadoop",
        about: "Apache Hadoop: BloomFilter.write, with murmur or Jenkins hash",
        keys: BYTES,
        builds: &[
            build!(
                "hadoop",
                "murmur hash, of the size that Hudi gives it",
                |items, rate| { HadoopBloom::with_rate(HadoopHash::Murmur, items, rate) }
            ),
            build!(
                "hadoop-jenkins",
                "the same with the Jenkins hash",
                |items, rate| { HadoopBloom::with_rate(HadoopHash::Jenkins, items, rate) }
            ),
        ],
        ..reads!(HadoopBloom)
    },
    System {
        name: "hadoop-dynamic",
        about: "Apache Hadoop: DynamicBloomFilter.write",
        keys: BYTES,
        builds: &[build!(
            "hadoop-dynamic",
            "rows of that size, a new one for each n keys",
            |items, rate| HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items, rate)
        )],
        ..reads!(HadoopDynamicBloom)
    },
    System {
        name: "hudi",
        about: "Apache Hudi: org.apache.hudi.bloomfilter in a footer, base64",
        keys: BYTES,
        builds: &[build!(
            "hudi",
            "hadoop as base64",
            |items, rate| HadoopBloom::with_rate(HadoopHash::Murmur, items, rate),
            hudi_text
        )],
        ..reads!(HadoopBloom, hudi, hudi_text, ", base64")
    },
    System {
        name: "hudi-dynamic",
        about: "Apache Hudi: the same of type DYNAMIC_V0",
        keys: BYTES,
        builds: &[build!(
            "hudi-dynamic",
            "hadoop-dynamic as base64",
            |items, rate| HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items, rate),
            hudi_dynamic_text
        )],
        ..reads!(
            HadoopDynamicBloom,
            hudi_dynamic,
            hudi_dynamic_text,
            ", base64"
        )
    },
    System {
        name: "datasketches",
        about: "Apache DataSketches, Java and C++: BloomFilter.toByteArray",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build!(
            "datasketches",
            "as BloomFilterBuilder.createByAccuracy, seed 9001",
            |items, rate| DataSketchesBloom::with_rate(9001, items, rate)
        )],
        ..reads!(DataSketchesBloom)
    },
    System {
        name: "dcso",
        about: "DCSO bloom of Go and flor of Python: Write, with its data",
        keys: BYTES,
        read: |bytes| Ok(Box::new(DcsoBloom::borrowed(bytes).map_err(error)?)),
        read_part: |bytes| Ok((Box::new(DcsoBloom::borrowed(bytes).map_err(error)?), 0)),
        merge: Some(|files| {
            let merged = merged(files, DcsoBloom::from_bytes, |all, file| {
                all.merge(&DcsoBloom::borrowed(file)?)
            });
            Ok(Box::new(merged?))
        }),
        is_bare: false,
        builds: &[build!("dcso", "as bloom.Initialize", DcsoBloom::with_rate)],
    },
    System {
        name: "orc",
        about: "Apache ORC: one BloomFilter message of a BLOOM_FILTER_UTF8 stream",
        keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::F64],
        builds: &[build!("orc", "as BloomFilterUtf8", OrcBloom::with_rate)],
        ..reads!(OrcBloom)
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
                Ok(Box::new(HiveBloom::with_items(items).map_err(error)?))
            },
        }],
        ..reads!(HiveBloom)
    },
];
