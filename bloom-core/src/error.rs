//! The errors of shapes and filters.

use core::fmt;

use crate::Shape;
use crate::math::MathError;

/// Says why there is no shape for the numbers given.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is outside the domain of the formulas.
    Math(MathError),
    /// A 64-bit hash alone would use up more than a hundredth of the rate.
    ///
    /// Among so many items the chance that a query has the very hash of one of them is this
    /// floor, whatever the size of the filter.
    RateUnderHashFloor {
        /// The expected items asked for.
        items: u64,
        /// The rate asked for.
        rate: f64,
        /// The rate that the hash adds.
        floor: f64,
    },
}

impl From<MathError> for ShapeError {
    fn from(error: MathError) -> Self {
        Self::Math(error)
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Math(error) => error.fmt(f),
            Self::RateUnderHashFloor { items, rate, floor } => write!(
                f,
                "false-positive rate must be at least 100 times the floor of a 64-bit hash \
                 ({floor:e} for {items} items), got {rate:e}"
            ),
        }
    }
}

impl core::error::Error for ShapeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Math(error) => Some(error),
            Self::RateUnderHashFloor { .. } => None,
        }
    }
}

/// Says that the bits of a filter do not fit in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryError {
    /// The bits asked for.
    pub bits: u64,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        write!(
            f,
            "bits must fit in memory, got {bits} ({} bytes), which the allocator refused",
            bits.div_ceil(8)
        )
    }
}

impl core::error::Error for MemoryError {}

/// Says why a filter could not be built.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no shape for the numbers given.
    Shape(ShapeError),
    /// The shape does not fit in memory.
    Memory(MemoryError),
}

impl From<ShapeError> for BuildError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<MemoryError> for BuildError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Memory(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Shape(error) => Some(error),
            Self::Memory(error) => Some(error),
        }
    }
}

/// Says what two filters differ in, so that their bits do not mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IncompatibleError {
    /// The shapes differ.
    Shape {
        /// The shape of the filter to change.
        ours: Shape,
        /// The shape of the other filter.
        theirs: Shape,
    },
    /// The hashers give different hashes.
    Hasher,
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
            Self::Hasher => f.write_str(
                "hashers of both filters must agree, got two that hash the same value differently",
            ),
        }
    }
}

impl core::error::Error for IncompatibleError {}
