//! Runs the command `table`, which prints one of two tables: the rate for each m/n and k or, if two of n, m and p are given,
//! the third of them for each k.

use bloom_core::math::{MAX_BITS, Model, Rate};

use super::grid::{Cell, Grid, column};
use super::{TableArgs, TableFormat};
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::question::{Query, QueryError, Round};
use crate::say::numbers::grouped;

/// The flags of a question that a table takes.
pub(super) const FLAGS: [&str; 7] = [
    "n",
    "m",
    "p",
    "filter",
    "model",
    "block_bits",
    "counter_bits",
];

/// The bits per item in the table of rates.
const PER_ITEM: [u64; 18] = [
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32,
];

/// The most hashes in the table of rates.
const MAX_HASHES: u8 = 10;

/// The most hashes in the table for people: more columns do not fit in 80 characters.
const MAX_FOR_PEOPLE: u8 = 7;

pub(super) fn run(args: &TableArgs) -> Result<String, InputError> {
    let form = args.form()?;
    let query = args.flags.read()?;
    let plain = query.round == Round::None
        && query.confidence.is_none()
        && query.hashes.is_none()
        && query.bits_per_item.is_none()
        && !matches!(
            query.filter,
            Filter::Scalable { .. } | Filter::SplitBlock { .. }
        );
    let grid = match (query.items, query.bits, query.rate) {
        _ if !plain => None,
        (n, None, None) => Some(by_bits(query, n, form)?),
        (Some(_), Some(_), None) => Some(by_hashes(query, "p")),
        (Some(_), None, Some(_)) => Some(by_hashes(query, "m")),
        (None, Some(_), Some(_)) => Some(by_hashes(query, "n")),
        _ => None,
    };
    let grid = grid.ok_or_else(|| {
        InputError::takes(
            "table",
            "nothing, n, or two of n, m and p, for a filter with a choice of k",
            &args.not_taken(&query, &FLAGS),
            "bloom-params table --n 1M --p 1%",
        )
    })?;
    Ok(grid.render(form))
}

/// Returns the rate by bits per item and hashes.
fn by_bits(query: Query, n: Option<u64>, form: TableFormat) -> Result<Grid, InputError> {
    type OfRate = fn(f64) -> Cell;
    let (most, shown): (u8, OfRate) = match form {
        TableFormat::Human => (MAX_FOR_PEOPLE, Cell::Brief),
        _ => (MAX_HASHES, Cell::Real),
    };
    // With this many items the rate is so near its limit for large n that the two agree in the digits that people see.
    let many = 1_000_000_000_000;
    let items = n.unwrap_or(many);
    let judge = query.judge();
    let mut columns = vec![column("bits_per_item", "m/n")];
    columns.extend((1..=most).map(|k| (format!("k{k}"), format!("k = {k}"))));
    columns.extend([column("best_k", "best"), column("best_p", "its p")]);
    let mut rows = Vec::new();
    let mut notes = vec![match n {
        Some(n) if query.model == Model::Exact => {
            format!("false-positive rates, exact for n = {}", grouped(n))
        }
        Some(n) => format!("false-positive rates by the model for n = {}", grouped(n)),
        None => "false-positive rates for many items; for fewer write --n".to_string(),
    }];
    for per_item in PER_ITEM {
        let wide = items.checked_mul(per_item).filter(|bits| *bits <= MAX_BITS);
        let whole = wide.map(|bits| bits.next_multiple_of(query.filter.unit()));
        let Some(bits) = whole.filter(|bits| *bits <= MAX_BITS) else {
            notes.push(format!(
                "m is at most 2^63 bits: no rows from m/n = {per_item} on"
            ));
            break;
        };
        let rate = |k| {
            let rate = judge.rate(items, bits, k);
            rate.map_or(Cell::Nothing, |rate: Rate| shown(rate.value()))
        };
        let best = judge.best_hashes(items, bits).map_err(QueryError::from)?;
        let mut row = vec![Cell::Count(per_item.into())];
        row.extend((1..=most).map(rate));
        row.push(Cell::Count(best.into()));
        row.push(rate(best));
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(InputError::new(format!(
            "--n must be at most 2^62 for a table: with 2 bits per item m is 2^63, got {}",
            grouped(items)
        )));
    }
    if form == TableFormat::Human {
        notes.push(format!(
            "best is the k with the lowest rate; k to {MAX_HASHES} and all digits: --format csv"
        ));
    }
    Ok(Grid {
        columns,
        rows,
        notes,
    })
}

/// Solves for the quantity not given, for each number of hashes up to four more than the best, and at least up to 8.
fn by_hashes(query: Query, asked: &str) -> Grid {
    let best = query.solve().ok().map(|found| {
        let range = found.hashes_range.map(|range| range.best);
        range.unwrap_or(found.hashes)
    });
    let last = best.unwrap_or(10).saturating_add(4).max(8);
    let rows = (1..=last).map(|k| {
        let found = Query {
            hashes: Some(k),
            ..query
        };
        let cell = match (found.solve(), asked) {
            (Ok(found), "p") => Cell::Real(found.rate.value()),
            (Ok(found), "m") => Cell::Count(found.bits.into()),
            (Ok(found), _) => Cell::Count(found.items.into()),
            (Err(_), _) => Cell::Nothing,
        };
        let mark = if Some(k) == best { "best" } else { "" };
        vec![Cell::Count(k.into()), cell, Cell::Text(mark.to_string())]
    });
    let what = match asked {
        "p" => "the rate of this n and m",
        "m" if matches!(query.filter, Filter::Counting { .. }) => {
            "the fewest counters for this n and p"
        }
        "m" => "the fewest bits for this n and p",
        _ => "the most items for this m and p",
    };
    Grid {
        columns: vec![column("k", "k"), column(asked, asked), column("note", "")],
        rows: rows.collect(),
        notes: vec![format!("{what}, for each number of hashes")],
    }
}
