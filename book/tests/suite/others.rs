//! Makes the tables of the book that show filters of other systems, such as Guava and Spark: measured rates, beside rates that
//! are computed from n, m and k.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::assert_is_file;
use bloom_core::math::measured::share_bound;
use bloom_params::numbers::grouped;
use bloom_systems::{Request, SYSTEMS, System, system};

/// The items, the target rate and the file of each table of the page.
const SIZES: [(u64, &str, &str); 3] = [
    (10, "0.0001", "tables/others-10.md"),
    (1_000, "0.0001", "tables/others-1000.md"),
    (100_000, "0.01", "tables/others-100000.md"),
];

/// A 95 % confidence interval reaches this many standard errors to either side.
const NINETY_FIVE: f64 = 1.96;

/// The greatest allowed difference between a measured and a computed rate, in standard errors. The tables have some 90 rows. If
/// they were measured anew 20,000 times, chance would put a row further off once.
const SIGMAS: f64 = 5.0;

fn measured() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-systems/measured")
}

/// Returns the names of the systems that were not run: their filters were rewritten from their source code. The README of the
/// data lists these systems.
fn rewritten() -> Vec<String> {
    let readme = fs::read_to_string(measured().join("README.md")).unwrap();
    let start = "The following systems are rewritten from their sources";
    let (_, after) = readme.split_once(start).unwrap();
    let (table, _) = after.split_once("These systems differ").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| "));
    let names = rows.map(|row| row.split([' ', ',']).next().unwrap().to_owned());
    let names: Vec<_> = names
        .filter(|name| name != "name" && name != "---")
        .collect();
    assert!(
        (1..=10).contains(&names.len()),
        "most systems are run: {names:?}"
    );
    names
}

