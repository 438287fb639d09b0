//! Writes a filter in another form that has the same bits, such as the base64 of its bytes.

use std::io::Write;

use bloom_params::InputError;

use crate::args::{ChunksArgs, ConvertArgs, by_name};
use crate::file;
use crate::systems::{Opened, System};
use crate::{Stop, YES};

pub(super) fn run(args: &ConvertArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let target = file::target(&args.output)?;
    let path = &args.file.file;
    let bytes = file::open(path)?;
    let (system, filter) = file::opened(&args.file, &bytes, err)?;
    let to = by_name(args.to.as_deref()).unwrap_or(system);
    if !has_bits_of(system, to) {
        let message = format!(
            "a filter of {} cannot be converted to one of {}",
            system.name, to.name
        );
        let hint = "the two systems set different bits for a key, and a filter does not contain its keys: build the other one from the keys";
        return Err(InputError::new(message).with_hint(hint).into());
    }
    check_chunks(to, &args.chunks)?;
    file::write(&target, &written(to, &filter, &args.chunks)?)?;
    Ok(YES)
}

/// Refuses `--chunks` if no server takes filters of the system in chunks.
pub(super) fn check_chunks(system: &System, chunks: &ChunksArgs) -> Result<(), InputError> {
    if chunks.chunks.is_none() || system.options.commands.is_some() {
        return Ok(());
    }
    let message = format!("--chunks must be left out for filters of {}", system.name);
    Err(InputError::new(message).with_hint("only filters of Redis are loaded in chunks"))
}

/// Returns whether filters of one system and filters of the other are two forms of the same bits.
fn has_bits_of(one: &System, other: &System) -> bool {
    let binary = |system: &System| {
        system
            .options
            .form
            .map_or(system.name, |(_, binary)| binary)
    };
    binary(one) == binary(other)
}

/// Returns the bytes of a filter. With `--chunks`, returns the commands that create the filter in Redis instead.
pub(super) fn written(
    system: &System,
    filter: &Opened<'_>,
    chunks: &ChunksArgs,
) -> Result<Vec<u8>, InputError> {
    let bytes = system.written(filter)?;
    match (&chunks.chunks, system.options.commands) {
        (Some(key), Some(commands)) => commands(&bytes, key.as_encoded_bytes())
            .map_err(|error| InputError::new(error.to_string())),
        _ => Ok(bytes),
    }
}
