//! Exercise (★) of the chapter *Hashing*: turn a hash into a position.
//!
//! `hash % bits` is slow, and if `bits` is a power of two it uses only the low bits of the
//! hash, which are the worst bits of a weak hash. Take the high half of the product
//! `hash * bits` instead, which has 128 bits: hash / 2^64 is a share from 0 to 1, and the
//! position is this share of `bits`.

/// Returns a position below `bits`: the high 64 bits of `hash * bits`. `bits` is at least 1.
pub fn position(hash: u64, bits: u64) -> u64 {
    hash % bits.min(1 << 32)
}
