//! Generates the completion scripts and the manual pages of a program, and defines its commands `completions` and `man`,
//! which print them.

use clap::builder::PossibleValuesParser;
use clap::{Command, Subcommand, ValueHint};
use clap_complete::Shell;

/// The template of a help text: what the command does, its examples, its usage, and then its flags.
pub const HELP: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The commands of a program that print its completion scripts and its manual pages.
#[derive(Debug, Clone, Subcommand)]
pub enum Printed {
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },

    /// Print the manual page, in roff
    Man {
        /// The command whose page to print; without it, the page of the program
        command: Option<String>,
    },
}

impl Printed {
    /// The names of these two commands.
    pub const NAMES: [&str; 2] = ["completions", "man"];

    /// Adds examples to the help of the commands `completions` and `man` of the program `root`. Also sets the names that
    /// `man` accepts, which are `commands` and the names of these two commands.
    pub fn of(root: Command, commands: &[&'static str]) -> Command {
        let name = root.get_name().to_owned();
        let one = commands.first().copied().unwrap_or_default();
        let completions = format!(
            "Examples:\n  {name} completions fish > ~/.config/fish/completions/{name}.fish\n  source <({name} completions \
             bash)"
        );
        let pages =
            format!("Examples:\n  {name} man > {name}.1\n  {name} man {one} > {name}-{one}.1");
        let commands = PossibleValuesParser::new(commands.iter().copied().chain(Self::NAMES));
        let root = root.mut_subcommand("completions", |it| it.before_help(completions));
        root.mut_subcommand("man", |it| {
            let it = it.before_help(pages);
            it.mut_arg("command", |arg| arg.value_parser(commands))
        })
    }

    /// Returns the script or the page that this command prints. [`Command::build`] must have been called on
    /// `root`, which describes the program.
    pub fn text(&self, root: &'static Command) -> String {
        match self {
            Self::Completions { shell } => completions(root, *shell),
            Self::Man { command } => manual(root, command.as_deref()),
        }
    }
}

/// Returns the completion script of a shell for the program `root`.
///
/// The script completes only flags that the help shows, and offers file names only for values that are files.
fn completions(root: &'static Command, shell: Shell) -> String {
    let name = root.get_name();
    // If the program's name has a hyphen, the bash script that `clap_complete` makes spells the hyphen in two ways, and
    // completes no flags of subcommands. So the bash script is made for a name with `_`, and the last line of this function
    // puts the real name in.
    let plain = name.replace('-', "_");
    let spelled = if shell == Shell::Bash { &plain } else { name };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible(root), spelled, &mut script);
    String::from_utf8_lossy(&script).replace(spelled, name)
}

/// Returns a copy of a command with only the flags that its help shows, each marked by whether its value is a file.
fn visible(command: &'static Command) -> Command {
    // `clap_complete` itself adds the flags `help` and `version` and the subcommand `help`.
    let own = |id: &str| !["help", "version"].contains(&id);
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let args = args.filter(|arg| own(arg.get_id().as_str()));
    let hinted = args.cloned().map(|arg| {
        let hint = match arg.get_id().as_str() {
            "file" | "files" | "output" | "csv" | "over" => ValueHint::FilePath,
            _ => ValueHint::Other,
        };
        let takes_values = arg.get_action().takes_values();
        let arg = arg.global(false);
        if takes_values {
            arg.value_hint(hint)
        } else {
            arg
        }
    });
    let inner = command.get_subcommands();
    let inner = inner.filter(|inner| own(inner.get_name())).map(visible);
    let about = command.get_about().cloned().unwrap_or_default();
    let shown = Command::new(command.get_name()).about(about);
    let shown = shown.args(hinted).subcommands(inner);
    match command.get_version() {
        Some(version) => shown.version(version),
        None => shown,
    }
}

/// Returns the manual page, in roff, of the program `root`, or of its subcommand with the name `command`.
fn manual(root: &Command, command: Option<&str>) -> String {
    let of = command.and_then(|name| root.find_subcommand(name));
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(of.unwrap_or(root).clone()).render(&mut page);
    debug_assert!(written.is_ok(), "a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
