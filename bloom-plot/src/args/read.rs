//! Reads what is typed into numbers, with the calculator's units.

use bloom_params::numbers::grouped;
use bloom_params::units;

use super::Failure;

/// Reads bits, and notes what could be taken for bytes.
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

/// Reads numbers of hashes with commas between.
pub(crate) fn hashes(text: &str) -> Result<Vec<u8>, Failure> {
    let all = text.split(',').map(units::parse_hashes);
    Ok(all.collect::<Result<_, _>>()?)
}

/// Reads a number with decimals.
pub(crate) fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    let number = text.trim().parse::<f64>().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        let failure = Failure::new(format!("{flag} must be a number, got {text:?}"));
        failure.hint(format!("write a number like --{flag} 9.5"))
    })
}
