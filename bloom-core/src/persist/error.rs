//! Defines the errors of loading a saved filter. An error names the part of the bytes that is
//! wrong, and the rule that this part breaks.

use core::fmt;

use super::header::{MAGIC, MIN_BYTES, VERSION};
use super::kind::FilterKind;
use crate::error::{BuildError, MemoryError, ShapeError, has_causes};

/// Why the bytes cannot be loaded as a filter.
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, LoadError};
///
/// let mut bytes = BloomFilter::<str>::with_rate(100, 0.01)?.to_bytes()?;
/// bytes[130] ^= 1;
/// let error = BloomFilter::<str>::from_bytes(&bytes).unwrap_err();
/// assert!(matches!(error, LoadError::Checksum { .. }));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LoadError {
    /// There are fewer bytes than a header and a checksum take.
    TooShort {
        /// The bytes given.
        bytes: u64,
    },
    /// The first bytes are not the magic bytes of a saved filter.
    Magic([u8; 8]),
    /// The layout has a version that this library does not read.
    Version(u16),
    /// The file is not sealed: a program is filling it in place, or the program that filled it
    /// ended before it called `seal`.
    Unsealed,
    /// The header is damaged: the checksum of its fields differs from the stored one.
    HeaderChecksum {
        /// The checksum in the header.
        stored: u64,
        /// The checksum of the bytes before it.
        computed: u64,
    },
    /// There are more or fewer bytes than the header specifies.
    Length {
        /// The words of the payload, according to the header.
        words: u64,
        /// The bytes given.
        bytes: u64,
    },
    /// The bytes are damaged: their checksum differs from the stored one.
    Checksum {
        /// The checksum at the end of the bytes.
        stored: u64,
        /// The checksum of the bytes before it.
        computed: u64,
    },
    /// No filter kind has this number.
    UnknownKind(u8),
    /// The bytes hold a filter of another kind.
    Kind {
        /// The kind of the filter type that is being loaded.
        requested: FilterKind,
        /// The kind in the bytes.
        stored: FilterKind,
    },
    /// The hasher is not the one that the filter was saved with. A filter that was not saved with
    /// the default hasher is loaded by `from_bytes_with_hasher`, with its own hasher.
    Hasher {
        /// Whether the filter was saved with the default hasher.
        saved_with_default: bool,
    },
    /// According to the header, a hash is folded neither 0 nor 1 nor 2 times.
    Folds(u8),
    /// According to the header, counters have neither four nor eight bits.
    CounterBits(u8),
    /// No filter can have this size.
    Shape(ShapeError),
    /// The payload is longer or shorter than the size of the filter requires.
    Words {
        /// The words that the size requires.
        expected: u64,
        /// The words in the payload.
        got: u64,
    },
    /// According to the header, a scalable filter has no stages, or more than its own maximum.
    Stages {
        /// The maximum number of stages.
        max_stages: u32,
        /// The number of stages in the header.
        stages: u64,
    },
    /// A stage of a scalable filter breaks a rule.
    Stage {
        /// The number of the stage, from 0.
        stage: u32,
        /// The rule that it breaks.
        error: StageError,
    },
    /// A byte differs from the only value that it can have: a reserved byte, unused bit or unused
    /// counter is not 0, or a field contradicts another field.
    Byte {
        /// The offset of the byte, from 0.
        offset: u64,
        /// The only valid value.
        expected: u8,
        /// The actual value.
        got: u8,
    },
    /// The filter does not fit in memory.
    Memory(MemoryError),
}

/// Why a saved stage of a scalable filter is invalid.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StageError {
    /// The shape of the stage is invalid, or the filter cannot have such a stage: it would have too many
    /// items or bytes, or too low a rate for hashes of 64 bits.
    Shape(ShapeError),
    /// The expected number of items differs from that which the growth factor gives.
    ExpectedItems {
        /// The expected items of the first stage, multiplied by the growth factor once for each stage before
        /// this one.
        expected: u64,
        /// The expected items stored.
        got: u64,
    },
    /// The stage has more items than expected, or it has none although it is not the only stage.
    Items {
        /// The minimum number of items of the stage.
        least: u64,
        /// The maximum number of items of the stage.
        most: u64,
        /// The items stored.
        got: u64,
    },
    /// With the expected items of the stage, a filter of this shape has a higher rate than the
    /// stage may have.
    Rate {
        /// The highest rate that the stage may have.
        rate: f64,
        /// The rate of the stored shape with the stage's expected items.
        got: f64,
    },
    /// The number of set bits breaks one of three rules. It must be at least the number of items,
    /// and at most this number times the hashes. In a stage of more than one item, it must not
    /// exceed the number that keeps the rate of the stage. A stage that is not the last must be
    /// full: it has its expected items, or too many set bits for one more item.
    SetBits {
        /// The minimum number of set bits.
        least: u64,
        /// The maximum number of set bits.
        most: u64,
        /// The actual number of set bits.
        got: u64,
    },
}

