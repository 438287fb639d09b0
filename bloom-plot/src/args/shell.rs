//! Completion scripts and manual pages for shells: the commands that draw nothing.

use clap::{Command, Subcommand, ValueHint};
use clap_complete::Shell;

/// The name of the program.
const NAME: &str = "bloom-plot";
const WITHOUT_HYPHEN: &str = "bloom_plot";

/// Instead of a picture.
#[derive(Debug, Subcommand)]
pub(super) enum Printed {
    /// Prints a completion script for a shell
    #[command(before_help = "\
Examples:
  bloom-plot completions fish > ~/.config/fish/completions/bloom-plot.fish
  source <(bloom-plot completions bash)
")]
    Completions {
        /// The shell
        shell: Shell,
    },

    /// Prints the manual page, in roff
    #[command(before_help = "\
Examples:
  bloom-plot man > bloom-plot.1
  bloom-plot man diagram > bloom-plot-diagram.1
")]
    Man {
        /// The command whose page it is; without it, that of bloom-plot
        command: Option<String>,
    },
}

impl Printed {
    /// The names of these commands.
    pub(super) const NAMES: [&str; 2] = ["completions", "man"];

    /// Returns what is printed. `root` is the whole command line, built.
    pub(super) fn text(&self, root: &'static Command) -> String {
        let mut text = Vec::new();
        match self {
            Self::Completions { shell } => {
                // The generator's script for bash spells a hyphen in two ways, so that it would
                // complete no command's flags; without one it works.
                let name = if *shell == Shell::Bash {
                    WITHOUT_HYPHEN
                } else {
                    NAME
                };
                clap_complete::generate(*shell, &mut shown(root), name, &mut text);
                return String::from_utf8_lossy(&text).replace(name, NAME);
            }
            Self::Man { command } => {
                let of = command.as_ref().and_then(|name| root.find_subcommand(name));
                let page = clap_mangen::Man::new(of.unwrap_or(root).clone());
                let written = page.render(&mut text);
                debug_assert!(written.is_ok(), "a vector takes every byte");
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Returns the command with the flags it accepts and the kinds of their values, so that no shell
/// offers files in place of numbers, or flags that are refused.
fn shown(command: &'static Command) -> Command {
    // The generator adds the help and the version itself.
    let own = |id: &str| !["help", "version"].contains(&id);
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let args = args.filter(|arg| own(arg.get_id().as_str()));
    let hinted = args.cloned().map(|arg| {
        let hint = match arg.get_id().as_str() {
            "file" | "output" | "csv" => ValueHint::FilePath,
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
    let inner = inner.filter(|inner| own(inner.get_name())).map(shown);
    let about = command.get_about().cloned().unwrap_or_default();
    let shown = Command::new(command.get_name()).about(about);
    let shown = shown.args(hinted).subcommands(inner);
    match command.get_version() {
        Some(version) => shown.version(version),
        None => shown,
    }
}
