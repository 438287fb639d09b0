//! Names, for error messages, the fields of filters, the rules that fields must keep, and the values of fields.
//!
//! A filter of RedisBloom is a chain: a list of Bloom filters, which are called links. A dynamic filter of Hadoop is also a
//! list of Bloom filters, which are called rows.

use core::fmt;

use super::Format;

/// A field of a header, a parameter, or a property of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The version of the layout.
    Version,
    /// The byte at this offset in the file, from 0.
    Byte(u64),
    /// The first byte of a file of DataSketches.
    Preamble,
    /// The strategy of a filter of Guava: how it derives positions from a hash.
    Strategy,
    /// The type of the hash function in a filter of Hadoop.
    HashType,
    /// The seed of the hash function.
    Seed,
    /// The number of hashes k.
    Hashes,
    /// The number of bits m.
    Bits,
    /// The number of 64-bit words that hold the bits.
    Words,
    /// The number of bits that a file states as the length of its bitset.
    BitsOfBitset,
    /// The number of bytes of a bitset.
    BytesOfBitset,
    /// The number of set bits that a file states.
    SetBits,
    /// The number of set bits at positions from m on, in the last byte or word.
    SetBitsBeyond,
    /// The false-positive rate.
    Rate,
    /// The number of items that a filter is made for, or the number of items that the system counted.
    Items,
    /// The number of items that a filter is made for, where its file also states [`InsertedItems`](Self::InsertedItems).
    ExpectedItems,
    /// The number of inserted items that a file states.
    InsertedItems,
    /// The number of items that each row of a dynamic filter of Hadoop takes.
    ItemsPerRow,
    /// The number of items in the last row of a dynamic filter.
    ItemsInLastRow,
    /// The number of rows of a dynamic filter.
    Rows,
    /// The type of the hash function in the header of a row.
    HashTypeOfRow,
    /// The number of bits in the header of a row.
    BitsOfRow,
    /// The number of hashes in the header of a row.
    HashesOfRow,
    /// The number of bytes of the header of a row.
    HeaderOfRow,
    /// The number of links of a chain.
    Links,
    /// The options in the header of a chain: a number, each bit of which is an option.
    Options,
    /// The growth of a chain: a new link is made for this many times the items of the link before.
    Growth,
    /// The field of a link that is 0 if RedisBloom did not round the link's number of bits to a power of two.
    Rounding,
    /// The number that RedisBloom returns with each chunk of a dump, and calls iterator.
    Iterator,
    /// A number whose encoding has a variable number of bytes.
    Varint,
    /// A key.
    Key,
    /// The number of bytes of a key.
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
            Self::SetBitsBeyond => "number of set bits past the end of the filter",
            Self::Rate => "false-positive rate",
            Self::Items => "items",
            Self::ExpectedItems => "expected items",
            Self::InsertedItems => "inserted items",
            Self::ItemsPerRow => "items per row",
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
    /// One of these two numbers.
    Either(u64, u64),
    /// From the first number to the second, both included.
    Range(u64, u64),
    /// A multiple of the first number, from the second to the third, both included.
    Multiple(u64, u64, u64),
    /// This number or more.
    AtLeast(u64),
    /// At least 1, for a number of hashes. The system also reads a filter with a smaller number, and answers every query with
    /// true.
    AtLeastOneHash,
    /// This number or less.
    AtMost(u64),
    /// Between 0 and 1, exclusive.
    Share,
    /// This number or less, for a rate.
    ShareUpTo(f64),
    /// A rate that a filter of at most this many bits can keep.
    KeptBy(u64),
    /// -1, the version of Hadoop's format, or at least 1. A number of at least 1 is the number of hashes, with which Hadoop's
    /// old format begins instead of a version.
    HadoopVersion,
    /// 3 or 4: the number of 64-bit words in the header of a file of DataSketches.
    Longs,
    /// From 4 to 7, or from 12 to 15: the options of a chain with hashes of 64 bits.
    WideHashes,
    /// Eight times the number of bytes that the header states for the link.
    BitsOfBytes,
    /// The number of hashes that RedisBloom computes from the bits per item of the link.
    OfBitsPerItem,
    /// The number of bits that RedisBloom computes from the expected items and the bits per item of the link.
    OfExpectedItems,
    /// For a field in the header of a row: the value of this field in the header of the whole filter.
    AsOfFilter,
    /// The number of bits of the filter, or this number rounded up to a multiple of 64.
    AsOfFilterRounded,
    /// The sum of the items of all links.
    SumOfLinks,
    /// This number, which was found by counting the set bits.
    AsCounted(u64),
    /// Below the number of items that the last link is made for: a chain that does not grow takes no more.
    BelowExpectedItems,
    /// So small that the sum of both filters' values is below 2^64.
    SumBelow64Bits,
    /// 1 plus the number of data bytes in the chunks up to this one.
    DataSoFar,
    /// A varint that is written in at most five bytes, and in as few as possible.
    Shortest,
    /// A type of keys that the system takes.
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
            Self::KeptBy(most) => {
                return write!(
                    f,
                    "a rate that a filter of at most {} bits can keep",
                    number(most)
                );
            }
            Self::AtLeastOneHash => "at least 1",
            Self::Share => "between 0 and 1 (exclusive)",
            Self::HadoopVersion => "-1, or at least 1: the number of hashes in the old form",
            Self::Longs => "3 or 4 (words of 8 bytes)",
            Self::WideHashes => "from 4 to 7 or from 12 to 15 (options with 64-bit hashes)",
            Self::BitsOfBytes => "8 times the number of bytes",
            Self::OfBitsPerItem => "the number that follows from the bits per item",
            Self::OfExpectedItems => "the number that follows from the expected items",
            Self::AsOfFilter => "the same as in the filter",
            Self::AsOfFilterRounded => {
                "as many as in the filter, or that number rounded up to a multiple of 64"
            }
            Self::SumOfLinks => "the sum over all links",
            Self::AsCounted(count) => return write!(f, "{count}, as counted in the bits"),
            Self::BelowExpectedItems => "below the expected items, as the chain does not grow",
            Self::SumBelow64Bits => "below 2^64 when added to those of the other filter",
            Self::DataSoFar => "1 plus the number of data bytes in the chunks up to this one",
            Self::Shortest => "encoded in at most 5 bytes, and in as few as possible",
            Self::TypeOfSystem => "of a type that the system takes",
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
    /// A byte, which is displayed in hexadecimal.
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
            // A power of two from 2^32 on is easier to read as a power than as digits.
            Self::Whole(number) if number > u32::MAX.into() && number.count_ones() == 1 => {
                write!(f, "2^{}", number.trailing_zeros())
            }
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number:?}"),
            Self::Byte(byte) => write!(f, "{byte:#04x}"),
            Self::Format(format) => write!(f, "{format}"),
            Self::Key(key) => f.write_str(match key {
                KeyType::Text => "text",
                KeyType::Bytes => "bytes",
                KeyType::Utf16 => "UTF-16 text",
                KeyType::Long => "a 64-bit integer",
                KeyType::Int => "a 32-bit integer",
                KeyType::Double => "a double",
                KeyType::Float => "a float",
            }),
        }
    }
}
