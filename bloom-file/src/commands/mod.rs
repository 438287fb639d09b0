//! Runs the commands, each of which has a module of its own.

pub(crate) mod build;
mod convert;
mod inspect;
mod merge;
mod query;

use std::io::Write;

use crate::args::Command;
use crate::{Stop, YES};

/// Runs a command and returns its exit code.
pub(crate) fn run(
    command: Command,
    root: &'static clap::Command,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<u8, Stop> {
    let text = match command {
        Command::Inspect(args) => return inspect::run(&args, out),
        Command::Build(args) => return build::run(&args, err),
        Command::Query(args) => return query::run(&args, err),
        Command::Merge(args) => return merge::run(&args, err),
        Command::Convert(args) => return convert::run(&args, err),
        Command::Printed(printed) => printed.text(root),
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(YES)
}
