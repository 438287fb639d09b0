//! What clap refuses, in the words of all other errors.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::args::InputError;
use crate::commands;
use crate::synonyms;
use crate::units::{self, UnitError, echo};
use crate::words::{listed, shell_word};

/// How like a word must be to another to be taken for it.
const LIKENESS: f64 = 0.85;

/// Says what is wrong; `None` for what clap says well itself.
pub(crate) fn refused(
    root: &Command,
    error: &clap::Error,
    args: &[OsString],
) -> Option<InputError> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let subject = text(ContextKind::InvalidArg);
    let value = || text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => Some(unknown(root, &subject?, args)),
        ErrorKind::InvalidSubcommand => {
            let typed = text(ContextKind::InvalidSubcommand)?;
            Some(no_command(&typed))
        }
        ErrorKind::InvalidValue => Some(match error.get(ContextKind::ValidValue) {
            _ if value().is_empty() => without_value(&name(&subject?)),
            Some(ContextValue::Strings(valid)) => not_among(&name(&subject?), &value(), valid),
            _ => return None,
        }),
        ErrorKind::ArgumentConflict => {
            let (one, other) = (name(&subject?), name(&text(ContextKind::PriorArg)?));
            let reason = if one == other {
                format!("{one} must be given once, got it twice")
            } else {
                format!("{one} does not go with {other}")
            };
            Some(told(reason, Some("leave out one of them".to_string())))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = name(&subject?);
            Some(match missing.as_str() {
                "--lookups" => told(
                    "--prevalence needs --lookups".to_string(),
                    Some("it is a share of the lookups: write --lookups 1M too".to_string()),
                ),
                "SHELL" => told(
                    "completions needs a shell".to_string(),
                    Some("write bloom-params completions bash".to_string()),
                ),
                _ => told(format!("{missing} is missing"), None),
            })
        }
        ErrorKind::TooManyValues => {
            let reason = format!("{} takes no value, got {}", name(&subject?), echo(&value()));
            Some(told(reason, None))
        }
        ErrorKind::InvalidUtf8 => {
            let odd = args.iter().find(|arg| arg.to_str().is_none())?;
            let typed = echo(&odd.to_string_lossy());
            Some(told(
                format!("what is typed must be UTF-8, got {typed}"),
                None,
            ))
        }
        _ => None,
    }
}

/// A long flag with one dash, like `-model`, which would be read as `-m odel`.
pub(crate) fn with_one_dash(root: &Command, args: &[OsString]) -> Option<InputError> {
    let typed = args.iter().filter_map(|arg| arg.to_str());
    let mut typed = typed.take_while(|arg| *arg != "--");
    let flag = typed.find(|arg| {
        let name = arg.strip_prefix('-').unwrap_or_default();
        let name = name.split('=').next().unwrap_or_default();
        name.len() > 1 && name != "help" && name != "version" && has_flag(root, name)
    })?;
    let flag = flag.split('=').next().unwrap_or_default();
    Some(told(
        format!("there is no flag {flag}"),
        Some(format!("did you mean -{flag}?")),
    ))
}

/// A word in the place of a command.
pub(crate) fn no_command(typed: &str) -> InputError {
    let hint = match near_command(typed) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("the commands are {}", listed(&commands::NAMES, "and")),
    };
    told(format!("there is no command {}", echo(typed)), Some(hint))
}

/// The command that a word is, or nearly is.
pub(crate) fn near_command(typed: &str) -> Option<&'static str> {
    near(typed, commands::NAMES)
}

fn near<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(name, typed);
    let names = names.into_iter();
    let best = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|name| likeness(name) > LIKENESS)
}

pub(crate) fn told(reason: String, hint: Option<String>) -> InputError {
    InputError::Usage { reason, hint }
}

/// `--n` of `--n <ITEMS>`, `SHELL` of `<SHELL>`.
fn name(arg: &str) -> String {
    let name = arg.split([' ', '=']).next().unwrap_or_default();
    name.trim_matches(['<', '>', '[', ']', '.']).to_string()
}

/// A flag that there is not, or a value without a flag.
fn unknown(root: &Command, subject: &str, args: &[OsString]) -> InputError {
    let mut texts = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let scope = texts
        .clone()
        .next()
        .and_then(|first| root.find_subcommand(first));
    // clap tells the first letter of what has one dash, and no value.
    let typed = texts
        .find(|text| text.starts_with(subject))
        .unwrap_or(subject);
    let (flag, value) = typed
        .split_once('=')
        .map_or((typed, None), |(flag, value)| (flag, Some(value)));
    let value = value.or_else(|| texts.next().filter(|next| !next.starts_with('-')));
    let bare = flag.trim_start_matches('-');
    if flag == bare || bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        let one = match scope.map(Command::get_name) {
            Some("batch") => Some("batch takes one file"),
            Some("completions") => Some("completions takes one shell"),
            Some("man") => Some("man takes one command"),
            _ => None,
        };
        if let Some(rule) = one.filter(|_| flag == bare) {
            return told(format!("{rule}, got {} too", echo(typed)), None);
        }
        let hint = scope.map(|scope| {
            let example = commands::example(scope.get_name());
            format!("write values with their flags, like {example}")
        });
        return told(format!("values need a flag, got {}", echo(typed)), hint);
    }
    let reason = match scope {
        Some(scope) => format!("{} has no flag {}", scope.get_name(), echo(flag)),
        None => format!("there is no flag {}", echo(flag)),
    };
    told(reason, Some(instead(root, scope, flag, value)))
}

