//! Runs the command `compare`: prints a table of the memory that Bloom filters and other structures, or the filters of
//! libraries, take for one n and p.

use clap::Args;

use super::grid::{Cell, Grid, column};
use super::{TableArgs, TableFormat};
use crate::answer::Solution;
use crate::cli::flags::names_and_all;
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::like::{SYSTEMS, system};
use crate::question::Query;
use crate::say::numbers::{grouped, memory};
use crate::say::words::as_typed;
use crate::structures::{STRUCTURES, Structure};

/// The flags of a question that a comparison takes.
pub(super) const FLAGS: [&str; 3] = ["n", "p", "like"];

/// The flags of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(super) table: TableArgs,

    /// Compare what libraries build, like redis,guava or all, in place of structures
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names_and_all(), ignore_case = true)]
    like: Vec<String>,

    /// Add the source of each row; csv, markdown and json always have it
    #[arg(long)]
    sources: bool,
}

pub(super) fn run(args: &CompareArgs) -> Result<String, InputError> {
    let form = args.table.form()?;
    let (plain, n, p) = requested(args)?;
    let (mut grid, brief) = if args.like.is_empty() {
        // A value out of range is invalid for every structure: refuse it once.
        plain.solve()?;
        structures(plain, n, p)
    } else {
        (libraries(args, plain, n, p), Vec::new())
    };
    if form == TableFormat::Human {
        // A column of sources would make the lines too long to read.
        let own = grid.notes.len();
        grid.last_column_as_notes();
        if !args.sources {
            grid.notes.truncate(own);
            grid.notes.extend(brief);
        }
    }
    Ok(grid.render(form))
}

/// Compares structures for n and p. Also returns the notes that replace the sources, if these are not requested.
fn structures(plain: Query, n: u64, p: f64) -> (Grid, Vec<String>) {
    let (mut rows, mut brief) = bloom_filters(plain);
    rows.extend(others(n, p));
    let heads = [
        "structure",
        "bytes",
        "k",
        "delete",
        "grow",
        "stream",
        "merge",
        "source",
    ];
    let mut columns = heads.map(|head| column(head, head)).to_vec();
    columns[1] = column("bytes", "memory");
    columns.insert(1, column("bits_per_item", "bits/item"));
    let grid = Grid {
        columns,
        rows,
        notes: vec![format!(
            "n = {} at p = {}; stream: built item by item; merge: union of two filters of one size",
            grouped(n),
            as_typed(p)
        )],
    };
    let sources = "the sizes down to scalable are exact for this n; those below it follow their authors' formulas \
                 for large n (--sources names them)";
    brief.push(sources.to_string());
    (grid, brief)
}

/// Returns the question, its n and its p. Refuses a question that gives anything but n and p.
fn requested(args: &CompareArgs) -> Result<(Query, u64, f64), InputError> {
    let query = args.table.flags.read()?;
    let plain = Query {
        items: query.items,
        rate: query.rate,
        ..Query::default()
    };
    if let (Some(n), Some(p), true) = (query.items, query.rate, query == plain) {
        return Ok((plain, n, p));
    }
    let (name, example) = if args.like.is_empty() {
        ("compare", "bloom-params compare --n 1M --p 1%")
    } else {
        (
            "compare --like",
            "bloom-params compare --n 1M --p 1% --like redis,guava",
        )
    };
    let got = args.table.not_taken(&query, &FLAGS);
    Err(InputError::takes(name, "n and p only", &got, example))
}

