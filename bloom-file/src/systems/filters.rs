//! The filters of `bloom-formats`: their keys and readings.

use bloom_formats::{
    DataSketchesBloom, DataSketchesKey, DcsoBloom, FormatError, GoBloom, GuavaBloom, GuavaKey,
    GuavaStrategy, HadoopBloom, HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, OrcKey,
    ParquetBloom, ParquetKey, RedisBloom, RedisGrowth, SparkBloom, SparkKey, SparkVersion,
};
use bloom_params::InputError;
use bloom_params::report::Value;

use super::{Fillable, Filter, error};
use crate::facts::Facts;
use crate::key::Key;

/// What a query or an insert returns: some systems refuse keys.
trait Outcome<T> {
    fn outcome(self) -> Result<T, InputError>;
}

impl<T> Outcome<T> for T {
    fn outcome(self) -> Result<T, InputError> {
        Ok(self)
    }
}

impl<T> Outcome<T> for Result<T, FormatError> {
    fn outcome(self) -> Result<T, InputError> {
        self.map_err(error)
    }
}

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

/// Implements [`Filter`] and [`Fillable`]: `key` turns a key into one of the system, or `None`; `facts` are the
/// readings.
macro_rules! filters {
    ($type:ident, $key:expr, $facts:expr) => {
        impl<B: AsRef<[u8]> + Sync> Filter for $type<B> {
            fn facts(&self) -> Facts {
                $facts(self)
            }

            fn expected_rate(&self, items: u64) -> Option<f64> {
                Some(self.expected_false_positive_rate(items))
            }

            fn contains(&self, key: Key<'_>) -> Option<Result<bool, InputError>> {
                Some(self.contains($key(key)?).outcome())
            }
        }

        impl Fillable for $type {
            fn insert(&mut self, key: Key<'_>) -> Option<Result<bool, InputError>> {
                Some(self.insert($key(key)?).outcome())
            }

            fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
                $type::to_bytes(self).map_err(error)
            }
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

fn orc_key(key: Key<'_>) -> Option<OrcKey<'_>> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(OrcKey::Bytes(bytes)),
        Key::Long(value) => Some(OrcKey::Long(value)),
        Key::Double(value) => Some(OrcKey::Double(value)),
        _ => None,
    }
}

fn datasketches_key(key: Key<'_>) -> Option<DataSketchesKey<'_>> {
    match key {
        // The empty string is no item.
        Key::Text([]) => Some(DataSketchesKey::Str("")),
        Key::Text(bytes) | Key::Bytes(bytes) => Some(DataSketchesKey::Bytes(bytes)),
        Key::Long(value) => Some(DataSketchesKey::Long(value)),
        Key::Double(value) => Some(DataSketchesKey::Double(value)),
        _ => None,
    }
}

fn bytes_key(key: Key<'_>) -> Option<&[u8]> {
    match key {
        Key::Text(bytes) | Key::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

filters!(SparkBloom, spark_key, |filter: &Self| {
    let (what, fields) = match filter.version() {
        SparkVersion::V1 => ("version 1".to_string(), vec![("version", 1_u32.into())]),
        SparkVersion::V2 { seed } => (
            format!("version 2, seed {seed}"),
            vec![("version", 2_u32.into()), ("seed", seed.into())],
        ),
    };
    facts!(filter, format!("Spark filter, {what}"), fields)
});
filters!(GuavaBloom, guava_key, |filter: &Self| {
    let (name, number) = match filter.strategy() {
        GuavaStrategy::Mitz32 => ("MURMUR128_MITZ_32", 0),
        GuavaStrategy::Mitz64 => ("MURMUR128_MITZ_64", 1),
    };
    let what = format!("Guava filter, strategy {number} ({name})");
    facts!(filter, what, vec![("strategy", number.into())])
});
filters!(ParquetBloom, parquet_key, |filter: &Self| {
    let blocks = filter.blocks();
    let what = format!(
        "Parquet split-block filter, {} of 256 bits",
        plural(blocks, "block")
    );
    facts!(filter, what, vec![("blocks", blocks.into())])
});
filters!(GoBloom, bytes_key, |filter: &Self| {
    facts!(filter, "bits-and-blooms filter (Go)".to_string(), vec![])
});
filters!(OrcBloom, orc_key, |filter: &Self| {
    facts!(filter, "ORC filter".to_string(), vec![])
});
filters!(HiveBloom, orc_key, |filter: &Self| {
    let blocks = filter.blocks();
    let what = format!("Hive BloomKFilter, {}", plural(blocks, "block"));
    facts!(filter, what, vec![("blocks", blocks.into())])
});
filters!(DataSketchesBloom, datasketches_key, |filter: &Self| {
    let seed = filter.seed();
    facts!(
        filter,
        format!("DataSketches filter, seed {seed}"),
        vec![("seed", seed.into())]
    )
});
filters!(DcsoBloom, bytes_key, |filter: &Self| {
    let (n, p, data) = (
        filter.expected_items(),
        filter.rate(),
        filter.data().len() as u64,
    );
    let what = format!(
        "DCSO filter for {n} items at {p}, {} of data",
        plural(data, "byte")
    );
    let fields = vec![
        ("expected_items", n.into()),
        ("rate", p.into()),
        ("data_bytes", data.into()),
    ];
    let facts = facts!(filter, what, fields);
    Facts {
        counted: Some(filter.items()),
        ..facts
    }
});
filters!(HadoopBloom, bytes_key, |filter: &Self| {
    let (name, hash) = of_hadoop(filter.hash());
    facts!(filter, format!("Hadoop filter, {name}"), vec![hash])
});
filters!(HadoopDynamicBloom, bytes_key, |filter: &Self| {
    let (name, hash) = of_hadoop(filter.hash());
    let (rows, each) = (filter.rows(), filter.items_per_row());
    let counted = (rows - 1) * u64::from(each) + u64::from(filter.last_row_items());
    let what = format!(
        "Hadoop dynamic filter, {name}, {}, a new one each {each} keys",
        plural(rows, "row")
    );
    let fields = vec![hash, ("rows", rows.into()), ("items_per_row", each.into())];
    let facts = facts!(filter, what, fields);
    Facts {
        bits: facts.bits * rows,
        counted: Some(counted),
        ..facts
    }
});
filters!(RedisBloom, bytes_key, |filter: &Self| {
    let (growth, value) = match filter.growth() {
        RedisGrowth::By(times) => (format!("grows by {times}"), times.into()),
        RedisGrowth::Never => ("does not grow".to_string(), Value::Null),
    };
    let links = filter.links().count() as u64;
    let last = filter.links().last().expect("a chain has a link");
    Facts {
        what: format!("RedisBloom chain of {}, {growth}", plural(links, "link")),
        fields: vec![("links", links.into()), ("growth", value)],
        bits: filter.links().map(|link| link.shape.bits()).sum(),
        hashes: last.shape.hashes().into(),
        fill: filter.fill(),
        items: filter.estimated_items(),
        counted: Some(filter.items()),
        rate: filter.false_positive_rate(),
        warnings: filter.warnings().iter().map(ToString::to_string).collect(),
    }
});

/// Returns the hash of a filter of Hadoop, for people and for programs.
fn of_hadoop(hash: HadoopHash) -> (&'static str, (&'static str, Value)) {
    let name = match hash {
        HadoopHash::Jenkins => "Jenkins hash",
        HadoopHash::Murmur => "murmur hash",
    };
    let word = name.split(' ').next().unwrap_or_default();
    (name, ("hash", word.to_lowercase().into()))
}

fn plural(count: u64, unit: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{ending}")
}

/// A filter in another form than that of its own bytes, such as text.
pub(super) struct Form<F> {
    filter: F,
    /// What is added to its description.
    what: &'static str,
    write: fn(&F) -> Result<Vec<u8>, FormatError>,
}

impl<F> Form<F> {
    pub(super) fn new(
        filter: F,
        what: &'static str,
        write: fn(&F) -> Result<Vec<u8>, FormatError>,
    ) -> Self {
        Self {
            filter,
            what,
            write,
        }
    }
}

impl<F: Filter> Filter for Form<F> {
    fn facts(&self) -> Facts {
        let facts = self.filter.facts();
        let what = facts.what + self.what;
        Facts { what, ..facts }
    }

    fn expected_rate(&self, items: u64) -> Option<f64> {
        self.filter.expected_rate(items)
    }

    fn contains(&self, key: Key<'_>) -> Option<Result<bool, InputError>> {
        self.filter.contains(key)
    }
}

impl<F: Fillable> Fillable for Form<F> {
    fn insert(&mut self, key: Key<'_>) -> Option<Result<bool, InputError>> {
        self.filter.insert(key)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
        (self.write)(&self.filter).map_err(error)
    }
}
