//! The command line of `bloom-plot`: its charts and flags, its errors, and the completion scripts and manual pages that are
//! made from them.

mod charts;
mod diagram;
mod flags;
mod given;
mod output;

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use bloom_params::{Filter, units};
use bloom_terminal::report::{self, USAGE};
use bloom_terminal::shells::{HELP, Printed};
use clap::error::ContextKind::{self, InvalidArg, InvalidValue};
use clap::error::ContextValue;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};

use crate::compared::compared;
use crate::output::Target;
use crate::parse::{Failure, hint};
use crate::words::listed;
use charts::{CHARTS, Chart, Picture};
use flags::BITS;
use given::Given;
use output::Output;

const EXAMPLES: &str = "\
Examples:
  bloom-plot rate-by-items --measured                write rate-by-items.svg, theory and measurement
  bloom-plot sizing-error --theme dark -o rules.png  another chart, dark, as PNG
  bloom-plot rate-by-hashes -o - --csv data.csv      to a pipe, with the data in a file";

/// Printed when there are no arguments.
const GUIDE: &str = "\
Plots Bloom filters: give a chart, such as rate-by-items; its flags have defaults.

  bloom-plot rate-by-items              write rate-by-items.svg
  bloom-plot --help                     all charts, and more
";

/// The definition of the whole command line. It is static because clap keeps only static names, and the names in completion
/// scripts and manual pages are from this definition.
static ROOT: LazyLock<Command> = LazyLock::new(root);

/// Runs the command `bloom-plot`: from the command line to a picture and an exit code.
pub fn command() -> ExitCode {
    report::main(|_, err| match run(err) {
        Ok(code) => Ok(code),
        Err(error) => {
            let text = report::refusal(&error, hint(&*error).as_deref());
            report::finish(write!(err, "{text}"), USAGE)
        }
    })
}

fn run(err: &mut dyn Write) -> Result<u8, Box<dyn Error>> {
    if std::env::args_os().len() <= 1 {
        write!(err, "{GUIDE}")?;
        return Ok(USAGE);
    }
    let matches = match ROOT.clone().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return print(&error),
    };
    let (name, given) = matches.subcommand().expect("a command is required");
    let Some(chart) = CHARTS.iter().find(|chart| chart.name == name) else {
        refuse_picture(name, given)?;
        let printed = Printed::from_arg_matches(&matches)?;
        output::write(&Target::Stdout, printed.text(&ROOT).as_bytes())?;
        return Ok(0);
    };
    // All flags are checked before anything is measured.
    let flags = Given::new(given);
    let output = Output::new(&flags, name)?;
    note_bytes(name, given, err)?;
    for file in output.write(picture(chart, &flags)?, err)? {
        writeln!(err, "wrote: {}", file.display())?;
    }
    Ok(0)
}

/// Draws a chart. If flags have several values to compare, draws the charts of all combinations over one another.
fn picture(chart: &Chart, given: &Given<'_>) -> Result<Picture, Box<dyn Error>> {
    let choices = given.choices();
    if choices.len() == 1 {
        return (chart.draw)(given);
    }
    let mut figures = Vec::new();
    for (label, given) in &choices {
        if let Picture::Figure(figure) = (chart.draw)(given)? {
            figures.push((label.clone(), figure));
        }
    }
    Ok(Picture::Figure(compared(figures)?))
}

/// Returns the definition of the whole command line.
fn root() -> Command {
    let names: Vec<_> = CHARTS.iter().map(|chart| chart.name).collect();
    let root = Command::new("bloom-plot")
        .version(env!("CARGO_PKG_VERSION"))
        .before_help(EXAMPLES)
        .help_template(HELP)
        .subcommand_required(true)
        .args(flags::of_every_picture())
        // clap does not list possible values, because the help of a chart names them in its sentences.
        .subcommands(
            CHARTS
                .iter()
                .map(|chart| chart.command().hide_possible_values(true)),
        );
    let root = Printed::augment_subcommands(root)
        .about("Plots what Bloom filters do, theory beside measurement, as SVG, PNG or PDF");
    let root = Printed::of(root, &names).hide_possible_values(true);
    let mut root = root.mut_subcommands(|command| command.help_template(HELP));
    // Gives each subcommand its full name and the flags that all pictures have.
    root.build();
    root.mut_subcommands(|command| {
        if !Printed::NAMES.contains(&command.get_name()) {
            return command;
        }
        command.mut_args(|arg| {
            let refused = arg.is_global_set();
            arg.hide(refused)
        })
    })
}

/// Prints clap's message: help or the version to standard output, an error to standard error. Returns the exit code.
///
/// # Errors
///
/// Returns the error of a value's parser, without the words that clap adds; or an error that lists the names that a flag takes;
/// or the error of writing the help.
fn print(error: &clap::Error) -> Result<u8, Box<dyn Error>> {
    if let Some(source) = error.source() {
        return Err(Failure::of(source).into());
    }
    let text = |kind| error.get(kind).map(ToString::to_string);
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::ValidValue)
        && let (Some(flag), Some(got)) = (text(InvalidArg), text(InvalidValue))
        && let Some(flag) = flag
            .strip_prefix("--")
            .and_then(|flag| flag.split(' ').next())
    {
        let names = listed(names, "or");
        let message = if got.is_empty() {
            format!("{flag} needs a value")
        } else {
            format!("{flag} must be {names}, got {got:?}")
        };
        return Err(Failure::new(message).into());
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    if error.use_stderr() {
        return Ok(USAGE);
    }
    output::written(&Target::Stdout, report::unless_closed(printed))?;
    Ok(0)
}

/// Returns an error if a flag that is for a picture is typed for a command that draws no picture.
fn refuse_picture(name: &str, given: &ArgMatches) -> Result<(), Failure> {
    let typed =
        |arg: &&Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut flags = ROOT.get_arguments().filter(|arg| arg.is_global_set());
    flags
        .find(typed)
        .and_then(Arg::get_long)
        .map_or(Ok(()), |flag| {
            let failure = Failure::new(format!("{flag} is for a picture; {name} draws none"));
            Err(failure.hint(format!("leave --{flag} out")))
        })
}

/// Prints a note if the value of a flag is a number of bits that its author may have meant as bytes.
fn note_bytes(name: &str, given: &ArgMatches, err: &mut dyn Write) -> io::Result<()> {
    let are_bits = |flag: &Arg| flag.get_value_names().is_some_and(|names| names == [BITS]);
    let Some(flag) = flags::of_chart(name).find(are_bits) else {
        return Ok(());
    };
    let texts = given.get_raw(flag.get_id().as_str()).into_iter().flatten();
    for text in texts.filter_map(OsStr::to_str) {
        if let Some(note) = units::size_note(text, Filter::Classic) {
            write!(err, "{}", report::note(&format!("note: {note}")))?;
        }
    }
    Ok(())
}
