//! Hints for common mistakes of newcomers: values without flags, swapped values, flags of other tools.
//!
//! clap detects and reports the error; this module adds what was probably meant.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::args::Question;
use crate::cli::{ROOT, commands};
use crate::error::InputError;
use crate::flag::shell_word;
use crate::like::words::related;
use crate::units::{echo, parse_bits, parse_hashes, parse_items, parse_rate};
use crate::words::listed;

type Reads = fn(&str) -> bool;

/// The flag of each quantity, and whether it accepts a text.
const READERS: [(&str, Reads); 4] = [
    ("--n", |text| parse_items(text).is_ok()),
    ("--m", |text| parse_bits(text).is_ok()),
    ("--k", |text| parse_hashes(text).is_ok()),
    ("--p", |text| parse_rate(text).is_ok()),
];

/// On each line a flag, its meaning, and its names in other calculators and libraries.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// Adds a hint to clap's message, and quotes what was typed on one line.
pub(crate) fn add(root: &mut Command, error: clap::Error, args: &[OsString]) -> clap::Error {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let typed = args.iter().find(|arg| arg.to_str().is_none());
        let typed = echo(&typed.unwrap_or(&OsString::new()).to_string_lossy());
        return root.error(
            error.kind(),
            format!("arguments must be UTF-8, got {typed}\n"),
        );
    }
    let mut shown = error;
    if shown.kind() == ErrorKind::UnknownArgument {
        // Passing a flag as a value behind `--`, as clap suggests, is never what was meant.
        shown.remove(ContextKind::Suggested);
        if let Some(tip) = instead(root, &shown, args) {
            shown.remove(ContextKind::SuggestedArg);
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
            let typed = echo(typed);
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
        && (flag == "--version" || takes(command.unwrap_or(root), &flag[2..]))
    {
        return Some(format!("{what} {flag} here"));
    }
    let mut owners = root.get_subcommands().filter(|other| takes(other, &name));
    let owner = owners.next().filter(|_| command.is_none())?;
    Some(format!("it is a flag of {}", owner.get_name()))
}

/// Refuses values without a flag; the hint depends on the flags that were given.
pub(crate) fn positional(values: &[String], question: &Question) -> Result<(), InputError> {
    if values.is_empty() {
        return Ok(());
    }
    let got = values.iter().map(|value| match value.trim_ascii() {
        "" => "an empty one".to_string(),
        value => echo(value),
    });
    let is_word =
        |value: &&String| !value.is_empty() && value.bytes().all(|b| b.is_ascii_lowercase());
    let names: Vec<_> = commands::names().collect();
    let commands = names.join(", ");
    let hint = in_one(values, question).unwrap_or_else(|| match values.iter().find(is_word) {
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
            order.filter(|_| question.is_empty()).unwrap_or_else(|| {
                "write values with their flags, like --n 2000 --p 0.01; --help has all of them"
                    .to_string()
            })
        }
    });
    let got = listed(&got.collect::<Vec<_>>());
    Err(InputError::new(format!("values need a flag, got {got}")).with_hint(hint))
}

/// Assigns the values to flags that accept them, in the order n, m, k, p.
fn in_order(values: &[String]) -> Option<String> {
    let mut flags = READERS.iter();
    let guess = values.iter().map(|value| {
        let (flag, _) = flags.find(|(_, reads)| reads(value))?;
        Some(format!("{flag} {}", shell_word(value.trim_ascii())?))
    });
    Some(guess.collect::<Option<Vec<_>>>()?.join(" "))
}

/// Joins a value that blanks separate from its unit or its digit groups: `--m 10 MB`, `--n 2 000`.
fn in_one(values: &[String], question: &Question) -> Option<String> {
    let is_group = |text: &str| text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit());
    let groups = values.iter().all(|value| is_group(value));
    let rest = values.concat();
    if !groups && !rest.starts_with(|c: char| c.is_alphabetic() || c == '%') {
        return None;
    }
    let mut flags = question.flags().into_iter().zip(READERS);
    flags.find_map(|((flag, value), (_, reads))| {
        let value = value.as_deref()?.trim_ascii();
        let whole = format!("{value}{rest}");
        if groups && (value.len() > 3 || value.contains(|c: char| !c.is_ascii_digit())) {
            return None;
        }
        let word = shell_word(&whole).filter(|_| reads(&whole))?;
        Some(format!("write {flag} {word} in one"))
    })
}

/// Returns a corrected line if two values are each valid only for the other's flag.
pub(crate) fn swapped(question: &Question) -> Option<String> {
    // A missing value is not valid for any flag, just like an empty text.
    let values = question
        .flags()
        .map(|(_, value)| value.as_deref().unwrap_or_default().trim_ascii());
    let reads = |at: usize, text: &str| READERS[at].1(text);
    let at = (0..4).find(|at| !values[*at].is_empty() && !reads(*at, values[*at]))?;
    // Try the nearest flags first: swapped values are mostly neighbours.
    let mut others: Vec<usize> = (0..4).filter(|other| *other != at).collect();
    others.sort_by_key(|other| other.abs_diff(at));
    let fits = |other: &usize| reads(at, values[*other]) && reads(*other, values[at]);
    let other = others.into_iter().find(fits)?;
    if (READERS[at].0, READERS[other].0) == ("--m", "--n") {
        // Every n is also a valid m unless it is above 2^63; then m is too large, and not swapped.
        return None;
    }
    let (first, second) = (at.min(other), at.max(other));
    Some(format!(
        "the two seem to be swapped: write {} {} {} {}",
        READERS[first].0,
        shell_word(values[second])?,
        READERS[second].0,
        shell_word(values[first])?
    ))
}
