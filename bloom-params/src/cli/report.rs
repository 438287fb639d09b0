//! Formats what a command prints: rows, notes and JSON.

use anstyle::Style;

pub use crate::say::value::{Object, Row, Value};
use crate::say::words::wrapped;

const VALUE: Style = Style::new().bold();

/// Lays out rows of a name, a value, a unit and a remark as aligned lines. The value is bold, and the remark is wrapped at 80
/// columns.
pub fn rows(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let lines = rows.iter().map(|(name, value, unit, remark)| {
        let first = format!("{name:<4}  {value:>width$} {unit:<6}   ");
        let rest = " ".repeat(first.len());
        let line = wrapped(remark, &first, &rest).join("\n");
        let bold = format!("{VALUE}{value}{VALUE:#}");
        format!("{}\n", line.trim_end().replacen(value, &bold, 1))
    });
    lines.collect()
}

/// Returns the lines of a remark, of at most 80 columns and with colours.
pub fn note(text: &str) -> String {
    bloom_terminal::report::note(&wrapped(text, "note: ", "      ").join("\n"))
}

/// Returns the lines of a warning, laid out like those of a remark.
pub fn warning(text: &str) -> String {
    bloom_terminal::report::warning(&wrapped(text, "warning: ", "         ").join("\n"))
}
