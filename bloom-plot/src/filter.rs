//! The filters whose rates a chart shows: computes the rate of a filter of a known kind and size, and measures the rate of real
//! ones.

use std::f64::consts::LN_2;
use std::hash::Hash;

use bloom_core::math::{Rate, blocked, exact};
use bloom_core::{BlockedBloomFilter, BlockedShape, BloomFilter, Shape};
use bloom_systems::System;
use bloom_systems::double_hashing::Scheme;
use bloom_systems::systems::parquet;

use crate::error::FigureError;
use crate::measure::{Sample, Work, measure_as, mixed};

/// The block of the blocked filter of bloom-core: each of its 8 lanes of 64 bits gets one bit of an item.
pub(crate) const OWN: blocked::Block = blocked::Block::Split {
    lanes: 8,
    lane_bits: 64,
};

/// The schemes of double hashing that are measured, by name.
pub(crate) const SCHEMES: [(&str, Scheme); 2] = [
    ("plain", Scheme::Modular { bits: 64 }),
    ("enhanced", Scheme::Enhanced),
];

/// The kind and size of a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Filter {
    /// A plain filter.
    Plain(Shape),
    /// A plain filter with the positions of the scheme of double hashing at this index of [`SCHEMES`], or with the positions of
    /// bloom-core if there is no scheme at this index.
    Hashed(usize, Shape),
    /// A plain filter that gets hashes of only this many bits, up to 64.
    Narrow(u32, Shape),
    /// A blocked filter of bloom-core with this number of blocks.
    Blocked(u64),
    /// A filter of Parquet with this number of blocks.
    Split(u64),
    /// A filter of another system, with these numbers of bits and hashes and with the positions of this system.
    OfSystem(&'static System, u64, u8),
}

impl Filter {
    /// Returns the bits.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Self::Plain(shape) | Self::Hashed(_, shape) | Self::Narrow(_, shape) => shape.bits(),
            Self::Blocked(blocks) => blocks * OWN.bits(),
            Self::Split(blocks) => blocks * parquet::BLOCK.bits(),
            Self::OfSystem(_, bits, _) => bits,
        }
    }

    /// Returns the hashes.
    pub(crate) fn hashes(self) -> u8 {
        match self {
            Self::Plain(shape) | Self::Hashed(_, shape) | Self::Narrow(_, shape) => shape.hashes(),
            Self::Blocked(_) | Self::Split(_) => 8,
            Self::OfSystem(_, _, hashes) => hashes,
        }
    }

    /// Returns the exact rate of such a filter, computed as if the positions of its items were independent.
    pub(crate) fn rate(self, items: u64) -> Result<Rate, FigureError> {
        Ok(match self {
            Self::Blocked(blocks) => blocked::rate(items, blocks, OWN)?,
            Self::Split(blocks) => blocked::rate(items, blocks, parquet::BLOCK)?,
            Self::OfSystem(system, bits, hashes) => system.layout.rate(items, bits, hashes)?,
            _ => exact::rate(items, self.bits(), self.hashes())?,
        })
    }

    /// Fills and queries real filters of this kind and size.
    pub(crate) fn measure(self, work: &mut Work, items: u64) -> Result<Sample, FigureError> {
        let (bits, hashes) = (self.bits(), self.hashes());
        match self {
            Self::Plain(shape) => Ok(measure_as(work, items, shape)?),
            Self::Narrow(width, shape) => {
                hits_of_hashes(work, (width, items), items, shape, 64 - width)
            }
            Self::Hashed(index, shape) => {
                let key = (index as u64, bits, hashes);
                let Some((_, scheme)) = SCHEMES.get(index) else {
                    return hits_of_hashes(work, key, items, shape, 0);
                };
                work.hits_of_positions(key, items, bits, |hash, visit| {
                    let mut all = scheme.positions(hash, mixed(hash), bits, hashes);
                    all.all(visit)
                })
            }
            Self::Split(blocks) => {
                work.hits_of_positions(("split", blocks), items, bits, |hash, visit| {
                    let (block, places) = parquet::place(hash, blocks);
                    let lanes = (block * u64::from(parquet::LANES)..).zip(places);
                    let place = |(lane, bit)| lane * u64::from(parquet::LANE_BITS) + u64::from(bit);
                    lanes.map(place).all(visit)
                })
            }
            Self::OfSystem(system, ..) => {
                let key = (system.name, bits, hashes);
                work.hits_of_positions(key, items, bits, |hash, visit| {
                    system.visit(hash, bits, hashes, visit)
                })
            }
            Self::Blocked(blocks) => {
                let shape = BlockedShape::new(blocks)?;
                work.hits(("blocked", blocks), items, bits, |inserts| {
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

/// Returns the number of items with which about half of the bits are set. For this number of items, k is optimal.
pub(crate) fn half_full(shape: Shape) -> f64 {
    shape.bits() as f64 * LN_2 / f64::from(shape.hashes())
}

/// Measures plain filters that get each hash without its lowest `cut` bits.
fn hits_of_hashes(
    work: &mut Work,
    key: impl Hash + Copy,
    items: u64,
    shape: Shape,
    cut: u32,
) -> Result<Sample, FigureError> {
    work.hits(key, items, shape.bits(), |inserts| {
        let mut filter = BloomFilter::<u64>::new(shape)?;
        inserts.for_each(|hash| {
            filter.insert_hash(hash >> cut);
        });
        Ok(move |hash: u64| filter.contains_hash(hash >> cut))
    })
}
