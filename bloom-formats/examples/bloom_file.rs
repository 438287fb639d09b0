//! Builds, queries, merges and inspects filter files of other systems, for the checks in `engines/`.
//!
//! ```text
//! bloom_file build --format F -n ITEMS -p RATE [--keys i64] < keys > file
//! bloom_file query FILE --format F [--keys i64] [--only yes|no] < keys
//! bloom_file merge --format F A B… > file
//! bloom_file inspect FILE --format F --json
//! ```
//!
//! A dump of RedisBloom is all of its chunks, one after another.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::{env, fs};

use bloom_formats::{
    FormatError, GoBloom, ParquetBloom, ParquetKey, RedisBloom, RedisGrowth, SparkBloom, SparkKey,
    SparkVersion, Warning,
};

enum Filter {
    Spark(SparkBloom),
    Parquet(ParquetBloom),
    Redis(RedisBloom),
    Go(GoBloom),
}

impl Filter {
    fn with_rate(format: &str, items: u64, rate: f64) -> Result<Self, Box<dyn Error>> {
        Ok(match format {
            "spark-1" => Self::Spark(SparkBloom::with_rate(SparkVersion::V1, items, rate)?),
            "spark-2" => Self::Spark(SparkBloom::with_rate(
                SparkVersion::V2 { seed: 0 },
                items,
                rate,
            )?),
            "parquet" => Self::Parquet(ParquetBloom::with_rate(items, rate)?),
            "redis" => Self::Redis(RedisBloom::with_rate(RedisGrowth::By(2), items, rate)?),
            "redis-fixed" => Self::Redis(RedisBloom::with_rate(RedisGrowth::Never, items, rate)?),
            "go" => Self::Go(GoBloom::with_rate(items, rate)?),
            other => return Err(format!("unknown format {other}").into()),
        })
    }

    fn read(format: &str, bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Ok(match format {
            "spark" => Self::Spark(SparkBloom::from_bytes(bytes)?),
            "parquet" => Self::Parquet(ParquetBloom::from_bytes(bytes)?),
            "redis" => Self::Redis(RedisBloom::from_bytes(bytes)?),
            "go" => Self::Go(GoBloom::from_bytes(bytes)?),
            other => return Err(format!("unknown format {other}").into()),
        })
    }

    fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        match self {
            Self::Spark(filter) => filter.to_bytes(),
            Self::Parquet(filter) => filter.to_bytes(),
            Self::Redis(filter) => filter.to_bytes(),
            Self::Go(filter) => filter.to_bytes(),
        }
    }

    fn insert(&mut self, key: &str, long: bool) -> Result<bool, Box<dyn Error>> {
        Ok(match self {
            Self::Spark(filter) if long => filter.insert(key.parse::<i64>()?),
            Self::Spark(filter) => filter.insert(SparkKey::Str(key)),
            Self::Parquet(filter) if long => filter.insert(key.parse::<i64>()?),
            Self::Parquet(filter) => filter.insert(ParquetKey::from(key)),
            Self::Redis(filter) => filter.insert(key.as_bytes())?,
            Self::Go(filter) => filter.insert(key.as_bytes()),
        })
    }

    fn contains(&self, key: &str, long: bool) -> Result<bool, Box<dyn Error>> {
        Ok(match self {
            Self::Spark(filter) if long => filter.contains(key.parse::<i64>()?),
            Self::Spark(filter) => filter.contains(SparkKey::Str(key)),
            Self::Parquet(filter) if long => filter.contains(key.parse::<i64>()?),
            Self::Parquet(filter) => filter.contains(ParquetKey::from(key)),
            Self::Redis(filter) => filter.contains(key.as_bytes()),
            Self::Go(filter) => filter.contains(key.as_bytes()),
        })
    }

    fn bits(&self) -> u64 {
        match self {
            Self::Spark(filter) => filter.shape().bits(),
            Self::Parquet(filter) => filter.shape().bits(),
            Self::Redis(filter) => filter.links().map(|link| link.shape.bits()).sum(),
            Self::Go(filter) => filter.shape().bits(),
        }
    }

    fn rate_and_warnings(&self) -> (f64, Vec<Warning>) {
        match self {
            Self::Spark(filter) => (filter.false_positive_rate(), filter.warnings()),
            Self::Parquet(filter) => (filter.false_positive_rate(), filter.warnings()),
            Self::Redis(filter) => (filter.false_positive_rate(), filter.warnings()),
            Self::Go(filter) => (filter.false_positive_rate(), filter.warnings()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut files, mut flags) = (Vec::new(), HashMap::new());
    let mut words = env::args().skip(1);
    let command = words.next().ok_or("a command is needed")?;
    while let Some(word) = words.next() {
        match word.strip_prefix('-') {
            Some("-json") => {}
            Some(flag) => _ = flags.insert(flag.to_owned(), words.next().ok_or("a value")?),
            None => files.push(word),
        }
    }
    let flag = |name: &str| flags.get(name).map(String::as_str);
    let format = flag("-format").ok_or("--format is needed")?;
    let long = flag("-keys") == Some("i64");
    let mut out = BufWriter::new(stdout().lock());
    match &*command {
        "build" => {
            let (items, rate) = (flag("n").ok_or("-n")?, flag("p").ok_or("-p")?);
            let mut filter = Filter::with_rate(format, items.parse()?, rate.parse()?)?;
            for key in stdin().lock().lines() {
                filter.insert(&key?, long)?;
            }
            out.write_all(&filter.to_bytes()?)?;
        }
        "query" => {
            let filter = Filter::read(format, &fs::read(&files[0])?)?;
            for key in stdin().lock().lines() {
                let key = key?;
                let answer = if filter.contains(&key, long)? {
                    "yes"
                } else {
                    "no"
                };
                match flag("-only") {
                    None => writeln!(out, "{answer}")?,
                    Some(only) if only == answer => writeln!(out, "{key}")?,
                    Some(_) => {}
                }
            }
        }
        "merge" => {
            let mut filter = SparkBloom::from_bytes(&fs::read(&files[0])?)?;
            for file in &files[1..] {
                filter.merge(&SparkBloom::from_bytes(&fs::read(file)?)?)?;
            }
            out.write_all(&filter.to_bytes()?)?;
        }
        "inspect" => {
            let filter = Filter::read(format, &fs::read(&files[0])?)?;
            let (bits, (rate, warnings)) = (filter.bits(), filter.rate_and_warnings());
            let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            let warnings = serde_json::to_string(&warnings)?;
            writeln!(
                out,
                "{{\"bits\": {bits}, \"false_positive_rate\": {rate}, \"warnings\": {warnings}}}"
            )?;
        }
        other => return Err(format!("unknown command {other}").into()),
    }
    out.flush()?;
    Ok(())
}
