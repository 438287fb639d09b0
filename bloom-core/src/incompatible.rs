//! The check that two filters can be combined, and its error.

use core::fmt;
use core::hash::BuildHasher;

use crate::hash::probe_hashes;
use crate::quality::HashQuality;
use crate::shape::Shape;
use crate::storage::CounterBits;

/// A difference between two filters that keeps them from being combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IncompatibleError {
    /// The shapes differ.
    Shape {
        /// The shape of the filter whose method was called.
        ours: Shape,
        /// The shape of the other filter.
        theirs: Shape,
    },
    /// The two scalable filters start or grow differently.
    ScalableShape,
    /// The numbers of blocks differ.
    Blocks {
        /// The blocks of the filter whose method was called.
        ours: u64,
        /// The blocks of the other filter.
        theirs: u64,
    },
    /// The widths of the counters differ.
    CounterBits {
        /// The width in the filter whose method was called.
        ours: CounterBits,
        /// The width in the other filter.
        theirs: CounterBits,
    },
    /// The hashers give different hashes for the same value.
    Hasher,
    /// The filters were promised hashes of different quality.
    HashQuality {
        /// The quality in the filter whose method was called.
        ours: HashQuality,
        /// The quality in the other filter.
        theirs: HashQuality,
    },
}

impl fmt::Display for IncompatibleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { ours, theirs } => {
                write!(
                    f,
                    "shapes of both filters must agree, got {ours} and {theirs}"
                )
            }
            Self::ScalableShape => f.write_str(
                "shapes of both filters must agree, got two that start or grow differently",
            ),
            Self::Blocks { ours, theirs } => {
                write!(
                    f,
                    "blocks of both filters must agree, got {ours} and {theirs}"
                )
            }
            Self::CounterBits { ours, theirs } => write!(
                f,
                "counter bits of both filters must agree, got {} and {}",
                ours.bits(),
                theirs.bits()
            ),
            Self::Hasher => f.write_str(
                "hashers of both filters must agree, got two that hash the same value differently",
            ),
            Self::HashQuality { ours, theirs } => write!(
                f,
                "hash quality of both filters must agree, got {ours} and {theirs}"
            ),
        }
    }
}

impl core::error::Error for IncompatibleError {}

/// Checks that two blocked filters have the same number of blocks.
pub(crate) fn check_blocks(ours: u64, theirs: u64) -> Result<(), IncompatibleError> {
    if ours == theirs {
        return Ok(());
    }
    Err(IncompatibleError::Blocks { ours, theirs })
}

/// Checks that the shapes of two filters are the same.
pub(crate) fn check_shapes(ours: Shape, theirs: Shape) -> Result<(), IncompatibleError> {
    if ours == theirs {
        return Ok(());
    }
    Err(IncompatibleError::Shape { ours, theirs })
}

/// Checks that two hash builders give equal hashes for four fixed integers, and so count as equal.
pub(crate) fn check_hashers<S: BuildHasher>(ours: &S, theirs: &S) -> Result<(), IncompatibleError> {
    if probe_hashes(ours) == probe_hashes(theirs) {
        Ok(())
    } else {
        Err(IncompatibleError::Hasher)
    }
}