/// What to write instead of a flag that there is not.
fn instead(root: &Command, scope: Option<&Command>, flag: &str, value: Option<&str>) -> String {
    let here = scope.unwrap_or(root);
    let bare = flag.trim_start_matches('-');
    if let Some(hint) = synonyms::told(flag) {
        return hint.to_string();
    }
    if let Some(written) = with_value_inside(bare) {
        return format!("write {written}");
    }
    if let Some((right @ "--version", what)) = synonyms::meant(flag) {
        return format!("{what} {right}");
    }
    if let Some((right, what)) = synonyms::meant(flag) {
        let (long, choice) = right.split_once(' ').unwrap_or((right, ""));
        let takes = here
            .get_arguments()
            .find(|arg| arg.get_long() == Some(&long[2..]));
        if takes.is_some_and(|arg| !arg.is_hide_set()) {
            let takes_value = takes.is_some_and(|arg| arg.get_action().takes_values());
            let value = value.filter(|_| choice.is_empty() && takes_value);
            return match value.and_then(shell_word) {
                Some(value) => format!("{what} {right} here: write {right} {value}"),
                None => format!("{what} {right} here"),
            };
        }
    }
    let shown = here.get_arguments().filter(|arg| !arg.is_hide_set());
    let names: Vec<_> = shown
        .filter_map(Arg::get_long_and_visible_aliases)
        .flatten()
        .collect();
    if let Some(near) = near(bare, names) {
        return format!("did you mean --{near}?");
    }
    let mut others = root.get_subcommands().filter(|other| has_flag(other, bare));
    match (scope, others.next()) {
        (None, Some(owner)) => {
            let owner = owner.get_name();
            format!("it is a flag of {owner}: bloom-params {owner} --help tells more")
        }
        (None, None) => "bloom-params --help lists the flags".to_string(),
        (Some(scope), _) => {
            format!("bloom-params {} --help lists its flags", scope.get_name())
        }
    }
}

/// A quantity whose value stands right behind its name: `n2000` or `p:1%`.
fn with_value_inside(bare: &str) -> Option<String> {
    let letter = bare.get(..1).filter(|letter| "nmkp".contains(letter))?;
    let value = bare[1..].trim_start_matches([':', ',']);
    let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let value = shell_word(value).filter(|_| is_number)?;
    Some(format!("--{letter} {value}"))
}

/// Whether the command or one of its subcommands has this long flag.
fn has_flag(command: &Command, long: &str) -> bool {
    let mut flags = command
        .get_arguments()
        .filter_map(Arg::get_long_and_visible_aliases);
    flags.any(|names| names.contains(&long))
        || command.get_subcommands().any(|inner| has_flag(inner, long))
}

/// A flag at the end of the line, or with nothing behind its =.
fn without_value(flag: &str) -> InputError {
    let hint_of = |error: UnitError| error.hint().map(str::to_string);
    let hint = match flag {
        "--n" => units::parse_items("").err().and_then(hint_of),
        "--m" => units::parse_bits("").err().and_then(hint_of),
        "--k" => units::parse_hashes("").err().and_then(hint_of),
        "--p" => units::parse_rate("").err().and_then(hint_of),
        _ => None,
    };
    told(format!("{flag} needs a value, got none"), hint)
}

/// A value that is none of those that a flag takes.
fn not_among(flag: &str, value: &str, valid: &[String]) -> InputError {
    let reason = format!(
        "{flag} must be {}, got {}",
        listed(valid, "or"),
        echo(value)
    );
    let lower = value.to_lowercase();
    let structures = ["cuckoo", "xor", "fuse", "binary-fuse", "quotient", "ribbon"];
    let hint = match (flag, lower.as_str()) {
        ("--format", "csv" | "markdown" | "md") => {
            Some("compare, table and batch write csv and markdown".to_string())
        }
        ("--filter", other) if structures.contains(&other) => Some(format!(
            "{other} is among what {} shows",
            commands::example("compare")
        )),
        ("--get", "items") => Some("items are n".to_string()),
        ("--get", "bits" | "bytes" | "size") => Some("bits are m".to_string()),
        ("--get", "hashes") => Some("hashes are k".to_string()),
        ("--get", "rate" | "fpr" | "fpp") => Some("the false-positive rate is p".to_string()),
        ("--filter", "bloom" | "standard" | "basic" | "normal") => {
            Some("the usual Bloom filter is classic".to_string())
        }
        (_, typed) => {
            let near = near(typed, valid.iter().map(String::as_str));
            near.map(|near| format!("did you mean {near}?"))
        }
    };
    told(reason, hint)
}
