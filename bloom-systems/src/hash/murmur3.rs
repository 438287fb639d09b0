//! MurmurHash3: the standard 128-bit function, Spark's version of the 32-bit function, and the 64-bit function of ORC and Hive.
//! Source of the standard functions: Appleby (2011).

use super::sign_extended;

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// Returns Spark's MurmurHash3 of the bytes.
///
/// Whole blocks of four bytes are hashed as in MurmurHash3 x86 32. Then each of the last one to three bytes,
/// sign-extended, is hashed as a block of its own. So Spark's hash differs from the standard one unless
/// the length is a multiple of 4.
/// Source: apache/spark `common/sketch/src/main/java/org/apache/spark/util/sketch/Murmur3_x86_32.java`.
///
/// # Examples
///
/// ```
/// // The standard function gives 0x3c25_69b2.
/// assert_eq!(bloom_systems::hash::spark_murmur3_32(b"a", 0), 0x2b03_8801);
/// ```
#[inline]
#[must_use]
pub fn spark_murmur3_32(bytes: &[u8], seed: u32) -> u32 {
    let step = |hash: u32, block: u32| {
        let lane = block.wrapping_mul(0xcc9e_2d51).rotate_left(15);
        (hash ^ lane.wrapping_mul(0x1b87_3593))
            .rotate_left(13)
            .wrapping_mul(5)
            .wrapping_add(0xe654_6b64)
    };
    let (blocks, tail) = bytes.as_chunks::<4>();
    let blocks = blocks.iter().map(|block| u32::from_le_bytes(*block));
    let tail = tail.iter().map(|&byte| sign_extended(byte));
    let mut hash = blocks.chain(tail).fold(seed, step);
    hash ^= bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// Returns the two halves of MurmurHash3 x64 128 of the bytes, with seed 0.
///
/// # Examples
///
/// ```
/// let halves = bloom_systems::hash::murmur3_x64_128(b"a");
/// assert_eq!(halves, (0x8555_5565_f659_7889, 0xe6b5_3a48_510e_895a));
/// ```
#[inline]
#[must_use]
pub fn murmur3_x64_128(bytes: &[u8]) -> (u64, u64) {
    murmur3_x64_128_and(bytes, None)
}

/// Returns [`murmur3_x64_128`] of the bytes, followed by the byte `more` if there is one.
#[inline]
pub(crate) fn murmur3_x64_128_and(bytes: &[u8], more: Option<u8>) -> (u64, u64) {
    let first = |lane: u64| lane.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let second = |lane: u64| lane.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
    let (mut a, mut b) = (0_u64, 0_u64);
    let (blocks, tail) = bytes.as_chunks::<16>();
    // The block of the last bytes is filled up with zeros. A half of the block that is 0 does not change the hash.
    let mut last = [0; 16];
    last[..tail.len()].copy_from_slice(tail);
    if let Some(byte) = more {
        last[tail.len()] = byte;
    }
    let length = bytes.len() as u64 + u64::from(more.is_some());
    let filled = length.is_multiple_of(16) && more.is_some();
    for block in blocks.iter().chain(filled.then_some(&last)) {
        let (low, high) = halves(*block);
        a = (a ^ first(low)).rotate_left(27).wrapping_add(b);
        a = a.wrapping_mul(5).wrapping_add(0x52dc_e729);
        b = (b ^ second(high)).rotate_left(31).wrapping_add(a);
        b = b.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (low, high) = halves(if filled { [0; 16] } else { last });
    a ^= first(low) ^ length;
    b ^= second(high) ^ length;
    a = a.wrapping_add(b);
    b = b.wrapping_add(a);
    (a, b) = (mixed(a), mixed(b));
    a = a.wrapping_add(b);
    (a, b.wrapping_add(a))
}

/// Returns the 64-bit MurmurHash3 of ORC and Hive: MurmurHash3 x64 128 with only the first of its two lanes, which takes all
/// bytes.
///
/// ORC and Hive use the seed 104729. Source: apache/orc `java/core/src/java/org/apache/orc/util/Murmur3.java`.
#[inline]
#[must_use]
pub fn hive_murmur3_64(bytes: &[u8], seed: u64) -> u64 {
    let lane = |lane: u64| lane.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let (blocks, tail) = bytes.as_chunks::<8>();
    let mut hash = seed;
    for block in blocks {
        hash = (hash ^ lane(u64::from_le_bytes(*block))).rotate_left(27);
        hash = hash.wrapping_mul(5).wrapping_add(0x52dc_e729);
    }
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    mixed(hash ^ lane(u64::from_le_bytes(last)) ^ bytes.len() as u64)
}

/// Returns the two halves of a block as numbers.
fn halves(block: [u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(block);
    (both as u64, (both >> 64) as u64)
}

/// Returns the final mix of a 64-bit value of the hash.
fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn one_more_byte_hashes_as_if_it_were_in_the_bytes() {
        for length in 0..50_u8 {
            let mut bytes: Vec<u8> = (0..length).collect();
            let with_one = murmur3_x64_128_and(&bytes, Some(1));
            bytes.push(1);
            assert_eq!(with_one, murmur3_x64_128(&bytes), "{length}");
        }
    }
}
