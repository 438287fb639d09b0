//! A table of texts and numbers, printed in the requested format.

use serde_json::{Map, Value};

use super::TableFormat;
use crate::cli::json::pretty;
use crate::numbers::{grouped_wide, nearest};

/// A cell: people and programs get their forms of the same value.
#[derive(Debug, Clone)]
pub(super) enum Cell {
    Text(String),
    Count(u128),
    Real(f64),
    /// A rate, in 7 characters for people.
    Brief(f64),
    Bool(bool),
    Nothing,
}

impl Cell {
    fn for_people(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped_wide(*count),
            Self::Real(x) => nearest(*x, 4),
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
            Self::Count(count) => count.to_string(),
            Self::Real(x) | Self::Brief(x) => x.to_string(),
            Self::Bool(is) => is.to_string(),
            Self::Nothing => String::new(),
        }
    }

    fn as_json(&self) -> Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Count(count) => u64::try_from(*count).map_or(Value::Null, Value::from),
            Self::Real(x) | Self::Brief(x) => (*x).into(),
            Self::Bool(is) => (*is).into(),
            Self::Nothing => Value::Null,
        }
    }
}

/// A table: rows, remarks for people, and two names for each column: for programs and for people.
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

    /// Moves the texts of the last column below the table, each once with the names of its rows.
    pub(super) fn last_column_as_notes(&mut self) {
        self.columns.pop();
        let mut told: Vec<(String, Vec<String>)> = Vec::new();
        for row in &mut self.rows {
            let (Some(text), Some(name)) = (row.pop(), row.first()) else {
                continue;
            };
            let (text, name) = (text.for_people(), name.for_people());
            match told.iter_mut().find(|(known, _)| *known == text) {
                Some((_, names)) => names.push(name),
                None => told.push((text, vec![name])),
            }
        }
        let notes = told
            .into_iter()
            .map(|(text, names)| match names.as_slice() {
                [name] => format!("{name}: {text}"),
                [one, other] => format!("{one} and {other}: {text}"),
                [first, .., last] => format!("{first} to {last}: {text}"),
                [] => text,
            });
        self.notes.extend(notes);
    }

    fn aligned(&self) -> String {
        let heads = self.columns.iter().map(|column| column.1.clone());
        let mut lines: Vec<Vec<String>> = vec![heads.collect()];
        let cells = |row: &Vec<Cell>| row.iter().map(Cell::for_people).collect();
        lines.extend(self.rows.iter().map(cells));
        let count = self.columns.len();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<_> = (0..count)
            .map(|column| width(column).unwrap_or(0))
            .collect();
        let is_text = |column: usize| {
            let mut cells = self.rows.iter().map(|row| &row[column]);
            cells.any(|cell| matches!(cell, Cell::Text(_) | Cell::Bool(_)))
        };
        let mut text = String::new();
        for line in &lines {
            let mut row = String::new();
            for (column, cell) in line.iter().enumerate() {
                let width = widths[column];
                row += &if is_text(column) {
                    format!("{cell:<width$}  ")
                } else {
                    format!("{cell:>width$}  ")
                };
            }
            text += row.trim_end();
            text.push('\n');
        }
        for (i, note) in self.notes.iter().enumerate() {
            if i == 0 {
                text.push('\n');
            }
            text += &format!("note: {note}\n");
        }
        text
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let heads = self.columns.iter().map(|column| &column.0);
        let mut written = writer.write_record(heads);
        for row in &self.rows {
            written =
                written.and_then(|()| writer.write_record(row.iter().map(Cell::for_programs)));
        }
        debug_assert!(written.is_ok(), "a vector takes every row");
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| {
            let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(self.columns.iter().map(|column| column.1.clone()).collect());
        text += &line(self.columns.iter().map(|_| "---".to_string()).collect());
        for row in &self.rows {
            text += &line(row.iter().map(Cell::for_people).collect());
        }
        text
    }

    fn json(&self) -> String {
        let object = |row: &Vec<Cell>| {
            let pairs = self.columns.iter().zip(row);
            let pairs = pairs.map(|(column, cell)| (column.0.clone(), cell.as_json()));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let rows: Vec<_> = self.rows.iter().map(object).collect();
        pretty(&rows) + "\n"
    }
}

/// Returns the names of a column that has the same for programs and people.
pub(super) fn column(name: &str) -> (String, String) {
    (name.to_string(), name.to_string())
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
