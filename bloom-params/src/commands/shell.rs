//! What a shell wants to know: completions and the manual page.

use clap_complete::Shell;

/// Returns the completion script of a shell.
pub(super) fn completions(mut root: clap::Command, shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "bloom-params", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns the manual page of a command, or of all.
pub(super) fn manual(mut root: clap::Command, command: Option<&str>) -> String {
    // Gives the commands their full names.
    root.build();
    let of = command.and_then(|name| root.find_subcommand(name)).cloned();
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(of.unwrap_or(root)).render(&mut page);
    debug_assert!(written.is_ok(), "a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
