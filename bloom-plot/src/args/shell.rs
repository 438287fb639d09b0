//! Completion scripts and manual pages for shells: the commands that draw nothing.

use bloom_params::shell;
use clap::{Command, Subcommand};
use clap_complete::Shell;

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
        match self {
            Self::Completions { shell } => shell::completions(root, *shell),
            Self::Man { command } => shell::manual(root, command.as_deref()),
        }
    }
}
