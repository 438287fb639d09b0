//! Describes the filters of each system of `bloom-formats`, for people and for programs.

use bloom_formats::{
    DataSketchesBloom, DcsoBloom, GoBloom, GuavaBloom, GuavaStrategy, HadoopBloom,
    HadoopDynamicBloom, HadoopHash, HiveBloom, OrcBloom, OrcStream, ParquetBloom, RedisBloom,
    RedisGrowth, RedisLink, SparkBloom, SparkVersion,
};
use bloom_params::numbers::counted;
use bloom_params::object;
use bloom_params::report::{Object, Value};

use super::opened::About;

/// Returns a report that has only a name and fields.
fn about(what: String, fields: Vec<(&'static str, Value)>) -> About {
    About {
        what,
        fields,
        ..About::default()
    }
}

pub(super) fn spark(filter: &SparkBloom<'_>) -> About {
    let (what, fields) = match filter.version() {
        SparkVersion::V1 => ("version 1".to_string(), vec![("version", 1_u32.into())]),
        SparkVersion::V2 { seed } => (
            format!("version 2, seed {seed}"),
            vec![("version", 2_u32.into()), ("seed", seed.into())],
        ),
    };
    about(format!("Spark filter, {what}"), fields)
}

pub(super) fn guava(filter: &GuavaBloom<'_>) -> About {
    let (name, number) = match filter.strategy() {
        GuavaStrategy::Mitz32 => ("MURMUR128_MITZ_32", 0),
        GuavaStrategy::Mitz64 => ("MURMUR128_MITZ_64", 1),
    };
    let what = format!("Guava filter, strategy {number} ({name})");
    about(what, vec![("strategy", number.into())])
}

pub(super) fn parquet(filter: &ParquetBloom<'_>) -> About {
    let blocks = filter.blocks();
    let count = counted(blocks, "block");
    let what = format!("Parquet split-block filter, {count} of 256 bits");
    about(what, vec![("blocks", blocks.into())])
}

pub(super) fn go(_: &GoBloom<'_>) -> About {
    about("bits-and-blooms filter (Go)".to_string(), Vec::new())
}

pub(super) fn orc(filter: &OrcBloom<'_>) -> About {
    let (what, needs_name) = match filter.stream() {
        // `true`: the older stream does not store its number of words, so a filter cut after any word can be read, too. The
        // bytes then do not prove the format, and it must be named.
        OrcStream::Original => ("ORC filter of the older stream, BLOOM_FILTER", true),
        OrcStream::Utf8 => ("ORC filter", false),
    };
    About {
        needs_name,
        ..about(what.to_string(), Vec::new())
    }
}

pub(super) fn hive(filter: &HiveBloom<'_>) -> About {
    let blocks = filter.blocks();
    let what = format!("Hive BloomKFilter, {}", counted(blocks, "block"));
    about(what, vec![("blocks", blocks.into())])
}

pub(super) fn datasketches(filter: &DataSketchesBloom<'_>) -> About {
    let seed = filter.seed();
    let what = format!("DataSketches filter, seed {seed}");
    about(what, vec![("seed", seed.into())])
}

pub(super) fn dcso(filter: &DcsoBloom<'_>) -> About {
    let (n, p) = (filter.expected_items(), filter.rate());
    let data = filter.data().len() as u64;
    let bytes = counted(data, "byte");
    // The library of DCSO uses only the lowest byte of the flags. So the text for people names the flags only if a higher bit
    // is set.
    let flags = filter.flags();
    let others = match flags >> 8 {
        0 => String::new(),
        _ => format!(", flags {flags:#x}"),
    };
    About {
        what: format!("DCSO filter for {n} items at p = {p}, {bytes} of attached data{others}"),
        fields: vec![
            ("flags", flags.into()),
            ("expected_items", n.into()),
            ("rate", p.into()),
            ("data_bytes", data.into()),
        ],
        counted: Some(filter.items()),
        data_bytes: data,
        ..About::default()
    }
}

pub(super) fn hadoop(filter: &HadoopBloom<'_>) -> About {
    let (name, hash) = of_hadoop(filter.hash());
    about(format!("Hadoop filter, {name}"), vec![hash])
}

pub(super) fn hadoop_dynamic(filter: &HadoopDynamicBloom<'_>) -> About {
    let (name, hash) = of_hadoop(filter.hash());
    let (rows, each) = (filter.rows(), filter.items_per_row());
    let count = counted(rows, "row");
    About {
        what: format!("Hadoop dynamic filter, {name}, {count}, a new row every {each} keys"),
        fields: vec![hash, ("rows", rows.into()), ("items_per_row", each.into())],
        counted: Some((rows - 1) * u64::from(each) + u64::from(filter.last_row_items())),
        grows: true,
        ..About::default()
    }
}

pub(super) fn redis(filter: &RedisBloom<'_>) -> About {
    let links: Vec<_> = filter.links().collect();
    let last = links.last().expect("a chain has a link");
    let is_full = last.items >= last.expected_items;
    let (growth, value) = match filter.growth() {
        RedisGrowth::By(times) => (format!("grows by a factor of {times}"), times.into()),
        RedisGrowth::Never if is_full => (
            "full: Redis refuses more items, as the filter does not grow".to_string(),
            Value::Null,
        ),
        RedisGrowth::Never => ("does not grow".to_string(), Value::Null),
    };
    let sum = |sum: u64, link: &RedisLink| sum.saturating_add(link.expected_items);
    let capacity = links.iter().fold(0, sum);
    let chain: Vec<_> = links.iter().map(of_link).collect();
    About {
        what: format!(
            "RedisBloom chain of {} for {}, {growth}",
            counted(links.len() as u64, "link"),
            counted(capacity, "item"),
        ),
        fields: vec![
            ("links", links.len().into()),
            ("growth", value),
            ("expansion", filter.expansion().into()),
            ("options", filter.options().into()),
            ("capacity", capacity.into()),
            (
                "is_full",
                (is_full && filter.growth() == RedisGrowth::Never).into(),
            ),
            ("chain", chain.into()),
        ],
        counted: Some(filter.items()),
        grows: filter.growth() != RedisGrowth::Never,
        ..About::default()
    }
}

fn of_link(link: &RedisLink) -> Object {
    object![
        ("m", link.shape.bits()),
        ("k", link.shape.hashes()),
        ("n_counted", link.items),
        ("expected_items", link.expected_items),
        ("rate", link.rate),
        ("bits_per_item", link.bits_per_item)
    ]
}

/// Returns the name of the hash of a Hadoop filter, for people, and its field for programs.
fn of_hadoop(hash: HadoopHash) -> (&'static str, (&'static str, Value)) {
    let (name, word) = match hash {
        HadoopHash::Jenkins => ("Jenkins hash", "jenkins"),
        HadoopHash::Murmur => ("murmur hash", "murmur"),
    };
    (name, ("hash", word.into()))
}
