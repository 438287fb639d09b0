//! The Bloom filters of Apache ORC. A file has one for each column and row group, as a message `BloomFilter` of ORC's
//! `orc_proto.proto`.
//!
//! | bytes | field |
//! | --- | --- |
//! | `08`, varint | 1: hashes k |
//! | `1a`, varint of the length, 64-bit words | 3: the bitset of a stream BLOOM_FILTER_UTF8 |
//! | `11` before each 64-bit word | 2: the bitset of a stream BLOOM_FILTER, of old writers |
//!
//! Words have the lowest byte first. Bit j of the filter is bit j mod 64 of word j / 64, and m is 64 times the number of words.
//! A stream of a file has the filters of a column. After decompression it is a message `BloomFilterIndex`, in which each filter
//! follows a byte `0a` and a varint of the filter's length. To find the stream in a file, use an ORC library.
//!
//! | | |
//! | --- | --- |
//! | hash of bytes and strings | [the MurmurHash3 of Hive](bloom_systems::hash::hive_murmur3_64), seed 104729 |
//! | hash of integers, widened to 64 bits | [Wang's mix](bloom_systems::hash::orc_long) |
//! | hash of floating-point numbers, widened to 64 bits | Wang's mix of their bits; all NaNs are one item, and 0.0 and -0.0 are two items |
//! | position i of 1 to k | a + i × b in 32 bits, all bits flipped if below 0, mod m; a is the low half of the hash, b the high half |
//!
//! Old writers may have hashed strings in another encoding than UTF-8, and the message does not name the encoding. So if a
//! stream BLOOM_FILTER is from a writer older than the change HIVE-12055, query text with non-ASCII characters as bytes in the
//! encoding that this writer used. Fields in another order, unknown fields and packed words are refused: no writer writes them.
//!
//! Varints must have the shortest form, and m must be from 64 to 2^31 - 64. A message of a stream BLOOM_FILTER does not state
//! the number of its words: the words end where no byte `11` follows a word. Two filters merge if they have the same m and k.
//! From some hundred million bits on, some positions are more likely than others. The false-positive rate that this crate
//! computes takes this into account, and also what double hashing adds.
//!
//! Sources: apache/orc `java/core/src/java/org/apache/orc/util/` (`BloomFilter.java`, `BloomFilterIO.java`, `Murmur3.java`),
//! and the filters and answers of ORC 2.3.0. What is said about the stream BLOOM_FILTER is from the source code alone.

use alloc::vec;
use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_systems::divisor::Divisor;
use bloom_systems::hash::{hive_murmur3_64, orc_long};
use bloom_systems::systems::orc;
use bloom_systems::{Positions, sums};

use crate::bloom::{Bloom, DoubleHashed, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{Key, SystemKey, key_from};
use crate::reader::{Reader, push_varint};
use crate::size;
use crate::words::{Order, Words, reserved};

/// The maximum number of bits, which Java holds in an `int`.
const MAX_BITS: u64 = orc::ORC.sizing.most_bits;

const HASHES: u8 = 0x08;
const WORD: u8 = 0x11;
const BITSET: u8 = 0x1a;

/// The type of the stream that a filter is from or for. It determines how the bits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrcStream {
    /// BLOOM_FILTER, the stream of old writers, whose strings may have been hashed in any encoding.
    Original,
    /// BLOOM_FILTER_UTF8, the stream of today's writers, whose strings are hashed as UTF-8.
    Utf8,
}

/// An item as ORC hashes it; numbers and strings convert into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OrcKey<'a> {
    /// An integer of any size.
    Long(i64),
    /// A floating-point number of either size.
    Double(f64),
    /// Bytes, or a string as its UTF-8.
    Bytes(&'a [u8]),
}

impl OrcKey<'_> {
    #[inline]
    fn hash(self) -> u64 {
        match self {
            Self::Long(value) => orc_long(value),
            Self::Double(value) => orc_long(java_bits(value)),
            Self::Bytes(bytes) => hive_murmur3_64(bytes, orc::SEED),
        }
    }
}

/// Returns what `Double.doubleToLongBits` of Java returns: one value for all NaNs.
pub(crate) fn java_bits(value: f64) -> i64 {
    if value.is_nan() {
        return 0x7ff8 << 48;
    }
    value.to_bits() as i64
}

key_from! { OrcKey<'a>: Double;
    value: i8 => Self::Long(value.into()),
    value: i16 => Self::Long(value.into()),
    value: i32 => Self::Long(value.into()),
    value: i64 => Self::Long(value),
    value: f32 => Self::Double(value.into()),
    value: f64 => Self::Double(value),
    text: &'a str => Self::Bytes(text.as_bytes()),
    bytes: &'a [u8] => Self::Bytes(bytes),
}

/// A Bloom filter of Apache ORC.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, OrcBloom};
///
/// // new BloomFilterUtf8(1000, 0.05)
/// let mut filter = OrcBloom::with_rate(1_000, 0.05)?;
/// assert!(filter.insert("user-7")?);
/// assert!(filter.insert(7_i64)?);
/// assert!(filter.insert(0.5)?);
/// let message = filter.to_bytes()?;
///
/// let read = OrcBloom::from_bytes(&message)?;
/// assert!(read.contains("user-7") && read.contains(7_i64) && read.contains(0.5));
/// assert!(!read.contains("user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (6_272, 4));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type OrcBloom<'a> = Bloom<'a, Orc>;

