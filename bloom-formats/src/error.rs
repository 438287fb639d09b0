//! The error of all formats: which rule is broken, and by which value.

use core::fmt;

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
/// use bloom_formats::{Field, Must, Rule, SparkBloom, Value};
///
/// let error = SparkBloom::from_bytes(&[0, 0, 0, 3, 0, 0, 0, 5]).unwrap_err();
/// let (field, rule, got) = (Field::Version, Must::Either(1, 2), Value::Whole(3));
/// assert_eq!(error.rule, Rule::Field { field, rule, got });
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
    /// A field breaks a rule.
    Field {
        /// The field.
        field: Field,
        /// What it must be.
        rule: Must,
        /// Its value.
        got: Value,
    },
    /// Two filters that are to be merged differ.
    Differs {
        /// What differs.
        field: Field,
        /// The value of the filter that is merged into.
        ours: Value,
        /// The value of the other filter.
        theirs: Value,
    },
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
    /// A text is not base64 of the alphabet that the format has.
    Base64 {
        /// The offset of the first byte that does not fit, from 0; the length, if the text ends too early.
        offset: u64,
    },
    /// A text is not JSON of the fields that the format has.
    Json {
        /// The line of the error, from 1.
        line: u64,
        /// The column of the error.
        column: u64,
    },
    /// The allocator refuses the memory.
    Memory {
        /// The bytes of memory needed.
        bytes: u64,
    },
    /// The system merges no filters.
    NoMerge,
}

/// A field of a header, a parameter, or a property of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The version of the layout.
    Version,
    /// The byte at this offset, from 0.
    Byte(u64),
    /// The first byte of a file of DataSketches.
    Preamble,
    /// The strategy of Guava.
    Strategy,
    /// The hash of Hadoop.
    HashType,
    /// The seed.
    Seed,
    /// The hashes k.
    Hashes,
    /// The bits m.
    Bits,
    /// The 64-bit words of the bits.
    Words,
    /// The bits that a bitset has by its own account.
    BitsOfBitset,
    /// The bytes of a bitset.
    BytesOfBitset,
    /// The number of set bits in a file.
    SetBits,
    /// The set bits beyond bit m.
    SetBitsBeyond,
    /// The false-positive rate.
    Rate,
    /// The items: expected ones, or those that the system has counted.
    Items,
    /// The expected items of a filter that also counts items.
    ExpectedItems,
    /// The items that a filter has counted.
    InsertedItems,
    /// The items a row of a dynamic filter.
    ItemsPerRow,
    /// The items in the last row of a dynamic filter.
    ItemsInLastRow,
    /// The rows of a dynamic filter.
    Rows,
    /// The hash in the header of a row.
    HashTypeOfRow,
    /// The bits in the header of a row.
    BitsOfRow,
    /// The hashes in the header of a row.
    HashesOfRow,
    /// The bytes of the header of a row.
    HeaderOfRow,
    /// The links of a chain.
    Links,
    /// The options of a chain.
    Options,
    /// The growth of a chain.
    Growth,
    /// The rounding of a link.
    Rounding,
    /// The iterator of a chunk.
    Iterator,
    /// A number of a varying number of bytes.
    Varint,
    /// A key.
    Key,
    /// The bytes of a key.
    BytesOfKey,
    /// The format of a filter.
    Format,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::Byte(offset) => return write!(f, "byte {offset}"),
            Self::Version => "version",
            Self::Preamble => "preamble",
            Self::Strategy => "strategy",
            Self::HashType => "hash type",
            Self::Seed => "seed",
            Self::Hashes => "hashes",
            Self::Bits => "bits",
            Self::Words => "64-bit words",
            Self::BitsOfBitset => "bits of the bitset",
            Self::BytesOfBitset => "bytes of the bitset",
            Self::SetBits => "set bits",
            Self::SetBitsBeyond => "set bits beyond the last",
            Self::Rate => "false-positive rate",
            Self::Items => "items",
            Self::ExpectedItems => "expected items",
            Self::InsertedItems => "inserted items",
            Self::ItemsPerRow => "items a row",
            Self::ItemsInLastRow => "items in the last row",
            Self::Rows => "rows",
            Self::HashTypeOfRow => "hash type of a row",
            Self::BitsOfRow => "bits of a row",
            Self::HashesOfRow => "hashes of a row",
            Self::HeaderOfRow => "bytes of the header of a row",
            Self::Links => "links",
            Self::Options => "options",
            Self::Growth => "growth",
            Self::Rounding => "rounding",
            Self::Iterator => "iterator of a chunk",
            Self::Varint => "varint",
            Self::Key => "key",
            Self::BytesOfKey => "bytes of a key",
            Self::Format => "format",
        })
    }
}

