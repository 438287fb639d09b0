//! Formats counts and lists in words, and finds values by their names.

use std::borrow::Borrow;

use bloom_params::numbers::grouped;

/// Returns a count with its noun: `1 bit`, `20,000 bits`, `2 queries`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let number = grouped(count);
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("{number} {noun}"),
        _ if noun.ends_with("sh") => format!("{number} {noun}es"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Joins parts with commas and a last `and` or `or`.
pub(crate) fn listed(parts: &[impl Borrow<str>], last_word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [first @ .., last] => format!("{} {last_word} {}", first.join(", "), last.borrow()),
    }
}

/// Returns the value with this name, in either case.
pub(crate) fn by_name<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    let mut all = all.iter();
    let found = all.find(|(known, _)| name.eq_ignore_ascii_case(known));
    found.map(|(_, value)| *value)
}

/// Returns the name of a value.
pub(crate) fn name_of<T: PartialEq>(all: &[(&'static str, T)], value: T) -> &'static str {
    let mut all = all.iter();
    let found = all.find(|(_, known)| *known == value);
    found.map_or("another", |(name, _)| name)
}
