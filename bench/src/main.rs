//! Runs the filters of this project and of other crates in one process, and prints their memory, their
//! measured false-positive rates and their times.

mod args;
mod candidate;
mod candidates;
mod check;
mod clock;
mod compare;
mod keys;
mod levels;
mod machine;
mod measure;
mod memory;
mod operation;
mod record;
mod recorded;
mod report;
mod runner;
mod stats;
mod tables;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Keys, Setting};
use candidate::Name;
use candidates::{ParquetValue, runner};
use keys::{Item, Numbers};
use measure::{Cell, Effort};
use recorded::Record;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: a file could not be read or written: {error}");
            ExitCode::from(2)
        }
    }
}

/// Measures every cell (a number of items, a rate and a kind of key), and returns whether this project's filters passed all
/// checks. With `--compare` it compares two CSV files instead, and returns whether no speed fell below 0.95 of the earlier one.
fn run(args: &Args) -> io::Result<bool> {
    if let [record, now] = &args.compare[..] {
        let (rows, count) = compare::slower(&Record::read(record)?, &Record::read(now)?);
        io::stdout().write_all(compare::report(&rows, count).as_bytes())?;
        return Ok(rows.is_empty());
    }
    let against = args.against();
    let mut csv = args.csv.as_ref().map(File::create).transpose()?;
    if let Some(file) = &mut csv {
        file.write_all(report::csv_head(&against).as_bytes())?;
    }
    let mut out = io::stdout();
    let lines = machine::lines();
    out.write_all(report::head(&lines, args.seed).as_bytes())?;
    let mut kept = true;
    let mut cells = Vec::new();
    for setting in args.cells() {
        eprintln!(
            "n = {}, p = {}, {:?} keys ...",
            setting.items, setting.rate, setting.keys
        );
        let cell = run_cell(setting, args.candidates(), args.seed, args.effort());
        write!(out, "\n{}", report::markdown(&cell, &against))?;
        out.flush()?;
        if let Some(file) = &mut csv {
            file.write_all(report::csv(&cell, &against).as_bytes())?;
        }
        kept &= keeps_promises(&cell);
        cells.push(cell);
    }
    if args.record && kept {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        record::write(&root, &lines, &cells, &against, args.is_whole())?;
    }
    Ok(kept)
}

fn run_cell(setting: Setting, candidates: &[Name], seed: u64, effort: Effort) -> Cell {
    let numbers = Numbers::new(seed, setting.items as usize);
    match setting.keys {
        Keys::U64 => run_keys::<u64>("u64", setting, candidates, numbers, seed, effort),
        Keys::Text => run_keys::<str>("16-byte text", setting, candidates, numbers, seed, effort),
    }
}

fn run_keys<T: Item + ParquetValue + ?Sized>(
    keys: &'static str,
    setting: Setting,
    candidates: &[Name],
    numbers: Numbers,
    seed: u64,
    effort: Effort,
) -> Cell {
    let runners = candidates.iter();
    let runners = runners.map(|name| runner::<T>(*name, setting.items, setting.rate));
    measure::cell(runners.collect(), setting.rate, keys, numbers, seed, effort)
}

/// Returns whether this project's filters find and remove every inserted item, answer batches like single calls, and keep the
/// requested rate. Prints the name and the results of each filter that does not.
fn keeps_promises(cell: &Cell) -> bool {
    let ours = cell.rows.iter().filter(|row| row.name.is_ours());
    let broken = ours.filter(|row| !row.checked.is_sound() || row.checked.misses_rate());
    let mut kept = true;
    for row in broken {
        eprintln!("broken promise: {}: {:?}", row.name.text(), row.checked);
        kept = false;
    }
    kept
}
