//! Reads keys line by line, in chunks, and shows progress. Reports bad lines, carriage returns at line ends, and a byte order
//! mark.

use std::fs::File;
use std::io::{self, Read, Write};

use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped};
use bloom_params::report::note;
use bloom_terminal::progress::{self, ProgressBar};

use crate::Stop;
use crate::key::KeyType;

/// The size of the buffer in bytes. A longer line makes the buffer grow.
const CHUNK: usize = 4 << 20;

/// How many of the first keys decide whether carriage returns are reported.
const FIRST: usize = 20;

/// The byte order mark of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Passes the input to `each` in chunks of whole lines, and shows progress if standard error is a terminal.
pub(crate) fn chunks(
    mut input: impl Read,
    length: Option<u64>,
    mut each: impl FnMut(&[u8]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let bar = bar(length);
    let (mut buffer, mut filled) = (vec![0; CHUNK], 0);
    loop {
        if filled == buffer.len() {
            // The line is longer than the buffer.
            buffer.resize(2 * filled, 0);
        }
        let count = match input.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.map_err(|error| {
                InputError::new(format!("the standard input cannot be read: {error}"))
            })?,
        };
        bar.inc(count as u64);
        // If the input is a file, the buffer is filled before its lines are passed on. Lines from a pipe are passed on at once,
        // because the writer of the pipe may wait for the answers before it sends more. In the input from a pipe, only the
        // bytes just read are searched for a line feed: the bytes before them have none.
        let fresh = if length.is_some() { 0 } else { filled };
        filled += count;
        let end = match count {
            0 => filled,
            _ if filled < buffer.len() && length.is_some() => continue,
            _ => memchr::memrchr(b'\n', &buffer[fresh..filled]).map_or(0, |last| fresh + last + 1),
        };
        if end > 0 {
            each(&buffer[..end])?;
            buffer.copy_within(end..filled, 0);
            filled -= end;
        }
        if count == 0 {
            bar.finish_and_clear();
            return Ok(());
        }
    }
}

/// Returns the length of the standard input in bytes, if it is a file. On systems other than Unix, returns `None`.
#[cfg(unix)]
pub(crate) fn length_of_stdin() -> Option<u64> {
    use std::os::fd::AsFd;
    let copy = io::stdin().as_fd().try_clone_to_owned().ok()?;
    let metadata = File::from(copy).metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}

#[cfg(not(unix))]
pub(crate) fn length_of_stdin() -> Option<u64> {
    None
}

fn bar(length: Option<u64>) -> ProgressBar {
    let template = match length {
        Some(_) => "{bar:40} {bytes}/{total_bytes}, {eta} left",
        None => "{spinner} {bytes} read, {bytes_per_sec}",
    };
    progress::bar(length, template)
}

/// Returns the lines without their line feeds.
pub(crate) fn lines(chunk: &[u8]) -> impl Iterator<Item = &[u8]> {
    let chunk = chunk.strip_suffix(b"\n").unwrap_or(chunk);
    let mut rest = Some(chunk);
    std::iter::from_fn(move || {
        let line = rest?;
        let end = memchr::memchr(b'\n', line);
        rest = end.map(|end| &line[end + 1..]);
        Some(end.map_or(line, |end| &line[..end]))
    })
}

/// Splits a chunk into at most `count` parts of whole lines. The parts have about the same number of bytes.
pub(crate) fn parts(chunk: &[u8], count: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (Vec::new(), chunk);
    for left in (1..=count).rev() {
        let middle = rest.len() / left;
        let end = match memchr::memchr(b'\n', &rest[middle..]) {
            Some(end) if left > 1 => middle + end + 1,
            _ => rest.len(),
        };
        let (part, others) = rest.split_at(end);
        if !part.is_empty() {
            parts.push(part);
        }
        rest = others;
    }
    parts
}

/// The lines that are not keys of the type.
#[derive(Default)]
pub(crate) struct BadLines {
    pub(crate) count: u64,
    /// The number of the first bad line, counted from 1, and its error.
    first: Option<(u64, InputError)>,
}

impl BadLines {
    pub(crate) fn push(&mut self, line: u64, error: InputError) {
        self.count += 1;
        self.first.get_or_insert((line, error));
    }

    /// Adds the bad lines of a part of the input that begins after `before` lines.
    pub(crate) fn add(&mut self, part: Self, before: u64) {
        self.count += part.count;
        if let (None, Some((line, error))) = (&self.first, part.first) {
            self.first = Some((before + line, error));
        }
    }

    /// Returns the error of a single key, if the key is bad.
    pub(crate) fn refuse_key(&self) -> Result<(), InputError> {
        let first = self.first.clone();
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Returns the error of the first bad line, if there is one. `before` is the number of lines before the part that was read.
    pub(crate) fn refuse(&self, before: u64) -> Result<(), InputError> {
        let Some((line, error)) = &self.first else {
            return Ok(());
        };
        let message = format!("line {}: {error}", before + line);
        Err(InputError::new(message).with_hint(error.hint().unwrap_or_default()))
    }

    /// Reports how many lines were skipped.
    pub(crate) fn note(&self, keys: KeyType, err: &mut dyn Write) -> std::io::Result<()> {
        match &self.first {
            Some((line, error)) => {
                let (count, keys) = (counted(self.count, "line"), keys.name());
                let text = format!(
                    "skipped {count} without a key of type {keys}; the first is line {}: {error}",
                    grouped(*line)
                );
                remark(err, &text)
            }
            None => Ok(()),
        }
    }
}

/// How many of the first keys end with a CR, and whether the first key begins with a byte order mark. The first keys may come
/// from several chunks.
#[derive(Default)]
pub(crate) struct Returns {
    keys: usize,
    with_return: usize,
    has_mark: bool,
}

impl Returns {
    /// Examines the lines of the next chunk, which are keys of this type.
    pub(crate) fn look(&mut self, keys: KeyType, chunk: &[u8]) {
        self.has_mark |= self.keys == 0 && keys.is_text() && chunk.starts_with(MARK);
        if self.keys < FIRST && keys.is_text() {
            for line in lines(chunk).take(FIRST - self.keys) {
                self.keys += 1;
                self.with_return += usize::from(line.ends_with(b"\r"));
            }
        }
    }

    /// Warns of a byte order mark, and of CRLF line ends if each of the first keys ends with a CR.
    pub(crate) fn note(&self, err: &mut dyn Write) -> std::io::Result<()> {
        if self.has_mark {
            let text = "the first line begins with a byte order mark, which is a part of its key: remove it with tail -c +4 \
                        if the key in the filter has none";
            remark(err, text)?;
        }
        if self.keys == 0 || self.with_return < self.keys {
            return Ok(());
        }
        let text = "lines end with CR LF, and the CR is a part of each key: remove it with tr -d '\\r' if the \
                    keys in the filter have none";
        remark(err, text)
    }
}

/// Writes a remark to the standard error.
pub(crate) fn remark(err: &mut dyn Write, text: &str) -> std::io::Result<()> {
    write!(err, "{}", note(text))
}
