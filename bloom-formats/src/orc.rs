//! The filters of Apache ORC, one for each column and row group: the message `BloomFilter` of `orc_proto.proto`.
//!
//! | bytes | field |
//! | --- | --- |
//! | `08`, varint | 1: hashes k |
//! | `1a`, varint of the length, 64-bit words | 3: the bitset of a stream BLOOM_FILTER_UTF8 |
//! | `11` before each 64-bit word | 2: the bitset of a stream BLOOM_FILTER, of old writers |
//!
//! Words have the lowest byte first; bit j is bit j mod 64 of word j / 64, and m is 64 times the words. The stream
//! holds a `BloomFilterIndex`: each filter, uncompressed, follows a byte `0a` and a varint of its length. Finding the
//! stream in a file is left to an ORC library.
//!
//! | | |
//! | --- | --- |
//! | hash of bytes and strings | [the MurmurHash3 of Hive](crate::hash::hive_murmur3_64), seed 104729 |
//! | hash of integers, widened to 64 bits | [Wang's mix](crate::hash::orc_long) |
//! | hash of floating-point numbers, widened to 64 bits | Wang's mix of their bits, all NaNs as one; 0.0 and -0.0 differ |
//! | position i of 1 to k | a + i b in 32 bits, flipped if below 0, mod m; a is the low half of the hash, b the high half |
//!
//! Old writers may have hashed strings in another encoding than UTF-8, which nothing in the message tells: in a stream
//! BLOOM_FILTER of a writer before HIVE-12055, text with other than ASCII characters has to be queried as bytes in the
//! encoding of that writer. Fields in another order, unknown ones and packed words, which no writer has, are refused.
//!
//! Sources: apache/orc `java/core/src/java/org/apache/orc/util/` (`BloomFilter.java`, `BloomFilterIO.java`,
//! `Murmur3.java`), and the filters and answers of ORC 2.3.0; the old stream by its source alone.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;

use crate::divisor::Divisor;
use crate::error::{Format, FormatError, Rule};
use crate::hash::{hive_murmur3_64, orc_long};
use crate::plain::{Plain, bits_and_fill, double_hashed};
use crate::reader::{Reader, complete, push_varint};
use crate::warning::Warning;
use crate::words::{Order, Words, reserved};
use crate::{size, sums};

/// The seed of the hash of bytes, in ORC and Hive.
pub(crate) const SEED: u64 = 104_729;

/// The most bits, for an `int` holds them.
const MOST_BITS: u64 = (1 << 31) - 64;

const HASHES: u8 = 0x08;
const WORD: u8 = 0x11;
const BITSET: u8 = 0x1a;

/// The stream that a filter of ORC is from: how its bits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrcStream {
    /// BLOOM_FILTER: strings may be hashed in any encoding.
    Original,
    /// BLOOM_FILTER_UTF8, that of today.
    Utf8,
}

/// An item as ORC hashes it; numbers and strings convert into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OrcKey<'a> {
    /// An integer of any size.
    Long(i64),
    /// A floating-point number of either size.
    Double(f64),
    /// Bytes, strings as UTF-8.
    Bytes(&'a [u8]),
}

impl OrcKey<'_> {
    #[inline]
    fn hash(self) -> u64 {
        match self {
            Self::Long(value) => orc_long(value),
            Self::Double(value) => orc_long(java_bits(value)),
            Self::Bytes(bytes) => hive_murmur3_64(bytes, SEED),
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

impl From<i8> for OrcKey<'_> {
    fn from(value: i8) -> Self {
        Self::Long(value.into())
    }
}

impl From<i16> for OrcKey<'_> {
    fn from(value: i16) -> Self {
        Self::Long(value.into())
    }
}

impl From<i32> for OrcKey<'_> {
    #[inline]
    fn from(value: i32) -> Self {
        Self::Long(value.into())
    }
}

impl From<i64> for OrcKey<'_> {
    #[inline]
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

