//! Formats a table of texts and numbers for people, or as CSV, Markdown or JSON.

use std::iter;

use super::TableFormat;
use crate::cli::report::{Object, Value, note};
use crate::say::numbers::{binary_size, grouped, nearest, rate_up};

/// A cell, whose value is printed in one form for people and in another for programs.
#[derive(Debug, Clone)]
pub(super) enum Cell {
    Text(String),
    Count(u128),
    /// A number of bytes, in binary units for people.
    Bytes(u128),
    Real(f64),
    /// The rate of a filter, and its target.
    Rate(f64, f64),
    /// A rate, with three digits for people.
    Brief(f64),
    Bool(bool),
    Nothing,
}

impl Cell {
    fn for_people(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Bytes(count) => binary_size(count * 8),
            Self::Real(x) => nearest(*x, 4),
            Self::Rate(x, target) => rate_up(*x, x.ln(), Some(*target)),
            Self::Brief(x) if *x < 1e-3 => format!("{x:.2e}"),
            Self::Brief(x) => nearest(*x, 3),
            Self::Bool(true) => "yes".to_string(),
            Self::Bool(false) => "no".to_string(),
            Self::Nothing => "-".to_string(),
        }
    }

    fn for_programs(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) | Self::Bytes(count) => count.to_string(),
            Self::Real(x) | Self::Brief(x) | Self::Rate(x, _) => x.to_string(),
            Self::Bool(is) => is.to_string(),
            Self::Nothing => String::new(),
        }
    }

    fn as_json(&self) -> Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Count(count) | Self::Bytes(count) => {
                u64::try_from(*count).map_or(Value::Null, Value::from)
            }
            Self::Real(x) | Self::Brief(x) | Self::Rate(x, _) => (*x).into(),
            Self::Bool(is) => (*is).into(),
            Self::Nothing => Value::Null,
        }
    }
}

/// A table: its columns, its rows and its remarks, which only the aligned form for people shows. Each column has a name for
/// programs and one for people.
pub(super) struct Grid {
    pub(super) columns: Vec<(String, String)>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) notes: Vec<String>,
}

impl Grid {
    /// Renders the table in a format.
    pub(super) fn render(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Human => self.aligned(),
            TableFormat::Csv => self.csv(),
            TableFormat::Markdown => self.markdown(),
            TableFormat::Json => self.json(),
        }
    }

    /// Moves the texts of the last column below the table: each text once, with the names of its rows.
    pub(super) fn last_column_as_notes(&mut self) {
        self.columns.pop();
        let mut seen: Vec<(String, Vec<String>)> = Vec::new();
        for row in &mut self.rows {
            let (Some(text), Some(name)) = (row.pop(), row.first()) else {
                continue;
            };
            let (text, name) = (text.for_people(), name.for_people());
            match seen.iter_mut().find(|(known, _)| *known == text) {
                Some((_, names)) => names.push(name),
                None => seen.push((text, vec![name])),
            }
        }
        self.notes
            .extend(seen.iter().map(|(text, names)| match names.as_slice() {
                [first, _, .., last] => format!("{first} to {last}: {text}"),
                names => format!("{}: {text}", names.join(" and ")),
            }));
    }

    fn aligned(&self) -> String {
        let lines = self.lines();
        let widths: Vec<_> = (0..self.columns.len())
            .map(|column| lines.iter().map(|line| line[column].chars().count()).max())
            .collect();
        let is_text = |column: usize| {
            let mut cells = self.rows.iter().map(|row| &row[column]);
            cells.any(|cell| matches!(cell, Cell::Text(_) | Cell::Bool(_)))
        };
        let mut text = String::new();
        for line in &lines {
            let mut row = String::new();
            for (column, cell) in line.iter().enumerate() {
                let width = widths[column].unwrap_or(0);
                row += &if is_text(column) {
                    format!("{cell:<width$}  ")
                } else {
                    format!("{cell:>width$}  ")
                };
            }
            text += &format!("{}\n", row.trim_end());
        }
        let notes: String = self.notes.iter().map(|text| note(text)).collect();
        [text, notes].join(if self.notes.is_empty() { "" } else { "\n" })
    }

    /// Returns the lines for people, with the names of the columns first.
    fn lines(&self) -> Vec<Vec<String>> {
        let heads = self.columns.iter().map(|column| column.1.clone()).collect();
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(Cell::for_people).collect());
        iter::once(heads).chain(rows).collect()
    }

    fn csv(&self) -> String {
        let heads = csv_line(self.columns.iter().map(|column| &column.0));
        let rows = self.rows.iter();
        let rows = rows.map(|row| csv_line(row.iter().map(Cell::for_programs)));
        iter::once(heads).chain(rows).collect()
    }

    fn markdown(&self) -> String {
        let mut lines = self.lines();
        lines.insert(1, vec!["---".to_string(); self.columns.len()]);
        lines.into_iter().map(markdown_line).collect()
    }

    fn json(&self) -> String {
        let object = |row: &Vec<Cell>| -> Object {
            let pairs = self.columns.iter().zip(row);
            let pairs = pairs.map(|(column, cell)| (column.0.clone(), cell.as_json()));
            let mut object: Object = pairs.collect();
            object.0.sort_by(|(one, _), (other, _)| one.cmp(other));
            object
        };
        let rows: Vec<_> = self.rows.iter().map(object).collect();
        format!("{}\n", Value::from(rows))
    }
}

/// Returns a line of comma-separated values, with quotes where they are needed.
pub(super) fn csv_line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .buffer_capacity(1 << 8)
        .from_writer(Vec::new());
    let written = writer.write_record(cells);
    debug_assert!(written.is_ok(), "a vector takes every row");
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Returns a row of a Markdown table. A backslash in the text is escaped, too: before a bar, it would
/// cancel the backslash that escapes the bar.
pub(super) fn markdown_line(cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let cells = cells.into_iter().map(|cell| {
        let cell = cell.as_ref().replace('\\', "\\\\");
        cell.replace('|', "\\|")
    });
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Returns the names of a column, for programs and for people.
pub(super) fn column(name: &str, head: &str) -> (String, String) {
    (name.to_string(), head.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_rate_is_plain_down_to_a_thousandth() {
        for (rate, text) in [
            (0.5, "0.5"),
            (0.001, "0.001"),
            (0.000_999_9, "1.00e-3"),
            (1e-9, "1.00e-9"),
        ] {
            assert_eq!(Cell::Brief(rate).for_people(), text);
        }
    }
}
