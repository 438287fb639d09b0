//! Completion scripts and manual pages for shells.

use clap::{Command, ValueHint};
use clap_complete::Shell;

/// Returns the completion script of a shell.
pub(super) fn completions(root: &Command, shell: Shell) -> String {
    let mut root = shown(root, "bloom-params").version(env!("CARGO_PKG_VERSION"));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "bloom-params", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns the command with the flags it accepts and the kinds of their values, so that no shell
/// offers files in place of numbers, or flags that are refused.
fn shown(command: &Command, name: &'static str) -> Command {
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let hinted = args.cloned().map(|arg| match arg.get_id().as_str() {
        "file" => arg.value_hint(ValueHint::FilePath),
        _ if arg.get_action().takes_values() => arg.value_hint(ValueHint::Other),
        _ => arg,
    });
    let about = command.get_about().cloned().unwrap_or_default();
    let inner = super::NAMES.into_iter().filter_map(|name| {
        let inner = command.find_subcommand(name)?;
        Some(shown(inner, name))
    });
    Command::new(name)
        .about(about)
        .args(hinted)
        .subcommands(inner)
}

/// Returns the manual page of a subcommand, or without one that of the program.
pub(super) fn manual(mut root: Command, command: Option<&str>) -> String {
    // Sets the full names of the subcommands.
    root.build();
    let of = command.and_then(|name| root.find_subcommand(name)).cloned();
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(of.unwrap_or(root)).render(&mut page);
    debug_assert!(written.is_ok(), "a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
