//! Reads the values of the flags beside n, m, k and p: whole numbers of a range, and shares.

use std::ops::RangeInclusive;

use crate::numbers::grouped;
use crate::units::{UnitError, echo, parse_items, parse_rate};

/// Other forms than digits, for a number that may be large.
const EXAMPLE: &str = "write a number like 2000, 2_000, 1.5M or 2^20";

/// Reads a whole number of a range, written as items are.
pub(crate) fn whole(text: &str, flag: &str, range: RangeInclusive<u64>) -> Result<u64, UnitError> {
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
    // Small numbers need no other form than digits, and what is out of range has a right one.
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

/// Reads a share between 0 and 1 (exclusive), written as a rate is; `example` is one that is usual.
pub(crate) fn share(text: &str, flag: &str, example: &str) -> Result<f64, UnitError> {
    parse_rate(text).map_err(|error| error.named(flag, &format!("write a share like {example}")))
}
