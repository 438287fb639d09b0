//! Describes the filters that the Rust crate parquet writes to files of Apache Parquet.

use bloom_core::math::blocked::Block;

use super::prelude::*;
pub use crate::system::LANES;

/// The bits of a block.
pub const BLOCK_BITS: u32 = 256;
/// The bits of each of the eight lanes of a block.
pub const LANE_BITS: u32 = BLOCK_BITS / LANES as u32;

/// A block, in which every item sets a bit in each lane.
pub const BLOCK: Block = Block::Split {
    lanes: LANES,
    lane_bits: LANE_BITS,
};

/// The odd factors, one for each lane, by which a hash is multiplied to find its bits. Source: Apache Parquet, *Parquet Bloom
/// Filter*.
const SALTS: [u32; LANES as usize] = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// Returns the block of a hash among `blocks` blocks, and the bit that the hash sets in each lane of this block,
/// counted from the lowest. `blocks` is at most 2^32.
///
/// # Examples
///
/// ```
/// use bloom_systems::systems::parquet;
///
/// let (block, bits) = parquet::place(1 << 63, 4);
/// assert_eq!((block, bits), (2, [0; 8]));
/// ```
#[inline]
pub fn place(hash: u64, blocks: u64) -> (u64, [u32; LANES as usize]) {
    let block = ((hash >> 32) * blocks) >> 32;
    let low = hash as u32;
    let shift = u32::BITS - LANE_BITS.ilog2();
    (block, SALTS.map(|salt| low.wrapping_mul(salt) >> shift))
}

/// A system whose filters consist of split blocks, in each lane of which an item sets one bit. Its rule for the size assumes
/// that all blocks are equally full.
pub const SPLIT_BLOCKS: System = System {
    sizing: Sizing {
        bits: Bits::OfHashes(LANES, Rounded::Down),
        hashes: Hashes::Fixed(LANES as u64),
        ..USUAL
    },
    layout: Layout::SplitBlocks(BLOCK_BITS),
    ..SYSTEM
};

/// The filter of the crate.
pub const PARQUET: System = System {
    name: "parquet",
    aliases: &["arrow-rs", "parquet-rs", "datafusion"],
    version: "60.1.0",
    source: "apache/arrow-rs, the crate parquet 60.1.0, src/bloom_filter/mod.rs",
    note: "the rule assumes equally full blocks; when a column is written, an emptier filter is \
           folded to a smaller one",
    sizing: Sizing {
        steps: &[
            Step::Down(8),
            Step::AtLeast(BLOCK_BITS as u64),
            Step::AtMost(1 << 30),
            Step::PowerOfTwo,
        ],
        ..SPLIT_BLOCKS.sizing
    },
    call: Template::of_rate(
        Language::Rust,
        "WriterProperties::builder().set_bloom_filter_max_ndv({n}).set_bloom_filter_fpp({p}).build()",
    ),
    ..SPLIT_BLOCKS
};
