//! Writes the book's tables of a race; `levels` writes those of each level of vectors.

use std::fs;
use std::io;
use std::path::Path;

use bloom_params::numbers::nearest;

use crate::contenders::Name;
use crate::levels;
use crate::machine::{self, Level};
use crate::measure::Cell;
use crate::operation::Operation;
use crate::report;

/// The rate and kind of key of the cells that are shown unfolded.
const OPEN: (f64, &str) = (0.01, "u64");

/// What the numbers on the book's page are.
const WHAT: &str = "
Nanoseconds of processor time per key, and ratios: medians of the rounds. Memory is what the allocator
gave. The rate is the measured rate over the requested one, with one standard deviation, which includes the
variance between filters; **bold** is over by more than three. A batch is compared with single calls where
the other crate has no batch.
";

/// Writes the tables of a race into the project, and those of the book if it was `whole`; `lines` are the
/// date, machine and compiler of the race.
pub(crate) fn write(
    root: &Path,
    lines: &[(&str, String)],
    cells: &[Cell],
    against: &[Name],
    whole: bool,
) -> io::Result<()> {
    let tables = root.join("book/src/tables");
    let list = lines
        .iter()
        .map(|(name, value)| format!("- {name}: {value}\n"));
    let mut page = list.collect::<String>() + WHAT;
    let mut csv = report::csv_head(against);
    for cell in cells {
        csv += &report::csv(cell, against);
    }
    let (open, folded): (Vec<_>, Vec<_>) = cells.iter().partition(|cell| terms(cell) == OPEN);
    for cell in open {
        page += &section(cell);
    }
    // All sizes with the same rate and kind of key are folded together.
    let mut rest: Vec<_> = folded.iter().map(|cell| terms(cell)).collect();
    rest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rest.dedup();
    for these in rest {
        let cells = folded.iter().filter(|cell| terms(cell) == these);
        let sections: String = cells.map(|cell| section(cell)).collect();
        let summary = said(these);
        page += &format!("\n<details>\n<summary>{summary}</summary>\n{sections}\n</details>\n");
    }
    levels::write(root, lines, &csv)?;
    if !whole || machine::level() != Level::Avx512 {
        return Ok(());
    }
    fs::write(tables.join("speed.md"), page)?;
    fs::write(tables.join("speed.csv"), csv)
}

/// The rate and the kind of key of a cell.
fn terms(cell: &Cell) -> (f64, &'static str) {
    (cell.rate, cell.keys)
}

/// The rate and the kind of key, in words.
fn said((rate, keys): (f64, &str)) -> String {
    format!("p = {} %, {keys} keys", nearest(100.0 * rate, 3))
}

/// The pairs compared in the book: first with the same hasher for both, then with each one's own.
const PAIRS: [(Name, Name); 6] = [
    (Name::BlockedFold, Name::FastbloomFold),
    (Name::BloomFold, Name::FastbloomFold),
    (Name::BlockedFold, Name::SplitBlockFold),
    (Name::BloomFold, Name::SplitBlockFold),
    (Name::Blocked, Name::Fastbloom),
    (Name::Bloom, Name::Fastbloom),
];

/// A cell as a section of the book's page. It shows only medians; the CSV has the quartiles.
fn section(cell: &Cell) -> String {
    let names = Operation::ALL.map(Operation::name).join(" | ");
    let rule = " ---: |".repeat(Operation::ALL.len());
    let items = cell.items as f64;
    let mut text = format!("\n### n = {items:e}, {}\n\n", said(terms(cell)));
    text += &format!("| ns a key | bits/item | rate/asked | {names} |\n");
    text += &format!("| --- | ---: | ---: |{rule}\n");
    for row in &cell.rows {
        let times = Operation::ALL.map(|operation| {
            let time = report::nanoseconds(row, operation);
            time.map_or_else(String::new, |time| nearest(time.median, 3))
        });
        text += &format!(
            "| {} | {} | {} | {} |\n",
            row.name.text(),
            nearest(row.bits_per_item, 4),
            report::rate(row),
            times.join(" | ")
        );
    }
    text += &format!("\n| times as fast as | {names} |\n| --- |{rule}\n");
    let find = |name| cell.rows.iter().find(|row| row.name == name);
    for (name, other) in PAIRS {
        let (Some(row), Some(other)) = (find(name), find(other)) else {
            continue;
        };
        let ratios = Operation::ALL.map(|operation| {
            let ratio = report::times_as_fast(row, other, operation);
            ratio.map_or_else(String::new, |ratio| nearest(ratio.median, 3))
        });
        let (name, other) = (name.text(), other.name.text());
        text += &format!("| {name} : {other} | {} |\n", ratios.join(" | "));
    }
    text
}
