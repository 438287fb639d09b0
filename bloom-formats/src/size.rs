//! Computes the numbers of bits and hashes that a system, such as Guava, gives a new filter, and refuses numbers out of range.

use bloom_systems::{Refusal, Request, System, Worked};

use crate::error::{Field, Format, FormatError, Must, Value};

/// Returns the bits and hashes of the filter that a system builds for a number of items at a rate.
pub(crate) fn for_rate(
    format: Format,
    system: &System,
    items: u64,
    rate: f64,
) -> Result<(u64, i64), FormatError> {
    check_items(format, items)?;
    check_rate(format, rate)?;
    built(format, system, Request::for_rate(items, rate))
}

/// Returns the bits and hashes like [`for_rate`]. But if the system's rule gives more bits than the system's maximum, returns
/// an error, where the system would silently take the maximum.
pub(crate) fn uncapped(
    format: Format,
    system: &System,
    items: u64,
    rate: f64,
) -> Result<(u64, i64), FormatError> {
    let size = for_rate(format, system, items, rate)?;
    let built = system.build(Request::for_rate(items, rate));
    let Some((most, work)) = built
        .ok()
        .and_then(|built| Some((built.capped?, built.work)))
    else {
        return Ok(size);
    };
    let by_rule = work.iter().find_map(|step| match step {
        Worked::Bits(worked) => u64::try_from(worked.result).ok(),
        _ => None,
    });
    let got = by_rule.unwrap_or(u64::MAX);
    if got <= most {
        return Ok(size);
    }
    Err(format.field(Field::Bits, Must::AtMost(most), got))
}

/// Returns the bits and hashes of the filter that a system builds for a request.
pub(crate) fn built(
    format: Format,
    system: &System,
    request: Request,
) -> Result<(u64, i64), FormatError> {
    let refused = |refusal| match refusal {
        Refusal::Bits { most, got } => {
            let got = u64::try_from(got).unwrap_or(u64::MAX);
            format.field(Field::Bits, Must::Range(1, most), got)
        }
        Refusal::Hashes { most, got, .. } => {
            let got = u64::try_from(got).unwrap_or(u64::MAX);
            format.field(Field::Hashes, Must::Range(1, most), got)
        }
        Refusal::NoHash | Refusal::AlwaysTrue => {
            format.field(Field::Hashes, Must::Range(1, u8::MAX.into()), 0)
        }
        Refusal::Items { most, got } => format.field(Field::Items, Must::Range(1, most), got),
        // The systems of these formats have no other reason to refuse a request, so this arm is not reached.
        _ => format.field(
            Field::Rate,
            Must::Share,
            Value::Real(request.rate.unwrap_or(0.0)),
        ),
    };
    let built = system.build(request).map_err(refused)?;
    Ok((built.bits, built.hashes.into()))
}

/// Refuses numbers of items that are 0 or that a Java `long` cannot hold.
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

/// Returns the number of 64-bit words that hold this many bits. Refuses 0 words, and more than a Java array can have.
pub(crate) fn words(format: Format, bits: u64) -> Result<u64, FormatError> {
    let words = bits.div_ceil(64);
    if words == 0 || i32::try_from(words).is_err() {
        return Err(format.field(Field::Bits, Must::Range(1, 64 * i32::MAX as u64), bits));
    }
    Ok(words)
}
