//! A filter that uses double hashing, plain or enhanced: all positions derived from two hash values.

use bloom_systems::double_hashing::Scheme;

use crate::error::FigureError;
use crate::row::Row;

/// A filter that uses double hashing.
pub(crate) struct DoubleHashed {
    scheme: Scheme,
    row: Row,
    bits: u64,
    hashes: u8,
}

impl DoubleHashed {
    pub(crate) fn new(scheme: Scheme, bits: u64, hashes: u8) -> Result<Self, FigureError> {
        Ok(Self {
            scheme,
            row: Row::new(bits)?,
            bits,
            hashes,
        })
    }

    /// Inserts an item, given its two hash values.
    pub(crate) fn insert(&mut self, a: u64, b: u64) {
        for position in self.scheme.positions(a, b, self.bits, self.hashes) {
            self.row.set(position);
        }
    }

    /// Returns whether all bits of an item are set.
    pub(crate) fn contains(&self, a: u64, b: u64) -> bool {
        let mut positions = self.scheme.positions(a, b, self.bits, self.hashes);
        positions.all(|position| self.row.is_set(position))
    }
}
