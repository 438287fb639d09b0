//! Runs a command line: parses the arguments, writes the answer or an error, and returns the exit
//! code.

mod call;
mod commands;
mod flags;
pub(crate) mod help;
mod hint;
mod human;
pub(crate) mod output;
pub mod report;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::LazyLock;

use bloom_terminal::report::{USAGE, finish, refusal};
use bloom_terminal::shells::{HELP, Printed as ForShells};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::beyond::Answered;
use crate::cli::commands::Command;
use crate::cli::commands::verify::REFUSED;
use crate::cli::flags::{ANSWER, Flags};
use crate::cli::output::OutputArgs;
use crate::error::InputError;

/// The exit code if the question is solved, and any target rate is met.
const SOLVED: u8 = 0;
/// The exit code if the question is solved, but the target rate is not met.
const NOT_MET: u8 = 1;

/// Sizes Bloom filters exactly: from some of items n, bits m, hashes k and false-positive rate p it
/// computes the rest
#[derive(Parser)]
#[command(
    name = "bloom-params",
    version,
    before_help = help::EXAMPLES,
    after_help = help::EXIT_CODES,
    after_long_help = help::keys(),
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    flags: Flags<ANSWER>,

    #[command(flatten)]
    output: OutputArgs,

    #[arg(hide = true, value_name = "VALUE", allow_negative_numbers = true)]
    positional: Vec<String>,
}

/// The flags and commands with a line of help each. It takes longer to build them than to solve most questions, so they are
/// built once.
static ROOT: LazyLock<clap::Command> = LazyLock::new(|| with_each(root(), brief));

/// [`ROOT`] with the flags that `-h` leaves out.
static WHOLE: LazyLock<clap::Command> = LazyLock::new(|| {
    let all = |command: clap::Command| command.mut_args(|arg| arg.hide_short_help(false));
    with_each(ROOT.clone(), all).after_help(help::mixes())
});

/// The flags and commands with all of their help and the full names of the subcommands, for completion scripts and manual
/// pages.
static BUILT: LazyLock<clap::Command> = LazyLock::new(|| {
    let mut built = root();
    built.build();
    built
});

/// Applies `change` to a command and to each of its subcommands.
fn with_each(
    command: clap::Command,
    change: impl Fn(clap::Command) -> clap::Command,
) -> clap::Command {
    let names = commands::names();
    names.fold(change(command), |root, name| {
        root.mut_subcommand(name, &change)
    })
}

/// Sets the layout of the help, and removes the long help of each flag, which only the manual page prints.
fn brief(command: clap::Command) -> clap::Command {
    let command = command.help_template(HELP);
    command.mut_args(|arg| arg.long_help(None::<&str>))
}

/// Returns the definition of the command line, and the arguments to parse with it. In the arguments, `-h` replaces `--help` and
/// the command `help`. For these, the definition makes `-h` print all flags; otherwise `-h` leaves some flags out.
fn for_help(mut args: Vec<OsString>) -> (clap::Command, Vec<OsString>) {
    if let [_, help, name] = args.as_slice()
        && help == "help"
        && commands::names().any(|known| name == known)
    {
        args = vec![args[0].clone(), name.clone(), "--help".into()];
    } else if args.len() == 2 && args[1] == "help" {
        args[1] = "--help".into();
    }
    let mut root = &ROOT;
    for arg in args.iter_mut().skip(1).filter(|arg| *arg == "--help") {
        root = &WHOLE;
        *arg = "-h".into();
    }
    ((*root).clone(), args)
}

fn root() -> clap::Command {
    let hidden = |arg: clap::Arg| {
        let is_refused = REFUSED.iter().any(|(flag, _)| arg.get_id() == flag);
        arg.hide(is_refused)
    };
    let root = Cli::command().mut_subcommand("verify", |verify| verify.mut_args(hidden));
    ForShells::of(root, &commands::NAMES)
}

/// Runs the calculator: writes the answer to `out` or the error to `err`, with colours, and returns
/// the exit code.
///
/// Exit codes: 0 solved, and any target rate is met; 1 the rate is not met, or the filters of
/// `verify` disagree with the model; 2 bad usage or input. With exit code 2, nothing is written to
/// `out`, except by `batch`, which writes the rows that it can solve. A closed pipe is not an
/// error.
///
/// # Errors
///
/// Returns the error of a failed write, unless the pipe was closed.
pub fn run<I, A>(args: I, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8>
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let (mut root, args) = for_help(args);
    let matches = root.try_get_matches_from_mut(&args);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            let text = hint::add(&mut root, error, &args).render();
            return finish(write!(err, "{}", text.ansi()), USAGE);
        }
        Err(help) => return finish(write!(out, "{}", help.render().ansi()), SOLVED),
    };
    if args.len() <= 1 {
        return finish(write!(err, "{}", help::GUIDE), USAGE);
    }
    if let Some(command) = &cli.command {
        return match command.run(out, err) {
            Ok(Ok(code)) => Ok(code),
            Ok(Err(unwritten)) => finish(Err(unwritten), SOLVED),
            Err(error) => refuse(&error, err),
        };
    }
    match answer(&cli) {
        Ok((text, note, code)) => {
            let note = write!(err, "{note}");
            let written = note.and_then(|()| writeln!(out, "{}", text.trim_end()));
            finish(written.and_then(|()| out.flush()), code)
        }
        Err(error) => refuse(&error, err),
    }
}

fn refuse(error: &InputError, err: &mut dyn Write) -> io::Result<u8> {
    finish(write!(err, "{}", refusal(error, error.hint())), USAGE)
}

/// Returns the answer for stdout, the note for stderr, and the exit code.
fn answer(cli: &Cli) -> Result<(String, String, u8), InputError> {
    // In `--n --p 1%`, --n takes --p as its value, and 1% is left without a flag. The values of
    // flags are checked first, because the error about the value of --n is more helpful than one
    // about 1%.
    let typed = &cli.flags.0;
    let query = cli.flags.read()?;
    hint::positional(&cli.positional, typed)?;
    cli.output.check(typed)?;
    let answered = Answered::new(typed, query)?;
    let code = match answered.answer.met() {
        Some(false) => NOT_MET,
        _ => SOLVED,
    };
    let (text, for_people) = cli.output.print(answered, typed)?;
    // The note goes to stderr, because stdout is for programs. The answer for people includes it.
    let note = typed.size_note().filter(|_| !for_people);
    let note = note.map_or(String::new(), |note| format!("note: {note}\n"));
    Ok((text, note, code))
}
