//! Errors: figures that cannot be computed, and figures that cannot be painted.

use std::error::Error;
use std::fmt;

use bloom_core::math::MathError;
use bloom_core::{BuildError, GrowError, MemoryError, ShapeError};
use bloom_params::InputError;
use bloom_params::numbers::grouped;

use crate::curves::MOST_SERIES;
use crate::limits::{MOST_FILTERS, MOST_STEPS};
use crate::size::Size;

/// Says why no figure can be computed from the given parameters.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FigureError {
    /// No filter has this shape.
    Shape(ShapeError),
    /// The library builds no such filter.
    Library(InputError),
    /// No number of hashes was given.
    NoHashes,
    /// A number of hashes was given twice.
    RepeatedHashes(u8),
    /// There are more curves than colours.
    TooManyCurves(usize),
    /// A list has too many entries for the curves to be told apart.
    TooMany {
        /// The name of the parameter.
        parameter: &'static str,
        /// The most entries allowed.
        most: usize,
        /// The number of entries given.
        got: usize,
    },
    /// A parameter is outside the range of its chart.
    Refused {
        /// The name of the parameter.
        parameter: &'static str,
        /// The rule that it must satisfy.
        rule: &'static str,
        /// The value given.
        got: String,
    },
    /// The item axis is too short for a curve.
    TooFewItems(u64),
    /// All rates of a curve are below the range of any axis.
    RateTooLow {
        /// The items at the right end of the axis.
        items: u64,
        /// The bits of the filter.
        bits: u64,
        /// The hashes of the filter.
        hashes: u8,
    },
    /// The number of filters to measure is too small or too large.
    FiltersOutOfRange(u64),
    /// The number of queries to measure with is 0.
    NoQueries,
    /// A measurement would take too many steps.
    TooMuchWork(u128),
    /// A filter to measure does not fit in memory.
    Memory(MemoryError),
    /// A filter to measure cannot be built.
    Build(BuildError),
    /// A filter to measure cannot grow.
    Grow(GrowError),
    /// A row of this many bits does not fit in memory.
    NoMemory(u64),
}

impl From<ShapeError> for FigureError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<MathError> for FigureError {
    fn from(error: MathError) -> Self {
        Self::Shape(error.into())
    }
}

impl From<InputError> for FigureError {
    fn from(error: InputError) -> Self {
        Self::Library(error)
    }
}

impl From<BuildError> for FigureError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Shape(error) => error.into(),
            BuildError::Memory(error) => error.into(),
            _ => Self::Build(error),
        }
    }
}

impl From<GrowError> for FigureError {
    fn from(error: GrowError) -> Self {
        Self::Grow(error)
    }
}

impl From<MemoryError> for FigureError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany {
                parameter,
                most,
                got,
            } => write!(
                f,
                "{parameter} must have at most {most} entries to be told apart, got {got}"
            ),
            Self::Refused {
                parameter,
                rule,
                ref got,
            } => write!(f, "{parameter} must be {rule}, got {got}"),
            Self::Shape(error) => error.fmt(f),
            Self::Library(ref error) => error.fmt(f),
            Self::NoHashes => f.write_str("k needs at least one number of hashes, got none"),
            Self::RepeatedHashes(hashes) => {
                write!(
                    f,
                    "k must not repeat a number of hashes, got {hashes} twice"
                )
            }
            Self::TooManyCurves(got) => write!(
                f,
                "k must have at most {MOST_SERIES} numbers of hashes to be told apart, got {got}"
            ),
            Self::TooFewItems(items) => {
                write!(f, "n must be at least 2 to make a curve, got {items}")
            }
            Self::RateTooLow {
                items,
                bits,
                hashes,
            } => write!(
                f,
                "p must reach 1e-300 to be drawn, but stays below it up to n = {} at m = {}, \
                 k = {hashes}",
                grouped(items),
                grouped(bits)
            ),
            Self::FiltersOutOfRange(filters) => write!(
                f,
                "filters must be from 2 to {}, got {}",
                grouped(MOST_FILTERS),
                grouped(filters)
            ),
            Self::NoQueries => f.write_str("queries must be at least 1, got 0"),
            Self::TooMuchWork(steps) => {
                let steps = u64::try_from(steps)
                    .map_or_else(|_| format!("more than {}", grouped(u64::MAX)), grouped);
                write!(
                    f,
                    "measuring must take at most {} steps (inserts, queries, words cleared), \
                     got {steps}",
                    grouped(MOST_STEPS)
                )
            }
            Self::Memory(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Grow(error) => error.fmt(f),
            Self::NoMemory(bits) => write!(f, "bits must fit in memory, got {bits}"),
        }
    }
}

impl Error for FigureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Shape(error) => Some(error),
            Self::Library(error) => Some(error),
            Self::Memory(error) => Some(error),
            Self::Build(error) => Some(error),
            Self::Grow(error) => Some(error),
            _ => None,
        }
    }
}

/// Says why a figure could not be painted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChartError {
    /// The scale is 0, or the picture would have too many pixels.
    TooManyPixels {
        /// The requested size.
        size: Size,
        /// The requested scale: PNG pixels per pixel of the size, in each direction.
        scale: u32,
    },
    /// A PNG cannot have both themes.
    TwoThemes,
    /// The canvas does not fit in memory.
    Memory,
    /// The typeface of a PNG has no glyph for this character.
    NoLetter(char),
    /// A library failed.
    Library(String),
}

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPixels { size, scale } => write!(
                f,
                "scale must be at least 1, and a PNG have at most {} pixels, got \
                 {}x{} at scale {scale}",
                grouped(Size::MOST_PIXELS),
                size.width(),
                size.height()
            ),
            Self::TwoThemes => f.write_str("theme of a PNG must be light or dark, got auto"),
            Self::Memory => f.write_str("picture does not fit in memory"),
            Self::NoLetter(letter) => write!(
                f,
                "texts of a PNG must be of letters that DejaVu Sans has, got {letter:?}"
            ),
            Self::Library(message) => write!(f, "picture could not be painted: {message}"),
        }
    }
}

impl Error for ChartError {}
