//! Builds and queries the filters of bloom-formats, and queries the filter of the crate parquet.

use std::error::Error;

use bloom_formats::{
    Filter, FormatError, GuavaBloom, GuavaKey, GuavaStrategy, ParquetBloom, RedisBloom,
    RedisGrowth, SparkBloom, SparkKey, SparkVersion,
};
use cpu_time::ThreadTime;
use parquet::bloom_filter::Sbbf;

use crate::{Peer, spread};

/// A filter format that the benchmark measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Spark1,
    Spark2,
    Guava,
    Redis,
    Parquet,
}

impl Format {
    pub(crate) const ALL: [Self; 5] = [
        Self::Spark1,
        Self::Spark2,
        Self::Guava,
        Self::Redis,
        Self::Parquet,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Spark1 => "Spark, version 1",
            Self::Spark2 => "Spark, version 2",
            Self::Guava => "Guava",
            Self::Redis => "RedisBloom",
            Self::Parquet => "Parquet",
        }
    }
}

/// Returns an item by its number.
pub(crate) fn item(number: u64) -> i64 {
    spread(number).cast_signed()
}

/// Returns the text of a key that Redis gets: 16 hexadecimal digits.
pub(crate) fn text(key: i64) -> [u8; 16] {
    let mut text = [0; 16];
    for (place, digit) in text.iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(key >> (60 - 4 * place) & 15) as usize];
    }
    text
}

/// A filter of bloom-formats.
pub(crate) enum Loaded {
    Spark(SparkBloom<'static>),
    Guava(GuavaBloom<'static>),
    Redis(RedisBloom<'static>),
    Parquet(ParquetBloom<'static>),
}

impl Loaded {
    /// Builds a filter and reads it back from its bytes.
    pub(crate) fn build(format: Format, items: u64, rate: f64) -> Result<Self, FormatError> {
        let keys = (0..items).map(item);
        match format {
            Format::Spark1 | Format::Spark2 => {
                let version = match format {
                    Format::Spark1 => SparkVersion::V1,
                    _ => SparkVersion::V2 { seed: 0 },
                };
                let mut filter = SparkBloom::with_rate(version, items, rate)?;
                for key in keys {
                    filter.insert(key)?;
                }
                SparkBloom::from_bytes(&filter.to_bytes()?).map(Self::Spark)
            }
            Format::Guava => {
                let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, rate)?;
                for key in keys {
                    filter.insert(GuavaKey::Long(key))?;
                }
                GuavaBloom::from_bytes(&filter.to_bytes()?).map(Self::Guava)
            }
            Format::Redis => {
                let mut filter = RedisBloom::with_rate(RedisGrowth::Never, items, rate)?;
                for key in keys {
                    filter.insert(&text(key))?;
                }
                RedisBloom::from_bytes(&filter.to_bytes()?).map(Self::Redis)
            }
            Format::Parquet => {
                let mut filter = ParquetBloom::with_rate(items, rate)?;
                for key in keys {
                    filter.insert(key)?;
                }
                ParquetBloom::from_bytes(&filter.to_bytes()?).map(Self::Parquet)
            }
        }
    }

    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Spark(filter) if filter.version() == SparkVersion::V1 => Format::Spark1,
            Self::Spark(_) => Format::Spark2,
            Self::Guava(_) => Format::Guava,
            Self::Redis(_) => Format::Redis,
            Self::Parquet(_) => Format::Parquet,
        }
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        match self {
            Self::Spark(filter) => filter.to_bytes(),
            Self::Guava(filter) => filter.to_bytes(),
            Self::Redis(filter) => filter.to_bytes(),
            Self::Parquet(filter) => filter.to_bytes(),
        }
    }

    /// Returns the chunks in which Redis loads a filter; no chunks for filters of other systems.
    pub(crate) fn chunks(&self) -> Result<Vec<(u64, Vec<u8>)>, FormatError> {
        match self {
            Self::Redis(filter) => filter.to_chunks(),
            _ => Ok(Vec::new()),
        }
    }

    /// Queries all keys, and returns the number of positive answers and the nanoseconds.
    pub(crate) fn run(&self, keys: &[i64]) -> (usize, f64) {
        match self {
            Self::Spark(filter) => {
                let items: Vec<_> = keys.iter().copied().map(SparkKey::Long).collect();
                let mut answers = Vec::with_capacity(items.len());
                let start = ThreadTime::now();
                filter.contains_many(&items, &mut answers);
                let found = answers.iter().filter(|found| **found).count();
                (found, start.elapsed().as_secs_f64() * 1e9)
            }
            Self::Guava(filter) => pass(keys, |key| filter.contains(GuavaKey::Long(key))),
            Self::Redis(filter) => {
                let texts: Vec<[u8; 16]> = keys.iter().copied().map(text).collect();
                pass(&texts, |text| filter.contains(&text))
            }
            Self::Parquet(filter) => pass(keys, |key| filter.contains(key)),
        }
    }
}

/// A filter of the crate parquet, loaded from the bytes of a [`ParquetBloom`].
pub(crate) struct Parquet {
    filter: Sbbf,
    keys: Vec<i64>,
}

impl Parquet {
    pub(crate) fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let filter = Sbbf::from_bytes(bytes)?;
        let keys = Vec::new();
        Ok(Self { filter, keys })
    }
}

impl Peer for Parquet {
    fn keys(&mut self, keys: &[i64]) -> Result<(), Box<dyn Error>> {
        self.keys = keys.to_vec();
        Ok(())
    }

    fn run(&mut self) -> Result<(usize, f64), Box<dyn Error>> {
        Ok(pass(&self.keys, |key| self.filter.check(&key)))
    }
}

fn pass<K: Copy>(keys: &[K], contains: impl Fn(K) -> bool) -> (usize, f64) {
    let start = ThreadTime::now();
    let found = keys.iter().filter(|key| contains(**key)).count();
    (found, start.elapsed().as_secs_f64() * 1e9)
}
