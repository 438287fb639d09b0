//! Solution: a hash turned into a position.

/// Returns a position below `bits`: the high 64 bits of `hash * bits`. `bits` is at least 1.
pub fn position(hash: u64, bits: u64) -> u64 {
    ((u128::from(hash) * u128::from(bits)) >> 64) as u64
}