impl From<ShapeError> for LoadError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<MemoryError> for LoadError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl From<BuildError> for LoadError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Shape(error) => Self::Shape(error),
            BuildError::Memory(error) => Self::Memory(error),
            BuildError::Room { needed, got } => Self::Words {
                expected: needed / 8,
                got: got / 8,
            },
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { bytes } => {
                write!(f, "bytes must be at least {MIN_BYTES}, got {bytes}")
            }
            Self::Magic(first) => write!(
                f,
                "bytes must start with \"{}\", the magic bytes of a saved filter, got \"{}\"",
                MAGIC.escape_ascii(),
                first.escape_ascii()
            ),
            Self::Version(version) => {
                write!(f, "version of the layout must be {VERSION}, got {version}")
            }
            Self::Length { words, bytes } => write!(
                f,
                "bytes must be {} for the {words} words that the header specifies, got {bytes}",
                u128::from(*words) * 8 + u128::from(MIN_BYTES)
            ),
            Self::Checksum { stored, computed } => write!(
                f,
                "checksum must be {computed:#018x} to match the bytes before it, got {stored:#018x}"
            ),
            Self::UnknownKind(code) => {
                write!(f, "kind of filter must be from 1 to 5, got {code}")
            }
            Self::Kind { requested, stored } => {
                write!(f, "kind of filter must be {requested}, got {stored}")
            }
            Self::Hasher { saved_with_default } => write!(
                f,
                "hasher must be {}, got one with other hashes",
                if *saved_with_default {
                    "the default one, as when the filter was saved"
                } else {
                    "that of the saved filter, which is not the default one"
                }
            ),
            Self::Unsealed => f.write_str(
                "file must be sealed, but it is open for writing, or its program ended before sealing it",
            ),
            Self::HeaderChecksum { stored, computed } => write!(
                f,
                "checksum of the header must be {computed:#018x} to match the bytes before it, got \
                 {stored:#018x}"
            ),
            Self::Folds(folds) => write!(f, "folds of a hash must be 0, 1 or 2, got {folds}"),
            Self::CounterBits(bits) => write!(f, "counter bits must be 4 or 8, got {bits}"),
            Self::Shape(error) => error.fmt(f),
            Self::Words { expected, got } => {
                write!(
                    f,
                    "number of words must be {expected} for this size, got {got}"
                )
            }
            Self::Stages { max_stages, stages } => {
                write!(f, "stages must be from 1 to {max_stages}, got {stages}")
            }
            Self::Stage { stage, error } => write!(f, "stage {stage}: {error}"),
            Self::Byte {
                offset,
                expected,
                got,
            } => write!(
                f,
                "byte {offset} must be {expected} to agree with the other fields, got {got}"
            ),
            Self::Memory(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Shape(error) => Some(error),
            Self::Stage { error, .. } => Some(error),
            Self::Memory(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::ExpectedItems { expected, got } => write!(
                f,
                "expected items must be {expected} to follow from the growth, got {got}"
            ),
            Self::Items { least, most, got } => {
                write!(f, "items must be from {least} to {most}, got {got}")
            }
            Self::Rate { rate, got } => write!(
                f,
                "false-positive rate must be at most {rate:e} with the expected items, got {got:e}"
            ),
            Self::SetBits { least, most, got } => write!(
                f,
                "set bits must be from {least} to {most} to agree with the items and the rate, got {got}"
            ),
        }
    }
}

