//! How a command prints: rows, notes, errors and JSON.

use std::io::{self, ErrorKind};

use anstyle::{AnsiColor, Style};

use crate::error::InputError;
pub use crate::json::{Object, Row, Value};
use crate::words::wrapped;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const VALUE: Style = Style::new().bold();
const MET: Style = AnsiColor::Green.on_default().bold();
const NOT_MET: Style = AnsiColor::Red.on_default().bold();

/// Lays out aligned lines of at most 80 columns, with colours.
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

/// Returns `met` or `not met`, with colours.
pub fn verdict(met: bool) -> String {
    if met {
        format!("{MET}met{MET:#}")
    } else {
        format!("{NOT_MET}not met{NOT_MET:#}")
    }
}

/// Returns the lines of a remark, of at most 80 columns and with colours.
pub fn note(text: &str) -> String {
    let lines = wrapped(text, "note: ", "      ").join("\n");
    lines.replacen("note:", &format!("{NOTE}note:{NOTE:#}"), 1) + "\n"
}

/// Returns the lines of an error and its hint, with colours.
pub fn refusal(error: &InputError) -> String {
    let mut text = format!("{ERROR}error:{ERROR:#} {error}\n");
    if let Some(hint) = error.hint() {
        text += &format!("{HINT}hint:{HINT:#} {hint}\n");
    }
    text
}

/// Returns the exit code, also if the reader has closed the pipe.
///
/// # Errors
///
/// Any other error of the write.
pub fn finish(written: io::Result<()>, code: u8) -> io::Result<u8> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(code),
    }
}
