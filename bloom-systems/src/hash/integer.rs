//! Hash functions that do not work in blocks: FNV-1 takes one byte after the other, and ORC's function takes one integer.

/// Returns the 64-bit FNV-1 hash of the bytes: multiply, then xor. FNV-1a has the opposite order.
///
/// Source: Fowler, Noll and Vo (1991).
#[inline]
#[must_use]
pub fn fnv1_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        0x0100_0000_01b3_u64.wrapping_mul(hash) ^ u64::from(byte)
    })
}

/// Returns the hash of ORC and Hive for an integer.
///
/// It is Wang's 64-bit mix, except that right shifts copy the sign bit. Source: apache/orc
/// `java/core/src/java/org/apache/orc/util/BloomFilter.java`.
#[inline]
#[must_use]
pub fn orc_long(key: i64) -> u64 {
    let mut key = (!key).wrapping_add(key << 21);
    key ^= key >> 24;
    key = key.wrapping_add(key << 3).wrapping_add(key << 8);
    key ^= key >> 14;
    key = key.wrapping_add(key << 2).wrapping_add(key << 4);
    key ^= key >> 28;
    key.wrapping_add(key << 31) as u64
}
