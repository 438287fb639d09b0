//! Parses values with the calculator's units.

use bloom_params::numbers::grouped;
use bloom_params::units;

use super::Failure;

/// Parses bits, with a note where the value could be mistaken for bytes.
pub(crate) fn bits(text: &str, note: &mut dyn FnMut(&str)) -> Result<u64, Failure> {
    let bits = units::parse_bits(text)?;
    if bits.bare_magnitude {
        let text = text.trim();
        let (bits, bytes) = (grouped(bits.bits), grouped(bits.bits.div_ceil(8)));
        note(&format!(
            "{text} is {bits} bits ({bytes} bytes); for bytes write {text}B"
        ));
    }
    Ok(bits.bits)
}

/// Parses a comma-separated list of numbers of hashes.
pub(crate) fn hashes(text: &str) -> Result<Vec<u8>, Failure> {
    let all = text.split(',').map(units::parse_hashes);
    Ok(all.collect::<Result<_, _>>()?)
}

/// Parses a number, which may have decimals.
pub(crate) fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    let number = text.trim().parse::<f64>().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        let failure = Failure::new(format!("{flag} must be a number, got {text:?}"));
        failure.hint(format!("write a number like --{flag} 9.5"))
    })
}

/// Parses a comma-separated list of rates.
pub(crate) fn rates(text: &str) -> Result<Vec<f64>, Failure> {
    let all = text.split(',').map(units::parse_rate);
    Ok(all.collect::<Result<_, _>>()?)
}

/// Parses a share, in the same notation as rates.
pub(crate) fn share(flag: &str, text: &str) -> Result<f64, Failure> {
    units::parse_rate(text).map_err(|_| {
        let failure = Failure::new(format!("{flag} must be above 0 and below 1, got {text:?}"));
        failure.hint(format!("write a share like --{flag} 1%, 0.01 or 1/100"))
    })
}

/// Parses a count of at least 1, in the same notation as items.
pub(crate) fn count(flag: &str, text: &str) -> Result<u64, Failure> {
    units::parse_items(text).map_err(|_| {
        let failure = Failure::new(format!(
            "{flag} must be a whole number from 1 on, got {text:?}"
        ));
        failure.hint(format!("write a number like --{flag} 20, 20k or 2^20"))
    })
}

/// Parses a comma-separated list of counts.
pub(crate) fn counts(flag: &str, text: &str) -> Result<Vec<u64>, Failure> {
    text.split(',').map(|text| count(flag, text)).collect()
}

/// Parses a small count of at least 1.
pub(crate) fn width(flag: &str, text: &str) -> Result<u32, Failure> {
    let wide = count(flag, text)?;
    u32::try_from(wide)
        .map_err(|_| Failure::new(format!("{flag} must be at most {}, got {wide}", u32::MAX)))
}

/// Parses a comma-separated list of small counts.
pub(crate) fn widths(flag: &str, text: &str) -> Result<Vec<u32>, Failure> {
    text.split(',').map(|text| width(flag, text)).collect()
}
