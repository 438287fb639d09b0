//! Defines the error type of all formats. An error names the rule that is broken, and the value that breaks it.

mod field;
mod format;

use core::fmt;

pub use field::{Field, KeyType, Must, Value};
pub use format::Format;

/// The reason why a filter cannot be read, created, written or merged, or why it does not take a key.
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

/// A rule that is broken, with the value that breaks it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// A field of one filter has a value that is not allowed.
    Field {
        /// The field.
        field: Field,
        /// What the value of the field must be.
        rule: Must,
        /// The value of the field.
        got: Value,
    },
    /// Two filters that are to be merged differ.
    Differs {
        /// The field that differs.
        field: Field,
        /// The value of the filter into which the other filter was to be merged.
        ours: Value,
        /// The value of the other filter.
        theirs: Value,
    },
    /// The bytes end before the filter does.
    TooShort {
        /// The number of bytes up to the end of the field that is cut off. The whole filter may need more.
        needed: u64,
        /// The number of bytes given.
        bytes: u64,
    },
    /// Bytes follow the filter.
    TrailingBytes {
        /// The number of bytes of the filter.
        needed: u64,
        /// The number of bytes given.
        bytes: u64,
    },
    /// A text is not base64 in the alphabet of the format.
    Base64 {
        /// The offset, from 0, of the first character that base64 does not allow at its place. If the length or the padding of
        /// the text is wrong, the number of bytes of the text.
        offset: u64,
    },
    /// A text is not a JSON object with the fields of the format.
    Json {
        /// The line of the error, from 1.
        line: u64,
        /// The column of the error.
        column: u64,
    },
    /// The allocator refuses the memory.
    Memory {
        /// The number of bytes that were to be allocated.
        bytes: u64,
    },
    /// A merge is asked for, but the system merges no filters.
    NoMerge,
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
            Self::Field { field, rule, got } => {
                write!(f, "{field} must be {rule}, got {got}")?;
                if rule == Must::AtLeastOneHash {
                    f.write_str(
                        ": the system accepts such a filter, and answers every query with true",
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
                write!(f, "text must be base64, but is invalid at offset {offset}")
            }
            Self::Json { line, column } => write!(
                f,
                "JSON must be an object with the fields \"m\", \"k\" and \"b\", but is invalid at line {line}, column {column}"
            ),
            Self::Memory { bytes } => {
                write!(f, "memory ran out: the allocator refused {bytes} bytes")
            }
            Self::NoMerge => f.write_str("filters cannot be merged: the system does not merge any"),
        }
    }
}
