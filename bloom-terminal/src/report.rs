//! Makes the texts of the errors, notes and verdicts that a command prints, and chooses its exit
//! code. The texts have colours, which the streams of [`main`] strip where no terminal shows them.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const MET: Style = AnsiColor::Green.on_default().bold();
const NOT_MET: Style = AnsiColor::Red.on_default().bold();

/// The exit code of bad usage or input.
pub const USAGE: u8 = 2;

/// Runs a command with the standard output and error, and returns its exit code.
///
/// `NO_COLOR` strips colours from all streams. Without it, `CLICOLOR_FORCE` keeps them in all streams. Without both, a stream
/// has colours only if it is a terminal that shows them.
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

/// Returns the exit code after a write, even if the reader has closed the pipe.
///
/// # Errors
///
/// Any other error of the write.
pub fn finish(written: io::Result<()>, code: u8) -> io::Result<u8> {
    unless_closed(written).map(|()| code)
}

/// Returns the result of a write; a pipe closed by its reader is not an error.
///
/// # Errors
///
/// Any other error of the write.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Returns the line of an error and, if there is a hint, its line.
pub fn refusal(error: &impl Display, hint: Option<&str>) -> String {
    let mut text = format!("{ERROR}error:{ERROR:#} {error}\n");
    if let Some(hint) = hint {
        text += &format!("{HINT}hint:{HINT:#} {hint}\n");
    }
    text
}

/// Returns the line of a note. `text` begins with `note:`, which gets a colour.
pub fn note(text: &str) -> String {
    text.replacen("note:", &format!("{NOTE}note:{NOTE:#}"), 1) + "\n"
}

/// Returns the line of a warning. `text` begins with `warning:`, which gets a colour.
pub fn warning(text: &str) -> String {
    text.replacen("warning:", &format!("{NOT_MET}warning:{NOT_MET:#}"), 1) + "\n"
}

/// Returns `met` or `not met`.
pub fn verdict(met: bool) -> String {
    if met {
        format!("{MET}met{MET:#}")
    } else {
        format!("{NOT_MET}not met{NOT_MET:#}")
    }
}
