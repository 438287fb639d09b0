//! Formats counts and lists in words.

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

/// Joins parts with commas and a final `and`.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
