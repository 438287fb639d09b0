//! Defines the subcommands of `bloom-params`, such as `compare` and `verify`, and runs them.

mod batch;
mod compare;
mod grid;
mod memory;
mod plan;
mod real;
mod records;
mod table;
mod verdict;
pub(crate) mod verify;

use std::io::{self, Write};

use bloom_terminal::shells::Printed;
use clap::{Args, Subcommand, ValueEnum};

use crate::cli::BUILT;
use crate::cli::flags::{FILTER, Flags};
use crate::cli::help::{self, indented};
use crate::cli::output::form;
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::question::Query;
use crate::read::flags::flag;
use crate::read::typed::Typed;
use crate::read::units::displayed;

/// A subcommand, which does something other than answer one question.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare structures for the same n and p, side by side
    #[command(
        before_help = help::COMPARE,
        mut_args(|arg| with_flags(arg, &compare::FLAGS))
    )]
    Compare(compare::CompareArgs),
    /// Print rates by bits per item and hashes, or sizes by hashes
    ///
    /// Without n, m and p, or with n alone, prints the rate for 2 to 32 bits per item: with the best k, and with each k up to
    /// 7 (up to 10 in csv, markdown and json). With two of n, m and p, prints the third for each k up to the best k plus 4,
    /// and at least up to 8.
    #[command(
        before_help = help::TABLE,
        mut_args(|arg| with_flags(arg, &table::FLAGS))
    )]
    Table(TableArgs),
    /// Solve each row of a CSV file
    ///
    /// The first line names the columns, at least one of them n, m, k or p. Each further line is a question. Its values
    /// are written as for the flags, and empty fields are solved for. The cells of other columns are printed unchanged
    /// before the answer. Bad lines are reported on stderr by number, and the others are still solved.
    #[command(
        before_help = help::BATCH,
        after_help = help::BATCH_EXIT_CODES,
        mut_args(|arg| if ["n", "m", "k", "p"].contains(&arg.get_id().as_str()) {
            arg.hide(true)
        } else {
            arg
        })
    )]
    Batch(batch::BatchArgs),
    /// Build real filters and check the answer against them
    ///
    /// Builds filters of bloom-core or, with --like, filters with the size and the positions of that library. Inserts n
    /// items into each, queries it for other items, and reports whether the mean rate agrees with the model: it must be
    /// neither too high nor too low. If the model has bounds, the mean rate must be between them. If p is given, the rate of
    /// the model must also meet it.
    #[command(
        before_help = help::VERIFY,
        after_help = help::VERIFY_EXIT_CODES,
        after_long_help = verify_keys()
    )]
    Verify(verify::VerifyArgs),
    #[command(flatten)]
    Printed(Printed),
}

/// The flags of commands that print a table.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) flags: Flags<FILTER>,

    /// How the table is printed [default: human]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<TableFormat>,

    /// Print an array of JSON objects: --format json
    #[arg(long)]
    json: bool,
}

impl TableArgs {
    /// Returns the requested format.
    pub(crate) fn form(&self) -> Result<TableFormat, InputError> {
        form(self.json, self.format, TableFormat::Json)
    }

    /// Returns what a command refuses, in words: the first flag that is not in `shown`, or else the filter or the quantities.
    fn not_taken(&self, query: &Query, shown: &[&str]) -> String {
        let mut others = self
            .flags
            .0
            .all()
            .filter(|(flag, _)| !shown.contains(&flag.name));
        match others.next() {
            Some((flag, text)) => format!("{} {}", flag.dashed(), displayed(text)),
            None if query.filter != Filter::Classic => format!("--filter {}", query.filter.name()),
            None => query.given().to_string(),
        }
    }
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns
    #[default]
    Human,
    /// Comma-separated values
    Csv,
    /// A table of Markdown
    Markdown,
    /// An array of objects
    Json,
}

/// Hides the flags of a question that a command refuses.
fn with_flags(arg: clap::Arg, flags: &[&str]) -> clap::Arg {
    let is_refused = flag(arg.get_id().as_str()).is_some_and(|flag| !flags.contains(&flag.name));
    arg.hide(is_refused)
}

/// Returns what only the manual page of `verify` prints, after the flags.
fn verify_keys() -> String {
    let (keys, codes) = (indented(verdict::KEYS), help::VERIFY_EXIT_CODES);
    format!("Keys of the JSON object:\n{keys}\n\n{codes}")
}

/// The names of the commands that answer questions.
pub(crate) const NAMES: [&str; 4] = ["compare", "table", "batch", "verify"];

/// Returns the names of all commands except `help`.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(Printed::NAMES)
}

/// Returns the first example in the help of this command.
pub(crate) fn example(root: &clap::Command, command: &str) -> String {
    let help = root.find_subcommand(command);
    let help = help.and_then(clap::Command::get_before_help);
    let help = help.map_or(String::new(), ToString::to_string);
    let line = help.lines().nth(1).unwrap_or_default().trim_start();
    line.split("   ").next().unwrap_or_default().to_string()
}

impl Command {
    /// Runs the command. Returns an error if it refuses the question, and otherwise the exit code or the error of a failed
    /// write.
    pub(crate) fn run(
        &self,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<io::Result<u8>, InputError> {
        let (text, code) = match self {
            Self::Compare(args) => (compare::run(args)?, 0),
            Self::Table(args) => (table::run(args)?, 0),
            Self::Batch(args) => return batch::run(args, out, err),
            Self::Verify(args) => verify::run(args, err)?,
            Self::Printed(printed) => (printed.text(&BUILT), 0),
        };
        let note = self.typed().and_then(Typed::size_note);
        let note = note.map_or(Ok(()), |note| writeln!(err, "note: {note}"));
        let written = note.and_then(|()| out.write_all(text.as_bytes()));
        Ok(written.and_then(|()| out.flush()).map(|()| code))
    }

    /// Returns the question, if the command takes one.
    fn typed(&self) -> Option<&Typed> {
        match self {
            Self::Compare(args) => Some(&args.table.flags.0),
            Self::Table(args) => Some(&args.flags.0),
            Self::Verify(args) => Some(&args.flags.0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_a_command_starts_with_its_name() {
        for name in names() {
            let line = example(&crate::cli::ROOT, name);
            let words: Vec<_> = line.split(' ').take(2).collect();
            assert_eq!(words, ["bloom-params", name], "{line}");
            assert_eq!(line, line.trim());
        }
    }
}