/// What a field must be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Must {
    /// This number.
    Be(u64),
    /// This byte.
    BeByte(u8),
    /// One of two numbers.
    Either(u64, u64),
    /// From one number to another.
    Range(u64, u64),
    /// A multiple of the first number, from the second to the third.
    Multiple(u64, u64, u64),
    /// This number or more.
    AtLeast(u64),
    /// At least 1. The system reads such a filter, and answers every query with true.
    AtLeastOneHash,
    /// This number or less.
    AtMost(u64),
    /// Between 0 and 1, exclusive.
    Share,
    /// This share or less.
    ShareUpTo(f64),
    /// The version of Hadoop, or the hashes of its form without one.
    HadoopVersion,
    /// Three or four numbers of 64 bits.
    Longs,
    /// Four to seven, or twelve to fifteen.
    WideHashes,
    /// Eight times the bytes.
    BitsOfBytes,
    /// Those that follow from the bits per item.
    OfBitsPerItem,
    /// Those that follow from the expected items.
    OfExpectedItems,
    /// Those of the filter.
    AsOfFilter,
    /// Those of the filter, which may be rounded up to a multiple of 64.
    AsOfFilterRounded,
    /// Those of all links together.
    SumOfLinks,
    /// As many as are counted.
    AsCounted,
    /// Below the expected items, as the chain does not grow.
    BelowExpectedItems,
    /// Below 2^64, together with those of the other filter.
    SumBelow64Bits,
    /// 1 and the data so far.
    DataSoFar,
    /// Written in at most five bytes, and in as few as it takes.
    Shortest,
    /// One that the system takes, as a type of keys.
    TypeOfSystem,
}

impl fmt::Display for Must {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: u64| Value::Whole(number.into());
        f.write_str(match *self {
            Self::Be(known) => return write!(f, "{}", number(known)),
            Self::BeByte(known) => return write!(f, "{}", Value::Byte(known)),
            Self::Either(one, other) => return write!(f, "{one} or {other}"),
            Self::Range(from, to) => return write!(f, "from {from} to {}", number(to)),
            Self::Multiple(of, from, to) => {
                return write!(f, "a multiple of {of} from {from} to {to}");
            }
            Self::AtLeast(least) => return write!(f, "at least {least}"),
            Self::AtMost(most) => return write!(f, "at most {}", number(most)),
            Self::ShareUpTo(most) => return write!(f, "at most {most:?}"),
            Self::AtLeastOneHash => "at least 1",
            Self::Share => "between 0 and 1 (exclusive)",
            Self::HadoopVersion => "-1, or the hashes of the old form, from 1 on",
            Self::Longs => "3 or 4 longs",
            Self::WideHashes => "from 4 to 7 or from 12 to 15, for hashes of 64 bits",
            Self::BitsOfBytes => "8 times the bytes",
            Self::OfBitsPerItem => "those that follow from the bits per item",
            Self::OfExpectedItems => "those that follow from the expected items",
            Self::AsOfFilter => "the same as in the filter",
            Self::AsOfFilterRounded => {
                "those of the filter, or these rounded up to a multiple of 64"
            }
            Self::SumOfLinks => "those of all links together",
            Self::AsCounted => "as many as are counted",
            Self::BelowExpectedItems => "below the expected items, as the chain does not grow",
            Self::SumBelow64Bits => "below 2^64 with those of the other filter",
            Self::DataSoFar => "1 and the data so far",
            Self::Shortest => "written in at most 5 bytes, and in as few as it takes",
            Self::TypeOfSystem => "one that the system takes",
        })
    }
}

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Whole(i128),
    /// A real number.
    Real(f64),
    /// A byte whose bits have meanings.
    Byte(u8),
    /// The type of a key.
    Key(KeyType),
    /// A format.
    Format(Format),
}

