//! The errors of building shapes and filters.

use core::fmt;

use crate::math::{HASH_FLOOR_MARGIN, MathError};
use crate::quality::HashQuality;

/// Implements two traits for an error whose listed variants wrap a cause: `From`, so that `?` converts the cause to the
/// error, and `Error`, whose `source` returns the cause.
macro_rules! has_causes {
    ($error:ident: $($variant:ident($cause:ty)),+) => {
        $(impl From<$cause> for $error {
            fn from(error: $cause) -> Self {
                Self::$variant(error)
            }
        })+

        impl core::error::Error for $error {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                match self {
                    $(Self::$variant(error) => Some(error),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use has_causes;

/// Implements `Error` for an error, and `Display` by a message that uses its fields.
macro_rules! has_message {
    ($error:ident { $($field:ident),+ }: $message:literal) => {
        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self { $($field),+ } = self;
                write!(f, $message)
            }
        }

        impl core::error::Error for $error {}
    };
}

/// Why no shape can be built from the given numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is outside the domain of the formulas.
    Math(MathError),
    /// The requested rate is less than [`HASH_FLOOR_MARGIN`] times the rate that collisions of
    /// 64-bit hashes cause.
    ///
    /// The rate of collisions is the probability that the hash of an absent item equals the hash of
    /// one of the items. It does not depend on the size of the filter.
    RateUnderHashFloor {
        /// The requested number of items.
        items: u64,
        /// The requested rate.
        rate: f64,
        /// The rate that collisions of 64-bit hashes cause.
        floor: f64,
    },
    /// The rate that a scalable filter allots to one of its stages is less than
    /// [`HASH_FLOOR_MARGIN`] times the rate that collisions of 64-bit hashes cause.
    StageUnderHashFloor {
        /// The number of the stage, from 0.
        stage: u32,
        /// The items of this stage and all earlier ones.
        items: u64,
        /// The requested rate of all stages together.
        rate: f64,
        /// The rate of this stage, its share of `rate`; 0 if it is too small for an `f64`.
        share: f64,
        /// The rate that collisions of 64-bit hashes cause.
        floor: f64,
    },
    /// The requested rate needs more than 32 hashes, and the feature `alloc` is off.
    NeedsAllocator {
        /// The requested number of items.
        items: u64,
        /// The requested rate.
        rate: f64,
    },
    /// The stages of a scalable filter would take more memory than its shape allows.
    TooManyBytes {
        /// The number of the stage that exceeds the limit, from 0.
        stage: u32,
        /// The bytes allowed for all stages together.
        max_bytes: u64,
        /// The bytes of this stage and all earlier ones.
        bytes: u64,
    },
}

/// Returns the ending of the noun after this count: nothing after 1, else "s".
pub(crate) fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Math(error) => error.fmt(f),
            Self::RateUnderHashFloor { items, rate, floor } if HASH_FLOOR_MARGIN * floor >= 1.0 => {
                write!(
                    f,
                    "items must be few enough for 64-bit hashes, whose collisions alone cause a \
                     false-positive rate of {floor:e}, got {items} items at a rate of {rate}"
                )
            }
            Self::RateUnderHashFloor { items, rate, floor } => write!(
                f,
                "false-positive rate must be at least {:e} for {items} item{}, \
                 {HASH_FLOOR_MARGIN} times the rate of collisions of 64-bit hashes, got {rate:e}",
                HASH_FLOOR_MARGIN * floor,
                plural(items)
            ),
            Self::StageUnderHashFloor {
                stage,
                items,
                rate,
                share,
                floor,
            } => write!(
                f,
                "false-positive rate of stage {stage} must be at least {:.3e} for {items} item{}, \
                 {HASH_FLOOR_MARGIN} times the rate of collisions of 64-bit hashes, got {share:.3e}, \
                 its share of the rate {rate:e}",
                HASH_FLOOR_MARGIN * floor,
                plural(items)
            ),
            Self::NeedsAllocator { items, rate } => write!(
                f,
                "hashes must be at most 32 in a build without an allocator, but a false-positive rate \
                 of {rate:e} for {items} item{} needs more: give bits and hashes to Shape::new",
                plural(items)
            ),
            Self::TooManyBytes {
                stage,
                max_bytes,
                bytes,
            } => write!(
                f,
                "stages must take at most {max_bytes} bytes together, but with stage {stage} they \
                 take {bytes}"
            ),
        }
    }
}

has_causes!(ShapeError: Math(MathError));

/// The slice for the answers of a batch of queries is longer or shorter than the slice of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswersError {
    /// The number of items.
    pub items: usize,
    /// The number of places for answers.
    pub answers: usize,
}

has_message!(AnswersError { items, answers }: "length of answers must be {items}, the number of items, got {answers}");

/// Why words cannot be the bits of a filter of the given shape.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WordsError {
    /// There are more or fewer words or blocks than the shape needs.
    Count {
        /// The words or blocks that the shape needs.
        expected: u64,
        /// The words or blocks given.
        got: u64,
    },
    /// A bit of the last word is not 0, although the shape does not use this bit.
    UnusedBits {
        /// The number of bits in use: all bits of the filter, or four for each counter.
        bits: u64,
        /// The last word.
        word: u64,
    },
    /// A filter of this kind cannot have this shape.
    Shape(ShapeError),
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { expected, got } => {
                write!(
                    f,
                    "number of words or blocks must be {expected} for this shape, got {got}"
                )
            }
            Self::UnusedBits { bits, word } => write!(
                f,
                "unused bits of the last word, from bit {} on, must be 0 for {bits} bits, got {word:#018x}",
                bits % 64
            ),
            Self::Shape(error) => error.fmt(f),
        }
    }
}

