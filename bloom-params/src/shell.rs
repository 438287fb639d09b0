//! Completion scripts and manual pages for shells, of any command line.

use clap::{Command, ValueHint};
use clap_complete::Shell;

/// Returns the completion script of a shell for a built command line.
///
/// It completes the flags that are shown in the help, no files in place of numbers, and no flags that a command
/// refuses.
pub fn completions(root: &'static Command, shell: Shell) -> String {
    let name = root.get_name();
    // The generator's script for bash spells a hyphen in two ways, so that it would complete no command's
    // flags; without one it works.
    let plain = name.replace('-', "_");
    let spelled = if shell == Shell::Bash { &plain } else { name };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut shown(root), spelled, &mut script);
    String::from_utf8_lossy(&script).replace(spelled, name)
}

/// Returns the command with the flags it accepts and the kinds of their values.
fn shown(command: &'static Command) -> Command {
    // The generator adds the help and the version itself.
    let own = |id: &str| !["help", "version"].contains(&id);
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let args = args.filter(|arg| own(arg.get_id().as_str()));
    let hinted = args.cloned().map(|arg| {
        let hint = match arg.get_id().as_str() {
            "file" | "files" | "output" | "csv" => ValueHint::FilePath,
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

/// Returns the manual page of a command of a built command line, or without one that of the program, in roff.
pub fn manual(root: &Command, command: Option<&str>) -> String {
    let of = command.and_then(|name| root.find_subcommand(name));
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(of.unwrap_or(root).clone()).render(&mut page);
    debug_assert!(written.is_ok(), "a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
