//! Filters of a known size: their exact rates, and the measured ones.

use bloom_core::math::{Rate, blocked, exact};
use bloom_core::{BlockedBloomFilter, BlockedShape, Shape};
use bloom_systems::systems::parquet;

use crate::error::FigureError;
use crate::measure::{Sample, Work, measure_as};

/// This project's blocks.
pub(crate) const OWN: blocked::Block = blocked::Block::Split {
    lanes: 8,
    lane_bits: 64,
};

/// A filter of a known size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// A plain filter.
    Plain(Shape),
    /// A number of blocks of this project's blocked filter.
    Blocked(u64),
    /// A number of Parquet blocks.
    Split(u64),
}

impl Filter {
    /// Returns the bits.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Self::Plain(shape) => shape.bits(),
            Self::Blocked(blocks) => blocks * OWN.bits(),
            Self::Split(blocks) => blocks * parquet::BLOCK.bits(),
        }
    }

    /// Returns the hashes.
    pub(crate) fn hashes(self) -> u8 {
        match self {
            Self::Plain(shape) => shape.hashes(),
            Self::Blocked(_) | Self::Split(_) => 8,
        }
    }

    /// Returns the exact rate.
    pub(crate) fn rate(self, items: u64) -> Result<Rate, FigureError> {
        Ok(match self {
            Self::Plain(shape) => exact::rate(items, shape.bits(), shape.hashes())?,
            Self::Blocked(blocks) => blocked::rate(items, blocks, OWN)?,
            Self::Split(blocks) => blocked::rate(items, blocks, parquet::BLOCK)?,
        })
    }

    /// Measures real filters of this size.
    pub(crate) fn measure(self, work: &mut Work, items: u64) -> Result<Sample, FigureError> {
        match self {
            Self::Plain(shape) => Ok(measure_as(work, items, shape)?),
            Self::Split(blocks) => work.hits(("split", blocks), items, self.bits(), |inserts| {
                let mut lanes: Vec<[u32; 8]> = Vec::new();
                let needed = usize::try_from(blocks).unwrap_or(usize::MAX);
                lanes
                    .try_reserve_exact(needed)
                    .map_err(|_| FigureError::no_memory(self.bits()))?;
                lanes.resize(needed, [0; 8]);
                inserts.for_each(|hash| {
                    let (block, bits) = parquet::place(hash, blocks);
                    let lanes = lanes[block as usize].iter_mut();
                    lanes.zip(bits).for_each(|(lane, bit)| *lane |= 1 << bit);
                });
                Ok(move |hash| {
                    let (block, bits) = parquet::place(hash, blocks);
                    let mut lanes = lanes[block as usize].iter().zip(bits);
                    lanes.all(|(lane, bit)| lane >> bit & 1 == 1)
                })
            }),
            Self::Blocked(blocks) => {
                let shape = BlockedShape::new(blocks)?;
                work.hits(("blocked", blocks), items, shape.bits(), |inserts| {
                    let mut filter = BlockedBloomFilter::<u64>::new(shape)?;
                    inserts.for_each(|hash| {
                        filter.insert_hash(hash);
                    });
                    Ok(move |hash| filter.contains_hash(hash))
                })
            }
        }
    }
}
