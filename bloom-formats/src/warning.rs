//! Defines [`Warning`], a reason not to trust a filter that can be read.

use core::fmt;

/// A reason not to trust a filter that can be read. A probe is the query of one position.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The system computes positions from sums in signed 32 bits, which lead to numbers below 2^31. So no probe reaches the
    /// bits from 2^31 on.
    UnreachableBits {
        /// The number of bits of the filter.
        bits: u64,
    },
    /// Some positions are more likely than others, and there may be positions that no probe reaches. This raises the rate from
    /// `even` by more than 1 % of `even`.
    UnevenPositions {
        /// The rate that the fill would give if positions were equally likely.
        even: f64,
        /// The rate that follows from the true probabilities of the positions.
        rate: f64,
    },
    /// In a filter of Hive, the positions of an item are all in one block of 512 bits. If the number of blocks is even, the
    /// block of an item and its positions in the block depend on each other. This raises the rate from `even` by more than 1 %
    /// of `even`.
    DependentBlocks {
        /// The rate that the fills of the blocks would give if positions were independent.
        even: f64,
        /// The rate that follows from the true probabilities of the positions.
        rate: f64,
    },
    /// The filter has exactly the number of bits that is the maximum of Spark's `df.stat.bloomFilter` by default. So it may be
    /// smaller than requested.
    SparkCap,
    /// The file states a wrong number of set bits.
    StoredCount {
        /// The number of set bits that the file states.
        stored: u64,
        /// The number of bits that are set.
        counted: u64,
    },
    /// Each position of an item depends on the position before it. This raises the rate from `independent` by more than 1 % of
    /// `independent`.
    DependentPositions {
        /// The rate that the fill would give if positions were independent.
        independent: f64,
        /// The rate with the dependence.
        rate: f64,
    },
    /// The number of items that the filter has counted does not agree with its set bits, so the standard deviation of the
    /// estimated items is not right. The reason may be that hashes of the items are near to one another, or that filters with
    /// items in common were merged, and their counts added.
    CountDisagrees {
        /// The number of items that the filter has counted.
        counted: u64,
        /// The number of items that is estimated from the set bits.
        estimated: f64,
    },
    /// Every bit that a probe can reach is set, so every query is answered with true. In a filter of RedisBloom, or in a
    /// dynamic filter of Hadoop, which are lists of Bloom filters, this is so in at least one Bloom filter of the list.
    Full,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnreachableBits { bits } => write!(
                f,
                "only the first 2^31 of the {bits} bits are ever used: positions are sums of 32 bits"
            ),
            Self::UnevenPositions { even, rate } => write!(
                f,
                "positions are not equally likely: the rate is {rate:.3e}, not {even:.3e} as the fill suggests"
            ),
            Self::DependentBlocks { even, rate } => write!(
                f,
                "the number of blocks is even, so that the block of an item limits its positions in the block: the rate \
                 is {rate:.3e}, not {even:.3e} as the fill suggests"
            ),
            Self::SparkCap => f.write_str(
                "67,108,864 bits are the maximum of Spark's df.stat.bloomFilter by default: the filter may be \
                 smaller than requested",
            ),
            Self::StoredCount { stored, counted } => {
                write!(f, "the file says that {stored} bits are set, but {counted} are")
            }
            Self::DependentPositions { independent, rate } => write!(
                f,
                "each position of an item depends on the one before: the rate is {rate:.3e}, not \
                 {independent:.3e} as the fill suggests"
            ),
            Self::CountDisagrees { counted, estimated } => write!(
                f,
                "the filter counted {counted} items, but its set bits suggest {estimated:.0}, which chance does not \
                 explain: hashes of its items are near to one another, or items were counted twice"
            ),
            Self::Full => f.write_str("every query is answered with true: the filter, or a part of it, is full"),
        }
    }
}