/// Compares what libraries build for n and p.
fn libraries(args: &CompareArgs, plain: Query, n: u64, p: f64) -> Grid {
    let all = args
        .like
        .iter()
        .any(|name| name.eq_ignore_ascii_case("all"));
    let mut asked: Vec<_> = args.like.iter().filter_map(|name| system(name)).collect();
    if all {
        asked = SYSTEMS
            .iter()
            .filter(|known| !known.is_document())
            .collect();
    }
    let mut notes = vec![format!(
        "n = {} at p = {}; 2 n: the rate with twice the items",
        grouped(n),
        as_typed(p)
    )];
    let mut rows = Vec::new();
    for library in asked {
        let mut row = vec![Cell::Text(library.name.to_string())];
        let filter = Filter::of_system(library);
        match (Query { filter, ..plain }).solve() {
            Ok(found) => {
                let twice = n.checked_mul(2).filter(|twice| found.takes(*twice));
                let twice = twice.map(|twice| found.rate_with(twice).value());
                let bits = found.bits_per_item().map_or(Cell::Nothing, Cell::Real);
                row.extend([
                    bits,
                    Cell::Bytes(found.memory_bits().div_ceil(8)),
                    Cell::Count(found.hashes.into()),
                    Cell::Rate(found.rate.value(), p),
                    found.met.map_or(Cell::Nothing, Cell::Bool),
                    twice.map_or(Cell::Nothing, Cell::Brief),
                ]);
                if !library.takes_rate() {
                    let what = "takes m: this is the smallest that keeps p";
                    notes.push(format!("{} {what}", library.name));
                }
            }
            Err(error) => {
                row.extend(vec![Cell::Nothing; 6]);
                notes.push(error.to_string());
            }
        }
        row.push(Cell::Text(library.source.to_string()));
        rows.push(row);
    }
    let columns = [
        ("library", "library"),
        ("bits_per_item", "bits/item"),
        ("bytes", "memory"),
        ("k", "k"),
        ("p", "p"),
        ("met", "met"),
        ("p_twice", "2 n"),
        ("source", "source"),
    ];
    Grid {
        columns: columns.map(|(name, head)| column(name, head)).to_vec(),
        rows,
        notes,
    }
}

/// Returns a row for each kind of filter whose formulas bloom-core has, sized for the question. Also returns notes on kinds
/// whose memory differs by chance between single filters.
fn bloom_filters(plain: Query) -> (Vec<Vec<Cell>>, Vec<String>) {
    let scalable = Filter::scalable(1_000);
    let split = |block_bits| Filter::SplitBlock { block_bits };
    let filters = [
        ("classic", Filter::Classic),
        ("partitioned", Filter::Partitioned),
        ("blocked, 8 x 64 bits", split(512)),
        ("split-block, 8 x 32 bits", split(256)),
        (
            "plain-blocked, 512 bits",
            Filter::PlainBlocked { block_bits: 512 },
        ),
        ("counting, 4 bits", Filter::Counting { counter_bits: 4 }),
        ("scalable from 1,000 items", scalable),
    ];
    let mut by_chance = Vec::new();
    let row = |(name, filter)| {
        let found = Query { filter, ..plain }.solve().ok();
        let bits = found.as_ref().and_then(Solution::bits_per_item);
        let bytes = found.as_ref().map(|found| found.memory_bits().div_ceil(8));
        let (grows, counts) = (
            filter == scalable,
            matches!(filter, Filter::Counting { .. }),
        );
        let can = [counts, grows, true, !grows].map(Cell::Bool);
        let range = found.as_ref().and_then(Solution::by_chance);
        let mut source = "exact, this size".to_string();
        if let Some(range) = range {
            let range = format!("single filters have {}", memory(0, Some(range)));
            source += &format!("; {range}");
            by_chance.push(format!("{name}: {range}"));
        }
        let mut row = row(name, bits, bytes, can, &source);
        row[3] = found.map_or(Cell::Nothing, |found| Cell::Count(found.hashes.into()));
        row
    };
    (filters.into_iter().map(row).collect(), by_chance)
}

/// Returns the row of a structure, without a number of hashes.
fn row(
    name: &str,
    bits_per_item: Option<f64>,
    bytes: Option<u128>,
    can: [Cell; 4],
    source: &str,
) -> Vec<Cell> {
    let mut row = vec![
        Cell::Text(name.to_string()),
        bits_per_item.map_or(Cell::Nothing, Cell::Real),
        bytes.map_or(Cell::Nothing, Cell::Bytes),
        Cell::Nothing,
    ];
    row.extend(can);
    row.push(Cell::Text(source.to_string()));
    row
}

/// Returns a row for each structure that is not a filter of bloom-core, and one for the lower
/// bound.
fn others(n: u64, p: f64) -> Vec<Vec<Cell>> {
    let bound = -p.log2();
    let sized = |name, bits: f64, can, source| {
        let bytes = (bits * n as f64 / 8.0).ceil() as u128;
        row(name, Some(bits), Some(bytes), can, source)
    };
    let other = |other: &Structure| {
        let can = [other.removes, other.grows, other.streams, other.merges];
        sized(
            other.name,
            other.bits_per_item(p),
            can.map(Cell::Bool),
            other.source,
        )
    };
    let nothing = [const { Cell::Nothing }; 4];
    let least = sized(
        "lower bound",
        bound,
        nothing,
        "log2(1/p), Carter et al. 1978",
    );
    STRUCTURES.iter().map(other).chain([least]).collect()
}
