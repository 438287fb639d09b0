//! The error of all formats: which rule is broken, and by which value.

use core::fmt;

use bloom_core::ShapeError;

/// A system whose filters this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Apache Spark.
    Spark,
    /// Google Guava.
    Guava,
    /// Apache Parquet.
    Parquet,
    /// RedisBloom.
    RedisBloom,
    /// bits-and-blooms/bloom.
    Go,
    /// Apache Hadoop, and Apache Hudi.
    Hadoop,
    /// Apache ORC.
    Orc,
    /// Apache Hive.
    Hive,
    /// Apache DataSketches.
    DataSketches,
    /// DCSO bloom.
    Dcso,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spark => "Spark",
            Self::Guava => "Guava",
            Self::Parquet => "Parquet",
            Self::RedisBloom => "RedisBloom",
            Self::Go => "Go",
            Self::Hadoop => "Hadoop",
            Self::Orc => "ORC",
            Self::Hive => "Hive",
            Self::DataSketches => "DataSketches",
            Self::Dcso => "DCSO",
        })
    }
}

/// Why a filter cannot be read, created, written or merged: the format, and the rule that is broken.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Rule, SparkBloom};
///
/// let error = SparkBloom::from_bytes(&[0, 0, 0, 3, 0, 0, 0, 5]).unwrap_err();
/// assert_eq!(error.rule, Rule::Version(3));
/// assert_eq!(error.to_string(), "Spark filter: version must be 1 or 2, got 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FormatError {
    /// The format of the filter.
    pub format: Format,
    /// The rule that is broken, with the value that breaks it.
    pub rule: Rule,
}

/// A rule of a format, with the value that breaks it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// The bytes end before the filter does.
    TooShort {
        /// The bytes needed, as far as the header is there.
        needed: u64,
        /// The bytes given.
        bytes: u64,
    },
    /// Bytes follow the filter.
    TrailingBytes {
        /// The bytes of the filter.
        needed: u64,
        /// The bytes given.
        bytes: u64,
    },
    /// The version of the layout is unknown.
    Version(i32),
    /// The first number of a filter of Hadoop is neither the version nor, as in the old form, its hashes.
    HadoopVersion(i32),
    /// A text is not base64 of the alphabet that the format has.
    Base64 {
        /// The offset of the first byte that does not fit, from 0; the length, if the text ends too early.
        offset: u64,
    },
    /// A byte of the header has another value than the only one known.
    Byte {
        /// The offset of the byte, from 0.
        offset: u64,
        /// The value known.
        expected: u8,
        /// The value of the byte.
        got: u8,
    },
    /// A field breaks a rule of its own.
    Field {
        /// The name of the field.
        name: &'static str,
        /// What it must be.
        rule: &'static str,
        /// Its value.
        got: u64,
    },
    /// A text is not JSON of the fields that the format has.
    Json {
        /// The line of the error, from 1.
        line: u64,
        /// The column of the error.
        column: u64,
    },
    /// The false-positive rate is above what RedisBloom grants.
    RateOverQuarter(f64),
    /// The bytes of a bitset are not a multiple of 32 from 32 to 2^31 - 32.
    BitsetBytes(i64),
    /// The strategy is unknown.
    Strategy(i8),
    /// The number of hashes is below 1. The system reads such a filter, and answers every query with true.
    NoHashes(i64),
    /// The number of hashes is not from 1 to 255.
    Hashes(i64),
    /// The number of hashes is not from 1 to 127, as a signed byte holds it.
    HashesOfByte(i64),
    /// The number of 64-bit words is not from 1 to 2^31 - 1.
    Words(i64),
    /// The number of expected items is zero, or more than the system can count.
    Items(u64),
    /// The number of bits is outside of the range of the system.
    Bits(u64),
    /// The number of bits is above what parquet-java grants.
    BitsOfRate(u64),
    /// The false-positive rate is not between 0 and 1 (exclusive).
    Rate(f64),
    /// Two filters that are to be merged have different rates in their headers.
    RatesDiffer {
        /// The rate of the filter that is merged into.
        ours: f64,
        /// The rate of the other filter.
        theirs: f64,
    },
    /// The allocator refuses the memory.
    Memory {
        /// The bytes of memory needed.
        bytes: u64,
    },
    /// The system has no keys of this type.
    KeyType {
        /// The type of the key.
        got: &'static str,
    },
    /// Two filters that are to be merged have different formats.
    FormatsDiffer {
        /// The format of the other filter.
        theirs: Format,
    },
    /// The system merges no filters.
    NoMerge,
    /// Two filters that are to be merged differ.
    Differs {
        /// What differs.
        field: &'static str,
        /// The value of the filter that is merged into.
        ours: i128,
        /// The value of the other filter.
        theirs: i128,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} filter: {}", self.format, self.rule)
    }
}

