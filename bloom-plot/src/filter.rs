//! Filters of a known size: their exact rates, and the measured ones.

use bloom_core::math::{Rate, blocked, exact};
use bloom_core::{BlockedBloomFilter, BlockedShape, Shape};

use crate::error::FigureError;
use crate::measure::{Sample, Work, measure_as};
use crate::split_block::{PARQUET, measure_split};

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
            Self::Split(blocks) => blocks * PARQUET.bits(),
        }
    }

    /// Returns the exact rate.
    pub(crate) fn rate(self, items: u64) -> Result<Rate, FigureError> {
        Ok(match self {
            Self::Plain(shape) => exact::rate(items, shape.bits(), shape.hashes())?,
            Self::Blocked(blocks) => blocked::rate(items, blocks, OWN)?,
            Self::Split(blocks) => blocked::rate(items, blocks, PARQUET)?,
        })
    }

    /// Measures real filters of this size.
    pub(crate) fn measure(self, work: &mut Work, items: u64) -> Result<Sample, FigureError> {
        match self {
            Self::Plain(shape) => Ok(measure_as(work, items, shape)?),
            Self::Split(blocks) => measure_split(work, items, blocks),
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
