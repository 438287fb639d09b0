//! The sizes of filters: bits and hashes, or blocks. They are given and validated, or computed from a requested rate.

use core::fmt;

use crate::error::{ShapeError, plural};
use crate::math::Model;
#[cfg(feature = "alloc")]
use crate::math::blocked::{Block, min_blocks};
#[cfg(feature = "alloc")]
use crate::math::exact;
#[cfg(not(feature = "alloc"))]
use crate::math::min_split_blocks;
use crate::math::{HASH_FLOOR_MARGIN, MAX_BITS, MathError, hash_floor};
use crate::storage::{BLOCK_BITS, LANE_BITS, LANES};

/// The bits m and hashes k of a filter: 1 to 2^63 bits, 1 to 255 hashes.
///
/// # Examples
///
/// ```
/// use bloom_core::Shape;
///
/// let shape = Shape::for_rate(2_000, 0.01)?;
/// assert_eq!(shape, Shape::new(19_188, 7)?);
/// assert_eq!((shape.bits(), shape.hashes()), (19_188, 7));
/// assert!(Shape::new(0, 7).is_err());
/// # Ok::<(), bloom_core::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    bits: u64,
    hashes: u8,
}

impl Shape {
    /// Creates a shape of `bits` bits and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63 and `hashes` at least 1.
    pub fn new(bits: u64, hashes: u8) -> Result<Self, ShapeError> {
        match (bits, hashes) {
            (0, _) => Err(MathError::NoBits.into()),
            (_, 0) => Err(MathError::NoHashes.into()),
            (bits, _) if bits > MAX_BITS => Err(MathError::TooManyBits(bits).into()),
            (bits, hashes) => Ok(Self { bits, hashes }),
        }
    }

    /// Creates the smallest shape whose mean false-positive rate with `items` items is at most
    /// `rate`: with one bit less, the mean rate would exceed `rate` for every number of hashes.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `0 < rate < 1`; the shape must have at most 2^63 bits; and
    /// `rate` must be at least [`HASH_FLOOR_MARGIN`] times the rate that collisions of 64-bit hashes
    /// cause, which is about `items` / 2^64. Without the feature `alloc`, a rate that needs more than
    /// 32 hashes is an error; rates above 1e-9 need at most 32. The computation without `alloc` takes
    /// at most 4 KB of the stack in an optimized build (3.2 to 3.9 KB on a Cortex-M4, measured by the
    /// example `embedded` in the repository).
    pub fn for_rate(items: u64, rate: f64) -> Result<Self, ShapeError> {
        Self::for_rate_by(Model::Exact, items, rate)
    }

    /// Creates the smallest shape whose rate with `items` items, computed by `model`, is at most
    /// `rate`.
    pub(crate) fn for_rate_by(model: Model, items: u64, rate: f64) -> Result<Self, ShapeError> {
        let (bits, hashes) = model.min_size(items, rate)?;
        check_hash_floor(items, rate)?;
        if cfg!(not(feature = "alloc")) && hashes > MAX_HASHES_ON_STACK {
            return Err(ShapeError::NeedsAllocator { items, rate });
        }
        Self::new(bits, hashes)
    }

    /// Creates a shape of bits and hashes that are already known to be valid.
    #[inline]
    pub(crate) fn of_parts(bits: u64, hashes: u8) -> Self {
        Self { bits, hashes }
    }

