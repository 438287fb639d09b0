//! Opens and writes filters in files. A filter is opened in the format that `--format` names. Without `--format`, a filter at
//! an `--offset` of a Parquet file is opened as a Parquet filter, and any other filter must fit exactly one format.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use bloom_formats::map::FileBytes;
use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped};
use bloom_params::units::on_one_line;
use bloom_terminal::target::Target;

use crate::Stop;
use crate::args::{FileArgs, OutputArgs};
use crate::input::remark;
use crate::systems::{Opened, Reading, System, bare, candidates, likely};

/// A Parquet file starts and ends with these bytes.
pub(crate) const PARQUET: [u8; 4] = *b"PAR1";

/// A gzip file starts with these bytes.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Opens a file; `-` is the standard input.
pub(crate) fn open(path: &Path) -> Result<FileBytes, InputError> {
    let opened = if path.as_os_str() == "-" {
        FileBytes::read(io::stdin().lock())
    } else {
        FileBytes::open(path)
    };
    opened.map_err(|error| InputError::new(format!("{} cannot be read: {error}", display(path))))
}

/// Returns the bytes from `--offset` on.
pub(crate) fn from_offset<'a>(args: &FileArgs, bytes: &'a [u8]) -> Result<&'a [u8], InputError> {
    let offset = args.offset()?;
    let rest = usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..));
    if let Some(rest) = rest.filter(|rest| offset == 0 || !rest.is_empty()) {
        return Ok(rest);
    }
    let message = format!(
        "--offset must be within {}, got {offset}",
        display(&args.file)
    );
    let hint = format!("it has {}", counted(bytes.len() as u64, "byte"));
    Err(InputError::new(message).with_hint(hint))
}

/// Returns the system that `--format` names. Without `--format`, returns Parquet if `--offset` is given for a Parquet file, and
/// otherwise `None`.
pub(crate) fn system(args: &FileArgs, bytes: &[u8]) -> Option<&'static System> {
    let is_inside = args.offset.is_some() && bytes.starts_with(&PARQUET);
    crate::args::by_name(args.format.as_deref().or(is_inside.then_some("parquet")))
}

/// Returns the name of a file for a message.
pub(crate) fn display(path: &Path) -> String {
    match path.to_string_lossy().as_ref() {
        "-" => "the standard input".to_string(),
        name => on_one_line(name),
    }
}

/// Returns the filter and its system. The system is the one that [`system`] returns, or else the only one that the bytes fit.
/// Bytes that follow the filter are reported.
pub(crate) fn opened<'a>(
    args: &FileArgs,
    bytes: &'a [u8],
    err: &mut dyn Write,
) -> Result<(&'static System, Opened<'a>), Stop> {
    let system = system(args, bytes);
    let bytes = from_offset(args, bytes)?;
    let Some(system) = system else {
        return Ok(only(&args.file, bytes)?);
    };
    let (filter, rest) = by_name(&args.file, bytes, system)?;
    if let Some(text) = ignored(rest, system) {
        remark(err, &text)?;
    }
    Ok((system, filter))
}

/// Returns the filter of a named system, and how many bytes follow it.
pub(crate) fn by_name<'a>(
    path: &Path,
    bytes: &'a [u8],
    system: &'static System,
) -> Result<(Opened<'a>, usize), InputError> {
    (system.open)(bytes, Reading::Part).map_err(|error| {
        let is_decoded = error.length().is_some() && system.options.is_base64;
        let hint = if is_decoded {
            "these bytes are counted in the decoded base64"
        } else {
            ""
        };
        of_file(path, &InputError::from(error).with_hint(hint))
    })
}

/// Returns the only system that the bytes fit, with the filter. Systems are left out if nothing in the bytes proves their
/// format, so that `--format` must name it.
pub(crate) fn only<'a>(
    path: &Path,
    bytes: &'a [u8],
) -> Result<(&'static System, Opened<'a>), InputError> {
    let mut found = candidates(bytes);
    match found.len() {
        0 => Err(unknown(path, bytes)),
        1 => Ok(found.remove(0)),
        _ => {
            let names: Vec<_> = found.iter().map(|(system, _)| system.name).collect();
            let message = format!(
                "{} fits more than one format: {}",
                display(path),
                names.join(", ")
            );
            Err(InputError::new(message).with_hint("choose one with --format"))
        }
    }
}

/// Returns the error for bytes that fit no format, with a hint.
pub(crate) fn unknown(path: &Path, bytes: &[u8]) -> InputError {
    let message = format!(
        "{} must be a filter of a known format, got {} bytes that fit none",
        display(path),
        grouped(bytes.len() as u64)
    );
    let hint = if bytes.starts_with(&PARQUET) && !cfg!(feature = "parquet") {
        "it is a Parquet file: built without the feature parquet, bloom-file reads only one filter in it, with --offset BYTES"
            .to_string()
    } else if bytes.starts_with(&PARQUET) {
        "it is a Parquet file: bloom-file inspect FILE lists its filters, and with --json also their bloom_filter_offset; \
         bloom-file convert FILE --offset BYTES --to parquet extracts one of them"
            .to_string()
    } else if bytes.starts_with(GZIP) {
        "it is compressed: gunzip it first".to_string()
    } else if let Some(likely) = likely(bytes) {
        likely
    } else if let [system, ..] = bare(bytes)[..] {
        format!(
            "they may be a filter of a format that is never detected: try --format {}",
            system.name
        )
    } else {
        "with --format FORMAT, the error says why that format does not fit; bloom-file --help lists the formats"
            .to_string()
    };
    InputError::new(message).with_hint(hint)
}

/// Returns a note about the bytes that follow the filter, which the system ignores; `None` if there are none.
pub(crate) fn ignored(rest: usize, system: &System) -> Option<String> {
    if rest == 0 {
        return None;
    }
    let bytes = counted(rest as u64, "byte");
    Some(format!(
        "the filter is followed by {bytes}, which {} ignores",
        system.name
    ))
}

/// Adds the name of the file to an error.
pub(crate) fn of_file(path: &Path, error: &InputError) -> InputError {
    InputError::new(format!("{}: {error}", display(path)))
        .with_hint(error.hint().unwrap_or_default())
}

/// Returns where a filter is written; refuses a terminal.
pub(crate) fn target(args: &OutputArgs) -> Result<Target, InputError> {
    let target = args.output.as_deref().map_or(Target::Stdout, Target::new);
    if target == Target::Stdout && io::stdout().is_terminal() {
        let message = "a filter is not written to a terminal";
        return Err(InputError::new(message).with_hint("name a file with --output"));
    }
    target
        .check()
        .map_err(|error| InputError::new(target.unwritten(&error)))?;
    Ok(target)
}

/// Writes a filter.
pub(crate) fn write(target: &Target, bytes: &[u8]) -> Result<(), Stop> {
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
