//! A blocklist of any size that opens at once: its filter is filled and queried in place, in a mapped file.
//!
//! ```text
//! cargo run --release -p bloom-core --example mapped_blocklist -- --save list.bloom < blocked.txt
//! cargo run --release -p bloom-core --example mapped_blocklist -- list.bloom < queries.txt
//! ```
//!
//! Opening reads the header and the last two words, so it takes as long for a gigabyte as for a kilobyte; the system then
//! reads the pages that queries touch, and may drop them again. Several processes that map the file share its pages.
//!
//! Filling takes no memory besides these pages either: a list may be larger than memory. Until the filter is sealed, its
//! file is marked as incomplete and cannot be opened: such a file remains if the program with `--save` is killed.
//! (Filling a file in place needs a little-endian machine; on any other, fill a filter and call `write_bytes`.)

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bloom_core::{BlockedBloomFilter, BlockedBloomFilterRef, BlockedShape, persist};
use common::{Arguments, Input, Outcome, each_line, say};
use memmap2::{Mmap, MmapMut};

mod common;

const USAGE: &str = "\
usage: mapped_blocklist [--verify] FILE
       mapped_blocklist --save [--items N] [--rate P] FILE

Answers each line of the standard input with `blocked` or `passed`. The filter in FILE is
mapped and not loaded. With --save, maps FILE.tmp, fills it with the lines of the standard
input, and renames it to FILE: a process that has the old file mapped keeps it.

  --verify   read all of FILE first and compare its checksum
  --items N  most items that the filter is sized for (default 1000000)
  --rate P   share of other items to block as false positives (default 0.001)
";

#[derive(Default)]
struct Options {
    file: Option<PathBuf>,
    save: bool,
    verify: bool,
    items: Option<u64>,
    rate: Option<f64>,
}

fn parse(mut arguments: Arguments) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next()? {
        match argument.option() {
            Some("--save") => options.save = true,
            Some("--verify") => options.verify = true,
            Some("--items") => options.items = Some(arguments.number("--items")?),
            Some("--rate") => options.rate = Some(arguments.number("--rate")?),
            _ => argument.take_as(&mut options.file)?,
        }
    }
    if options.file.is_none() {
        return Err("FILE is missing".to_owned());
    }
    if options.save && options.verify {
        return Err("--verify is for a saved FILE, not with --save".to_owned());
    }
    if !options.save && (options.items.is_some() || options.rate.is_some()) {
        return Err("--items and --rate need --save".to_owned());
    }
    Ok(options)
}

/// Fills a filter in its file with the lines of the standard input.
fn save(file: &Path, items: u64, rate: f64) -> Outcome {
    // Never overwrites the old file: a process that has it mapped keeps it, and no reader sees an incomplete file.
    let mut temporary = file.as_os_str().to_owned();
    temporary.push(".tmp");
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
        // Sparse: the disk has only the pages that are written to.
        created.set_len(bytes)?;
        // SAFETY: no other program may use the temporary file, which is new or was left by a run that was killed.
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
fn ask(file: &Path, verify: bool) -> Outcome {
    let start = Instant::now();
    let opened = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // SAFETY: nobody may change the file while it is mapped. `save` replaces it by a new one. A program that changed
    // it in place would make answers wrong, and one that truncated it would kill this process (SIGBUS).
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
    common::main(USAGE, parse, |options| {
        let file = options.file.expect("the options have one");
        if options.save {
            save(
                &file,
                options.items.unwrap_or(1_000_000),
                options.rate.unwrap_or(0.001),
            )
        } else {
            ask(&file, options.verify)
        }
    })
}
