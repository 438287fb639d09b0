//! Lists all formats for the tests that are the same for every format. For each format, the list says where the files of its
//! system are, how they are read, and how to create an empty filter with the parameters that the system used.

use crate::common::{Case, Key, cases};
use crate::{
    datasketches, dcso, go, guava, hadoop, hadoop_dynamic, hive, orc, parquet, redis, spark,
};
use bloom_formats::datasketches::DataSketches;
use bloom_formats::dcso::Dcso;
use bloom_formats::go::Go;
use bloom_formats::guava::Guava;
use bloom_formats::hadoop::Hadoop;
use bloom_formats::hive::Hive;
use bloom_formats::orc::Orc;
use bloom_formats::parquet::Parquet;
use bloom_formats::spark::Spark;
use bloom_formats::{
    Bloom, DataSketchesBloom, DcsoBloom, Filter, FormatError, GoBloom, GuavaBloom, GuavaStrategy,
    HadoopBloom, HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, ParquetBloom, RedisBloom,
    RedisGrowth, SparkBloom, SparkVersion, System,
};

/// A filter of any format, or the reason why the bytes are not a filter.
type Any<'a> = Result<Box<dyn Filter + 'a>, FormatError>;

/// A filter, and the bytes that follow it.
type WithRest<'a> = Result<(Box<dyn Filter>, &'a [u8]), FormatError>;

/// Returns an empty filter with the parameters that the system used for a file.
type Created = Box<dyn Fn(&Case) -> Box<dyn Filter>>;

/// Returns the bytes that a filter must have after a merge of two filters, each with half of a file's items.
type Merged = fn(&Case, [&dyn Filter; 2]) -> Vec<u8>;

/// The functions that read a filter: into memory of its own, in place in the given bytes, or with bytes after it that the
/// system ignores.
pub(crate) struct Reads {
    pub(crate) owned: fn(&[u8]) -> Any<'static>,
    pub(crate) in_place: for<'a> fn(&'a [u8]) -> Any<'a>,
    pub(crate) lenient: for<'a> fn(&'a [u8]) -> WithRest<'a>,
}

/// A format, with what its tests need.
pub(crate) struct Tested {
    pub(crate) reads: Reads,
    /// Returns an empty filter for the given number of items.
    pub(crate) new: Box<dyn Fn(u64) -> Box<dyn Filter>>,
    /// Returns an empty filter with the parameters that the system used for a file.
    pub(crate) created: Created,
    /// `None` if two filters with half of the items each do not merge, or if their merge is not the filter of all items.
    pub(crate) merged: Option<Merged>,
    /// The number of damaged files of the format in malformed.json.
    pub(crate) damaged: usize,
    /// The number of queries with which the rate is measured.
    pub(crate) queries: u32,
    folders: &'static [&'static str],
    files: usize,
    prepared: fn(Case) -> Case,
}

impl Tested {
    /// Returns all files, each with its filter.
    pub(crate) fn filters(&self) -> Vec<(Case, Box<dyn Filter>)> {
        let cases = self.folders.iter().flat_map(|folder| cases(folder));
        let read = |case: Case| {
            let case = (self.prepared)(case);
            let filter = (self.reads.owned)(&case.bytes).unwrap();
            (case, filter)
        };
        let filters: Vec<_> = cases.map(read).collect();
        assert_eq!(filters.len(), self.files, "{:?}", self.folders);
        filters
    }

    /// Returns the name that the damaged files are listed under.
    pub(crate) fn name(&self) -> &'static str {
        self.folders[0]
    }

    fn damaged(self, damaged: usize) -> Self {
        Self { damaged, ..self }
    }

    fn prepared(self, prepared: fn(Case) -> Case) -> Self {
        Self { prepared, ..self }
    }

    fn merged(self, merged: Option<Merged>) -> Self {
        Self { merged, ..self }
    }

    /// Halves the queries, for filters that are slow to query.
    fn slow(self) -> Self {
        let queries = self.queries / 2;
        Self { queries, ..self }
    }
}

fn of<F: Filter + 'static>(
    reads: Reads,
    (folders, files): (&'static [&'static str], usize),
    created: fn(&Case) -> F,
    new: fn(u64) -> Result<F, FormatError>,
) -> Tested {
    Tested {
        reads,
        new: Box::new(move |items| Box::new(new(items).unwrap())),
        created: Box::new(move |case| Box::new(created(case))),
        merged: Some(|case, _| case.bytes.clone()),
        damaged: 0,
        queries: 1_000_000,
        folders,
        files,
        prepared: |case| case,
    }
}

