//! From a hash to a position.

/// Returns a position below `bits`, at least 1: the high 64 bits of `hash * bits`.
pub fn position(hash: u64, bits: u64) -> u64 {
    ((u128::from(hash) * u128::from(bits)) >> 64) as u64
}
