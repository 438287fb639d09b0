//! Inspects, queries and adds filters inside Parquet files. A column chunk, which is one column of one row group, can have a
//! filter.
//!
//! - `source`: a file with its footer and its filters. `column`: a column of a file, and how its keys are hashed.
//! - `inspect`, `query` and `build` do what the commands of these names do with a Parquet file.
//! - `footer`: rewrites the offsets and lengths of filters in a footer. `values`: the hashes of the values of a column chunk.
//!
//! The crate `parquet` reads footers and values. Filters are read, measured and built by `bloom-formats`, like filters
//! outside of Parquet files.

#[cfg(feature = "parquet")]
mod build;
#[cfg(feature = "parquet")]
mod column;
#[cfg(feature = "parquet")]
mod footer;
#[cfg(feature = "parquet")]
mod inspect;
#[cfg(feature = "parquet")]
mod query;
#[cfg(feature = "parquet")]
mod source;
#[cfg(feature = "parquet")]
mod values;
#[cfg(not(feature = "parquet"))]
mod without;

use std::fs::{self, File};
use std::io::Read;

use bloom_params::InputError;

use crate::args::{FileArgs, QueryArgs};
use crate::file::{self, display};

#[cfg(feature = "parquet")]
pub(crate) use self::{build::build, inspect::inspect, query::query};
#[cfg(not(feature = "parquet"))]
pub(crate) use without::{build, inspect, query};

/// A Parquet file with an encrypted footer starts and ends with these bytes.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// Returns whether the file is a Parquet file and is to be read as one: `--offset` is not given, and `--format`, if given, is
/// `parquet`. Nothing is read from a pipe.
pub(crate) fn is_file(args: &FileArgs) -> bool {
    let mut magic = [0; 4];
    let is_whole =
        args.offset.is_none() && matches!(args.format.as_deref(), None | Some("parquet"));
    is_whole
        && args.file.as_os_str() != "-"
        && fs::metadata(&args.file).is_ok_and(|file| file.is_file())
        && File::open(&args.file).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok())
        && [file::PARQUET, ENCRYPTED].contains(&magic)
}

/// Returns whether the queried file is a Parquet file. Refuses `--column` for other files, and for files that cannot be read.
pub(crate) fn is_queried(args: &QueryArgs) -> Result<bool, InputError> {
    let is_file = is_file(&args.file);
    if args.column.is_none() || is_file {
        return Ok(is_file);
    }
    let (path, format) = (&args.file.file, args.file.format.as_deref());
    if let Some(format) = format.filter(|format| *format != "parquet") {
        let message = format!("--format must be parquet with --column, got {format}");
        return Err(InputError::new(message));
    }
    if path.as_os_str() != "-" {
        file::open(path)?;
    }
    let message = format!("--column needs a Parquet file, got {}", display(path));
    Err(InputError::new(message))
}
