//! A command that stands behind flags: the same line with the command first.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

use crate::args::InputError;
use crate::commands;
use crate::usage::{near_command, no_command, told};
use crate::words::{listed, shell_word};

/// A flag as it was typed, with its value.
struct Typed<'a> {
    id: String,
    name: &'a str,
    words: Vec<&'a str>,
}

/// Refuses a line whose command does not stand first, or is misspelt, and tells one that runs.
///
/// `runs` says whether a line does.
pub(crate) fn refused(
    root: &Command,
    args: &[OsString],
    runs: impl Fn(&[&str]) -> bool,
) -> Option<InputError> {
    let words: Option<Vec<_>> = args.iter().skip(1).map(|arg| arg.to_str()).collect();
    let words = words?;
    let (flags, mut bare) = taken_apart(root, &words)?;
    if bare.contains(&"help") && words.first() != Some(&"help") {
        let reason = "help is a command, and commands come first".to_string();
        return Some(told(reason, Some("write bloom-params help".to_string())));
    }
    let at = bare.iter().position(|word| near_command(word).is_some())?;
    let typed = bare.remove(at);
    let command = near_command(typed)?;
    if typed == command && words.first() == Some(&command) {
        return None;
    }
    let reason = if typed == command {
        format!("{command} is a command, and commands come first")
    } else {
        let InputError::Usage { reason, .. } = no_command(typed) else {
            return None;
        };
        reason
    };
    let scope = root.find_subcommand(command)?;
    let takes = |flag: &&Typed<'_>| {
        let mut own = scope.get_arguments();
        own.any(|arg| arg.get_id() == flag.id.as_str() && !arg.is_hide_set())
    };
    let (taken, left): (Vec<_>, Vec<_>) = flags.iter().partition(takes);
    let mut line = vec!["bloom-params", command];
    line.extend(taken.iter().flat_map(|flag| &flag.words));
    line.extend(bare);
    let quoted: Option<Vec<_>> = line.iter().map(|word| shell_word(word)).collect();
    let hint = match quoted.filter(|_| runs(&line)) {
        Some(line) => {
            let left: Vec<_> = left.iter().map(|flag| flag.name).collect();
            let without = match left.as_slice() {
                [] => String::new(),
                left => format!(
                    ", without {}, which {command} does not take",
                    listed(left, "and")
                ),
            };
            format!("write {}{without}", line.join(" "))
        }
        None => format!("write it like {}", commands::example(command)),
    };
    let hint = if typed == command {
        hint
    } else {
        format!("did you mean {command}? {hint}")
    };
    Some(told(reason, Some(hint)))
}

/// The flags with their values, and what stands beside them; `None` where a flag is not known.
fn taken_apart<'a>(root: &Command, words: &[&'a str]) -> Option<(Vec<Typed<'a>>, Vec<&'a str>)> {
    let (mut flags, mut bare) = (Vec::new(), Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let second = word.chars().nth(1);
        let is_number = second.is_some_and(|c| c.is_ascii_digit() || c == '.');
        if !word.starts_with('-') || word == "-" || is_number {
            bare.push(word);
            continue;
        }
        let (name, has_value) = if word.starts_with("--") {
            (word.split('=').next()?, word.contains('='))
        } else {
            let short = word.chars().nth(1)?;
            (&word[..=short.len_utf8()], word.chars().count() > 2)
        };
        let arg = flag(root, name)?;
        let mut typed = vec![word];
        if matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) && !has_value {
            typed.push(words.next()?);
        }
        flags.push(Typed {
            id: arg.get_id().to_string(),
            name,
            words: typed,
        });
    }
    Some((flags, bare))
}

/// The flag of this name, of any command.
fn flag<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    let is_named = |arg: &&Arg| match name.strip_prefix("--") {
        Some(long) => arg
            .get_long_and_visible_aliases()
            .is_some_and(|names| names.contains(&long)),
        None => arg
            .get_short()
            .is_some_and(|short| name[1..].starts_with(short)),
    };
    let own = command.get_arguments().find(is_named);
    own.or_else(|| {
        command
            .get_subcommands()
            .find_map(|inner| flag(inner, name))
    })
}
