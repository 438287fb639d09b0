//! Adds hints for common mistakes of newcomers: values without flags, swapped values, flags of
//! other tools.
//!
//! clap, the parser of the command line, reports most of these mistakes, and this module adds to its message what was probably
//! meant. Values without flags are refused by this module itself.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{ROOT, commands};
use crate::error::InputError;
use crate::read::query::READERS;
use crate::read::typed::Typed;
use crate::read::units::displayed;
use crate::read::values::shell_word;
use crate::say::unbuilt::related;
use crate::say::words::{listed, similar};

/// Each line has a flag or a command, the start of the hint for it, and its names in other calculators and libraries.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// Adds a hint to clap's message, and makes what was typed fit on one line.
pub(crate) fn add(root: &mut Command, error: clap::Error, args: &[OsString]) -> clap::Error {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let typed = args.iter().find(|arg| arg.to_str().is_none());
        let typed = displayed(&typed.unwrap_or(&OsString::new()).to_string_lossy());
        return root.error(
            error.kind(),
            format!("arguments must be UTF-8, got {typed}\n"),
        );
    }
    let mut shown = error;
    if shown.kind() == ErrorKind::UnknownArgument {
        // clap suggests to pass the flag as a value behind `--`, which is never what was meant.
        shown.remove(ContextKind::Suggested);
        shown.remove(ContextKind::SuggestedArg);
        // The usage must not show the flag that clap guesses, either.
        let command = args
            .get(1)
            .and_then(|first| root.find_subcommand_mut(first));
        let usage = match command {
            Some(command) => command.render_usage(),
            None => root.render_usage(),
        };
        shown.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
        if let Some(tip) = instead(root, &shown, args) {
            shown.insert(
                ContextKind::Suggested,
                ContextValue::StyledStrs(vec![tip.into()]),
            );
        }
    }
    if shown.kind() == ErrorKind::InvalidValue
        && let Some(ContextValue::String(flag)) = shown.get(ContextKind::InvalidArg)
        && flag.starts_with("--like")
        && let Some(ContextValue::String(name)) = shown.get(ContextKind::InvalidValue)
        && let Some(related) = related(name)
    {
        shown.remove(ContextKind::SuggestedValue);
        let tip = ContextValue::StyledStrs(vec![related.into()]);
        shown.insert(ContextKind::Suggested, tip);
    }
    for kind in [
        ContextKind::InvalidArg,
        ContextKind::InvalidValue,
        ContextKind::InvalidSubcommand,
    ] {
        if let Some(ContextValue::String(typed)) = shown.get(kind) {
            let typed = displayed(typed);
            shown.insert(kind, ContextValue::String(typed));
        }
    }
    shown
}

/// Returns what to write in place of an unknown flag, or of a value without a flag.
fn instead(root: &Command, error: &clap::Error, args: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let command = args.get(1).and_then(|first| root.find_subcommand(first));
    let takes = |command: &Command, long: &str| {
        let mut shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        shown.any(|arg| arg.get_long() == Some(long))
    };
    let name = typed
        .trim_start_matches('-')
        .to_lowercase()
        .replace('_', "-");
    if let Some(command) = command.filter(|_| !typed.starts_with("--")) {
        let example = commands::example(root, command.get_name());
        return Some(format!("write it like {example}"));
    }
    let mut synonyms = SYNONYMS.lines().filter_map(|line| {
        let (flag, rest) = line.split_once(" | ")?;
        let (what, names) = rest.split_once(" | ")?;
        names
            .split(' ')
            .any(|known| known == name)
            .then_some((flag, what))
    });
    if let Some((flag, what)) = synonyms.next()
        && (!flag.starts_with("--")
            || flag == "--version"
            || takes(command.unwrap_or(root), &flag[2..]))
    {
        return Some(format!("{what} {flag} here"));
    }
    let shown = command
        .unwrap_or(root)
        .get_arguments()
        .filter(|arg| !arg.is_hide_set());
    let shown = shown.filter_map(clap::Arg::get_long_and_visible_aliases);
    let shown: Vec<_> = shown.flatten().collect();
    let mut owners = root.get_subcommands().filter(|other| takes(other, &name));
    if shown.contains(&name.as_str()) {
        let hyphens = if name.len() == 1 { "-" } else { "--" };
        return Some(format!("did you mean {hyphens}{name}?"));
    }
    if let Some(owner) = owners.next().filter(|_| command.is_none()) {
        return Some(format!("it is a flag of {}", owner.get_name()));
    }
    let near = similar(&name, shown.into_iter().filter(|long| long.len() > 1))?;
    Some(format!("did you mean --{near}?"))
}

/// Refuses values without a flag; the hint depends on the flags that were given.
pub(crate) fn positional(values: &[String], typed: &Typed) -> Result<(), InputError> {
    if values.is_empty() {
        return Ok(());
    }
    let got = values.iter().map(|value| match value.trim_ascii() {
        "" => "an empty one".to_string(),
        value => displayed(value),
    });
    let is_word =
        |value: &&String| !value.is_empty() && value.bytes().all(|b| b.is_ascii_lowercase());
    let names: Vec<_> = commands::names().collect();
    let commands = names.join(", ");
    let hint = in_one(values, typed).unwrap_or_else(|| match values.iter().find(is_word) {
        Some(word) if names.contains(&word.as_str()) => {
            format!(
                "commands come first, like {}",
                commands::example(&ROOT, word)
            )
        }
        Some(_) => format!("the commands are {commands} and help, and come first"),
        None => {
            let backwards: Vec<_> = values.iter().rev().cloned().collect();
            let order = in_order(values).or_else(|| in_order(&backwards));
            order
                .filter(|_| READERS.iter().all(|(flag, _)| !typed.has(flag)))
                .unwrap_or_else(|| {
                    "write values with their flags, like --n 2000 --p 0.01; --help has all of them"
                        .to_string()
                })
        }
    });
    let got = listed(&got.collect::<Vec<_>>());
    Err(InputError::new(format!("values need a flag, got {got}")).with_hint(hint))
}

/// Assigns the values to flags that accept them, in the order n, m, k, p. Returns `None` for a single value, or if no flag is
/// left that accepts a value.
fn in_order(values: &[String]) -> Option<String> {
    if values.len() < 2 {
        return None;
    }
    let mut flags = READERS.iter();
    let guess = values.iter().map(|value| {
        let (flag, _) = flags.find(|(_, reads)| reads(value))?;
        Some(format!("--{flag} {}", shell_word(value.trim_ascii())?))
    });
    Some(guess.collect::<Option<Vec<_>>>()?.join(" "))
}

/// Returns the hint for a value whose unit or groups of digits stand after a blank, as in `--m 10 MB` or `--n 2 000`: how to
/// write it without the blank.
fn in_one(values: &[String], typed: &Typed) -> Option<String> {
    let is_group = |text: &str| text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit());
    let groups = values.iter().all(|value| is_group(value));
    let rest = values.concat();
    if !groups && !rest.starts_with(|c: char| c.is_alphabetic() || c == '%') {
        return None;
    }
    READERS.into_iter().find_map(|(flag, reads)| {
        let value = typed.text(flag)?.trim_ascii();
        let whole = format!("{value}{rest}");
        if groups && (value.len() > 3 || value.contains(|c: char| !c.is_ascii_digit())) {
            return None;
        }
        let word = shell_word(&whole).filter(|_| reads(&whole))?;
        Some(format!("a value has no spaces: write --{flag} {word}"))
    })
}
