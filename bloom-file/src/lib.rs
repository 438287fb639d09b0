#![doc = include_str!("../README.md")]
//!
//! # The library
//!
//! - [`AnyFilter`]: a filter of any system, for other programs; [`run`]: the command.
//! - [`CoreFilter`]: a filter of bloom-core of any kind, which takes hashes.
//! - `systems`: one entry for each system, with how its filters are read, created and merged.
//! - `key`: how a line becomes a key; `input`: lines in chunks, with progress; `file`: a filter in a file; `finding`: what
//!   is reported about it.
//! - `commands`: inspect, build, query, merge and convert; `parquet`: inspect, build and query for filters in Parquet files.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod args;
mod commands;
mod core_filter;
mod facts;
mod file;
mod finding;
mod input;
mod key;
mod library;
mod parquet;
mod systems;

use std::ffi::OsString;
use std::io::{self, Write};

use bloom_params::InputError;
use bloom_terminal::report::{USAGE, finish, refusal};
use clap::FromArgMatches;

pub use core_filter::{CoreError, CoreFilter};
pub use library::{AnyFilter, KeyValue, Size};

use args::{Cli, GUIDE, ROOT, root};

/// The command succeeded, and none of the reasons for [`NO`] holds. If a built filter misses `--p`, the code is still this one.
const YES: u8 = 0;
/// The only queried key is certainly not in the filter, `inspect` finds a rate above `--p`, or `query --strict` finds that the
/// keys in the filter have another type than `--keys`.
const NO: u8 = 1;

/// Why a command ends early.
enum Stop {
    /// Bad input.
    Refused(InputError),
    /// A write that failed, perhaps because the reader has closed the pipe.
    Unwritten(io::Error),
}

impl From<InputError> for Stop {
    fn from(error: InputError) -> Self {
        Self::Refused(error)
    }
}

/// A failed write; a failed read is [`Stop::Refused`].
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// Runs the command and returns the exit code. Keys are read from the standard input, unless they are arguments or in a Parquet
/// file. Help, the reports of `inspect`, manuals and shell completions are written to `out`. Answers and filters are written to
/// the standard output, and errors and notes to `err`. Text for `out` and `err` has colours.
///
/// The exit code is 0 if the command succeeded. It is 1 if the only key that was queried is certainly not in the filter, if
/// `inspect` finds a rate above `--p`, or if `query --strict` finds that the keys in the filter have another type than
/// `--keys`. It is 2 for bad usage or input, and if a file that was named cannot be written. A closed pipe is not an error.
///
/// # Errors
///
/// Returns the error of a failed write to `out`, `err` or the standard output, unless the reader has closed the pipe.
pub fn run<I, A>(args: I, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8>
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    if args.len() <= 1 {
        return finish(write!(err, "{GUIDE}"), USAGE);
    }
    let matches = root().try_get_matches_from(&args);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            return finish(write!(err, "{}", error.render().ansi()), USAGE);
        }
        Err(help) => return finish(write!(out, "{}", help.render().ansi()), YES),
    };
    match commands::run(cli.command, &ROOT, out, err) {
        Ok(code) => Ok(code),
        Err(Stop::Refused(error)) => {
            finish(write!(err, "{}", refusal(&error, error.hint())), USAGE)
        }
        Err(Stop::Unwritten(error)) => finish(Err(error), YES),
    }
}
