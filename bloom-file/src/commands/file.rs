//! Opens filters: of a named system, or of the only one that the bytes fit.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;

use bloom_params::InputError;
use bloom_params::numbers::grouped;
use bloom_params::units::on_one_line;
use bloom_terminal::target::Target;

use crate::Stop;
use crate::args::{FileArgs, OutputArgs};
use crate::systems::{Opened, Reading, System, bare, candidates, likely};

/// The bytes of a Parquet file start with these.
const PARQUET_FILE: &[u8] = b"PAR1";

/// And those of a file that gzip compressed.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Reads the bytes of a file from an offset, or of the standard input.
pub(super) fn bytes(args: &FileArgs) -> Result<Vec<u8>, InputError> {
    read(&args.file, args.offset()?)
}

/// Reads the bytes of a file from an offset; `-` is the standard input.
pub(super) fn read(path: &Path, offset: u64) -> Result<Vec<u8>, InputError> {
    let unread = |error| InputError::new(format!("{} cannot be read: {error}", shown(path)));
    let mut bytes = Vec::new();
    let length = if path.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(unread)?;
        let length = bytes.len();
        bytes.drain(..usize::try_from(offset).unwrap_or(length).min(length));
        length as u64
    } else {
        let mut file = File::open(path).map_err(unread)?;
        file.seek(SeekFrom::Start(offset)).map_err(unread)?;
        file.read_to_end(&mut bytes).map_err(unread)?;
        file.stream_position().map_err(unread)?
    };
    if bytes.is_empty() && offset > 0 {
        let message = format!("--offset must be within {}, got {offset}", shown(path));
        let hint = format!("it has {} bytes", grouped(length.min(offset)));
        return Err(
            InputError::new(message).with_hint(if path.as_os_str() == "-" {
                hint
            } else {
                String::new()
            }),
        );
    }
    Ok(bytes)
}

/// Returns the name of a file for a message.
pub(super) fn shown(path: &Path) -> String {
    match path.to_string_lossy().as_ref() {
        "-" => "the standard input".to_string(),
        name => on_one_line(name),
    }
}

/// Returns the filter of a named system, and how many bytes follow it.
pub(super) fn named<'a>(
    path: &Path,
    bytes: &'a [u8],
    system: &'static System,
) -> Result<(Opened<'a>, usize), InputError> {
    (system.open)(bytes, Reading::Part).map_err(|error| of_file(path, &error.into()))
}

/// Returns the only system that the bytes fit, with the filter; one without a header must be named.
pub(super) fn only<'a>(
    path: &Path,
    bytes: &'a [u8],
) -> Result<(&'static System, Opened<'a>), InputError> {
    let mut found = candidates(bytes);
    match found.len() {
        0 => Err(unknown(path, bytes)),
        1 => Ok(found.remove(0)),
        _ => {
            let names: Vec<_> = found.iter().map(|(system, _)| system.name).collect();
            let message = format!("{} can be a filter of {}", shown(path), names.join(" or "));
            Err(InputError::new(message).with_hint("name it with --format"))
        }
    }
}

/// Returns the error of bytes that no system reads.
pub(super) fn unknown(path: &Path, bytes: &[u8]) -> InputError {
    let message = format!(
        "{} must be a filter of a known format, got {} bytes that fit none",
        shown(path),
        grouped(bytes.len() as u64)
    );
    let hint = if bytes.starts_with(PARQUET_FILE) {
        "it is a Parquet file: name the place of the filter, --format parquet --offset BYTES"
            .to_string()
    } else if bytes.starts_with(GZIP) {
        "it is compressed: gunzip it first".to_string()
    } else if let Some(likely) = likely(bytes) {
        likely
    } else if let [system, ..] = bare(bytes)[..] {
        format!(
            "any bytes of this length can be one without a header: --format {}",
            system.name
        )
    } else {
        "--format FORMAT says why one does not fit; bloom-file --help lists them".to_string()
    };
    InputError::new(message).with_hint(hint)
}

/// Says how many bytes a system ignores behind a filter.
pub(super) fn ignored(rest: usize, system: &System) -> Option<String> {
    let (count, follow) = match rest {
        0 => return None,
        1 => ("1 byte".to_string(), "follows"),
        _ => (format!("{} bytes", grouped(rest as u64)), "follow"),
    };
    Some(format!(
        "{count} {follow} the filter, which {} ignores",
        system.name
    ))
}

/// Adds the name of the file to an error.
pub(super) fn of_file(path: &Path, error: &InputError) -> InputError {
    InputError::new(format!("{}: {error}", shown(path))).with_hint(error.hint().unwrap_or_default())
}

/// Returns where a filter is written; refuses a terminal.
pub(super) fn target(args: &OutputArgs) -> Result<Target, InputError> {
    let target = args.output.as_deref().map_or(Target::Stdout, Target::new);
    if target == Target::Stdout && io::stdout().is_terminal() {
        let message = "filter must be written to a file or a pipe, got a terminal";
        return Err(InputError::new(message).with_hint("name a file with --output"));
    }
    target
        .check()
        .map_err(|error| InputError::new(target.unwritten(&error)))?;
    Ok(target)
}

/// Writes a filter.
pub(super) fn write(target: &Target, bytes: &[u8]) -> Result<(), Stop> {
    match target.write(bytes) {
        Err(error) if target.path().is_some() => {
            Err(InputError::new(target.unwritten(&error)).into())
        }
        written => {
            written?;
            io::stdout().flush()?;
            Ok(())
        }
    }
}
