//! Compares all structures for one n and p, side by side.

use super::grid::{Cell, Grid};
use super::{TableArgs, TableFormat};
use crate::error::InputError;
use crate::filters::Filter;
use crate::query::Query;
use crate::words::as_typed;

/// A structure other than a Bloom filter: its bits per item as a function of log2(1/p), as its
/// authors state them for many items.
struct Other {
    name: &'static str,
    /// Factor f, added bits a, and load: bits per item = f (log2(1/p) + a) / load.
    formula: (f64, f64, f64),
    /// Whether log2(1/p) is rounded up: its fingerprints have whole bits, and it has no other parameter.
    whole: bool,
    /// Whether it removes items, whether it grows, whether it is built item by item, and whether it merges.
    can: [bool; 4],
    source: &'static str,
}

const OTHERS: [Other; 8] = [
    Other {
        name: "cuckoo",
        formula: (1.0, 3.0, 0.95),
        whole: false,
        can: [true, false, true, false],
        source: "Fan et al. 2014, buckets of 4 at load 0.95",
    },
    Other {
        name: "cuckoo, semi-sorted",
        formula: (1.0, 2.0, 0.95),
        whole: false,
        can: [true, false, true, false],
        source: "Fan et al. 2014, buckets of 4 at load 0.95",
    },
    Other {
        name: "quotient (rank-select)",
        formula: (1.0, 2.125, 0.95),
        whole: false,
        can: [true, true, true, true],
        source: "Pandey et al. 2017, load 0.95",
    },
    Other {
        name: "xor",
        formula: (1.23, 0.0, 1.0),
        whole: true,
        can: [false, false, false, false],
        source: "Graf and Lemire 2020",
    },
    Other {
        name: "binary fuse, 3-wise",
        formula: (1.125, 0.0, 1.0),
        whole: true,
        can: [false, false, false, false],
        source: "Graf and Lemire 2022",
    },
    Other {
        name: "binary fuse, 4-wise",
        formula: (1.075, 0.0, 1.0),
        whole: true,
        can: [false, false, false, false],
        source: "Graf and Lemire 2022",
    },
    Other {
        name: "ribbon (smallest)",
        formula: (1.01, 0.0, 1.0),
        whole: false,
        can: [false, false, false, false],
        source: "Dillinger et al. 2022, least overhead",
    },
    Other {
        name: "ribbon (fastest build)",
        formula: (1.1, 0.0, 1.0),
        whole: false,
        can: [false, false, false, false],
        source: "Dillinger and Walzer 2021, fast to build",
    },
];

pub(super) fn run(args: &TableArgs) -> Result<String, InputError> {
    let form = args.form()?;
    let query = args.question.read()?;
    let plain = Query {
        items: query.items,
        rate: query.rate,
        ..Query::default()
    };
    let (Some(n), Some(p), true) = (query.items, query.rate, query == plain) else {
        return Err(InputError::takes(
            "compare",
            "n and p, and nothing else of the question",
            &args.amiss(&query),
            "bloom-params compare --n 1M --p 1%",
        ));
    };
    // A value out of range is so for every structure: refuse it once.
    plain.solve()?;
    let mut rows = bloom_filters(plain);
    rows.extend(others(n, p));
    let heads = [
        ("structure", "structure"),
        ("bits_per_item", "bits/item"),
        ("bytes", "bytes"),
        ("k", "k"),
        ("delete", "delete"),
        ("grow", "grow"),
        ("stream", "stream"),
        ("merge", "merge"),
        ("source", "source"),
    ];
    let mut grid = Grid {
        columns: heads
            .map(|(name, head)| (name.to_string(), head.to_string()))
            .to_vec(),
        rows,
        notes: vec![
            format!(
                "n = {} at p = {}; stream: built item by item; merge: union of two of one size",
                crate::numbers::grouped(n),
                as_typed(p)
            ),
            "other structures: their authors' formulas, for many items".to_string(),
        ],
    };
    if form == TableFormat::Human {
        // As a column it would make the lines too long to read.
        grid.last_column_as_notes();
    }
    Ok(grid.render(form))
}

/// Returns the filters of bloom-core with its formulas, each sized for the question.
fn bloom_filters(plain: Query) -> Vec<Vec<Cell>> {
    let filters = [
        (Filter::Classic, "classic"),
        (Filter::Partitioned, "partitioned"),
        (Filter::Blocked { block_bits: 512 }, "blocked, 512 bits"),
        (
            Filter::SplitBlock { block_bits: 256 },
            "split-block, 8 x 32 bits",
        ),
        (
            Filter::SplitBlock { block_bits: 512 },
            "split-block, 8 x 64 bits",
        ),
        (Filter::Counting { counter_bits: 4 }, "counting, 4 bits"),
        (
            Filter::Scalable {
                initial: 1_000,
                growth: 2,
                tightening: 0.85,
            },
            "scalable from 1,000 items",
        ),
    ];
    let mut rows = Vec::new();
    for (filter, name) in filters {
        let solution = Query { filter, ..plain }.solve().ok();
        let grows = matches!(filter, Filter::Scalable { .. });
        rows.push(vec![
            Cell::Text(name.to_string()),
            solution
                .as_ref()
                .and_then(crate::Solution::bits_per_item)
                .map_or(Cell::Nothing, Cell::Real),
            solution.as_ref().map_or(Cell::Nothing, |found| {
                Cell::Count(found.memory_bits().div_ceil(8))
            }),
            solution
                .as_ref()
                .map_or(Cell::Nothing, |found| Cell::Count(found.hashes.into())),
            Cell::Bool(matches!(filter, Filter::Counting { .. })),
            Cell::Bool(grows),
            Cell::Bool(true),
            Cell::Bool(!grows),
            Cell::Text("exact, this size".to_string()),
        ]);
    }
    rows
}

/// Returns the other structures and the lower bound.
fn others(n: u64, p: f64) -> Vec<Vec<Cell>> {
    let bound = -p.log2();
    let mut rows = Vec::new();
    for other in OTHERS {
        let (factor, added, load) = other.formula;
        let given = if other.whole { bound.ceil() } else { bound };
        let bits = factor * (given + added) / load;
        let mut row = vec![
            Cell::Text(other.name.to_string()),
            Cell::Real(bits),
            Cell::Count((bits * n as f64 / 8.0).ceil() as u128),
            Cell::Nothing,
        ];
        row.extend(other.can.map(Cell::Bool));
        row.push(Cell::Text(other.source.to_string()));
        rows.push(row);
    }
    rows.push(vec![
        Cell::Text("lower bound".to_string()),
        Cell::Real(bound),
        Cell::Count((bound * n as f64 / 8.0).ceil() as u128),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        Cell::Text("log2(1/p), Carter et al. 1978".to_string()),
    ]);
    rows
}
