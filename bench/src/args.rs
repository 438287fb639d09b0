//! Defines the command line of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

use bloom_params::units::{parse_items, parse_rate};
use clap::{Parser, ValueEnum};

use crate::candidate::Name;
use crate::measure::Effort;

/// Runs Bloom filters of several crates side by side and prints memory, measured rate and speed
///
/// Without options this is the short version: u64 keys at 1 %, every n. Markdown goes to standard output,
/// progress to standard error. The exit code is 1 if a filter of this project breaks its promise, and 2 after bad usage or if
/// a file cannot be read or written.
#[derive(Debug, Parser)]
#[command(name = "bloom-bench", version = None)]
pub(crate) struct Args {
    /// Every n, p and kind of key, with more and longer rounds
    #[arg(long)]
    full: bool,

    /// The default: every n with u64 keys at 1 %, fewer and shorter rounds; looks up at most 4 million items of each
    /// filter to check that they are found
    #[arg(long, conflicts_with = "full")]
    short: bool,

    /// Like --full, but checks only as many items as a short run; writes the record of this processor and level of
    /// vectors, and the tables of bench/README.md and LIMITS.md; a run with AVX-512, every candidate and every cell also
    /// writes the tables of the book
    #[arg(long, conflicts_with_all = ["full", "short", "against", "csv"])]
    pub(crate) record: bool,

    /// Runs nothing, but compares two CSV files: lists the cells of this project's filters whose speed is below 0.95
    /// of the record's, and exits with 1 if there are any
    #[arg(long, num_args = 2, value_names = ["RECORD", "NOW"], conflicts_with_all = ["full", "short", "record", "csv"])]
    pub(crate) compare: Vec<PathBuf>,

    /// Items n, from 100 to 1e9
    #[arg(short, value_name = "ITEMS", value_delimiter = ',', value_parser = items)]
    n: Vec<u64>,

    /// Requested false-positive rates p, from 1e-5 to 0.5
    #[arg(short, value_name = "RATE", value_delimiter = ',', value_parser = rate)]
    p: Vec<f64>,

    /// Kinds of key
    #[arg(long, value_delimiter = ',')]
    keys: Vec<Keys>,

    /// Candidates to run [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<Name>,

    /// Candidates to compare with
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_values = [
            "fastbloom+foldhash", "fastbloom", "sbbf-rs-safe+foldhash",
            "sbbf-rs-safe+avalanching", "bloom+foldhash"
        ]
    )]
    against: Vec<Name>,

    /// Rounds, in each of which every candidate is timed; a large filter is built once [default: 7; with --full or --record 15]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,

    /// Shortest run of a candidate in a round, in milliseconds [default: 2; with --full or --record 10]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u16).range(1..))]
    run: Option<u16>,

    /// Seed of the keys
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Writes a CSV line for each cell, candidate and operation
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
}

/// A kind of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keys {
    /// Integers of 64 bits
    U64,
    /// Text of 16 bytes
    Text,
}

/// The numbers of items that are measured by default.
const ITEMS: [u64; 4] = [1_000, 100_000, 1_000_000, 20_000_000];

/// The rates that are measured by default; a short run takes only the first.
const RATES: [f64; 2] = [0.01, 0.001];

/// A cell to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting {
    /// Items.
    pub(crate) items: u64,
    /// Rate.
    pub(crate) rate: f64,
    /// Kind of key.
    pub(crate) keys: Keys,
}

impl Args {
    /// Returns the cells to run, ordered by kind of key, then by size.
    pub(crate) fn cells(&self) -> Vec<Setting> {
        let all = self.full || self.record;
        let rates = if all { &RATES[..] } else { &RATES[..1] };
        let kinds = [Keys::U64, Keys::Text];
        let kinds = if all { &kinds[..] } else { &kinds[..1] };
        let mut cells = Vec::new();
        for &keys in given_or(&self.keys, kinds) {
            for &items in given_or(&self.n, &ITEMS) {
                for &rate in given_or(&self.p, rates) {
                    cells.push(Setting { items, rate, keys });
                }
            }
        }
        cells
    }

    /// Returns the candidates that run.
    pub(crate) fn candidates(&self) -> &[Name] {
        given_or(&self.only, Name::value_variants())
    }

    /// Whether every candidate runs in every cell.
    pub(crate) fn is_whole(&self) -> bool {
        let chosen = self.n.is_empty() && self.p.is_empty() && self.keys.is_empty();
        (self.full || self.record) && chosen && self.only.is_empty()
    }

    /// Returns the candidates to compare with, among those that run.
    pub(crate) fn against(&self) -> Vec<Name> {
        let mut names = self.against.clone();
        names.retain(|name| self.candidates().contains(name));
        names
    }

    /// Returns how long to measure.
    pub(crate) fn effort(&self) -> Effort {
        let (rounds, run) = if self.full || self.record {
            (15, 10)
        } else {
            (7, 2)
        };
        Effort {
            rounds: self.rounds.unwrap_or(rounds).into(),
            run: Duration::from_millis(self.run.unwrap_or(run).into()),
            checked_items: if self.full { usize::MAX } else { 1 << 22 },
        }
    }
}

/// Returns the given list, or the default if it is empty.
fn given_or<'a, T>(given: &'a [T], usual: &'a [T]) -> &'a [T] {
    if given.is_empty() { usual } else { given }
}

fn items(text: &str) -> Result<u64, String> {
    let items = parse_items(text).map_err(|error| error.to_string())?;
    if !(100..=1_000_000_000).contains(&items) {
        return Err(format!("items n must be from 100 to 1e9, got {items}"));
    }
    Ok(items)
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = parse_rate(text).map_err(|error| error.to_string())?;
    if !(1e-5..=0.5).contains(&rate) {
        return Err(format!("the rate p must be from 1e-5 to 0.5, got {rate}"));
    }
    Ok(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Args {
        Args::try_parse_from(line.split(' ')).unwrap()
    }

    #[test]
    fn a_short_run_has_one_cell_per_size_and_a_full_run_has_all() {
        assert_eq!(parse("bench").cells().len(), 4);
        assert_eq!(parse("bench --short").cells(), parse("bench").cells());
        assert_eq!(parse("bench --full").cells().len(), 16);
        assert_eq!(parse("bench --record").cells().len(), 16);
    }

    #[test]
    fn cells_and_candidates_are_chosen_by_name() {
        let args = parse("bench -n 1e3,2M -p 1%,1/1000 --keys text --only bloom,fastbloom");
        let cells = args.cells();
        assert_eq!(cells.len(), 4);
        let last = Setting {
            items: 2_000_000,
            rate: 0.001,
            keys: Keys::Text,
        };
        assert_eq!(cells[3], last);
        assert_eq!(args.candidates(), [Name::Bloom, Name::Fastbloom]);
        assert_eq!(args.against(), [Name::Fastbloom]);
    }

    #[test]
    fn the_error_names_an_argument_that_is_out_of_range() {
        for (line, message) in [
            ("bench -n 99", "items n must be from 100 to 1e9, got 99"),
            (
                "bench -p 0.6",
                "the rate p must be from 1e-5 to 0.5, got 0.6",
            ),
            ("bench --rounds 0", "0 is not in 1"),
            ("bench --only nobody", "nobody"),
            ("bench --short --full", "cannot be used with"),
        ] {
            let error = Args::try_parse_from(line.split(' '))
                .unwrap_err()
                .to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
