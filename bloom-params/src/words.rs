//! Rates and counts in the words of an answer.

use bloom_core::math::Rate;

use crate::filters::Filter;
use crate::numbers::{nearest, rate_up};
use crate::units::on_one_line;

/// A rate to three digits.
pub(crate) fn rounded(rate: Rate) -> String {
    digits(rate, 3)
}

pub(crate) fn digits(rate: Rate, digits: usize) -> String {
    if rate.value() < f64::MIN_POSITIVE {
        return rate_up(rate.value(), rate.ln(), None);
    }
    nearest(rate.value(), digits)
}

/// A rate in its shortest form that reads back as the same number.
pub(crate) fn as_typed(rate: f64) -> String {
    if rate < 1e-4 {
        format!("{rate:e}")
    } else {
        rate.to_string()
    }
}

/// A number of bits, `1 bit` where it is shown as 1.
pub(crate) fn bits_as_shown(bits: f64, digits: usize) -> String {
    let shown = nearest(bits, digits);
    let unit = if shown == "1" { "bit" } else { "bits" };
    format!("{shown} {unit}")
}

pub(crate) fn plural(count: u64, unit: &str) -> String {
    match (count, unit) {
        (1, unit) => unit.to_string(),
        (_, "hash") => "hashes".to_string(),
        (_, unit) => format!("{unit}s"),
    }
}

/// A share as a percentage: `49.9 %`; with more digits where it is under 1 and would be shown as all.
pub(crate) fn share(part: f64, digits: usize) -> String {
    let mut shown = (digits..=17).map(|digits| nearest(part * 100.0, digits));
    let told = shown.find(|text| part >= 1.0 || text != "100");
    format!("{} %", told.unwrap_or_else(|| "100".to_string()))
}

/// The [`share`] of filters that keep a rate, where so many are above it: of what is left of 1 there
/// are no digits below 1e-9.
pub(crate) fn kept(above: f64, digits: usize) -> String {
    match 1.0 - above {
        few if few < 1e-9 => "less than 1e-7 %".to_string(),
        part => share(part, digits),
    }
}

/// What the m positions of a filter are.
pub(crate) fn position(filter: Filter) -> &'static str {
    match filter {
        Filter::Counting { .. } => "counter",
        _ => "bit",
    }
}

/// `a, b and c`.
pub(crate) fn listed(words: &[impl AsRef<str>], last: &str) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        words => words.concat(),
    }
}

/// The text as one word of a shell, in quotes where it needs them; `None` for what nobody would
/// copy: long texts, and signs that do not print.
pub(crate) fn shell_word(text: &str) -> Option<String> {
    if text.chars().count() > 100 || on_one_line(text) != text {
        return None;
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@%^=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with(['=', '^']) {
        return Some(text.to_string());
    }
    Some(format!("'{}'", text.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_would_copy_is_a_word_of_a_shell() {
        for (text, word) in [
            ("-n", Some("-n")),
            ("1.5M", Some("1.5M")),
            ("two words", Some("'two words'")),
            ("", Some("''")),
            ("it's", Some(r"'it'\''s'")),
            ("=x", Some("'=x'")),
            ("a\tb", None),
            ("a\u{7}", None),
        ] {
            assert_eq!(shell_word(text).as_deref(), word, "{text:?}");
        }
        let long = "x".repeat(100);
        assert_eq!(shell_word(&long).as_ref(), Some(&long));
        assert_eq!(shell_word(&(long + "x")), None);
    }
}