/// Returns the systems whose rates were measured, and the names of their data files.
fn systems() -> Vec<(String, &'static System)> {
    let files = fs::read_dir(measured().join("data")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let names = names.filter_map(|name| Some(name.strip_suffix(".rates.csv")?.to_owned()));
    let mut found: Vec<_> = names
        .map(|name| (name.clone(), system(&name).unwrap()))
        .collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

/// A row of the data: the measured rate of filters that hold as many integer keys as they are sized for.
struct Cell {
    bits: u64,
    hashes: u8,
    rate: f64,
    deviation: f64,
    queries: u64,
}

impl Cell {
    fn read(name: &str, items: u64, target: &str) -> Option<Self> {
        let file = measured().join(format!("data/{name}.rates.csv"));
        let file = fs::read_to_string(file).unwrap();
        let start = format!("integers,{items},{target},{items},");
        let line = file.lines().find_map(|line| line.strip_prefix(&start))?;
        let fields: Vec<_> = line.split(',').collect();
        let [bits, hashes, rate, deviation, _, queries] = fields[..] else {
            panic!("{name}: {line}");
        };
        Some(Self {
            bits: bits.parse().unwrap(),
            hashes: hashes.parse().unwrap(),
            rate: rate.parse().unwrap(),
            deviation: deviation.parse().unwrap(),
            queries: queries.parse().unwrap(),
        })
    }

    fn interval(&self) -> (f64, f64) {
        if self.rate == 0.0 {
            return (0.0, share_bound(self.queries, 0.05).unwrap());
        }
        let off = NINETY_FIVE * self.deviation;
        ((self.rate - off).max(0.0), self.rate + off)
    }

    /// Returns whether the measured rate is within the bounds, or outside by at most `SIGMAS` standard errors.
    fn agrees(&self, (low, high): (f64, f64)) -> bool {
        let nearest = self.rate.clamp(low, high);
        let of_hits = (nearest / self.queries as f64).sqrt();
        let apart = (self.rate - nearest).abs() - 1.0 / self.queries as f64;
        apart < SIGMAS * self.deviation.max(of_hits)
    }
}

/// Returns the rate with independent positions, and bounds of the rate with the positions that the system derives.
fn model(system: &System, items: u64, bits: u64, hashes: u8) -> (f64, (f64, f64)) {
    let ideal = system.layout.rate(items, bits, hashes).unwrap().value();
    let added = system.excess(items, bits, hashes).unwrap();
    (ideal, (ideal + added.low, ideal + added.high))
}

/// Formats a rate in percent, with four digits.
fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    if percent == 0.0 {
        return "0".to_owned();
    }
    let decimals = 3 - percent.log10().floor() as i32;
    format!("{percent:.*}", decimals.max(0) as usize)
}

/// Formats a range of rates: its two ends, or one number if both ends are printed alike.
fn range((low, high): (f64, f64)) -> String {
    let (low, high) = (percent(low), percent(high));
    if low == high {
        low
    } else {
        format!("{low}–{high}")
    }
}

/// Returns the table for a number of items and a target rate, with a sentence that counts its rows.
fn table(items: u64, target: &str) -> String {
    let p: f64 = target.parse().unwrap();
    let (rewritten, systems) = (rewritten(), systems());
    let mut table = String::from(
        "| system | $m$ | $k$ | measured, % | 95 % interval | model, % | if independent | what was measured |\n\
         | --- | --: | --: | --: | --: | --: | --: | --- |\n",
    );
    let (mut rows, mut of_itself, mut over, mut would_keep) = (0, 0, 0, 0);
    for (name, system) in &systems {
        let Some(cell) = Cell::read(name, items, target) else {
            continue;
        };
        let (ideal, bounds) = model(system, items, cell.bits, cell.hashes);
        // For more items than the system allows, its rate cannot be computed.
        let is_known = items <= system.sizing.most_items;
        assert!(
            !is_known || cell.agrees(bounds),
            "{name}: {} and {bounds:?}",
            cell.rate
        );
        let bounds = if is_known {
            range(bounds)
        } else {
            "–".to_owned()
        };
        let is_rewritten = rewritten.contains(name);
        let of = if is_rewritten { "its source" } else { "itself" };
        let is_over = cell.interval().0 > p;
        rows += 1;
        of_itself += u32::from(!is_rewritten);
        over += u32::from(is_over);
        would_keep += u32::from(is_over && ideal <= p);
        writeln!(
            table,
            "| {name} | {} | {} | {} | {} | {} | {} | {of} |",
            grouped(cell.bits),
            cell.hashes,
            percent(cell.rate),
            range(cell.interval()),
            bounds,
            percent(ideal),
        )
        .unwrap();
    }
    for system in SYSTEMS {
        let is_measured = systems.iter().any(|(_, known)| known.name == system.name);
        if is_measured || system.is_document() || !system.takes_rate() {
            continue;
        }
        let Ok(built) = system.build(Request::for_rate(items, p)) else {
            continue;
        };
        let (ideal, bounds) = model(system, items, built.bits, built.hashes);
        writeln!(
            table,
            "| {} | {} | {} | – | – | {} | {} | bounded |",
            system.name,
            grouped(built.bits),
            built.hashes,
            range(bounds),
            percent(ideal),
        )
        .unwrap();
    }
    writeln!(
        table,
        "\n{rows} systems were measured with filters for {} items at 1 in {}: {of_itself} by their own code, the others by \
         programs rewritten from their sources. For {over} of them the whole interval is above the target; with independent \
         positions {would_keep} of these would keep the target.",
        grouped(items),
        grouped((1.0 / p).round() as u64),
    )
    .unwrap();
    table
}

#[test]
fn the_filters_of_other_systems_are_as_measured_and_as_the_model_says() {
    for (items, target, file) in SIZES {
        assert_is_file(&table(items, target), file);
    }
}

/// Checks the numbers in the text of the page that say how many times as high as the target some measured rates are.
#[test]
fn the_worst_filters_of_other_systems_are_as_far_off_as_the_page_says() {
    for (name, items, target, times) in [
        ("spark-v2", 10, "0.0001", 94.0),
        ("datasketches", 10, "0.0001", 21.0),
        ("bits-and-blooms", 10, "0.0001", 4.0),
        ("bits-and-blooms", 1, "0.0001", 105.0),
        ("spark-v2", 1_000, "0.0001", 2.0),
        ("rocksdb", 1_000, "0.0001", 2.0),
        ("pebble", 1_000, "0.0001", 12.0),
        ("stream-lib", 1_000, "0.0001", 9.0),
        ("sbbf-rs-safe", 1_000, "0.0001", 4.0),
    ] {
        let cell = Cell::read(name, items, target).unwrap();
        let p: f64 = target.parse().unwrap();
        assert_eq!((cell.rate / p).round(), times, "{name} {items}");
    }
}

/// Returns the systems for which the confidence interval of the measured rate is above `times` times the target.
fn far_over(items: u64, target: &str, times: f64) -> Vec<String> {
    let p: f64 = target.parse().unwrap();
    let is_far = |name: &String| {
        let cell = Cell::read(name, items, target);
        cell.is_some_and(|cell| cell.interval().0 > times * p)
    };
    let names = systems().into_iter().map(|(name, _)| name);
    names.filter(is_far).collect()
}

#[test]
fn only_the_filters_that_the_page_names_are_far_over_their_target() {
    let far = far_over(1_000, "0.0001", 1.25);
    assert_eq!(
        far,
        [
            "pebble",
            "rocksdb",
            "sbbf-rs-safe",
            "spark-v2",
            "stream-lib"
        ]
    );
    let far = far_over(100_000, "0.01", 1.02);
    assert_eq!(far, ["leveldb", "pebble", "sbbf-rs-safe"]);
}