impl From<f32> for OrcKey<'_> {
    #[inline]
    fn from(value: f32) -> Self {
        Self::Double(value.into())
    }
}

impl From<f64> for OrcKey<'_> {
    #[inline]
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl<'a> From<&'a str> for OrcKey<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self::Bytes(text.as_bytes())
    }
}

impl<'a> From<&'a [u8]> for OrcKey<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// A Bloom filter of Apache ORC.
///
/// # Examples
///
/// ```
/// use bloom_formats::OrcBloom;
///
/// // new BloomFilterUtf8(1000, 0.05)
/// let mut filter = OrcBloom::with_rate(1_000, 0.05)?;
/// assert!(filter.insert("user-7"));
/// assert!(filter.insert(7_i64));
/// assert!(filter.insert(0.5));
/// let message = filter.to_bytes()?;
///
/// let read = OrcBloom::from_bytes(&message)?;
/// assert!(read.contains("user-7") && read.contains(7_i64) && read.contains(0.5));
/// assert!(!read.contains("user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (6_272, 4));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct OrcBloom<B = Vec<u8>> {
    stream: OrcStream,
    plain: Plain<B>,
}

impl OrcBloom {
    /// Creates a filter of the size that ORC gives it for `items` expected items at `rate`, for a stream
    /// [`Utf8`](OrcStream::Utf8).
    ///
    /// As in ORC, 0 items count as 1, the default rate is 0.05, and there is a word more where the bits are a multiple of
    /// 64. The size may miss the rate, as ORC's does: [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be at most 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        let items = items.max(1);
        let real = size::bits(Format::Orc, items, rate)?;
        let bits = real.saturating_add(64 - real % 64);
        Self::with_bits(bits, size::hashes(bits as f64 / items as f64 * LN_2))
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64, and `hashes` hashes, for a stream
    /// [`Utf8`](OrcStream::Utf8).
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^31 - 64, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(bits: u64, hashes: i64) -> Result<Self, FormatError> {
        if bits == 0 || bits > MOST_BITS {
            return Err(field("bits", "from 1 to 2147483584", bits));
        }
        let count = bits.div_ceil(64);
        let shape = Format::Orc.shape(count * 64, hashes)?;
        let words = Words::cleared(Format::Orc, count, Order::LowFirst)?;
        Ok(Self::new(OrcStream::Utf8, shape, words))
    }

    /// Reads a filter of either stream that fills all of the bytes.
    ///
    /// # Errors
    ///
    /// The fields must be those of one stream in their order, varints of the shortest form, the hashes from 1 to 255, the
    /// bits from 64 to 2^31 - 64, the bytes as many as the length of the bitset says, and the memory available.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        complete(Format::Orc, bytes, Self::from_bytes_lenient(bytes)?)
    }

    /// Reads a filter of either stream and returns the bytes that follow it.
    ///
    /// The words of a stream [`Original`](OrcStream::Original) go on as long as there are any.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but there may be more bytes.
    pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let mut reader = Reader::new(Format::Orc, bytes);
        let hashes = hashes(&mut reader)?;
        if reader.rest().first() != Some(&WORD) {
            let (filter, rest) = OrcBloom::borrowed_lenient(bytes)?;
            return Ok((filter.copied()?, rest));
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
        Ok((Self::new(OrcStream::Original, shape, words), reader.rest()))
    }

    /// Inserts an item and returns whether it was certainly new.
    pub fn insert<'a>(&mut self, item: impl Into<OrcKey<'a>>) -> bool {
        self.plain
            .insert_next(positions(item.into(), self.plain.divisor))
    }

    /// Inserts all items of another filter.
    ///
    /// # Errors
    ///
    /// As in ORC, bits and hashes must be equal.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &OrcBloom<B>) -> Result<(), FormatError> {
        self.plain.merge(&other.plain)
    }
}

