//! Formats lists in words, and finds values by their names.

use std::borrow::Borrow;
use std::mem::discriminant;

/// Joins parts with commas, except the last two, which are joined by `last_word`: `and` or `or`.
pub(crate) fn listed(parts: &[impl Borrow<str>], last_word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [first @ .., last] => format!("{} {last_word} {}", first.join(", "), last.borrow()),
    }
}

/// Returns the value with this name, ignoring case.
pub(crate) fn by_name<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    let mut all = all.iter();
    let found = all.find(|(known, _)| name.eq_ignore_ascii_case(known));
    found.map(|(_, value)| *value)
}

/// Returns the name of a value's variant, whatever its fields are; `another` if `all` does not have
/// this variant.
pub(crate) fn name_of<T>(all: &[(&'static str, T)], value: &T) -> &'static str {
    let mut all = all.iter();
    let found = all.find(|(_, known)| discriminant(known) == discriminant(value));
    found.map_or("another", |(name, _)| name)
}
