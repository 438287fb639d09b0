//! Reads the records of a CSV file line by line, so that a bad record does not spoil others.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::mem;

use crate::read::units::displayed;

/// The maximum number of further lines that are read to find the ends of a record's quoted fields.
const MAX: usize = 100;

/// The number of a line, and its bytes or the error of reading it.
pub(super) type Line = (u64, io::Result<Vec<u8>>);

/// Returns the lines that are not blank, up to and including the first that cannot be read.
fn lines(input: Box<dyn BufRead>) -> impl Iterator<Item = Line> {
    let mut failed = false;
    let lines = (1..).zip(input.split(b'\n')).take_while(move |(_, line)| {
        let goes_on = !failed;
        failed = line.is_err();
        goes_on
    });
    lines.filter(|(_, line)| !matches!(line, Ok(line) if line.trim_ascii().is_empty()))
}

/// The lines of a file. Lines that share a quoted field are joined into one.
///
/// A quote that is never closed must not swallow the good lines after it. So a later quote closes it only within [`MAX`] lines,
/// and only if a comma or the end of the line follows.
pub(super) struct Records<L> {
    lines: L,
    /// Lines that were read in search of a closing quote, and not returned yet.
    ahead: VecDeque<Line>,
}

impl Records<()> {
    /// Reads the lines that are not blank.
    pub(super) fn new(input: Box<dyn BufRead>) -> Records<impl Iterator<Item = Line>> {
        Records {
            lines: lines(input),
            ahead: VecDeque::new(),
        }
    }
}

impl<L: Iterator<Item = Line>> Records<L> {
    /// Returns how many of the next lines belong to an open field, including the line that closes it; `None` if none of the
    /// next `most` lines closes it, or if a quote that neither closes it nor is doubled comes first.
    fn closing(&mut self, most: usize) -> Option<usize> {
        for count in 0..most {
            if count == self.ahead.len() {
                self.ahead.push_back(self.lines.next()?);
            }
            let line = self.ahead[count].1.as_ref().ok()?;
            let mut quotes = line.iter().enumerate().filter(|(_, byte)| **byte == b'"');
            while let Some((at, _)) = quotes.next() {
                match line[at + 1..].trim_ascii_end().first() {
                    // A doubled quote stands for one quote.
                    Some(b'"') => _ = quotes.next(),
                    None | Some(b',') => return Some(count + 1),
                    _ => return None,
                }
            }
        }
        None
    }
}

impl<L: Iterator<Item = Line>> Iterator for Records<L> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let (number, mut line) = self.ahead.pop_front().or_else(|| self.lines.next())?;
        let mut left = MAX;
        while let Ok(text) = &mut line
            && is_open(text)
            && let Some(count) = self.closing(left)
        {
            left -= count;
            for (_, more) in self.ahead.drain(..count) {
                text.push(b'\n');
                text.extend(more.expect("a line that closes a quote was read"));
            }
        }
        Some((number, line))
    }
}

/// Returns whether a quoted field is open at the end of the line.
fn is_open(line: &[u8]) -> bool {
    line.contains(&b'"') && std::str::from_utf8(line).is_ok_and(|line| fields(line).1.is_some())
}

/// Parses the fields of a line, which keep their blanks. Refuses open quotes, line breaks and carriage returns in fields, and
/// text that is not UTF-8.
pub(super) fn record(line: &[u8]) -> Result<Vec<String>, String> {
    let line = std::str::from_utf8(line).map_err(|_| "must be UTF-8")?;
    let (fields, open) = fields(line);
    if let Some(open) = open {
        return Err(format!("must close every quote, got {}", displayed(open)));
    }
    if let Some(long) = fields.iter().find(|field| field.contains('\n')) {
        let got = displayed(long);
        return Err(format!("must have no line break inside quotes, got {got}"));
    }
    if fields.iter().any(|field| field.contains('\r')) {
        return Err("must end with a line feed, got a carriage return alone".to_string());
    }
    Ok(fields)
}

/// Splits a line into fields. A quote at the start of a field opens a quoted field, in which a doubled quote
/// stands for one quote. If a quote is still open at the end, also returns the text from that quote on.
fn fields(line: &str) -> (Vec<String>, Option<&str>) {
    // In a file whose lines end with a line feed and then a carriage return, each carriage return is read at the start of the
    // next line. It is removed there, and so is the byte order mark of a file.
    let line = line
        .trim_start_matches(['\r', '\u{feff}'])
        .trim_end_matches('\r');
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut open, mut starts) = (None, true);
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, open) {
            (',', None) => fields.push(mem::take(&mut field)),
            ('"', None) if starts => open = Some(at),
            ('"', Some(_)) if chars.next_if(|(_, next)| *next == '"').is_none() => open = None,
            (c, _) => field.push(c),
        }
        starts = c == ',' && open.is_none();
    }
    fields.push(field);
    (fields, open.map(|at| &line[at..]))
}
