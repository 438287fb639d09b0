//! Values of flags other than n, m, k and p: parses whole numbers in a range and shares, and quotes
//! texts for a shell.

use std::ops::RangeInclusive;

use crate::numbers::grouped;
use crate::units::{UnitError, echo, on_one_line, parse_items, parse_rate};

/// A hint with the other forms of numbers, for ranges where they are useful.
const EXAMPLE: &str = "write a number like 2000, 2_000, 1.5M or 2^20";

/// Parses a whole number in a range, written as items are.
///
/// # Errors
///
/// The text is not such a number, or is out of range; the error names `flag`.
pub fn whole(text: &str, flag: &str, range: RangeInclusive<u64>) -> Result<u64, UnitError> {
    let (low, high) = (*range.start(), *range.end());
    let text = text.trim_ascii();
    let read = match parse_items(text) {
        Err(_) if text == "0" => Ok(0),
        read => read,
    };
    let error = match read {
        Ok(number) if range.contains(&number) => return Ok(number),
        Ok(_) => None,
        Err(error) if error.to_string().starts_with("--n needs a value") => {
            return Err(error.named(flag, EXAMPLE));
        }
        Err(error) => Some(error),
    };
    let is_too_large = error.as_ref().is_some_and(UnitError::is_too_large);
    let rule = if high == u64::MAX && !is_too_large {
        format!("of at least {low}")
    } else {
        format!("between {low} and {}", grouped(high))
    };
    let message = format!("{flag} must be a whole number {rule}, got {}", echo(text));
    // Small numbers need only digits, and a number out of range already has a valid form.
    let is_form = high > 1_000_000 && !is_too_large && !text.starts_with('-');
    let hint = error.filter(|_| is_form).map(|error| match error.hint() {
        Some(hint) if hint.starts_with("for ") => hint.to_string(),
        _ => EXAMPLE.to_string(),
    });
    let refused = UnitError::new(message);
    Err(match hint {
        Some(hint) => refused.with_hint(hint),
        None => refused,
    })
}

/// Parses a share between 0 and 1 (exclusive), written as a rate is; `example` is a typical value.
///
/// # Errors
///
/// The text is not such a number, or is out of range; the error names `flag`.
pub fn share(text: &str, flag: &str, example: &str) -> Result<f64, UnitError> {
    parse_rate(text).map_err(|error| error.named(flag, &format!("write a share like {example}")))
}

/// Quotes the text as one shell word where needed; `None` for what nobody would copy: long texts,
/// and characters that do not print.
pub fn shell_word(text: &str) -> Option<String> {
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