/// The type of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyType {
    /// [`Key::Text`](crate::Key::Text).
    Text,
    /// [`Key::Bytes`](crate::Key::Bytes).
    Bytes,
    /// [`Key::Utf16`](crate::Key::Utf16).
    Utf16,
    /// [`Key::Long`](crate::Key::Long).
    Long,
    /// [`Key::Int`](crate::Key::Int).
    Int,
    /// [`Key::Double`](crate::Key::Double).
    Double,
    /// [`Key::Float`](crate::Key::Float).
    Float,
}

impl<T: Into<i128>> From<T> for Value {
    fn from(number: T) -> Self {
        Self::Whole(number.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            // Powers of two that nobody knows by their digits.
            Self::Whole(number) if number > u32::MAX.into() && number.count_ones() == 1 => {
                write!(f, "2^{}", number.trailing_zeros())
            }
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number:?}"),
            Self::Byte(byte) => write!(f, "{byte:#04x}"),
            Self::Format(format) => write!(f, "{format}"),
            Self::Key(key) => f.write_str(match key {
                KeyType::Text => "a text",
                KeyType::Bytes => "bytes",
                KeyType::Utf16 => "a text of UTF-16",
                KeyType::Long => "an integer of 64 bits",
                KeyType::Int => "an integer of 32 bits",
                KeyType::Double => "a double",
                KeyType::Float => "a float",
            }),
        }
    }
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
            // The value of this rule is the type of the key.
            Self::Field {
                field,
                rule: Must::TypeOfSystem,
                got,
            } => {
                write!(
                    f,
                    "type of a {field} must be {}, got {got}",
                    Must::TypeOfSystem
                )
            }
            Self::Field { field, rule, got } => {
                write!(f, "{field} must be {rule}, got {got}")?;
                if rule == Must::AtLeastOneHash {
                    f.write_str(
                        ": the system reads such a filter, and answers every query with true",
                    )?;
                }
                Ok(())
            }
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
            Self::TooShort { needed, bytes } => {
                write!(f, "bytes must be at least {needed}, got {bytes}")
            }
            Self::TrailingBytes { needed, bytes } => {
                write!(f, "bytes must be exactly {needed}, got {bytes}")
            }
            Self::Base64 { offset } => {
                write!(f, "text must be base64, but is not at offset {offset}")
            }
            Self::Json { line, column } => write!(
                f,
                "JSON must be an object {{\"m\", \"k\", \"b\"}}, but is not at line {line}, column {column}"
            ),
            Self::Memory { bytes } => {
                write!(f, "memory ran out: {bytes} bytes were refused")
            }
            Self::NoMerge => f.write_str("filters cannot be merged: the system merges none"),
        }
    }
}

impl Format {
    /// Returns the error of a broken rule.
    pub(crate) fn error(self, rule: Rule) -> FormatError {
        FormatError { format: self, rule }
    }

    /// Returns the error of a field.
    pub(crate) fn field(self, field: Field, rule: Must, got: impl Into<Value>) -> FormatError {
        let got = got.into();
        self.error(Rule::Field { field, rule, got })
    }

    /// Returns the error of memory that is refused.
    pub(crate) fn memory(self, bytes: u64) -> FormatError {
        self.error(Rule::Memory { bytes })
    }

    /// Returns the shape of these bits and hashes.
    pub(crate) fn shape(self, bits: u64, hashes: i64) -> Result<bloom_core::Shape, FormatError> {
        if bits == 0 || bits > 1 << 63 {
            return Err(self.field(Field::Bits, Must::Range(1, 1 << 63), bits));
        }
        let is_read = matches!(self, Self::Spark | Self::Go);
        let rule = if hashes < 1 && is_read {
            Must::AtLeastOneHash
        } else {
            Must::Range(1, 255)
        };
        let few = u8::try_from(hashes).ok().filter(|&few| few > 0);
        let few = few.ok_or_else(|| self.field(Field::Hashes, rule, hashes))?;
        Ok(bloom_core::Shape::new(bits, few).expect("bits and hashes are checked"))
    }

    /// Checks that a property of two filters is equal.
    pub(crate) fn equal(
        self,
        field: Field,
        ours: impl Into<Value>,
        theirs: impl Into<Value>,
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
