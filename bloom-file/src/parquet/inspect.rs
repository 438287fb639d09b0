//! Lists the filters of a Parquet file. A column with filters has a line for each row group, and a column without filters has
//! one line.

use std::io::Write;

use bloom_params::numbers::{counted, grouped, nearest, rate_up};
use bloom_params::object;
use bloom_params::report::{Value, note};
use bloom_params::units::on_one_line;
use bloom_terminal::report::verdict;

use super::source::{Source, system};
use crate::args::InspectArgs;
use crate::file::display;
use crate::finding::Finding;
use crate::{NO, Stop, YES};

const HEADER: [&str; 7] = ["row group", "column", "values", "n", "m", "fill", "p"];

/// A line about a column: about one row group, or about all row groups if the column has no filter in any of them.
struct Line {
    group: Option<usize>,
    column: String,
    values: i64,
    /// The offset of the filter, and its length in bytes.
    place: Option<(u64, usize)>,
    found: Option<Finding>,
}

pub(crate) fn inspect(
    args: &InspectArgs,
    target: Option<f64>,
    out: &mut dyn Write,
) -> Result<u8, Stop> {
    let path = &args.file.file;
    let source = Source::open(path)?;
    let (groups, mut lines) = (source.row_groups(), Vec::new());
    for (column, descr) in source.columns().iter().enumerate() {
        let chunks = || (0..groups).map(|group| source.chunk(group, column));
        let has_none = chunks().all(|chunk| chunk.bloom_filter_offset().is_none());
        let line = |group, values| Line {
            group,
            column: descr.path().string(),
            values,
            place: None,
            found: None,
        };
        if has_none {
            let values = chunks().fold(0, |sum, chunk| chunk.num_values().saturating_add(sum));
            lines.push(line(None, values));
            continue;
        }
        for (group, chunk) in chunks().enumerate() {
            let mut line = line(Some(group), chunk.num_values());
            if let Some(bytes) = source.filter(group, column)? {
                let filter = source.opened(group, column, &bytes)?;
                line.place = chunk
                    .bloom_filter_offset()
                    .map(|offset| (offset as u64, bytes.len()));
                line.found = Some(Finding::new(system(), &filter, 0, target));
            }
            lines.push(line);
        }
    }
    let text = if args.json {
        let chunks: Vec<_> = lines.iter().map(Line::json).collect();
        let page = object![
            ("file", path.to_string_lossy().into_owned()),
            ("row_groups", groups),
            ("chunks", chunks)
        ];
        format!("{}\n", Value::from(page))
    } else {
        let rows = grouped(source.metadata().file_metadata().num_rows() as u64);
        let (file, groups) = (display(path), counted(groups as u64, "row group"));
        format!("{file}: Parquet file, {rows} rows in {groups}\n\n") + &human(&lines, target)
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    let is_missed = |line: &Line| line.found.as_ref().is_some_and(Finding::is_missed);
    Ok(if lines.iter().any(is_missed) { NO } else { YES })
}

impl Line {
    fn cells(&self) -> Vec<String> {
        let group = self
            .group
            .map_or("all".to_owned(), |group| group.to_string());
        let column = on_one_line(&self.column);
        let mut cells = vec![group, column, grouped(self.values as u64)];
        let Some(Finding { facts, target, .. }) = &self.found else {
            cells.push("no filter".to_owned());
            return cells;
        };
        let items = facts.items.as_ref();
        cells.extend([
            items.map_or("-".to_owned(), |items| grouped(items.items.round() as u64)),
            grouped(facts.bits),
            nearest(facts.fill, 4),
            rate_up(
                facts.rate,
                facts.rate.ln(),
                target.map(|(target, ..)| target),
            ),
        ]);
        cells.extend(target.map(|(_, met, _)| verdict(met)));
        cells
    }

    fn json(&self) -> Value {
        let page = object![
            ("row_group", self.group),
            ("column", self.column.clone()),
            ("values", self.values as u64),
            ("bloom_filter_offset", self.place.map(|place| place.0)),
            ("bloom_filter_length", self.place.map(|place| place.1)),
            ("filter", self.found.as_ref().map(Finding::json))
        ];
        page.into()
    }
}

/// Returns the table of the lines, with numbers aligned at the right, and after it the warnings about filters.
fn human(lines: &[Line], target: Option<f64>) -> String {
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    rows[0].extend(target.map(|target| format!("target {}", nearest(target, 5))));
    rows.extend(lines.iter().map(Line::cells));
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().enumerate().map(|(index, cell)| {
            let widths = rows
                .iter()
                .filter_map(|row| row.get(index))
                .map(|cell| cell.chars().count());
            let width = widths.max().unwrap_or(0);
            match HEADER.get(index) {
                Some(&"column") => format!("{cell:<width$}"),
                Some(_) => format!("{cell:>width$}"),
                // The verdict contains escape codes for colours, which take no width on the screen, so it is not padded.
                None => cell.clone(),
            }
        });
        text += &(cells.collect::<Vec<_>>().join("  ") + "\n");
    }
    let mut notes = String::new();
    for line in lines {
        let (group, column) = (line.group.unwrap_or(0), on_one_line(&line.column));
        for warning in line.found.iter().flat_map(|found| &found.facts.warnings) {
            notes += &note(&format!("row group {group}, column {column}: {warning}"));
        }
    }
    if !notes.is_empty() {
        text += "\n";
    }
    text + &notes
}
