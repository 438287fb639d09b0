//! Values typed without a flag: what they were probably meant to be.

use crate::args::{InputError, Question};
use crate::commands::Command;
use crate::units::{echo, parse_bits, parse_hashes, parse_items, parse_rate};

type Reads = fn(&str) -> bool;

/// Each flag, and whether it can take a text.
const READERS: [(&str, Reads); 4] = [
    ("--n", |text| parse_items(text).is_ok()),
    ("--m", |text| parse_bits(text).is_ok()),
    ("--k", |text| parse_hashes(text).is_ok()),
    ("--p", |text| parse_rate(text).is_ok()),
];

/// Refuses values without a flag beside the flags that were given.
pub(crate) fn refuse(values: &[String], question: &Question) -> Result<(), InputError> {
    if values.is_empty() {
        return Ok(());
    }
    let got = values.iter().map(|value| match value.trim_ascii() {
        "" => "an empty one".to_string(),
        value => echo(value),
    });
    let hint = if let Some(hint) = command(values, question) {
        hint
    } else if question.is_empty() {
        guess(values).unwrap_or_else(|| {
            "write values with their flags, like --n 2000 --p 0.01; --help has all of them"
                .to_string()
        })
    } else {
        beside_flags(values, question)
    };
    Err(InputError::Stray {
        values: listed(&got.collect::<Vec<_>>(), "and"),
        hint,
    })
}

/// Two values of which each is right for the flag of the other: a line with both put right.
pub(crate) fn swapped(question: &Question) -> Option<String> {
    let flags = question.flags();
    // What is not given reads as nothing, just like an empty text.
    let values = flags.map(|(_, value)| value.as_deref().unwrap_or_default().trim_ascii());
    let reads = |at: usize, text: &str| READERS[at].1(text);
    let at = (0..values.len()).find(|at| !values[*at].is_empty() && !reads(*at, values[*at]))?;
    // The nearest first: who swaps two values mostly swaps neighbours.
    let mut others: Vec<_> = (0..values.len()).collect();
    others.sort_by_key(|other| other.abs_diff(at));
    let other = others
        .into_iter()
        .find(|other| *other != at && reads(at, values[*other]) && reads(*other, values[at]))?;
    let (first, second) = (at.min(other), at.max(other));
    Some(format!(
        "the two seem to be swapped: write {} {} {} {}",
        READERS[first].0,
        echo(values[second]),
        READERS[second].0,
        echo(values[first])
    ))
}

/// A command that stands behind flags, or is misspelt.
fn command(values: &[String], question: &Question) -> Option<String> {
    let first = values.first()?.trim_ascii();
    let likeness = |name: &&str| strsim::jaro_winkler(name, first);
    let near = Command::NAMES
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|name| likeness(name) > 0.85)?;
    let mut line = format!("bloom-params {near}");
    for (flag, value) in question.flags() {
        if let Some(value) = value {
            line += &format!(" {flag} {}", echo(value));
        }
    }
    Some(format!("commands come first: {line}"))
}

/// Where there are flags, the value may be of any other.
fn beside_flags(values: &[String], question: &Question) -> String {
    let free: Vec<_> = question
        .flags()
        .into_iter()
        .filter_map(|(flag, value)| value.is_none().then_some(flag))
        .collect();
    if let [value] = values
        && let Some(hint) = unit_apart(value.trim_ascii(), question)
    {
        return hint;
    }
    let (belongs, it) = if values.len() == 1 {
        ("it belongs", "it")
    } else {
        ("they belong", "them")
    };
    let before = if free.is_empty() {
        String::new()
    } else {
        format!("write {} before {it}, or ", listed(&free, "or"))
    };
    format!("{belongs} to no flag: {before}leave {it} out")
}

/// A unit that a blank parts from its number: `--m 10 MB`.
fn unit_apart(unit: &str, question: &Question) -> Option<String> {
    if !unit.starts_with(|c: char| c.is_alphabetic() || c == '%') {
        return None;
    }
    let flags = question.flags();
    let mut flags = flags.iter().zip(READERS);
    flags.find_map(|((flag, value), (_, reads))| {
        let whole = format!("{}{unit}", value.as_deref()?.trim_ascii());
        reads(&whole).then(|| format!("write {flag} {} in one", echo(&whole)))
    })
}

/// The values with the flags that can take them, in the order n, m, k, p; if need be, from the last to
/// the first.
fn guess(values: &[String]) -> Option<String> {
    let backwards: Vec<_> = values.iter().rev().cloned().collect();
    in_order(values).or_else(|| in_order(&backwards))
}

fn in_order(values: &[String]) -> Option<String> {
    let mut flags = READERS.iter();
    let mut guess = Vec::new();
    let mut known = Vec::new();
    for value in values {
        let (flag, _) = flags.find(|(_, reads)| reads(value))?;
        known.push(*flag);
        let value = echo(value.trim_ascii());
        let quote = if value.contains(char::is_whitespace) {
            "'"
        } else {
            ""
        };
        guess.push(format!("{flag} {quote}{value}{quote}"));
    }
    let mut others = vec!["--n", "--m", "--p"];
    others.retain(|flag| !known.contains(flag));
    let mut guess = guess.join(" ");
    // Two of these three make a question.
    if others.len() > 1 {
        guess += &format!(", and one value more: {}", listed(&others, "or"));
    }
    Some(guess)
}

/// `a, b and c`.
fn listed(words: &[impl AsRef<str>], last: &str) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        words => words.concat(),
    }
}
