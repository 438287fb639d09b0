//! The command line: charts and their flags, which are the fields of the questions, and what a shell
//! needs to know of them.

mod charts;
mod diagram;
mod measure;
mod output;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use bloom_params::{Filter, units};
use bloom_terminal::report::{self, USAGE};
use bloom_terminal::shells::Printed;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::output::Target;
use crate::parse::{self, Failure, hint};
use charts::Chart;
use output::OutputArgs;

const TEMPLATE: &str = "\
{before-help}{about}

{usage-heading} {usage}

{all-args}";

const EXAMPLES: &str = "\
Examples:
  bloom-plot rate-by-items --measured                write rate-by-items.svg, theory and measurement
  bloom-plot sizing-error --theme dark -o rules.png  another chart, dark, as PNG
  bloom-plot rate-by-hashes -o - --csv data.csv      to a pipe, with the data in a file
";

/// Printed when there are no arguments.
const GUIDE: &str = "\
Plots Bloom filters: give a chart, such as rate-by-items; its flags have defaults.

  bloom-plot rate-by-items              write rate-by-items.svg
  bloom-plot --help                     all charts, and more
";

/// Plots what Bloom filters do, theory beside measurement, as SVG, PNG or PDF.
#[derive(Debug, Parser)]
#[command(
    name = "bloom-plot",
    version,
    before_help = EXAMPLES,
    help_template = TEMPLATE,
    arg_required_else_help = false
)]
struct Cli {
    #[command(subcommand)]
    command: Choice,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Subcommand)]
enum Choice {
    #[command(flatten)]
    Chart(Chart),

    #[command(flatten)]
    Printed(Printed),
}

/// The commands and flags as their types declare them, and with what several of them share. They are
/// static because clap keeps names only if they are.
static DECLARED: LazyLock<Command> = LazyLock::new(Cli::command);
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
    let cli = Cli::from_arg_matches(&matches)?;
    let (name, given) = matches.subcommand().expect("a command is required");
    match cli.command {
        Choice::Printed(printed) => {
            refuse_picture(name, given)?;
            output::write(&Target::Stdout, printed.text(&ROOT).as_bytes())?;
        }
        Choice::Chart(chart) => {
            // All flags are checked before anything is measured.
            let output = cli.output.output(name)?;
            chart.check(given)?;
            note_bytes(given, err)?;
            for file in chart.draw(&output)? {
                writeln!(err, "wrote: {}", file.display())?;
            }
        }
    }
    Ok(0)
}

/// Returns the whole command line.
fn root() -> Command {
    let names = DECLARED.get_subcommands().map(Command::get_name);
    let charts: Vec<_> = names
        .filter(|name| !Printed::NAMES.contains(name))
        .collect();
    let root = Printed::of(DECLARED.clone(), &charts).hide_possible_values(true);
    let root = root.mut_args(of_every_chart);
    let mut root = root.mut_subcommands(|command| {
        let command = measure::with_defaults(command.help_template(TEMPLATE));
        // The help of a chart has them in its sentences.
        let is_chart = !Printed::NAMES.contains(&command.get_name());
        command.hide_possible_values(is_chart).mut_args(shared)
    });
    // Gives each command its full name, and the flags of every chart.
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

/// Prints what clap has to say: help to standard output, or else an error. Returns the exit code.
///
/// # Errors
///
/// The error of the parser of a value, without clap's words; or of writing the help.
fn print(error: &clap::Error) -> Result<u8, Box<dyn Error>> {
    if let Some(source) = error.source() {
        return Err(Failure::of(source).into());
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    if error.use_stderr() {
        return Ok(USAGE);
    }
    output::written(&Target::Stdout, report::unless_closed(printed))?;
    Ok(0)
}

/// Refuses the flags of a picture where none is drawn.
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

/// Adds to a chart's flag the settings that all charts share: the short flags, aliases and units of n, m, k and p. It
/// allows values with a leading hyphen, so that a negative value gets this program's own error.
fn shared(arg: Arg) -> Arg {
    let named = |arg: Arg, letter, name, value| {
        let arg = arg.short(letter).visible_alias(name).value_name(value);
        arg.allow_hyphen_values(true)
    };
    let flag = arg.get_long().unwrap_or_default().to_owned();
    match &*flag {
        "n" => named(arg, 'n', "items", "ITEMS").value_parser(units::parse_items),
        "m" if arg.get_id() == "counters" => {
            named(arg, 'm', "bits", "BITS").value_parser(parse::count("m"))
        }
        "m" => named(arg, 'm', "bits", "BITS").value_parser(parse::bits),
        "k" => named(arg, 'k', "hashes", "HASHES").value_parser(units::parse_hashes),
        "p" => named(arg, 'p', "rate", "RATE").value_parser(units::parse_rate),
        "hash-bits" | "block-bits" | "counter-bits" => {
            let arg = arg.value_name("BITS").allow_hyphen_values(true);
            arg.value_parser(parse::small_count(&flag))
        }
        "bits-per-item" => arg.value_name("BITS").allow_hyphen_values(true),
        "" | "filter" | "only" => arg,
        _ if arg.get_action().takes_values() => arg.allow_hyphen_values(true),
        _ => arg,
    }
}

/// Adds a flag of the picture to every chart.
fn of_every_chart(arg: Arg) -> Arg {
    let is_word = matches!(arg.get_long(), Some("output" | "format" | "csv" | "theme"));
    arg.global(true).allow_hyphen_values(!is_word)
}

/// Prints a note where a number of bits could be mistaken for bytes.
fn note_bytes(given: &ArgMatches, err: &mut dyn Write) -> io::Result<()> {
    let Ok(Some(mut texts)) = given.try_get_raw("bits") else {
        return Ok(());
    };
    let text = texts
        .next()
        .and_then(|text| text.to_str())
        .unwrap_or_default();
    match units::size_note(text, Filter::Classic) {
        Some(note) => write!(err, "{}", report::note(&format!("note: {note}"))),
        None => Ok(()),
    }
}
