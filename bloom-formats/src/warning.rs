//! Warnings: reasons not to trust a filter, although it breaks no rule of its format.

use core::fmt;

/// A reason not to trust a filter as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// No probe reaches the bits from 2^31 on, because the system adds hashes in 32 bits.
    UnreachableBits {
        /// The bits of the filter.
        bits: u64,
    },
    /// Some positions are more likely than others, and there may be positions that no probe reaches. This raises the rate by more
    /// than 1 %.
    UnevenPositions {
        /// The rate that the fill gives for equally likely positions.
        even: f64,
        /// The rate that follows from the true probabilities of the positions.
        rate: f64,
    },
    /// The block of an item and its positions in it depend on each other, as the number of blocks is even. This raises
    /// the rate by more than 1 %.
    DependentBlocks {
        /// The rate that the fills of the blocks give for independent positions.
        even: f64,
        /// The rate that follows from the true probabilities of the positions.
        rate: f64,
    },
    /// The filter has exactly the maximum number of bits that Spark's DataFrame call allows by default. So it may be smaller than
    /// requested.
    SparkCap,
    /// The file states a wrong number of set bits.
    StoredCount {
        /// The number in the file.
        stored: u64,
        /// The number of set bits.
        counted: u64,
    },
    /// Positions of an item depend on its earlier positions, which raises the rate by more than 1 %.
    DependentPositions {
        /// The rate that the fill gives for independent positions.
        independent: f64,
        /// The rate that follows from the dependence.
        rate: f64,
    },
    /// The items that the filter has counted do not agree with its set bits, so the standard deviation of the estimate does
    /// not hold. Hashes of its items may be near to one another, or merged filters may have counted the same items.
    CountDisagrees {
        /// The items counted.
        counted: u64,
        /// The items estimated.
        estimated: f64,
    },
    /// Every bit that a probe reaches is set, in the filter or in one of its links or rows, so every query is answered with true.
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
