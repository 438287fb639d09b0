//! Merges filters of one system into one filter that contains the keys of all of them.

use std::io::Write;
use std::path::Path;

use bloom_params::InputError;
use bloom_params::numbers::counted;
use bloom_terminal::progress;

use crate::args::{MergeArgs, by_name};
use crate::file;
use crate::input::remark;
use crate::systems::{Opened, System, candidates};
use crate::{Stop, YES};

pub(super) fn run(args: &MergeArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let target = file::target(&args.output)?;
    if args
        .files
        .iter()
        .filter(|path| path.as_os_str() == "-")
        .count()
        > 1
    {
        let message = "only one FILE may be - (the standard input)";
        return Err(InputError::new(message).into());
    }
    let first = file::open(&args.files[0])?;
    let system = match by_name(args.format.as_deref()) {
        Some(system) => system,
        None => file::only(&args.files[0], &first)?.0,
    };
    system.check_merges()?;
    let mut read = |path: &Path, bytes: &'_ [u8]| -> Result<usize, Stop> {
        let rest = match args.format {
            Some(_) => file::by_name(path, bytes, system)?.1,
            None => 0,
        };
        if let Some(text) = file::ignored(rest, system) {
            remark(err, &format!("{}: {text}", file::display(path)))?;
        }
        Ok(bytes.len() - rest)
    };
    // Until all files are merged, only the merged filter and one file at a time are held in memory.
    let end = read(&args.files[0], &first)?;
    let owned = system
        .read(&first[..end])
        .map_err(InputError::from)
        .and_then(Opened::owned);
    let mut merged = owned.map_err(|error| file::of_file(&args.files[0], &error))?;
    drop(first);
    let bar = progress::bar(
        Some(args.files.len() as u64),
        "{bar:40} {pos} of {len} files",
    );
    bar.inc(1);
    let mut left_out = Vec::new();
    for path in &args.files[1..] {
        let bytes = file::open(path)?;
        let end = read(path, &bytes)?;
        let bytes = &bytes[..end];
        let dropped_data = system
            .merge(&mut merged, bytes)
            .map_err(|error| other_system(bytes, system).unwrap_or(error))
            .map_err(|error| file::of_file(path, &error))?;
        if dropped_data > 0 {
            let (path, data) = (file::display(path), counted(dropped_data, "byte"));
            let text = format!(
                "{path}: dropped its {data} of attached data; the data of the first file are kept"
            );
            left_out.push(text);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for text in left_out {
        remark(err, &text)?;
    }
    file::write(&target, &system.written(&merged)?)?;
    Ok(YES)
}

/// Returns an error that names both systems, if the bytes are a filter of another system.
fn other_system(bytes: &[u8], system: &System) -> Option<InputError> {
    let mut found = candidates(bytes).into_iter();
    let other = found.find(|(other, _)| other.name != system.name);
    other.map(|(other, _)| system.differs(other))
}
