//! Defines [`MathError`], the error of the formulas for Bloom filters. Its message names the
//! parameter that is outside its domain, and the rule that the parameter breaks.

use core::fmt;

/// The maximum number of bits that a formula accepts: 2^63.
pub const MAX_BITS: u64 = 1 << 63;

/// The maximum number of queries in a measurement of false-positive rates. In a sample of several
/// filters, the maximum applies to the queries of all filters together. With more queries, the
/// table of the binomial distribution of the false positives would take too much memory and time.
pub(super) const MAX_QUERIES: u64 = 1 << 40;

/// Why a formula has no answer for its arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MathError {
    /// The number of items is zero where at least one is needed.
    NoItems,
    /// The number of bits is zero.
    NoBits,
    /// The number of bits is above [`MAX_BITS`].
    TooManyBits(u64),
    /// The number of hashes is zero.
    NoHashes,
    /// The false-positive rate is not strictly between 0 and 1 (or not a number).
    RateOutOfRange(f64),
    /// A rate that may also be 0 or 1 is not in this range (or not a number).
    ShareOutOfRange(f64),
    /// No filter of up to [`MAX_BITS`] bits keeps this many items within this rate.
    NeedsTooManyBits {
        /// The requested items.
        items: u64,
        /// The requested rate.
        rate: f64,
    },
    /// A filter of this size keeps more items within this rate than a `u64` can count.
    HoldsTooManyItems {
        /// The bits given.
        bits: u64,
        /// The requested rate.
        rate: f64,
    },
    /// There are fewer bits than hashes, in a filter where each hash needs bits of its own.
    FewerBitsThanHashes {
        /// The bits given.
        bits: u64,
        /// The hashes given.
        hashes: u8,
    },
    /// The number of blocks is zero.
    NoBlocks,
    /// The blocks of 512 bits together have more than [`MAX_BITS`] bits.
    TooManyBlocks(u64),
    /// A block has more than 65,536 bits.
    BlockTooLarge(u64),
    /// The maximum number of stages of a scalable filter is zero. (A scalable filter consists of
    /// one or more filters, its stages.)
    NoStages,
    /// The maximum number of bytes of a scalable filter is zero.
    NoBytes,
    /// The growth factor, the items of a stage divided by those of the previous stage, is zero.
    NoGrowth,
    /// The tightening ratio, the rate of a stage divided by that of the previous stage, is not
    /// strictly between 0 and 1 (or not a number).
    TighteningOutOfRange(f64),
    /// The stages of a scalable filter hold more items than a `u64` can count.
    TooManyStages(u32),
    /// The number of stages of a scalable filter exceeds the range of `u32`.
    StagesOutOfRange(u64),
    /// The rate of a stage of a scalable filter is below the range of `f64`.
    StageRateTooLow {
        /// The number of the stage, from 0.
        stage: u32,
        /// The requested rate of all stages together.
        rate: f64,
        /// The tightening ratio.
        tightening: f64,
    },
    /// A list of so many stages does not fit in memory.
    StagesDoNotFit(u32),
    /// The number of bits of a hash is zero.
    NoHashBits,
    /// The number of set bits exceeds the number of bits.
    TooManyOnes {
        /// The set bits given.
        ones: u64,
        /// The bits given.
        bits: u64,
    },
    /// Fewer filters were measured than are needed.
    TooFewFilters {
        /// The filters given.
        filters: u64,
        /// The minimum that is needed: 2 where the variance between filters is used, and otherwise
        /// 1.
        least: u64,
    },
    /// The number of queries is zero.
    NoQueries,
    /// The queries are more than 2^40. In a sample of several filters, the queries of all filters
    /// together count.
    TooManyQueries(u64),
    /// The upper end of a range of rates is below its lower end.
    LowestAboveHighest {
        /// The lowest rate given.
        lowest: f64,
        /// The highest rate given.
        highest: f64,
    },
    /// The standard deviation of rates is not from 0 to 1 (or not a number).
    DeviationOutOfRange(f64),
    /// The number of hits, the queries answered with yes, exceeds the number of queries.
    TooManyHits {
        /// The hits given.
        hits: u64,
        /// The queries given.
        queries: u64,
    },
    /// The probability that a test or an interval is wrong is not strictly between 0 and 1 (or not
    /// a number).
    ErrorOutOfRange(f64),
    /// The union of two filters has fewer set bits than one of the filters, or more than both
    /// filters have together.
    NoUnionOfBoth {
        /// The set bits given for one filter.
        ones: u64,
        /// The set bits given for the other filter.
        other_ones: u64,
        /// The set bits given for their union.
        union_ones: u64,
    },
}

