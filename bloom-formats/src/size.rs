//! Sizes as the Java libraries compute them, so that a new filter has the size that the system itself
//! would give it.

use core::f64::consts::LN_2;

use crate::error::{Field, Format, FormatError, Must, Value};

/// Returns -n ln p / ln² 2, truncated.
pub(crate) fn bits(format: Format, items: u64, rate: f64) -> Result<u64, FormatError> {
    check_items(format, items)?;
    check_rate(format, rate)?;
    Ok((-(items as f64) * libm::log(rate) / (LN_2 * LN_2)) as u64)
}

/// Refuses numbers of items that are 0 or that a long cannot hold.
pub(crate) fn check_items(format: Format, items: u64) -> Result<(), FormatError> {
    if items == 0 || i64::try_from(items).is_err() {
        return Err(format.field(Field::Items, Must::Range(1, i64::MAX as u64), items));
    }
    Ok(())
}

/// Refuses rates that are not between 0 and 1.
pub(crate) fn check_rate(format: Format, rate: f64) -> Result<(), FormatError> {
    if rate > 0.0 && rate < 1.0 {
        return Ok(());
    }
    Err(format.field(Field::Rate, Must::Share, Value::Real(rate)))
}

/// Returns the 64-bit words that hold so many bits: as many as a Java array can have.
pub(crate) fn words(format: Format, bits: u64) -> Result<u64, FormatError> {
    let words = bits.div_ceil(64);
    if words == 0 || i32::try_from(words).is_err() {
        return Err(format.field(Field::Bits, Must::Range(1, 64 * i32::MAX as u64), bits));
    }
    Ok(words)
}

/// Returns the nearest whole number, ties up, at least 1.
pub(crate) fn hashes(real: f64) -> i64 {
    (libm::floor(real + 0.5) as i64).max(1)
}
