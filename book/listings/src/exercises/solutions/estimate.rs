//! Solution: the number of items in a filter, estimated from the number of its set bits.

/// Returns the number of items after which `ones` set bits are expected, or `None` if every
/// bit is set. Of the two formulas of the chapter, it uses the one that contains
/// ln(1 - 1/m), where m is `bits`.
pub fn items(bits: u64, hashes: u8, ones: u64) -> Option<f64> {
    if ones >= bits {
        return None;
    }
    // `ln_1p(x)` is ln(1 + x). For a small x it keeps the digits that the sum 1 + x would lose.
    let ln_clear = (-(ones as f64) / bits as f64).ln_1p();
    Some(ln_clear / (f64::from(hashes) * (-1.0 / bits as f64).ln_1p()))
}
