//! Merges filters.

use bloom_params::InputError;

use super::file;
use crate::args::{MergeArgs, named};
use crate::{Stop, YES};

pub(super) fn run(args: &MergeArgs) -> Result<u8, Stop> {
    let target = file::target(&args.output)?;
    let read = |path| file::read(path, 0);
    let files: Result<Vec<_>, _> = args.files.iter().map(|path| read(path)).collect();
    let files = files?;
    let system = match named(args.format.as_deref()) {
        Some(system) => system,
        None => file::only(&args.files[0], &files[0])?.0,
    };
    let Some(merge) = system.merge else {
        let message = format!("{} merges no filters", system.name);
        let hint = "a filter of all keys is another filter: build it of the keys";
        return Err(InputError::new(message).with_hint(hint).into());
    };
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let merged =
        merge(&files).map_err(|(index, error)| file::of_file(&args.files[index], &error))?;
    file::write(&target, &merged.to_bytes()?)?;
    Ok(YES)
}
