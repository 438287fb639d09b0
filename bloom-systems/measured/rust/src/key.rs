//! Makes keys of two types from random numbers.

use std::hash::Hash;

use parquet::data_type::AsBytes;

/// A key that every measured crate can hash.
pub(crate) trait Key: Hash + AsBytes {
    fn of(random: u64) -> Self;
}

impl Key for u64 {
    fn of(random: u64) -> Self {
        random
    }
}

/// The 16 hexadecimal digits of a number.
#[derive(Hash)]
pub(crate) struct Text([u8; 16]);

impl Key for Text {
    fn of(random: u64) -> Self {
        Self(std::array::from_fn(|digit| {
            b"0123456789abcdef"[(random >> (60 - 4 * digit)) as usize & 15]
        }))
    }
}

impl AsBytes for Text {
    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}
