//! The systems of `bloom-formats`.

use bloom_formats::{
    GoBloom, GuavaBloom, GuavaKey, GuavaStrategy, ParquetBloom, ParquetKey, RedisBloom,
    RedisGrowth, SparkBloom, SparkKey, SparkVersion,
};
use bloom_params::InputError;

use super::{Build, Fillable, Filter, System, error};
use crate::facts::Facts;
use crate::key::{Key, KeyType};

/// The types of keys of a system that takes bytes alone.
const BYTES: &[KeyType] = &[
    KeyType::Text,
    KeyType::Hex,
    KeyType::I64Be,
    KeyType::I64Le,
    KeyType::I32Be,
    KeyType::I32Le,
];

/// Returns the readings that all filters with a shape have.
macro_rules! facts {
    ($filter:expr, $what:expr, $fields:expr) => {
        Facts {
            what: $what,
            fields: $fields,
            bits: $filter.shape().bits(),
            hashes: $filter.shape().hashes().into(),
            fill: $filter.fill(),
            items: $filter.estimated_items(),
            counted: None,
            rate: $filter.false_positive_rate(),
            warnings: $filter.warnings().iter().map(ToString::to_string).collect(),
        }
    };
}

/// Implements [`Filter`] and [`Fillable`]: `key` turns a key into one of the system, or `None`.
macro_rules! filters {
    ($type:ident, $key:expr, $facts:expr, $expected:expr, $insert:expr) => {
        impl<B: AsRef<[u8]> + Sync> Filter for $type<B> {
            fn facts(&self) -> Facts {
                $facts(self)
            }

            fn expected_rate(&self, items: u64) -> Option<f64> {
                $expected(self, items)
            }

            fn contains(&self, key: Key<'_>) -> Option<bool> {
                Some(self.contains($key(key)?))
            }
        }

        impl Fillable for $type {
            fn insert(&mut self, key: Key<'_>) -> Option<Result<(), InputError>> {
                Some($insert(self, $key(key)?))
            }

            fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
                $type::to_bytes(self).map_err(error)
            }
        }
    };
}

/// Returns how filters are read and merged.
macro_rules! readers {
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
                let mut all = $type::from_bytes(files[0]).map_err(|refused| (0, error(refused)))?;
                for (index, file) in files.iter().enumerate().skip(1) {
                    let merged = $type::borrowed(file).and_then(|other| all.merge(&other));
                    merged.map_err(|refused| (index, error(refused)))?;
                }
                Ok(Box::new(all))
            }),
            is_bare: false,
            builds: &[],
        }
    };
}

fn spark_key(key: Key<'_>) -> Option<SparkKey<'_>> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(SparkKey::Bytes(bytes)),
        Key::Long(value) => Some(SparkKey::Long(value)),
        Key::Int(value) => Some(SparkKey::Int(value)),
        Key::Xxhash64(key) => Some(key.xxhash64()),
        _ => None,
    }
}

fn guava_key(key: Key<'_>) -> Option<GuavaKey<'_>> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(GuavaKey::Bytes(bytes)),
        Key::Utf16(text) => Some(GuavaKey::Utf16(text)),
        Key::Long(value) => Some(GuavaKey::Long(value)),
        Key::Int(value) => Some(GuavaKey::Int(value)),
        _ => None,
    }
}

fn parquet_key(key: Key<'_>) -> Option<ParquetKey<'_>> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(ParquetKey::ByteArray(bytes)),
        Key::Long(value) => Some(ParquetKey::Int64(value)),
        Key::Int(value) => Some(ParquetKey::Int32(value)),
        Key::Double(value) => Some(ParquetKey::Double(value)),
        Key::Float(value) => Some(ParquetKey::Float(value)),
        _ => None,
    }
}

