//! What several tests use: running the command `bloom-plot` in an empty folder, charts with few parameters, and looking up a
//! series of a figure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bloom_plot::curves::Series;
use bloom_plot::{
    BlockedCost, BlockedShown, Figure, HashFloor, ScalableGrowth, Shown, SizingError, Speed,
};

/// Creates an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn command(folder: &PathBuf, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bloom-plot"));
    command.args(args).current_dir(folder);
    command
}

pub(crate) fn run(folder: &PathBuf, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// Runs the command with the arguments in `line`, which is split at blanks; '' is an empty argument.
pub(crate) fn run_line(folder: &PathBuf, line: &str) -> Output {
    let args = line.split(' ').map(|arg| arg.trim_matches('\''));
    run(folder, &args.collect::<Vec<_>>())
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Returns the names of the files in a folder, including hidden files.
pub(crate) fn names(folder: &PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The arguments of a chart with few measured filters and queries, for tests that are not about the measured rates.
pub(crate) const QUICK: [&str; 8] = [
    "rate-by-items",
    "--measured",
    "--filters",
    "2",
    "--queries",
    "50",
    "--size",
    "300x200",
];

/// A file of times, in the format that this repository's benchmark writes.
pub(crate) const BENCHMARK: &str = "\
keys,n,p,candidate,bits_per_item,rate_over_target,rate_sigma,operation,rounds,ns_lower,ns_median,ns_upper
u64,1000000,0.01,blocked,10.1,0.998,0.004,insert,3,2.5,2.6,2.8
u64,1000000,0.01,blocked,10.1,0.998,0.004,present,3,1.5,1.6,1.8
u64,1000000,0.01,fastbloom,9.59,1.01,0.004,insert,3,5,6,7
u64,1000000,0.01,fastbloom,9.59,1.01,0.004,present,3,4,4.5,5
";

/// Returns the arguments that draw a chart with its defaults. For `speed`, writes a file of times
/// into the folder.
pub(crate) fn alone<'a>(folder: &Path, chart: &'a str) -> Vec<&'a str> {
    if chart != "speed" {
        return vec![chart];
    }
    fs::write(folder.join("bench.csv"), BENCHMARK).unwrap();
    vec![chart, "bench.csv"]
}

/// Returns the series of a figure with this label.
pub(crate) fn series<'a>(figure: &'a Figure, label: &str) -> &'a Series {
    let mut all = figure.series.iter();
    let found = all.find(|series| series.label == label);
    let found = found.unwrap_or_else(|| panic!("{label} is drawn"));
    // A series without points would pass the tests that compare point by point.
    let points = found.curve.len() + found.measured.len();
    assert!(points > 0, "{label} has no point");
    found
}

/// Returns the question about the true rates of the sizes that these rules give.
pub(crate) fn sizing(items: u64, rate: f64, rules: &[&str]) -> SizingError {
    SizingError {
        items,
        rate,
        rules: rules.iter().map(ToString::to_string).collect(),
    }
}

/// Returns the question about hashes of these numbers of bits.
pub(crate) fn hash_floor(widths: &[u32], rate: f64, items: u64) -> HashFloor {
    let widths = widths.to_vec();
    HashFloor {
        widths,
        rate,
        items,
    }
}

/// Returns the question about blocked filters with blocks of these numbers of bits, up to 16 bits per item.
pub(crate) fn blocked(items: u64, blocks: &[u32], shown: BlockedShown) -> BlockedCost {
    BlockedCost {
        items,
        bits_per_item: 16.0,
        blocks: blocks.to_vec(),
        shown,
    }
}

/// Returns the question about a growing filter, each stage of which has twice the items and 0.85 times the rate of the stage
/// before.
pub(crate) fn growing(first: u64, rate: f64, items: u64, shown: Shown) -> ScalableGrowth {
    ScalableGrowth {
        first,
        rate,
        growth: 2,
        tightening: 0.85,
        items,
        shown,
    }
}

/// Returns the question about the times of all candidates in a benchmark's file, for the file's first combination of keys, n
/// and p (its first cell).
pub(crate) fn speed(csv: String) -> Speed {
    Speed {
        csv,
        cell: 1,
        only: Vec::new(),
    }
}

/// Returns the labels of the series of a figure.
pub(crate) fn labels(figure: &Figure) -> Vec<&str> {
    figure.series.iter().map(|series| &*series.label).collect()
}
