//! *Hashing* (★): from a hash to a position.
//!
//! `hash % bits` is slow, and uses the low bits of the hash, which are the worst bits of
//! a weak hash. Take the high half of `hash * bits` instead: a hash is a share of
//! 2^64, and the position is the same share of the bits. The product has 128 bits.

/// Returns a position below `bits`, at least 1: the high 64 bits of `hash * bits`.
pub fn position(hash: u64, bits: u64) -> u64 {
    hash % bits.min(1 << 32)
}
