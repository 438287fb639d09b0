//! A bit array without a filter, for hashing schemes that this project does not offer.

use crate::error::FigureError;

/// A bit array, initially clear.
pub(crate) struct Row {
    words: Vec<u64>,
}

impl Row {
    /// Creates a bit array.
    pub(crate) fn new(bits: u64) -> Result<Self, FigureError> {
        let count = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
        let mut words = Vec::new();
        words
            .try_reserve_exact(count)
            .map_err(|_| FigureError::no_memory(bits))?;
        words.resize(count, 0);
        Ok(Self { words })
    }

    pub(crate) fn set(&mut self, position: u64) {
        self.words[(position / 64) as usize] |= 1 << (position % 64);
    }

    pub(crate) fn is_set(&self, position: u64) -> bool {
        self.words[(position / 64) as usize] >> (position % 64) & 1 == 1
    }
}