/// Returns the functions that read a filter with one bit array.
fn bloom<S: System>() -> Reads {
    Reads {
        owned: |bytes| Ok(Box::new(Bloom::<S>::from_bytes(bytes)?)),
        in_place: |bytes| Ok(Box::new(Bloom::<S>::borrowed(bytes)?)),
        lenient: |bytes| {
            let (filter, rest) = Bloom::<S>::from_bytes_lenient(bytes)?;
            Ok((Box::new(filter), rest))
        },
    }
}

/// Returns the functions that read a filter of RedisBloom, which is a chain of Bloom filters. No bytes may follow it.
fn chain() -> Reads {
    Reads {
        owned: |bytes| Ok(Box::new(RedisBloom::from_bytes(bytes)?)),
        in_place: |bytes| Ok(Box::new(RedisBloom::borrowed(bytes)?)),
        lenient: |bytes| Ok((Box::new(RedisBloom::from_bytes(bytes)?), &[])),
    }
}

/// Returns the functions that read a dynamic filter of Hadoop, which is a list of Bloom filters, called rows.
fn rows() -> Reads {
    Reads {
        owned: |bytes| Ok(Box::new(HadoopDynamicBloom::from_bytes(bytes)?)),
        in_place: |bytes| Ok(Box::new(HadoopDynamicBloom::borrowed(bytes)?)),
        lenient: |bytes| {
            let (filter, rest) = HadoopDynamicBloom::from_bytes_lenient(bytes)?;
            Ok((Box::new(filter), rest))
        },
    }
}

/// Turns the keys into bytes, numbers with the highest byte first.
fn big_endian(case: Case) -> Case {
    case.with_keys(|key| Key::Bytes(key.big_endian()))
}

/// Turns the keys into bytes, numbers into their decimal text.
fn decimal(case: Case) -> Case {
    case.with_keys(|key| Key::Bytes(key.decimal()))
}

pub(crate) fn all() -> Vec<Tested> {
    vec![
        of(
            bloom::<Spark>(),
            (&["spark", "spark35"], 7),
            spark::created,
            |items| SparkBloom::with_rate(SparkVersion::V1, items, 0.01),
        )
        .damaged(12),
        of(bloom::<Guava>(), (&["guava"], 5), guava::created, |items| {
            GuavaBloom::with_rate(GuavaStrategy::Mitz64, items, 0.01)
        })
        .damaged(5)
        .prepared(guava::through_funnel),
        of(
            bloom::<Parquet>(),
            (&["parquet", "sbbf_bitset"], 8),
            parquet::created,
            |items| ParquetBloom::with_rate(items, 0.01),
        )
        .prepared(parquet::with_header),
        of(chain(), (&["redisbloom"], 5), redis::created, |items| {
            RedisBloom::with_rate(RedisGrowth::By(2), items, 0.01)
        })
        .prepared(decimal)
        .merged(None),
        of(bloom::<Go>(), (&["bitsbloom"], 4), go::created, |items| {
            GoBloom::with_rate(items, 0.01)
        })
        .prepared(big_endian),
        of(
            bloom::<Hadoop>(),
            (&["hadoop"], 4),
            hadoop::created,
            |items| HadoopBloom::with_rate(HadoopHash::Murmur, items, 0.01),
        )
        .damaged(6)
        .prepared(big_endian)
        .slow(),
        // A row of this dynamic filter takes three fifths of the items, so that the filter has two rows.
        of(
            rows(),
            (&["hadoop_dynamic"], 1),
            hadoop_dynamic::created,
            |items| HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items * 3 / 5, 0.01),
        )
        .prepared(big_endian)
        .merged(None),
        of(bloom::<Orc>(), (&["orc"], 3), orc::created, |items| {
            OrcBloom::with_rate(items, 0.01)
        }),
        of(
            bloom::<Hive>(),
            (&["hive_bloomk"], 3),
            hive::created,
            HiveBloom::with_items,
        )
        .slow(),
        of(
            bloom::<DataSketches>(),
            (&["datasketches", "datasketches_dirty"], 5),
            datasketches::created,
            |items| DataSketchesBloom::with_rate(9001, items, 0.01),
        )
        .damaged(11)
        .merged(Some(datasketches::merged)),
        of(bloom::<Dcso>(), (&["dcso"], 4), dcso::created, |items| {
            DcsoBloom::with_rate(items, 0.01)
        })
        .prepared(big_endian)
        .merged(Some(dcso::merged)),
    ]
}
