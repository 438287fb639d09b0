//! Parses the values of flags other than n, m, k and p: whole numbers in a range, shares and others. Also quotes texts for
//! a shell.

use std::ops::RangeInclusive;

use crate::read::units::{ITEMS, Param, UnitError, count_of};
#[cfg(feature = "json")]
use crate::read::units::{MAX_NUMBER, RATE, number_of, on_one_line, rate_of};
use crate::say::numbers::grouped;

/// Parses a whole number in a range, written in the forms of a number of items, such as `1.5M` or `2^20`.
///
/// # Errors
///
/// The text is not such a number, or is out of range; the error names `flag`.
pub fn whole(text: &str, flag: &str, range: RangeInclusive<u64>) -> Result<u64, UnitError> {
    let (low, high) = (*range.start(), *range.end());
    let rule = match high {
        u64::MAX => format!("must be a whole number of at least {low}"),
        _ => format!("must be a whole number between {low} and {}", grouped(high)),
    };
    // A number of at most 1,000,000 is quickly written in digits. So the errors explain letters only if the range goes further.
    let (units, hint) = match high {
        ..=1_000_000 => ("", ""),
        _ => (ITEMS.units, "write a number like 2000, 2_000, 1.5M or 2^20"),
    };
    let param = Param {
        name: flag,
        form: &rule,
        low: &rule,
        high: if high == u64::MAX { ITEMS.high } else { &rule },
        no_unit: "is a number, which has no unit",
        units,
        hint,
    };
    Ok(count_of(&param, text, range)?.0)
}

/// Parses a share between 0 and 1 (exclusive), written in the forms of a rate, such as `1%`. The hint of an error shows
/// `example`.
///
/// # Errors
///
/// The text is not such a number, or is out of range; the error names `flag`.
#[cfg(feature = "json")]
pub(crate) fn share(text: &str, flag: &str, example: &str) -> Result<f64, UnitError> {
    let param = Param {
        name: flag,
        hint: &format!("write a share like {example}"),
        ..RATE
    };
    rate_of(&param, text)
}

/// Parses a number above 0, up to [`MAX_NUMBER`], like 0.5 or 1e6.
///
/// # Errors
///
/// The text is not such a number, or is out of range; the error names `flag`.
#[cfg(feature = "json")]
pub(crate) fn positive(text: &str, flag: &str) -> Result<f64, UnitError> {
    let rule = format!("must be a number above 0, up to {MAX_NUMBER:e}");
    let rule = &*rule;
    let param = Param {
        name: flag,
        form: rule,
        low: rule,
        high: rule,
        hint: "write a number like 0.5 or 1e6",
        ..ITEMS
    };
    number_of(&param, text)
}

/// Parses the bits per item of `--bits-per-item`. Returns them in millionths of a bit.
///
/// # Errors
///
/// The text is not a decimal above 0 with at most 6 decimals, or is above 1,000,000.
#[cfg(feature = "json")]
pub(crate) fn millionths(text: &str) -> Result<u64, UnitError> {
    scaled(text, 6, 1..=1_000_000_000_000).ok_or_else(|| {
        let rule = "must be above 0, up to 1,000,000, with at most 6 decimals and no exponent";
        let got = crate::read::units::displayed(text.trim_ascii());
        UnitError::new(format!("--bits-per-item {rule}, got {got}"))
            .with_hint("write a number like 9.6")
    })
}

/// Parses a decimal as a whole number of units of 10^-`decimals`; `None` if it is not a whole number of them, is out of
/// range, or has anything but digits and a point.
#[cfg(feature = "json")]
pub(crate) fn scaled(text: &str, decimals: u8, range: RangeInclusive<u64>) -> Option<u64> {
    let text = text.trim_ascii();
    let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let scaled = whole(&format!("{text}e{decimals}"), "", range).ok();
    scaled.filter(|_| text.bytes().all(is_plain))
}

/// Returns the text as one word of a shell, in quotes if it needs them. Returns `None` if nobody would copy it: if it has
/// more than 100 characters, or characters that do not print.
#[cfg(feature = "json")]
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

#[cfg(all(test, feature = "json"))]
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
