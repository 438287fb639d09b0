//! What a shell wants to know: completions and the manual page.

use clap_complete::Shell;

/// Returns the completion script of a shell.
pub(super) fn completions(mut root: clap::Command, shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "bloom-params", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns the manual page.
pub(super) fn manual(root: clap::Command) -> String {
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(root).render(&mut page);
    debug_assert!(written.is_ok(), "a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
