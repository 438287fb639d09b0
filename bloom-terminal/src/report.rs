//! Formats the errors, hints, notes, warnings and verdicts that a command prints. [`main`] runs the command and returns its
//! exit code.
//!
//! The texts contain the escape sequences of colours. The streams that [`main`] passes to the command remove
//! these sequences where colours are not wanted.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const MET: Style = AnsiColor::Green.on_default().bold();
const NOT_MET: Style = AnsiColor::Red.on_default().bold();

/// The exit code if the arguments or the input are invalid, or if the output cannot be written.
pub const USAGE: u8 = 2;

/// Calls `run`, which does the work of a command, with the standard output and the standard error, and returns its exit code.
/// If `run` returns an error, prints this error and returns [`USAGE`].
///
/// If the environment variable `NO_COLOR` is set and not empty, both streams remove colours. Otherwise, if `CLICOLOR_FORCE` is
/// set and not empty, both streams keep colours. In all other cases, a stream keeps colours only if it is a terminal that shows
/// them.
pub fn main(run: impl FnOnce(&mut dyn Write, &mut dyn Write) -> io::Result<u8>) -> ExitCode {
    let (mut out, mut err) = (anstream::stdout(), anstream::stderr());
    match run(&mut out, &mut err) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let text = refusal(&format!("cannot write the output: {error}"), None);
            // Nothing is left to do if even this write fails.
            let _: io::Result<()> = write!(err, "{text}");
            ExitCode::from(USAGE)
        }
    }
}

/// Returns `code` after a write that succeeded or that failed because the reader has closed the pipe.
///
/// # Errors
///
/// If the write failed for another reason.
pub fn finish(written: io::Result<()>, code: u8) -> io::Result<u8> {
    unless_closed(written).map(|()| code)
}

/// Returns the result of a write. A write that failed because the reader has closed the pipe counts as a success.
///
/// # Errors
///
/// If the write failed for another reason.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Returns a line with the error and, if there is a hint, a second line with the hint.
pub fn refusal(error: &impl Display, hint: Option<&str>) -> String {
    let mut text = format!("{ERROR}error:{ERROR:#} {error}\n");
    if let Some(hint) = hint {
        text += &format!("{HINT}hint:{HINT:#} {hint}\n");
    }
    text
}

/// Returns a note as a line. `text` begins with `note:`, which gets a colour.
pub fn note(text: &str) -> String {
    text.replacen("note:", &format!("{NOTE}note:{NOTE:#}"), 1) + "\n"
}

/// Returns a warning as a line. `text` begins with `warning:`, which gets a colour.
pub fn warning(text: &str) -> String {
    text.replacen("warning:", &format!("{NOT_MET}warning:{NOT_MET:#}"), 1) + "\n"
}

/// Returns the text `met` in green or `not met` in red.
pub fn verdict(met: bool) -> String {
    if met {
        format!("{MET}met{MET:#}")
    } else {
        format!("{NOT_MET}not met{NOT_MET:#}")
    }
}
