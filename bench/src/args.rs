//! Defines the command line of `bloom-bench`, the program that measures Bloom filters of several crates.

use std::path::PathBuf;
use std::time::Duration;

use bloom_params::units::{parse_items, parse_rate};
use clap::{Parser, ValueEnum};

use crate::candidate::Name;
use crate::measure::Effort;

/// Runs Bloom filters of several crates side by side and prints memory, measured rate and speed
///
/// Without options the run is short: u64 keys at 1 %, for n = 1e3, 1e5, 1e6 and 2e7. The report goes to standard output as
/// Markdown, progress to standard error. The exit code is 1 if a filter of this project does not find or cannot remove an
/// inserted item, answers a batch of keys otherwise than single keys, or exceeds the requested rate by more than chance
/// explains. It is 2 after bad usage or if a file cannot be read or written.
#[derive(Debug, Parser)]
#[command(name = "bloom-bench", version = None)]
pub(crate) struct Args {
    /// Runs n = 1e3, 1e5, 1e6 and 2e7 with p = 1 % and 0.1 %, for u64 and for text keys, with more and longer rounds than a
    /// short run; looks up every item of each filter to check that it is found
    #[arg(long)]
    full: bool,

    /// The default: runs n = 1e3, 1e5, 1e6 and 2e7 with p = 1 % and u64 keys, with fewer and shorter rounds than --full; looks
    /// up at most 2^22 items of each filter to check that they are found
    #[arg(long, conflicts_with = "full")]
    short: bool,

    /// Like --full, but looks up at most 2^22 items of each filter. Unless a filter of this project fails a check, it then
    /// writes a CSV file for this processor and its vector instructions to bench/records, and the tables of bench/README.md and
    /// LIMITS.md. It also writes the tables of the book if this project's filters run with AVX-512 and no option leaves out
    /// candidates, n, p or keys
    #[arg(long, conflicts_with_all = ["full", "short", "against", "csv"])]
    pub(crate) record: bool,

    /// Runs nothing, but compares two CSV files of this program, an earlier one (RECORD) and a later one (NOW). Lists the rows
    /// of this project's filters whose speed in NOW is below 0.95 of that in RECORD, and exits with 1 if there are any. If both
    /// rows have the speed relative to fastbloom+foldhash, these relative speeds are compared
    #[arg(long, num_args = 2, value_names = ["RECORD", "NOW"], conflicts_with_all = ["full", "short", "record", "csv"])]
    pub(crate) compare: Vec<PathBuf>,

    /// Numbers of items n, from 100 to 1e9 [default: 1e3, 1e5, 1e6 and 2e7]
    #[arg(short, value_name = "ITEMS", value_delimiter = ',', value_parser = items)]
    n: Vec<u64>,

    /// Requested false-positive rates p, from 1e-5 to 0.5 [default: 1 %; with --full or --record also 0.1 %]
    #[arg(short, value_name = "RATE", value_delimiter = ',', value_parser = rate)]
    p: Vec<f64>,

    /// Kinds of key [default: u64; with --full or --record also text]
    #[arg(long, value_delimiter = ',')]
    keys: Vec<Keys>,

    /// Candidates to run: filters, each with a hash function [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<Name>,

    /// Candidates with whose speed the report compares the speed of every other candidate; those that do not run are left out
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

    /// Rounds: each one times every operation of every candidate once. Only the inserts of a filter of more than 2^20 items are
    /// timed otherwise: the filter is built once, and each 2^20 inserts are timed [default: 7; with --full or --record 15]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,

    /// Minimum time of an operation of one candidate in a round, in milliseconds; a faster operation is repeated [default: 2;
    /// with --full or --record 10]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u16).range(1..))]
    run: Option<u16>,

    /// Seed of the random keys
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Writes the results to FILE as CSV: a line for each n, p, kind of key, candidate and operation
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

/// The rates that a run with `--full` or `--record` measures by default. A short run measures only the first one.
const RATES: [f64; 2] = [0.01, 0.001];

/// A cell of the benchmark: a number of items, a requested rate and a kind of key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting {
    /// Number of items.
    pub(crate) items: u64,
    /// Requested false-positive rate.
    pub(crate) rate: f64,
    /// Kind of key.
    pub(crate) keys: Keys,
}

impl Args {
    /// Returns the cells to run, ordered by kind of key, then by number of items, then by rate.
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

    /// Whether the run has `--full` or `--record`, and no option leaves out a candidate, an n, a p or a kind of key.
    pub(crate) fn is_whole(&self) -> bool {
        let chosen = self.n.is_empty() && self.p.is_empty() && self.keys.is_empty();
        (self.full || self.record) && chosen && self.only.is_empty()
    }

    /// Returns the candidates of `--against` that run: every other candidate is compared with each of them.
    pub(crate) fn against(&self) -> Vec<Name> {
        let mut names = self.against.clone();
        names.retain(|name| self.candidates().contains(name));
        names
    }

    /// Returns the number of rounds, the minimum time of an operation in a round, and how many items of a filter are looked up.
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

/// Returns `given`, or `usual` if `given` is empty.
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
