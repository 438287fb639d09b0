//! MurmurHash2: the standard 64-bit function, and Hadoop's version of the 32-bit function. Source of the standard functions:
//! Appleby (2008).

use super::sign_extended;

/// Returns Hadoop's MurmurHash2 of the bytes.
///
/// Whole blocks of four bytes are hashed as in the standard function. The last one to three bytes are sign-extended, and taken
/// in the opposite order to the standard function: the last byte is the lowest. Source: apache/hadoop
/// `hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/util/hash/MurmurHash.java`.
#[inline]
#[must_use]
pub fn hadoop_murmur2(bytes: &[u8], seed: u32) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut hash = seed ^ bytes.len() as u32;
    let (blocks, tail) = bytes.as_chunks::<4>();
    for block in blocks {
        let mut lane = u32::from_le_bytes(*block).wrapping_mul(M);
        lane = (lane ^ (lane >> 24)).wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ lane;
    }
    if !tail.is_empty() {
        for (place, &byte) in tail.iter().rev().enumerate() {
            hash ^= sign_extended(byte) << (8 * place);
        }
        hash = hash.wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(M);
    hash ^ (hash >> 15)
}

/// Returns MurmurHash64A of the bytes.
#[inline]
#[must_use]
pub fn murmur_hash64a(bytes: &[u8], seed: u64) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(M);
    let (blocks, tail) = bytes.as_chunks::<8>();
    for block in blocks {
        let mut lane = u64::from_le_bytes(*block).wrapping_mul(M);
        lane = (lane ^ (lane >> 47)).wrapping_mul(M);
        hash = (hash ^ lane).wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (place, &byte) in tail.iter().enumerate() {
            hash ^= u64::from(byte) << (8 * place);
        }
        hash = hash.wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 47)).wrapping_mul(M);
    hash ^ (hash >> 47)
}
