//! The number of items, read off the bits.

/// Returns the number of items after which `ones` set bits are expected, by the formula
/// with ln(1 - 1/m), or `None` if every bit is set.
pub fn items(bits: u64, hashes: u8, ones: u64) -> Option<f64> {
    if ones >= bits {
        return None;
    }
    // `ln_1p` keeps the digits that 1 - 1/m would lose.
    let ln_clear = (-(ones as f64) / bits as f64).ln_1p();
    Some(ln_clear / (f64::from(hashes) * (-1.0 / bits as f64).ln_1p()))
}