    /// Adds the fields of this shape to the `Debug` output of a filter.
    pub(crate) fn debug(self, fields: &mut fmt::DebugStruct<'_, '_>) {
        fields
            .field("bits", &self.bits)
            .field("hashes", &self.hashes);
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items, under the
    /// exact model.
    #[cfg(feature = "alloc")]
    pub(crate) fn expected_false_positive_rate(self, items: u64) -> f64 {
        exact::rate(items, self.bits, self.hashes)
            .expect("a shape is valid")
            .value()
    }

    /// Returns the number of bits, m.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the number of hashes, k.
    #[must_use]
    pub fn hashes(self) -> u8 {
        self.hashes
    }
}

/// The most hashes that [`Shape::for_rate`] may choose in a build without an allocator.
const MAX_HASHES_ON_STACK: u8 = 32;

/// Checks that `rate` is at least [`HASH_FLOOR_MARGIN`] times the rate that collisions of 64-bit
/// hashes cause with `items` items.
pub(crate) fn check_hash_floor(items: u64, rate: f64) -> Result<(), ShapeError> {
    let floor = hash_floor(items, 64)?;
    if HASH_FLOOR_MARGIN * floor > rate {
        return Err(ShapeError::RateUnderHashFloor { items, rate, floor });
    }
    Ok(())
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hashes = if self.hashes == 1 { "hash" } else { "hashes" };
        write!(
            f,
            "{} bit{} and {} {hashes}",
            self.bits,
            plural(self.bits),
            self.hashes
        )
    }
}

/// The structure of a block, as the formulas take it: an item sets one bit in each of eight lanes
/// of 64 bits.
#[cfg(feature = "alloc")]
pub(crate) const BLOCK: Block = Block::Split {
    lanes: LANES,
    lane_bits: LANE_BITS,
};

/// The size of a blocked filter: a number of blocks of 512 bits.
///
/// # Examples
///
/// ```
/// use bloom_core::BlockedShape;
///
/// let shape = BlockedShape::new(20)?;
/// assert_eq!((shape.blocks(), shape.bits(), shape.hashes()), (20, 10_240, 8));
/// # Ok::<(), bloom_core::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockedShape {
    pub(crate) blocks: u64,
}

impl BlockedShape {
    /// Creates a shape of `blocks` blocks of 512 bits.
    ///
    /// # Errors
    ///
    /// `blocks` must be from 1 to 2^54; 2^54 blocks have 2^63 bits.
    pub fn new(blocks: u64) -> Result<Self, ShapeError> {
        match blocks {
            0 => Err(MathError::NoBlocks.into()),
            blocks if blocks > MAX_BITS / BLOCK_BITS => {
                Err(MathError::TooManyBlocks(blocks).into())
            }
            blocks => Ok(Self { blocks }),
        }
    }

    /// Creates the smallest shape whose mean false-positive rate with `items` items is at most
    /// `rate`. The rate is computed by the exact model, in which some blocks get more items than
    /// others.
    ///
    /// # Errors
    ///
    /// As for [`Shape::for_rate`](crate::Shape::for_rate), but without a limit of 32 hashes. Without
    /// the feature `alloc`, the computation takes less than 1 KB of the stack.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BlockedShape;
    ///
    /// let shape = BlockedShape::for_rate(1_000_000, 0.01)?;
    /// // These are 10.1 bits per item; a `BloomFilter` needs 9.6.
    /// assert_eq!(shape.bits() / 100_000, 100);
    /// # Ok::<(), bloom_core::ShapeError>(())
    /// ```
    pub fn for_rate(items: u64, rate: f64) -> Result<Self, ShapeError> {
        #[cfg(feature = "alloc")]
        let blocks = min_blocks(items, BLOCK, rate)?;
        #[cfg(not(feature = "alloc"))]
        let blocks = min_split_blocks(items, LANES, LANE_BITS, rate)?;
        check_hash_floor(items, rate)?;
        Self::new(blocks)
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn blocks(self) -> u64 {
        self.blocks
    }

    /// Returns the number of bits of all blocks together.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.blocks * BLOCK_BITS
    }

    /// Returns the number of hashes, which is always 8.
    #[must_use]
    pub fn hashes(self) -> u8 {
        LANES
    }
}

impl fmt::Display for BlockedShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = self.blocks;
        write!(f, "{blocks} block{} of {BLOCK_BITS} bits", plural(blocks))
    }
}