impl core::error::Error for FormatError {}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { needed, bytes } => {
                write!(f, "bytes must be at least {needed}, got {bytes}")
            }
            Self::TrailingBytes { needed, bytes } => {
                write!(f, "bytes must be exactly {needed}, got {bytes}")
            }
            Self::Version(version) => write!(f, "version must be 1 or 2, got {version}"),
            Self::HadoopVersion(version) => write!(
                f,
                "version must be -1, or the hashes of the old form, from 1 on, got {version}"
            ),
            Self::Base64 { offset } => {
                write!(f, "text must be base64, but is not at offset {offset}")
            }
            Self::Byte {
                offset,
                expected,
                got,
            } => write!(f, "byte {offset} must be {expected:#04x}, got {got:#04x}"),
            Self::BitsetBytes(bytes) => write!(
                f,
                "bytes of the bitset must be a multiple of 32 from 32 to {}, got {bytes}",
                i32::MAX - 31
            ),
            Self::Field { name, rule, got } => write!(f, "{name} must be {rule}, got {got}"),
            Self::Json { line, column } => write!(
                f,
                "JSON must be an object {{\"m\", \"k\", \"b\"}}, but is not at line {line}, column {column}"
            ),
            Self::RateOverQuarter(rate) => {
                write!(f, "false-positive rate must be at most 0.25, got {rate:?}")
            }
            Self::Strategy(strategy) => write!(f, "strategy must be 0 or 1, got {strategy}"),
            Self::NoHashes(hashes) => write!(
                f,
                "hashes must be at least 1, got {hashes}: the system reads such a filter, and answers every \
                 query with true"
            ),
            Self::Hashes(hashes) => write!(f, "hashes must be from 1 to 255, got {hashes}"),
            Self::HashesOfByte(hashes) => write!(f, "hashes must be from 1 to 127, got {hashes}"),
            Self::Words(words) => {
                write!(
                    f,
                    "64-bit words must be from 1 to {}, got {words}",
                    i32::MAX
                )
            }
            Self::Items(items) => {
                write!(f, "items must be from 1 to {}, got {items}", i64::MAX)
            }
            Self::Bits(bits) => {
                write!(
                    f,
                    "bits must be from 1 to 64 times {}, got {bits}",
                    i32::MAX
                )
            }
            Self::BitsOfRate(bits) => {
                write!(f, "bits must be at most {}, got {bits}", 1 << 30)
            }
            Self::Rate(rate) => write!(
                f,
                "false-positive rate must be between 0 and 1 (exclusive), got {rate:?}"
            ),
            Self::RatesDiffer { ours, theirs } => write!(
                f,
                "false-positive rate of both filters must be equal, got {ours:?} and {theirs:?}"
            ),
            Self::Memory { bytes } => {
                write!(
                    f,
                    "memory must be available, but {bytes} bytes were refused"
                )
            }
            Self::KeyType { got } => {
                write!(f, "key must be of a type that the system has, got {got}")
            }
            Self::FormatsDiffer { theirs } => {
                write!(
                    f,
                    "format of both filters must be equal, got a {theirs} filter"
                )
            }
            Self::NoMerge => f.write_str("filters cannot be merged: the system merges none"),
            Self::Differs {
                field,
                ours,
                theirs,
            } => {
                write!(
                    f,
                    "{field} of both filters must be equal, got {ours} and {theirs}"
                )
            }
        }
    }
}

impl Format {
    /// Returns the error of a broken rule.
    pub(crate) fn error(self, rule: Rule) -> FormatError {
        FormatError { format: self, rule }
    }

    /// Returns the shape of these bits and hashes.
    pub(crate) fn shape(self, bits: u64, hashes: i64) -> Result<bloom_core::Shape, FormatError> {
        let is_read = matches!(self, Self::Spark | Self::Go);
        let few = match u8::try_from(hashes) {
            Ok(few @ 1..) => few,
            _ if hashes < 1 && is_read => return Err(self.error(Rule::NoHashes(hashes))),
            _ => return Err(self.error(Rule::Hashes(hashes))),
        };
        let shape = bloom_core::Shape::new(bits, few);
        shape.map_err(|_: ShapeError| self.error(Rule::Bits(bits)))
    }

    /// Returns the shape of these bits and hashes, where the system has no bound of its own.
    pub(crate) fn wide_shape(
        self,
        bits: u64,
        hashes: i64,
    ) -> Result<bloom_core::Shape, FormatError> {
        if bits == 0 || bits > 1 << 63 {
            return Err(self.error(Rule::Field {
                name: "bits",
                rule: "from 1 to 2^63",
                got: bits,
            }));
        }
        self.shape(bits, hashes)
    }

    /// Checks that a property of two filters is equal.
    pub(crate) fn equal(
        self,
        field: &'static str,
        ours: impl Into<i128>,
        theirs: impl Into<i128>,
    ) -> Result<(), FormatError> {
        let (ours, theirs) = (ours.into(), theirs.into());
        if ours == theirs {
            return Ok(());
        }
        Err(self.error(Rule::Differs {
            field,
            ours,
            theirs,
        }))
    }
}