/// The part of an [`OrcBloom`] that filters of other systems do not have: the type of its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orc {
    stream: OrcStream,
}

impl DoubleHashed for Orc {}

impl OrcBloom<'_> {
    /// Returns the type of the stream that the filter is from or for.
    #[must_use]
    pub fn stream(&self) -> OrcStream {
        self.system.stream
    }
}

impl OrcBloom<'static> {
    /// Creates a filter of the size that ORC gives it for `items` expected items at `rate`, for a stream
    /// [`Utf8`](OrcStream::Utf8).
    ///
    /// As in ORC, 0 items count as 1, and one more word is added if the computed number of bits is a multiple of 64. As in ORC,
    /// a filter of this size may have a rate above `rate`. A filter from [`bloom_core::BloomFilter::with_rate`] keeps `rate`.
    /// ORC's default rate is 0.05.
    ///
    /// # Errors
    ///
    /// `items` must be at most 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        let (bits, hashes) = size::for_rate(Format::Orc, &orc::ORC, items.max(1), rate)?;
        Self::with_bits(bits, hashes)
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64, and `hashes` hashes, for a stream
    /// [`Utf8`](OrcStream::Utf8).
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^31 - 64, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(bits: u64, hashes: i64) -> Result<Self, FormatError> {
        if bits == 0 || bits > MAX_BITS {
            return Err(Format::Orc.field(Field::Bits, Must::Range(1, MAX_BITS), bits));
        }
        let count = bits.div_ceil(64);
        let shape = Format::Orc.shape(count * 64, hashes)?;
        let words = Words::cleared(Format::Orc, count, Order::LowFirst)?;
        let stream = OrcStream::Utf8;
        Ok(Self::owned(Orc { stream }, shape, words))
    }
}

impl Rules for Orc {
    const FORMAT: Format = Format::Orc;

    type Key<'k> = OrcKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<OrcBloom<'a>, FormatError> {
        reader.expect(&[HASHES])?;
        let hashes = reader.varint()? as i64;
        if reader.rest().first() != Some(&WORD) {
            reader.expect(&[BITSET])?;
            let length = reader.varint()?;
            let shape = shape(length, hashes)?;
            let words = Words::new(reader.take(length)?, Order::LowFirst);
            let stream = OrcStream::Utf8;
            return Ok(Bloom::new(Orc { stream }, shape, words));
        }
        let words = reader.rest();
        while reader.rest().first() == Some(&WORD) {
            reader.take(9)?;
        }
        let length = words.len() - reader.rest().len();
        let (tagged, _) = words[..length].as_chunks::<9>();
        let shape = shape(tagged.len() as u64 * 8, hashes)?;
        let mut words = reserved(Format::Orc, shape.bits() / 8)?;
        words.extend(tagged.iter().flat_map(|word| &word[1..]));
        let words = Words::new(words, Order::LowFirst);
        let stream = OrcStream::Original;
        Ok(Bloom::new(Orc { stream }, shape, words))
    }

    fn header(filter: &OrcBloom<'_>) -> Vec<u8> {
        let mut header = vec![HASHES];
        push_varint(&mut header, filter.shape().hashes().into());
        if filter.system.stream == OrcStream::Utf8 {
            header.push(BITSET);
            push_varint(&mut header, filter.plain.words.count() * 8);
        }
        header
    }

    fn write(filter: &OrcBloom<'_>) -> Result<Vec<u8>, FormatError> {
        let (header, words) = (Self::header(filter), &filter.plain.words);
        if filter.system.stream == OrcStream::Utf8 {
            return filter.plain.to_bytes(&header);
        }
        let mut message = reserved(Format::Orc, header.len() as u64 + words.count() * 9)?;
        message.extend(header);
        for word in words.bytes().as_chunks::<8>().0 {
            message.push(WORD);
            message.extend(word);
        }
        Ok(message)
    }

    #[inline]
    fn contains(filter: &OrcBloom<'_>, key: OrcKey<'_>) -> bool {
        let plain = &filter.plain;
        plain.contains_next(positions(key, plain.divisor))
    }

    fn insert(filter: &mut OrcBloom<'_>, key: OrcKey<'_>) -> Result<bool, FormatError> {
        let plain = &mut filter.plain;
        plain.insert_next(positions(key, plain.divisor))
    }

    fn positions(&self) -> Positions {
        orc::ORC.positions
    }
}

/// Returns the positions of an item.
fn positions(key: OrcKey<'_>, bits: Divisor) -> impl FnMut() -> u64 {
    let hash = key.hash();
    sums::signed(hash as u32, (hash >> 32) as u32, bits)
}

/// Returns the shape of a bitset of this many bytes.
fn shape(bytes: u64, hashes: i64) -> Result<Shape, FormatError> {
    if bytes == 0 || !bytes.is_multiple_of(8) || bytes > MAX_BITS / 8 {
        let rule = Must::Multiple(8, 8, MAX_BITS / 8);
        return Err(Format::Orc.field(Field::BytesOfBitset, rule, bytes));
    }
    Format::Orc.shape(bytes * 8, hashes)
}