has_causes!(StageError: Shape(ShapeError));

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use core::error::Error;

    use super::*;
    use crate::math::MathError;

    #[test]
    fn the_cause_of_an_error_is_its_source() {
        let shape = ShapeError::Math(MathError::NoBits);
        let stage = StageError::Shape(shape);
        let source = |error: &dyn Error| error.source().map(ToString::to_string);
        assert_eq!(source(&stage), Some(shape.to_string()));
        assert_eq!(source(&LoadError::Shape(shape)), Some(shape.to_string()));
        let error = LoadError::Stage {
            stage: 1,
            error: stage,
        };
        assert_eq!(source(&error), Some(stage.to_string()));
        let memory = MemoryError { bits: 7 };
        assert_eq!(source(&LoadError::Memory(memory)), Some(memory.to_string()));
        assert_eq!(source(&LoadError::Version(9)), None);
        let error = StageError::ExpectedItems {
            expected: 1,
            got: 2,
        };
        assert_eq!(source(&error), None);
    }

    /// Lists the variants of [`LoadError`] by name. A new variant does not compile until it is
    /// listed here, and the test below fails until some bytes produce the variant.
    macro_rules! variants {
        ($($variant:ident)*) => {
            const ALL: &[&str] = &[$(stringify!($variant)),*];

            fn name(error: &LoadError) -> &'static str {
                match error {
                    $(LoadError::$variant { .. } => stringify!($variant),)*
                }
            }
        };
    }

    variants! {
        TooShort Magic Version Unsealed HeaderChecksum Length Checksum UnknownKind Kind Hasher
        Folds CounterBits Shape Words Stages Stage Byte Memory
    }

    #[test]
    fn some_bytes_produce_each_error_of_loading() {
        use alloc::vec::Vec;

        use rapidhash::v3::rapidhash_v3;

        use crate::persist::ReadError;
        use crate::persist::header::{HEADER_CHECKSUM_AT, UNSEALED};
        use crate::{
            BlockedBloomFilter, BloomFilter, CountingBloomFilter, FixedState, ScalableBloomFilter,
        };

        /// Repairs both checksums, as someone who knows the layout would.
        fn repaired(mut bytes: Vec<u8>) -> Vec<u8> {
            for end in [HEADER_CHECKSUM_AT, bytes.len() - 8] {
                let checksum = rapidhash_v3(&bytes[..end]);
                bytes[end..end + 8].copy_from_slice(&checksum.to_le_bytes());
            }
            bytes
        }

        let basic = BloomFilter::<u64>::with_rate(10, 0.1).unwrap();
        let basic = basic.to_bytes().unwrap();
        let counting = CountingBloomFilter::<u64>::with_rate(10, 0.1).unwrap();
        let counting = counting.to_bytes().unwrap();
        let scalable = ScalableBloomFilter::<u64>::with_rate(10, 0.1).unwrap();
        let scalable = scalable.to_bytes().unwrap();
        let blocked = BlockedBloomFilter::<u64>::with_rate(10, 0.1).unwrap();
        let state = FixedState::with_seed(1);
        let seeded = BloomFilter::<u64, _>::with_rate_and_hasher(10, 0.1, state).unwrap();

        let load = |bytes: &[u8]| BloomFilter::<u64>::from_bytes(bytes).unwrap_err();
        let with = |bytes: &[u8], at: usize, field: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes[at..at + field.len()].copy_from_slice(field);
            bytes
        };
        let wrong = |at, field: &[u8]| load(&repaired(with(&basic, at, field)));
        let damaged = |at: usize| load(&with(&basic, at, &[!basic[at]]));
        let grown = |at, field: &[u8]| {
            let bytes = repaired(with(&scalable, at, field));
            ScalableBloomFilter::<u64>::from_bytes(&bytes).unwrap_err()
        };
        let longer = [&basic[..], &[0]].concat();
        let counters = repaired(with(&counting, 11, &[5]));
        // Only the header is read before the memory for the bits is allocated.
        let huge = with(&basic, 16, &(1_u64 << 62).to_le_bytes());
        let huge = repaired(with(&huge, 24, &(1_u64 << 56).to_le_bytes()));
        let mut source = &huge[..];
        let no_memory = BloomFilter::<u64>::read_from(|to| {
            let (now, later) = source.split_at(to.len());
            to.copy_from_slice(now);
            source = later;
            Ok::<(), ()>(())
        });
        let Err(ReadError::Load(no_memory)) = no_memory else {
            panic!("2^62 bits do not fit in memory");
        };

        let produced = [
            load(&basic[..135]),
            damaged(0),
            damaged(8),
            load(&with(&basic, HEADER_CHECKSUM_AT, &UNSEALED)),
            damaged(16),
            load(&longer),
            damaged(128),
            wrong(10, &[6]),
            load(&blocked.to_bytes().unwrap()),
            load(&seeded.to_bytes().unwrap()),
            wrong(14, &[3]),
            CountingBloomFilter::<u64>::from_bytes(&counters).unwrap_err(),
            wrong(12, &[0]),
            wrong(16, &(1_u64 << 40).to_le_bytes()),
            grown(16, &[0; 8]),
            grown(128, &[0; 8]),
            wrong(72, &[1]),
            no_memory,
        ];
        let names: Vec<&str> = produced.iter().map(name).collect();
        assert_eq!(names, ALL);
        assert_eq!(produced[10], LoadError::Folds(3));
    }
}
