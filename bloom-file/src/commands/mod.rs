//! The commands.

pub(crate) mod build;
mod convert;
pub(crate) mod file;
pub(crate) mod inspect;
mod merge;
mod query;

use std::io::Write;

use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped};
use bloom_params::report::note;

use crate::args::Command;
use crate::key::KeyType;
use crate::systems::System;
use crate::{Stop, YES};

/// How many of the first keys decide whether a hint is shown.
pub(crate) const FIRST: u64 = 20;

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

/// The error for a key type that the system does not have.
pub(crate) fn wrong_type(system: &System, keys: KeyType) -> InputError {
    let names: Vec<_> = system.keys.iter().map(|key| key.name()).collect();
    let message = format!(
        "keys of a {} filter must be {}, got {}",
        system.name,
        names.join(", "),
        keys.name()
    );
    let error = InputError::new(message);
    if let Some(hint) = system.options.key_hint {
        return error.with_hint(hint);
    }
    if system.keys.contains(&KeyType::I64Be) {
        let hint =
            "the system takes bytes: i64-be and i64-le are those of a number, text its digits";
        return error.with_hint(hint);
    }
    error
}

/// Refuses a type of keys that the system does not have.
pub(crate) fn check_type(system: &System, keys: KeyType) -> Result<(), InputError> {
    if system.keys.contains(&keys) {
        return Ok(());
    }
    Err(wrong_type(system, keys))
}

/// The lines that are no key of the type.
#[derive(Default)]
pub(crate) struct BadLines {
    pub(crate) count: u64,
    /// The first one, from 1, and why.
    first: Option<(u64, InputError)>,
}

impl BadLines {
    pub(crate) fn push(&mut self, line: u64, error: InputError) {
        self.count += 1;
        self.first.get_or_insert((line, error));
    }

    /// Adds those of a part of the input that begins after `before` lines.
    fn add(&mut self, part: Self, before: u64) {
        self.count += part.count;
        if let (None, Some((line, error))) = (&self.first, part.first) {
            self.first = Some((before + line, error));
        }
    }

    /// Refuses a single key.
    fn refuse_key(&self) -> Result<(), InputError> {
        let first = self.first.clone();
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Refuses the first one, which so many lines precede.
    pub(crate) fn refuse(&self, before: u64) -> Result<(), InputError> {
        let Some((line, error)) = &self.first else {
            return Ok(());
        };
        let message = format!("line {}: {error}", before + line);
        Err(InputError::new(message).with_hint(error.hint().unwrap_or_default()))
    }

    /// Says how many were skipped.
    pub(crate) fn note(&self, keys: KeyType, err: &mut dyn Write) -> std::io::Result<()> {
        match &self.first {
            Some((line, error)) => {
                let (count, keys) = (counted(self.count, "line"), keys.name());
                let text = format!(
                    "{count} without a key of type {keys} skipped, the first is line {}: {error}",
                    grouped(*line)
                );
                remark(err, &text)
            }
            None => Ok(()),
        }
    }
}

/// Warns of CRLF line ends if each of the first keys ends with a CR.
pub(crate) fn carriage_returns(
    returns: u64,
    keys: u64,
    err: &mut dyn Write,
) -> std::io::Result<()> {
    if keys > 0 && returns == keys.min(FIRST) {
        let text = "lines end with CR LF, and the CR is a part of each key: remove it with tr -d '\\r' if the \
                    keys in the filter have none";
        remark(err, text)?;
    }
    Ok(())
}

/// Writes a remark to the standard error.
pub(crate) fn remark(err: &mut dyn Write, text: &str) -> std::io::Result<()> {
    write!(err, "{}", note(text))
}
