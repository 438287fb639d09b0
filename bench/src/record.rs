//! Writes the results of a benchmark run into the project. This module writes the tables of the book; [`levels`] writes the
//! other files.

use std::fs;
use std::io;
use std::path::Path;

use bloom_params::numbers::nearest;

use crate::candidate::Name;
use crate::levels;
use crate::machine::{self, Level};
use crate::measure::Cell;
use crate::operation::Operation;
use crate::report;

/// The only rate and kind of key for which the book's page has tables. The CSV file beside the page has the results for all
/// rates and kinds of key.
const SHOWN: (f64, &str) = (0.01, "u64");

/// The explanation of the tables on the book's page.
const WHAT: &str = "
Nanoseconds of processor time per key: medians of the rounds. Memory is what the allocator gave. The rate is
the measured rate over the requested one, with one standard deviation, which includes the variance between
filters. In **bold**, the measured rate is over the requested one by more than three standard deviations.
";

/// Writes the results of a benchmark to the files of [`levels`]. If the run was `whole` (it left out no candidate, n, p or kind
/// of key) and this project's filters ran with AVX-512, also writes the tables of the book. `lines` are the date, the machine
/// and the compiler.
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
    for cell in cells {
        if (cell.rate, cell.keys) == SHOWN {
            page += &section(cell);
        }
    }
    levels::write(root, lines, &csv)?;
    if !whole || machine::level() != Level::Avx512 {
        return Ok(());
    }
    fs::write(tables.join("speed.md"), page)?;
    fs::write(tables.join("speed.csv"), csv)
}

/// Returns the results for one number of items as a section of the book's page. It shows only medians; the CSV file also has
/// the quartiles.
fn section(cell: &Cell) -> String {
    let names = Operation::ALL.map(Operation::name).join(" | ");
    let rule = " ---: |".repeat(Operation::ALL.len());
    let items = cell.items as f64;
    let (rate, keys) = (nearest(100.0 * cell.rate, 3), cell.keys);
    let mut text = format!("\n### n = {items:e}, p = {rate} %, {keys} keys\n\n");
    text += &format!("| ns per key | bits/item | rate/target | {names} |\n");
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
    text
}
