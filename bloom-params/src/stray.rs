//! Values typed without a flag: what they were probably meant to be.

use crate::args::{InputError, Question};
use crate::units::{echo, parse_bits, parse_hashes, parse_items, parse_rate};
use crate::words::{listed, shell_word};

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
    let hint = if let Some(hint) = named(values).or_else(|| apart(values, question)) {
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
    if (READERS[at].0, READERS[other].0) == ("--m", "--n") {
        // Every n is an m too, unless it is above 2^63: then the m is too large, and nothing more.
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

/// Values with names that lack their dashes: `n=2000 p=1%`, `p 1%`; and a word for a flag.
fn named(values: &[String]) -> Option<String> {
    if let [word] = values
        && ["version", "usage"].contains(&word.as_str())
    {
        let flag = if word == "usage" { "help" } else { word };
        return Some(format!("write bloom-params --{flag}"));
    }
    let words = values.iter().flat_map(|value| value.split(['=', ':']));
    let words: Vec<_> = words
        .map(str::trim_ascii)
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return None;
    }
    let pairs = words.chunks(2).map(|pair| {
        let [name, value] = *pair else {
            return None;
        };
        let (flag, reads) = READERS.iter().find(|(flag, _)| flag[2..] == *name)?;
        Some(format!(
            "{flag} {}",
            shell_word(value).filter(|_| reads(value))?
        ))
    });
    let pairs: Option<Vec<_>> = pairs.collect();
    Some(format!("flags have dashes: write {}", pairs?.join(" ")))
}

/// Groups of digits that blanks set apart: `--n 2 000`.
fn apart(values: &[String], question: &Question) -> Option<String> {
    let groups = values.iter().map(|value| value.trim_ascii());
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    if !groups.clone().all(is_group) {
        return None;
    }
    let rest: String = groups.collect();
    let flags = question.flags();
    let mut flags = flags.iter().zip(READERS);
    flags.find_map(|((flag, value), (_, reads))| {
        let first = value.as_deref()?.trim_ascii();
        let whole = format!("{first}{rest}");
        let is_number = first.len() <= 3 && first.bytes().all(|b| b.is_ascii_digit());
        (is_number && reads(&whole)).then(|| format!("write {flag} {whole} in one"))
    })
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
    flags.find_map(|((flag, value), (_, reads))| -> Option<String> {
        let whole = format!("{}{unit}", value.as_deref()?.trim_ascii());
        let word = reads(&whole).then(|| shell_word(&whole))??;
        Some(format!("write {flag} {word} in one"))
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
        guess.push(format!("{flag} {}", shell_word(value.trim_ascii())?));
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