has_causes!(WordsError: Shape(ShapeError));

impl WordsError {
    /// Checks that there are as many words or blocks as a shape needs.
    pub(crate) fn check_count(expected: u64, got: u64) -> Result<(), Self> {
        if expected == got {
            return Ok(());
        }
        Err(Self::Count { expected, got })
    }

    /// Checks that the bits beyond the first `bits` of these words are 0.
    pub(crate) fn check_unused(bits: u64, words: &[u64]) -> Result<(), Self> {
        match words.last() {
            Some(&word) if !bits.is_multiple_of(64) && word >> (bits % 64) != 0 => {
                Err(Self::UnusedBits { bits, word })
            }
            _ => Ok(()),
        }
    }
}

/// Checks that a batch has a place for the answer of each item.
pub(crate) fn check_answers(items: usize, answers: usize) -> Result<(), AnswersError> {
    if items == answers {
        Ok(())
    } else {
        Err(AnswersError { items, answers })
    }
}

/// The bits of a filter do not fit in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryError {
    /// The requested bits. `u64::MAX` stands for 2^64 bits or more, which for instance 2^62 counters
    /// of 4 bits have.
    pub bits: u64,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        if bits == u64::MAX {
            // No whole number of words has this many bits: the value stands for 2^64 or more.
            return f.write_str(
                "bits must fit in memory, got 2^64 or more, which no allocator can provide",
            );
        }
        write!(
            f,
            "bits must fit in memory, got {bits} ({} bytes), which the allocator refused",
            bits.div_ceil(8)
        )
    }
}

impl core::error::Error for MemoryError {}

/// Why a filter could not be built.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// No shape can be built from the given numbers.
    Shape(ShapeError),
    /// A filter of this shape does not fit in memory.
    Memory(MemoryError),
    /// The memory of the caller is too small for the shape.
    Room {
        /// The bytes that the shape needs.
        needed: u64,
        /// The bytes given.
        got: u64,
    },
}

impl BuildError {
    /// Checks that there are at least as many words or blocks in `got` as a shape needs.
    pub(crate) fn check_room<U>(needed: u64, got: &[U]) -> Result<(), Self> {
        if got.len() as u64 >= needed {
            return Ok(());
        }
        Err(Self::Room {
            needed: needed * size_of::<U>() as u64,
            got: size_of_val(got) as u64,
        })
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Memory(error) => error.fmt(f),
            Self::Room { needed, got } => {
                write!(
                    f,
                    "memory must be at least {needed} bytes for this shape, got {got}"
                )
            }
        }
    }
}

has_causes!(BuildError: Shape(ShapeError), Memory(MemoryError));

/// The hash quality of a filter with items cannot change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotEmptyError {
    /// The quality of the filter.
    pub ours: HashQuality,
    /// The requested quality.
    pub requested: HashQuality,
}

has_message!(
    NotEmptyError { ours, requested }:
    "hash quality of a filter that is not empty must stay as it is ({ours}), got {requested}"
);

/// Why a scalable filter refused an item. The item was not stored, and the filter is unchanged. The
/// filter may still accept other items, see [the memory](crate::ScalableBloomFilter#the-memory).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GrowError {
    /// The filter has its maximum number of stages, and the last one has no room for the item.
    TooManyStages {
        /// The limit on the number of stages.
        max_stages: u32,
    },
    /// The next stage would exceed the memory limit of the filter.
    TooManyBytes {
        /// The bytes allowed for all stages together.
        max_bytes: u64,
        /// The bytes of all stages, the next one included.
        bytes: u64,
    },
    /// No shape can be built for the next stage: the rate of the stage is too low for 64-bit
    /// hashes, or the stage would have too many items or bits.
    Shape(ShapeError),
    /// The next stage does not fit in memory.
    Memory(MemoryError),
}

impl From<BuildError> for GrowError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Shape(ShapeError::TooManyBytes {
                max_bytes, bytes, ..
            }) => Self::TooManyBytes { max_bytes, bytes },
            BuildError::Shape(error) => Self::Shape(error),
            BuildError::Memory(error) => Self::Memory(error),
            BuildError::Room { needed, .. } => Self::Memory(MemoryError { bits: 8 * needed }),
        }
    }
}

impl fmt::Display for GrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyStages { max_stages } => {
                write!(
                    f,
                    "stages must be at most {max_stages}, and all of them are full"
                )
            }
            Self::TooManyBytes { max_bytes, bytes } => write!(
                f,
                "stages must take at most {max_bytes} bytes together, but with the next one they \
                 would take {bytes}"
            ),
            Self::Shape(error) => write!(f, "no further stage can be added: {error}"),
            Self::Memory(error) => write!(f, "no further stage can be added: {error}"),
        }
    }
}

impl core::error::Error for GrowError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::TooManyStages { .. } | Self::TooManyBytes { .. } => None,
            Self::Shape(error) => Some(error),
            Self::Memory(error) => Some(error),
        }
    }
}
