//! Queries filters in the formats of other systems, in Rust by bloom-formats and in the systems themselves. In each round both
//! sides query the same file with the same keys, one side after the other, and must find the same number of keys.
//!
//! ```text
//! bash bench/formats/run                   all filters
//! bash bench/formats/run Spark RedisBloom  only filters whose name contains one of these words
//! ```
//!
//! A run queries all keys once in one thread, and its time is the processor time of that thread. The JVM is warmed up by
//! untimed runs. A call queries one key, with two exceptions: Spark's filters in Rust are queried in batches, and Redis gets
//! pipelined commands of 1000 keys over a Unix socket. The time of Redis is that of the server's main thread, as the server
//! reports it. It includes reading commands and writing replies, but not the time of this program.

mod jvm;
mod redis;
mod rust;

use std::collections::BTreeMap;
use std::error::Error;
use std::{env, fs, process};

use crate::rust::{Format, Loaded};

/// The rate that filters are made for.
const RATE: f64 = 0.01;

/// The items of the two filters of each system: a small filter of about 120 KB, and a large one of about 12 MB.
const ITEMS: [u64; 2] = [100_000, 10_000_000];

/// The number of timed runs of each side.
const ROUNDS: usize = 15;

/// The system that the filters in Rust are compared with. It has loaded a filter.
trait Peer {
    /// Takes the keys that the next runs will query.
    fn keys(&mut self, keys: &[i64]) -> Result<(), Box<dyn Error>>;

    /// Queries all keys, and returns the number of positive answers and the nanoseconds.
    fn run(&mut self) -> Result<(usize, f64), Box<dyn Error>>;
}

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let variables: BTreeMap<String, String> = env::vars().collect();
    let folder = env::temp_dir().join(format!("bloom-formats-bench-{}", process::id()));
    fs::create_dir(&folder)?;
    println!("| filter | items | queries | Rust, ns | system, ns | times as fast |");
    println!("| --- | ---: | --- | ---: | ---: | ---: |");
    let mut result = Ok(());
    let wanted: Vec<String> = env::args().skip(1).collect();
    let chosen = |format: &Format| {
        wanted.is_empty() || wanted.iter().any(|name| format.name().contains(name))
    };
    for format in Format::ALL.into_iter().filter(chosen) {
        for items in ITEMS {
            let cell = || -> Result<(), Box<dyn Error>> {
                let ours = Loaded::build(format, items, RATE)?;
                let file = folder.join("filter");
                fs::write(&file, ours.to_bytes()?)?;
                let mut peer: Box<dyn Peer> = match format {
                    Format::Spark1 | Format::Spark2 | Format::Guava => {
                        let Some(jars) = variables.get("JARS") else {
                            eprintln!("SKIPPED: {}: JARS is not set", format.name());
                            return Ok(());
                        };
                        Box::new(jvm::Jvm::start(format, &file, &folder.join("keys"), jars)?)
                    }
                    Format::Redis => {
                        let Some(socket) = variables.get("REDIS_SOCKET") else {
                            eprintln!("SKIPPED: {}: REDIS_SOCKET is not set", format.name());
                            return Ok(());
                        };
                        Box::new(redis::Redis::load(socket, &ours.chunks()?)?)
                    }
                    Format::Parquet => Box::new(rust::Parquet::load(&ours.to_bytes()?)?),
                };
                measure(&ours, items, &mut *peer)
            };
            result = cell().and(result);
        }
    }
    fs::remove_dir_all(&folder)?;
    result
}

/// Measures a filter in Rust and in the system, and prints one line of the table for present items and one for absent items.
fn measure(ours: &Loaded, items: u64, peer: &mut dyn Peer) -> Result<(), Box<dyn Error>> {
    let queries = (items / 16).next_power_of_two().clamp(1 << 16, 1 << 19);
    // Draws random numbers; `rust::item` turns a number below `items` into an inserted item.
    let draw = |number: u64| spread(number + (1 << 40));
    let present: Vec<i64> = (0..queries).map(|q| rust::item(draw(q) % items)).collect();
    let absent: Vec<i64> = (0..queries).map(|q| rust::item(items + q)).collect();
    for (name, keys) in [("present", present), ("absent", absent)] {
        peer.keys(&keys)?;
        let expected = ours.run(&keys).0;
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let (found, mine) = ours.run(&keys);
            let (theirs_found, theirs) = peer.run()?;
            if (found, theirs_found) != (expected, expected) {
                let format = ours.format().name();
                return Err(format!(
                    "{format}: {found} and {theirs_found} of the {name} items found"
                )
                .into());
            }
            times.push((mine, theirs));
        }
        let each = |time: fn(&(f64, f64)) -> f64| median(times.iter().map(time).collect());
        let per_key = 1.0 / keys.len() as f64;
        println!(
            "| {} | {items} | {name} | {:.2} | {:.2} | {:.2} |",
            ours.format().name(),
            each(|times| times.0) * per_key,
            each(|times| times.1) * per_key,
            each(|times| times.1 / times.0),
        );
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The finaliser of SplitMix64, a bijection: Steele, Lea and Flood (2014).
fn spread(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_parquet_gives_the_same_answers_and_another_filter_is_noticed() {
        let ours = Loaded::build(Format::Parquet, 1_000, RATE).unwrap();
        let mut same = rust::Parquet::load(&ours.to_bytes().unwrap()).unwrap();
        measure(&ours, 1_000, &mut same).unwrap();
        let other = Loaded::build(Format::Parquet, 500, RATE).unwrap();
        let mut other = rust::Parquet::load(&other.to_bytes().unwrap()).unwrap();
        let error = measure(&ours, 1_000, &mut other).unwrap_err();
        assert!(
            error.to_string().ends_with("of the present items found"),
            "{error}"
        );
    }
}
