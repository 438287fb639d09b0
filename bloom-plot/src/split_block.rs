//! A split block filter as Parquet specifies it, to measure the exact model and Parquet's rule.

use bloom_core::math::blocked::Block;

use crate::error::FigureError;
use crate::measure::{Sample, Work};

/// The block layout of Parquet's filters.
pub(crate) const PARQUET: Block = Block::Split {
    lanes: 8,
    lane_bits: 32,
};

/// Measures real filters with this many Parquet blocks.
pub(crate) fn measure_split(
    work: &mut Work,
    items: u64,
    blocks: u64,
) -> Result<Sample, FigureError> {
    let bits = blocks.saturating_mul(PARQUET.bits());
    work.hits(("split", blocks), items, bits, |inserts| {
        let mut filter = SplitBlock::new(blocks)?;
        inserts.for_each(|hash| filter.insert(hash));
        Ok(move |hash| filter.contains(hash))
    })
}

/// The odd multipliers of the lanes, from the specification.
const SALTS: [u32; 8] = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// Blocks of 256 bits: eight lanes of 32 bits, with one bit per item in each.
///
/// Source: Apache Parquet, *Parquet Bloom Filter*. The caller chooses the hash function.
struct SplitBlock {
    blocks: Vec<[u32; 8]>,
}

impl SplitBlock {
    /// Creates an empty filter; `blocks` must be at least 1 and below 2^32.
    fn new(blocks: u64) -> Result<Self, FigureError> {
        let count = usize::try_from(blocks).unwrap_or(usize::MAX);
        let mut all = Vec::new();
        all.try_reserve_exact(count)
            .map_err(|_| FigureError::no_memory(blocks.saturating_mul(PARQUET.bits())))?;
        all.resize(count, [0; 8]);
        Ok(Self { blocks: all })
    }

    /// Returns the block of a hash, and its bit in each lane.
    fn place(&self, hash: u64) -> (usize, [u32; 8]) {
        let block = ((hash >> 32) * self.blocks.len() as u64) >> 32;
        let low = hash as u32;
        (
            block as usize,
            SALTS.map(|salt| 1 << (low.wrapping_mul(salt) >> 27)),
        )
    }

    fn insert(&mut self, hash: u64) {
        let (block, bits) = self.place(hash);
        for (lane, bit) in self.blocks[block].iter_mut().zip(bits) {
            *lane |= bit;
        }
    }

    fn contains(&self, hash: u64) -> bool {
        let (block, bits) = self.place(hash);
        let mut lanes = self.blocks[block].iter().zip(bits);
        lanes.all(|(lane, bit)| lane & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_items_are_found_by_a_bit_in_each_lane() {
        let mut filter = SplitBlock::new(7).unwrap();
        for index in 0..50_u64 {
            let hash = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (block, bits) = filter.place(hash);
            assert!(block < 7 && bits.iter().all(|bit| bit.is_power_of_two()));
            filter.insert(hash);
            assert!(filter.contains(hash));
        }
        // For a hash with lower half 1, the bit of lane 0 is given by the top five bits of its
        // salt.
        assert_eq!(filter.place(1).1[0], 1 << (0x47b6_137b_u32 >> 27));
    }
}
