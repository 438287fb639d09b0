//! Merges filters.

use std::io::Write;

use bloom_params::InputError;

use super::{file, remark};
use crate::args::{MergeArgs, named};
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
        let message = "the standard input can be one of the files, got - twice";
        return Err(InputError::new(message).into());
    }
    let read = |path| file::read(path, 0);
    let files: Result<Vec<_>, _> = args.files.iter().map(|path| read(path)).collect();
    let files = files?;
    let system = match named(args.format.as_deref()) {
        Some(system) => system,
        None => file::only(&args.files[0], &files[0])?.0,
    };
    if !system.merges {
        let message = format!("{} filters cannot be merged", system.name);
        let hint = "build one filter from all keys";
        return Err(InputError::new(message).with_hint(hint).into());
    }
    let mut parts: Vec<&[u8]> = Vec::new();
    for (path, bytes) in args.files.iter().zip(&files) {
        let rest = match args.format {
            Some(_) => file::named(path, bytes, system)?.1,
            None => 0,
        };
        if let Some(text) = file::ignored(rest, system) {
            remark(err, &format!("{}: {text}", file::shown(path)))?;
        }
        parts.push(&bytes[..bytes.len() - rest]);
    }
    let merged = system.merge(&parts);
    let merged = merged.map_err(|(index, error)| file::of_file(&args.files[index], &error))?;
    file::write(&target, &merged.to_bytes()?)?;
    Ok(YES)
}