impl fmt::Display for MathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoItems => f.write_str("items must be at least 1, got 0"),
            Self::NoBits => f.write_str("bits must be at least 1, got 0"),
            Self::TooManyBits(bits) => {
                write!(f, "bits must be at most 2^63 ({MAX_BITS}), got {bits}")
            }
            Self::NoHashes => f.write_str("hashes must be at least 1, got 0"),
            Self::RateOutOfRange(rate) => write!(
                f,
                "false-positive rate must be between 0 and 1 (exclusive), got {rate}"
            ),
            Self::ShareOutOfRange(rate) => {
                write!(f, "rate must be from 0 to 1, got {rate}")
            }
            Self::NeedsTooManyBits { items, rate } => write!(
                f,
                "bits must be at most 2^63 ({MAX_BITS}), but {items} items at a \
                 false-positive rate of {rate:?} need more"
            ),
            Self::HoldsTooManyItems { bits, rate } => write!(
                f,
                "items must be at most 2^64 - 1 ({}), but {bits} bits at a false-positive \
                 rate of {rate:?} hold more",
                u64::MAX
            ),
            Self::FewerBitsThanHashes { bits, hashes } => {
                write!(f, "hashes must not exceed the {bits} bits, got {hashes}")
            }
            Self::NoBlocks => f.write_str("blocks must be at least 1, got 0"),
            Self::TooManyBlocks(blocks) => write!(
                f,
                "blocks of 512 bits must be at most 2^54 ({}), got {blocks}",
                MAX_BITS / 512
            ),
            Self::BlockTooLarge(bits) => {
                write!(f, "bits of a block must be at most 65536, got {bits}")
            }
            Self::NoStages => f.write_str("stages must be at least 1, got 0"),
            Self::NoBytes => f.write_str("bytes must be at least 1, got 0"),
            Self::NoGrowth => f.write_str("growth must be at least 1, got 0"),
            Self::TighteningOutOfRange(ratio) => write!(
                f,
                "tightening ratio must be between 0 and 1 (exclusive), got {ratio}"
            ),
            Self::TooManyStages(stages) => write!(
                f,
                "items of all stages must be at most 2^64 - 1, but {stages} stages hold more"
            ),
            Self::StagesOutOfRange(stages) => {
                write!(f, "stages must be at most {}, got {stages}", u32::MAX)
            }
            Self::StageRateTooLow {
                stage,
                rate,
                tightening,
            } => write!(
                f,
                "false-positive rate of stage {stage} must be above 0, but its share of {rate:?} at a \
                 tightening ratio of {tightening:?} is too small for an f64"
            ),
            Self::StagesDoNotFit(stages) => {
                write!(f, "list of stages must fit in memory, got {stages} stages")
            }
            Self::NoHashBits => f.write_str("hash bits must be at least 1, got 0"),
            Self::TooManyOnes { ones, bits } => {
                write!(f, "set bits must not exceed the {bits} bits, got {ones}")
            }
            Self::TooFewFilters { filters, least } => {
                write!(f, "filters must be at least {least}, got {filters}")
            }
            Self::NoQueries => f.write_str("queries must be at least 1, got 0"),
            Self::TooManyQueries(queries) => {
                let most = MAX_QUERIES.ilog2();
                write!(f, "queries in all must be at most 2^{most}, got {queries}")
            }
            Self::LowestAboveHighest { lowest, highest } => write!(
                f,
                "lowest rate must be at most the highest rate ({highest:?}), got {lowest:?}"
            ),
            Self::DeviationOutOfRange(deviation) => write!(
                f,
                "standard deviation must be from 0 to 1, got {deviation:?}"
            ),
            Self::TooManyHits { hits, queries } => {
                write!(f, "hits must not exceed the {queries} queries, got {hits}")
            }
            Self::ErrorOutOfRange(error) => write!(
                f,
                "error probability must be between 0 and 1 (exclusive), got {error}"
            ),
            Self::NoUnionOfBoth {
                ones,
                other_ones,
                union_ones,
            } => write!(
                f,
                "set bits of the union must be at least those of each filter ({ones} and \
                 {other_ones}) and at most their sum, got {union_ones}"
            ),
        }
    }
}

impl core::error::Error for MathError {}

/// Checks that a size is inside the domain of the rate formulas.
pub(super) fn check_size(bits: u64, hashes: u8) -> Result<(), MathError> {
    check_bits(bits)?;
    check_hashes(hashes)
}

/// Checks `1 <= bits <= 2^63`.
pub(super) fn check_bits(bits: u64) -> Result<(), MathError> {
    match bits {
        0 => Err(MathError::NoBits),
        1..=MAX_BITS => Ok(()),
        _ => Err(MathError::TooManyBits(bits)),
    }
}

/// Checks `hashes >= 1`.
pub(super) fn check_hashes(hashes: u8) -> Result<(), MathError> {
    if hashes == 0 {
        return Err(MathError::NoHashes);
    }
    Ok(())
}

/// Checks `items >= 1`.
pub(super) fn check_items(items: u64) -> Result<(), MathError> {
    if items == 0 {
        return Err(MathError::NoItems);
    }
    Ok(())
}

/// Checks `0 < rate < 1`; NaN fails.
pub(super) fn check_rate(rate: f64) -> Result<(), MathError> {
    if rate > 0.0 && rate < 1.0 {
        return Ok(());
    }
    Err(MathError::RateOutOfRange(rate))
}