fn bytes_key(key: Key<'_>) -> Option<&[u8]> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

filters!(
    SparkBloom,
    spark_key,
    |filter: &Self| {
        let (what, fields) = match filter.version() {
            SparkVersion::V1 => (
                "Spark filter, version 1".to_string(),
                vec![("version", 1.into())],
            ),
            SparkVersion::V2 { seed } => (
                format!("Spark filter, version 2, seed {seed}"),
                vec![("version", 2.into()), ("seed", seed.into())],
            ),
        };
        facts!(filter, what, fields)
    },
    |filter: &Self, items| Some(filter.expected_false_positive_rate(items)),
    |filter: &mut Self, key| {
        filter.insert(key);
        Ok(())
    }
);
filters!(
    GuavaBloom,
    guava_key,
    |filter: &Self| {
        let (name, number) = match filter.strategy() {
            GuavaStrategy::Mitz32 => ("MURMUR128_MITZ_32", 0),
            GuavaStrategy::Mitz64 => ("MURMUR128_MITZ_64", 1),
        };
        let what = format!("Guava filter, strategy {number} ({name})");
        facts!(filter, what, vec![("strategy", number.into())])
    },
    |filter: &Self, items| Some(filter.expected_false_positive_rate(items)),
    |filter: &mut Self, key| {
        filter.insert(key);
        Ok(())
    }
);
filters!(
    ParquetBloom,
    parquet_key,
    |filter: &Self| {
        let blocks = filter.blocks();
        let what = format!("Parquet split-block filter, {blocks} blocks of 256 bits");
        facts!(filter, what, vec![("blocks", blocks.into())])
    },
    |filter: &Self, items| Some(filter.expected_false_positive_rate(items)),
    |filter: &mut Self, key| {
        filter.insert(key);
        Ok(())
    }
);
filters!(
    GoBloom,
    bytes_key,
    |filter: &Self| facts!(filter, "bits-and-blooms filter (Go)".to_string(), vec![]),
    |filter: &Self, items| Some(filter.expected_false_positive_rate(items)),
    |filter: &mut Self, key| {
        filter.insert(key);
        Ok(())
    }
);
filters!(
    RedisBloom,
    bytes_key,
    |filter: &Self| {
        let (growth, value) = match filter.growth() {
            RedisGrowth::By(times) => (format!("grows by {times}"), times.into()),
            RedisGrowth::Never => ("does not grow".to_string(), serde_json::Value::Null),
        };
        let links = filter.links().count();
        let last = filter.links().last().expect("a chain has a link");
        Facts {
            what: format!(
                "RedisBloom chain of {}, {growth}",
                if links == 1 {
                    "1 link".to_string()
                } else {
                    format!("{links} links")
                }
            ),
            fields: vec![("links", links.into()), ("growth", value)],
            bits: filter.links().map(|link| link.shape.bits()).sum(),
            hashes: last.shape.hashes().into(),
            fill: filter.fill(),
            items: filter.estimated_items(),
            counted: Some(filter.items()),
            rate: filter.false_positive_rate(),
            warnings: filter.warnings().iter().map(ToString::to_string).collect(),
        }
    },
    |_: &Self, _| None,
    |filter: &mut Self, key| filter.insert(key).map(drop).map_err(error)
);

/// A filter of Parquet without its header.
struct Bitset<B>(ParquetBloom<B>);

impl<B: AsRef<[u8]> + Sync> Filter for Bitset<B> {
    fn facts(&self) -> Facts {
        let facts = self.0.facts();
        let what = facts.what + ", without a header";
        Facts { what, ..facts }
    }

    fn expected_rate(&self, items: u64) -> Option<f64> {
        self.0.expected_rate(items)
    }

    fn contains(&self, key: Key<'_>) -> Option<bool> {
        Filter::contains(&self.0, key)
    }
}

impl Fillable for Bitset<Vec<u8>> {
    fn insert(&mut self, key: Key<'_>) -> Option<Result<(), InputError>> {
        Fillable::insert(&mut self.0, key)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
        self.0.to_bitset().map_err(error)
    }
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
            Build {
                name: "spark",
                about: "as BloomFilter.create of Spark 4.1 and later, version 2",
                create: |items, rate| {
                    let version = SparkVersion::V2 { seed: 0 };
                    Ok(Box::new(
                        SparkBloom::with_rate(version, items, rate).map_err(error)?,
                    ))
                },
            },
            Build {
                name: "spark-1",
                about: "as BloomFilter.create of Spark up to 4.0, version 1",
                create: |items, rate| {
                    let version = SparkVersion::V1;
                    Ok(Box::new(
                        SparkBloom::with_rate(version, items, rate).map_err(error)?,
                    ))
                },
            },
            Build {
                name: "spark-dataframe",
                about: "as df.stat.bloomFilter of Spark 4.1 and later, with its caps",
                create: |items, rate| {
                    let version = SparkVersion::V2 { seed: 0 };
                    let filter = SparkBloom::with_data_frame_rate(version, items, rate);
                    Ok(Box::new(filter.map_err(error)?))
                },
            },
        ],
        ..readers!(SparkBloom)
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
            Build {
                name: "guava",
                about: "as BloomFilter.create of Guava 33, strategy 1",
                create: |items, rate| {
                    let filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate);
                    Ok(Box::new(filter.map_err(error)?))
                },
            },
            Build {
                name: "guava-32",
                about: "strategy 0 of old releases",
                create: |items, rate| {
                    let filter = GuavaBloom::with_rate(GuavaStrategy::Mitz32, items, rate);
                    Ok(Box::new(filter.map_err(error)?))
                },
            },
        ],
        ..readers!(GuavaBloom)
    },
    System {
        name: "redis",
        about: "RedisBloom: the data of all chunks of BF.SCANDUMP, one after another",
        keys: BYTES,
        read: |bytes| Ok(Box::new(RedisBloom::borrowed(bytes).map_err(error)?)),
        read_part: |bytes| Ok((Box::new(RedisBloom::borrowed(bytes).map_err(error)?), 0)),
        merge: None,
        is_bare: false,
        builds: &[
            Build {
                name: "redis",
                about: "as BF.RESERVE, growing by 2",
                create: |items, rate| {
                    let filter = RedisBloom::with_rate(RedisGrowth::By(2), items, rate);
                    Ok(Box::new(filter.map_err(error)?))
                },
            },
            Build {
                name: "redis-nonscaling",
                about: "as BF.RESERVE with NONSCALING",
                create: |items, rate| {
                    let filter = RedisBloom::with_rate(RedisGrowth::Never, items, rate);
                    Ok(Box::new(filter.map_err(error)?))
                },
            },
        ],
    },
    System {
        name: "bits-and-blooms",
        about: "bits-and-blooms/bloom of Go: WriteTo",
        keys: BYTES,
        builds: &[Build {
            name: "bits-and-blooms",
            about: "as bloom.NewWithEstimates",
            create: |items, rate| Ok(Box::new(GoBloom::with_rate(items, rate).map_err(error)?)),
        }],
        ..readers!(GoBloom)
    },
    System {
        name: "parquet",
        about: "Apache Parquet: header and bitset at bloom_filter_offset",
        keys: PARQUET,
        builds: &[Build {
            name: "parquet",
            about: "as parquet-java, a power of two",
            create: |items, rate| {
                Ok(Box::new(
                    ParquetBloom::with_rate(items, rate).map_err(error)?,
                ))
            },
        }],
        ..readers!(ParquetBloom)
    },
    System {
        name: "parquet-bitset",
        about: "the bitset of a Parquet filter alone",
        keys: PARQUET,
        read: |bytes| {
            let filter = ParquetBloom::borrowed_bitset(bytes).map_err(error)?;
            Ok(Box::new(Bitset(filter)))
        },
        read_part: |bytes| {
            let filter = ParquetBloom::borrowed_bitset(bytes).map_err(error)?;
            Ok((Box::new(Bitset(filter)), 0))
        },
        merge: Some(|files| {
            let first = ParquetBloom::from_bitset(files[0]);
            let mut all = first.map_err(|refused| (0, error(refused)))?;
            for (index, file) in files.iter().enumerate().skip(1) {
                let merged =
                    ParquetBloom::borrowed_bitset(file).and_then(|other| all.merge(&other));
                merged.map_err(|refused| (index, error(refused)))?;
            }
            Ok(Box::new(Bitset(all)))
        }),
        is_bare: true,
        builds: &[Build {
            name: "parquet-bitset",
            about: "the same without the header",
            create: |items, rate| {
                let filter = ParquetBloom::with_rate(items, rate).map_err(error)?;
                Ok(Box::new(Bitset(filter)))
            },
        }],
    },
];

const PARQUET: &[KeyType] = &[
    KeyType::Text,
    KeyType::Hex,
    KeyType::I64,
    KeyType::I32,
    KeyType::F64,
    KeyType::F32,
];