impl<'a> OrcBloom<&'a [u8]> {
    /// Reads a filter of a stream [`Utf8`](OrcStream::Utf8) that fills all of the bytes, in place: queries look at these
    /// bytes, which may be those of a mapped file.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](OrcBloom::from_bytes), but no memory is needed. The words of an old stream are apart, so
    /// that they cannot be read in place.
    pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
        complete(Format::Orc, bytes, Self::borrowed_lenient(bytes)?)
    }

    /// Reads a filter of a stream [`Utf8`](OrcStream::Utf8) in place, and returns the bytes that follow it.
    ///
    /// # Errors
    ///
    /// As for [`borrowed`](Self::borrowed), but there may be more bytes.
    pub fn borrowed_lenient(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Orc, bytes);
        let hashes = hashes(&mut reader)?;
        reader.expect(&[BITSET])?;
        let length = reader.varint()?;
        let shape = shape(length, hashes)?;
        let words = Words::new(reader.take(length)?, Order::LowFirst);
        Ok((Self::new(OrcStream::Utf8, shape, words), reader.rest()))
    }
}

impl<B: AsRef<[u8]>> OrcBloom<B> {
    fn new(stream: OrcStream, shape: Shape, words: Words<B>) -> Self {
        Self {
            stream,
            plain: Plain::new(Format::Orc, shape, words),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<OrcBloom, FormatError> {
        let (stream, plain) = (self.stream, self.plain.owned()?);
        Ok(OrcBloom { stream, plain })
    }

    /// Returns the message that ORC writes into the stream, without its length.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut header = vec![HASHES];
        push_varint(&mut header, self.shape().hashes().into());
        let words = &self.plain.words;
        if self.stream == OrcStream::Utf8 {
            header.push(BITSET);
            push_varint(&mut header, words.count() * 8);
            return self.plain.to_bytes(&header);
        }
        let mut message = reserved(Format::Orc, header.len() as u64 + words.count() * 9)?;
        message.extend(header);
        for word in words.bytes().as_chunks::<8>().0 {
            message.push(WORD);
            message.extend(word);
        }
        Ok(message)
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[inline]
    #[must_use]
    pub fn contains<'a>(&self, item: impl Into<OrcKey<'a>>) -> bool {
        self.plain
            .contains_next(positions(item.into(), self.plain.divisor))
    }

    /// Returns the stream that the filter is for.
    #[must_use]
    pub fn stream(&self) -> OrcStream {
        self.stream
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.plain.warnings(self.derivation())
    }

    #[allow(clippy::unused_self)]
    fn derivation(&self) -> Positions {
        Positions::Signed
    }
}

/// Returns the positions of an item.
fn positions(key: OrcKey<'_>, bits: Divisor) -> impl FnMut() -> u64 {
    let hash = key.hash();
    sums::positions(hash as u32, (hash >> 32) as u32, bits)
}

/// Reads the number of hashes.
fn hashes(reader: &mut Reader<'_>) -> Result<i64, FormatError> {
    reader.expect(&[HASHES])?;
    Ok(reader.varint()? as i64)
}

/// Returns the shape of a bitset of so many bytes.
fn shape(bytes: u64, hashes: i64) -> Result<Shape, FormatError> {
    if bytes == 0 || !bytes.is_multiple_of(8) || bytes > MOST_BITS / 8 {
        let rule = "a multiple of 8 from 8 to 268435448";
        return Err(field("bytes of the bitset", rule, bytes));
    }
    Format::Orc.shape(bytes * 8, hashes)
}

fn field(name: &'static str, rule: &'static str, got: u64) -> FormatError {
    Format::Orc.error(Rule::Field { name, rule, got })
}

bits_and_fill!(OrcBloom);
double_hashed!(
    OrcBloom,
    rate: "from some hundred million bits on, the sums of 32 bits favour some positions. e is [what double hashing \
           adds](Self::double_hashing_excess).",
    excess: "The bounds are wide, from 0 to what sums have whose sign is dropped."
);

/// Prints stream and shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for OrcBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrcBloom")
            .field("stream", &self.stream)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
