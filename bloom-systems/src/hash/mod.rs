//! The hash functions with which systems such as Spark and RedisBloom hash the items of their Bloom filters.
//!
//! | function | hash | used by |
//! | --- | --- | --- |
//! | [`spark_murmur3_32`] | MurmurHash3 32-bit, but with another rule for the last bytes | Spark |
//! | [`murmur3_x64_128`] | MurmurHash3 128-bit, standard | Guava, bits-and-blooms |
//! | [`hive_murmur3_64`] | MurmurHash3 with one lane of 64 bits | ORC, Hive |
//! | [`hadoop_murmur2`] | MurmurHash2 32-bit, but with another rule for the last bytes | Hadoop, Hudi |
//! | [`jenkins_lookup3`] | `hashlittle` of lookup3, standard | Hadoop |
//! | [`murmur_hash64a`] | MurmurHash64A, standard | RedisBloom |
//! | [`xxh64`] | XXH64, standard | Parquet, DataSketches, runtime filters of Spark |
//! | [`fnv1_64`] | FNV-1 64-bit (not FNV-1a) | DCSO bloom |
//! | [`orc_long`] | Wang's integer mix with arithmetic shifts | ORC, Hive |
//!
//! [`xxh64`] needs the feature of this name.
//!
//! None of these functions protects against items that an attacker chooses.

mod integer;
mod jenkins;
mod murmur2;
mod murmur3;

pub use integer::{fnv1_64, orc_long};
pub use jenkins::jenkins_lookup3;
pub use murmur2::{hadoop_murmur2, murmur_hash64a};
pub(crate) use murmur3::murmur3_x64_128_and;
pub use murmur3::{hive_murmur3_64, murmur3_x64_128, spark_murmur3_32};

/// Returns XXH64 of the bytes.
///
/// # Examples
///
/// ```
/// assert_eq!(bloom_systems::hash::xxh64(b"a", 0), 0xd24e_c4f1_a98c_6e5b);
/// ```
#[cfg(feature = "xxh64")]
#[inline]
#[must_use]
pub fn xxh64(bytes: &[u8], seed: u64) -> u64 {
    twox_hash::XxHash64::oneshot(seed, bytes)
}

/// Sign-extends a byte to 32 bits, as Java does where it adds a `byte` to an `int`.
fn sign_extended(byte: u8) -> u32 {
    i32::from(byte as i8) as u32
}
