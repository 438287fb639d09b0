//! Reads keys line by line, in chunks, with progress.

use std::fs::File;
use std::io::{self, Read};

use bloom_params::InputError;
use bloom_terminal::progress::{self, ProgressBar};

use crate::Stop;

/// The bytes that are read at a time.
const CHUNK: usize = 4 << 20;

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
            // A line that is longer than the buffer.
            buffer.resize(2 * filled, 0);
        }
        let count = match input.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.map_err(|error| {
                InputError::new(format!("the standard input cannot be read: {error}"))
            })?,
        };
        bar.inc(count as u64);
        // Chunks of a file are as large as the buffer. A pipe may be a dialogue, whose other end waits for the answers to
        // the lines that it has sent, so they are passed on at once.
        // What was there before has no line feed.
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

/// Returns the bytes of a standard input that is a file.
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

/// Splits a chunk into parts of whole lines of about equal length.
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
