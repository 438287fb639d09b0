//! The tables of the README and the book: what of a race goes where.

use std::fs;
use std::io;
use std::path::Path;

use bloom_params::numbers::nearest;

use crate::contenders::Name;
use crate::measure::Cell;
use crate::operation::Operation;
use crate::report;

/// The rate and the kind of key that are shown openly: in the README one cell of them, in the book all.
const OPEN: (f64, &str) = (0.01, "u64");

/// The items of the cell in the README.
const SHOWN: u64 = 1_000_000;

/// Who is in the README's table, and its columns.
const ROWS: [Name; 6] = [
    Name::Blocked,
    Name::Bloom,
    Name::Fastbloom,
    Name::FastbloomFold,
    Name::SplitBlockFold,
    Name::Parquet,
];
const COLUMNS: [Operation; 5] = [
    Operation::Insert,
    Operation::Hit,
    Operation::Miss,
    Operation::HitBatch,
    Operation::MissBatch,
];

/// Around what is replaced in the README.
const BEGIN: &str = "<!-- speed -->\n";
const END: &str = "<!-- /speed -->\n";

/// What the numbers of the book's page are.
const WHAT: &str = "
Nanoseconds of processor time a key, and ratios: medians of the rounds. Memory is what the allocator
gave. The rate is the measured one over the asked one, with one standard deviation that counts queries
and the differences between filters; **bold** is over by more than three. A batch is compared with
single calls where the other crate has no batch.
";

/// Writes the tables of a race into the project; `lines` say when, where and of what it was.
pub(crate) fn write(
    root: &Path,
    lines: &[(&str, String)],
    cells: &[Cell],
    against: &[Name],
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
    // The sizes of a rate and kind of key together, as the reader opens them.
    let mut rest: Vec<_> = folded.iter().map(|cell| terms(cell)).collect();
    rest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rest.dedup();
    for these in rest {
        let cells = folded.iter().filter(|cell| terms(cell) == these);
        let sections: String = cells.map(|cell| section(cell)).collect();
        let summary = said(these);
        page += &format!("\n<details>\n<summary>{summary}</summary>\n{sections}\n</details>\n");
    }
    fs::write(tables.join("speed.md"), page)?;
    fs::write(tables.join("speed.csv"), csv)?;
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme)?;
    let shown = |cell: &&Cell| terms(cell) == OPEN && cell.items == SHOWN;
    let cell = cells.iter().find(shown);
    let table = cell.map_or_else(String::new, |cell| table(cell, lines));
    let text = replaced(&text, &table)
        .ok_or_else(|| io::Error::other("README.md must have a part for the speed table"))?;
    fs::write(readme, text)
}

/// The rate and the kind of key of a cell.
fn terms(cell: &Cell) -> (f64, &'static str) {
    (cell.rate, cell.keys)
}

/// Terms in words.
fn said((rate, keys): (f64, &str)) -> String {
    format!("p = {} %, {keys} keys", nearest(100.0 * rate, 3))
}

/// The text with another part between the marks, if they are there.
fn replaced(text: &str, part: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{part}{END}{after}"))
}

/// Who is compared with whom in the book: the same hasher for both, then each one's own.
const PAIRS: [(Name, Name); 6] = [
    (Name::BlockedFold, Name::FastbloomFold),
    (Name::BloomFold, Name::FastbloomFold),
    (Name::BlockedFold, Name::SplitBlockFold),
    (Name::BloomFold, Name::SplitBlockFold),
    (Name::Blocked, Name::Fastbloom),
    (Name::Bloom, Name::Fastbloom),
];

/// A cell as a section of the book's page, medians alone: the CSV has the quartiles.
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

/// The README's table: nanoseconds without their spread, for which the book is.
fn table(cell: &Cell, lines: &[(&str, String)]) -> String {
    let line = |name: &str| {
        let value = lines.iter().find(|(found, _)| *found == name);
        value.map_or("", |(_, value)| value.as_str())
    };
    let first = |name: &str, mark: char| line(name).split(mark).next().unwrap_or_default().trim();
    let columns = COLUMNS.map(Operation::name).join(" | ");
    let mut text = format!(
        "Nanoseconds a key, {:e} u64 items at {} % ({}; {}; {}):\n\n",
        cell.items as f64,
        nearest(100.0 * cell.rate, 3),
        line("date").split(' ').next().unwrap_or_default(),
        line("processor"),
        first("compiler", '('),
    );
    text += &format!("| | bits/item | rate/asked | {columns} |\n| --- | ---: | ---: |");
    text += &(" ---: |".repeat(COLUMNS.len()) + "\n");
    for row in ROWS
        .iter()
        .filter_map(|name| cell.rows.iter().find(|row| row.name == *name))
    {
        let times = COLUMNS.map(|operation| {
            let time = report::nanoseconds(row, operation);
            time.map_or_else(String::new, |time| nearest(time.median, 2))
        });
        text += &format!(
            "| {} | {} | {} | {} |\n",
            row.name.text(),
            nearest(row.bits_per_item, 4),
            nearest(row.checked.rate_over_asked, 2),
            times.join(" | ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = format!("a\n{BEGIN}old\nlines\n{END}b\n");
        let new = replaced(&text, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}new\n{END}b\n"));
        assert_eq!(replaced(&new, "new\n").unwrap(), new);
        assert_eq!(replaced("a\n", "new\n"), None);
    }
}
