//! A blocklist whose Bloom filter is filled and queried in a mapped file, so that a list of any size opens at once.
//!
//! ```text
//! cargo run --release -p bloom-core --example mapped_blocklist -- --save list.bloom < blocked.txt
//! cargo run --release -p bloom-core --example mapped_blocklist -- list.bloom < queries.txt
//! ```
//!
//! Opening a file reads only its header and its last two words, so it takes as long for a gigabyte as for a kilobyte. Later
//! the system reads the pages that queries touch, and may drop them again. Several processes that map the file share its pages.
//!
//! Filling a file takes no memory besides its mapped pages, so the file may be larger than the memory of the machine. Until the
//! program has inserted all lines and calls `seal`, the file is marked as incomplete and cannot be opened. If the program is
//! killed before that, the incomplete file remains. (Filling a file in place needs a little-endian machine. On a big-endian
//! one, fill a filter in memory and call `write_bytes`.)

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::time::{Duration, Instant};

use bloom_core::{BlockedBloomFilter, BlockedBloomFilterRef, BlockedShape, persist};
use clap::Parser;
use common::{Input, Outcome, each_line, say};
use memmap2::{Mmap, MmapMut};

mod common;

/// Answers each line of the standard input with `blocked` or `passed`. The filter in FILE is mapped and not loaded
#[derive(Parser)]
struct Options {
    /// Fill a filter in a new file with the lines of the standard input, then rename the new file to FILE: a process that
    /// has mapped the old FILE can still query it
    #[arg(long)]
    save: bool,
    /// Read all of FILE first and compare its checksum
    #[arg(long, conflicts_with = "save")]
    verify: bool,
    /// Most items that the filter is sized for [default: 1000000]
    #[arg(long, requires = "save", allow_negative_numbers = true)]
    items: Option<u64>,
    /// Share of other items to block as false positives [default: 0.001]
    #[arg(long, requires = "save", allow_negative_numbers = true)]
    rate: Option<f64>,
    /// The file of the filter
    file: PathBuf,
}

/// Saves a filter of the lines of the standard input in a new file, which then replaces `file`.
fn save(file: &Path, items: u64, rate: f64) -> Outcome {
    // The old file is not overwritten but replaced: a process that has mapped it keeps its contents, and no process opens an
    // incomplete file under this name.
    let mut temporary = file.as_os_str().to_owned();
    // The id of this process is part of the name, so that two runs at the same time use two files.
    temporary.push(format!(".{}.tmp", process::id()));
    let temporary = PathBuf::from(temporary);
    let (count, bytes) =
        fill(&temporary, items, rate).inspect_err(|_| _ = fs::remove_file(&temporary).ok())?;
    fs::rename(&temporary, file).map_err(|error| format!("{}: {error}", file.display()))?;
    if count > items {
        say(format_args!(
            "warning: {count} items in a filter sized for {items}"
        ));
    }
    say(format_args!("saved {count} items, {bytes} bytes"));
    Ok(())
}

/// Creates a file with a filter of the lines of the standard input; returns the number of lines and the file's length.
fn fill(file: &Path, items: u64, rate: f64) -> Result<(u64, u64), Box<dyn Error>> {
    let shape = BlockedShape::for_rate(items, rate)?;
    let bytes = persist::file_bytes(shape.bits());
    let create = || {
        let created = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(file)?;
        // The file is sparse: only pages that are written to take space on the disk.
        created.set_len(bytes)?;
        // SAFETY: no other program may use the temporary file. It is new, or an earlier process with the same id left it.
        #[allow(unsafe_code)]
        unsafe {
            MmapMut::map_mut(&created)
        }
    };
    let mut map = create().map_err(|error| format!("{}: {error}", file.display()))?;
    let mut filter = BlockedBloomFilter::<[u8], _, _>::create_file(shape, &mut map)?;
    let mut count = 0;
    let (mut input, mut line) = (Input::open(None)?, Vec::new());
    while input.next_line(&mut line)? {
        count += 1;
        filter.insert(line.as_slice());
    }
    filter.seal();
    map.flush()?;
    Ok((count, bytes))
}

/// Maps the file and answers the lines of the standard input.
fn answer(file: &Path, verify: bool) -> Outcome {
    let start = Instant::now();
    let opened = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // SAFETY: nobody may change the file while it is mapped. `save` does not: it replaces the file by a new one. A program
    // that changed the file in place would make answers wrong. One that truncated it would kill this process (SIGBUS).
    #[allow(unsafe_code)]
    let bytes = unsafe { Mmap::map(&opened)? };
    let filter = BlockedBloomFilterRef::<[u8]>::open(&bytes)?;
    let opening = start.elapsed();
    let milliseconds = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    say(format_args!(
        "opened {} bytes in {}",
        bytes.len(),
        milliseconds(opening)
    ));
    if verify {
        let start = Instant::now();
        filter.verify_checksum()?;
        say(format_args!(
            "verified in {}",
            milliseconds(start.elapsed())
        ));
    }
    each_line(Input::open(None)?, |line, output| {
        let answer = if filter.contains(line) {
            "blocked"
        } else {
            "passed"
        };
        Ok(writeln!(output, "{answer}")?)
    })
}

fn main() -> ExitCode {
    common::main(|options: Options| {
        if options.save {
            let (items, rate) = (options.items, options.rate);
            save(
                &options.file,
                items.unwrap_or(1_000_000),
                rate.unwrap_or(0.001),
            )
        } else {
            answer(&options.file, options.verify)
        }
    })
}
