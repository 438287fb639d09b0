//! The Bloom filters of Google Guava, as `com.google.common.hash.BloomFilter.writeTo` writes them.
//!
//! | offset | field |
//! | --- | --- |
//! | 0 | i8 strategy: 0 is MURMUR128_MITZ_32, 1 is MURMUR128_MITZ_64 |
//! | 1 | u8 hashes k |
//! | 2 | i32 number of words, highest byte first |
//! | 6 | words of 64 bits, highest byte first; bit j is bit j mod 64 of word j / 64 |
//!
//! | strategy | position i |
//! | --- | --- |
//! | 0 | a + i × b in 32 bits for i from 1 to k, all bits flipped if below 0, mod m; a and b are the low and the high half of h1 |
//! | 1 | h1 + i × h2 in 64 bits for i from 0 to k - 1, without the highest bit, mod m |
//!
//! h1 and h2 are the halves of the [128-bit MurmurHash3](bloom_systems::hash::murmur3_x64_128) of the bytes into which the
//! *funnel* turns an item. The file does not name the funnel: each query names it by the variant of its [`GuavaKey`]. Guava
//! ignores bytes after the filter. Filters saved by Java's serialization have another layout, which this crate does not read.
//!
//! m is 64 times the number of words, which must be from 1 to 2^31 - 1. Two filters merge, as by Guava's `putAll`, if they have
//! the same strategy, m and k. The caller must see to it that they also have the same funnel. With strategy 0, some positions
//! are more likely than others, and those from 2^31 on are never reached. The false-positive rate that this crate computes
//! takes this into account, and also what double hashing adds; Guava's `expectedFpp` takes neither into account.
//!
//! Sources: google/guava `guava/src/com/google/common/hash/` (`BloomFilter.java`, `BloomFilterStrategies.java`), and
//! the answers of Guava 33.6.0.

use alloc::vec::Vec;

use bloom_systems::hash::murmur3_x64_128;
use bloom_systems::systems::guava;
use bloom_systems::{Positions, sums};

use crate::bloom::{Bloom, DoubleHashed, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{Key, SystemKey};
use crate::reader::Reader;
use crate::size;
use crate::words::{Order, Words};

/// The bits of a sum that strategy 1 keeps: all but the highest.
const KEPT: u64 = u64::MAX >> 1;

/// How a filter derives positions from a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GuavaStrategy {
    /// Strategy 0, of old releases. Positions are sums in 32 bits, which raise the rate of filters that have some hundred
    /// million bits or more.
    Mitz32,
    /// Strategy 1, which all current releases create. Positions are sums in 64 bits.
    Mitz64,
}

impl GuavaStrategy {
    fn number(self) -> u8 {
        u8::from(self == Self::Mitz64)
    }
}

/// An item, with the funnel that turns it into bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GuavaKey<'a> {
    /// `Funnels.stringFunnel(UTF_8)`.
    Utf8(&'a str),
    /// `Funnels.unencodedCharsFunnel()`: UTF-16, the low byte first.
    Utf16(&'a str),
    /// `Funnels.integerFunnel()`: 4 bytes, the lowest first.
    Int(i32),
    /// `Funnels.longFunnel()`: 8 bytes, the lowest first.
    Long(i64),
    /// `Funnels.byteArrayFunnel()`, and the bytes that any other funnel gives.
    Bytes(&'a [u8]),
}

impl GuavaKey<'_> {
    #[inline]
    fn hash(self) -> (u64, u64) {
        match self {
            Self::Utf8(text) => murmur3_x64_128(text.as_bytes()),
            Self::Utf16(text) => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                murmur3_x64_128(&units.collect::<Vec<u8>>())
            }
            Self::Int(value) => murmur3_x64_128(&value.to_le_bytes()),
            Self::Long(value) => murmur3_x64_128(&value.to_le_bytes()),
            Self::Bytes(bytes) => murmur3_x64_128(bytes),
        }
    }
}

impl<'k> SystemKey<'k> for GuavaKey<'k> {
    fn of(key: Key<'k>, format: Format) -> Result<Self, FormatError> {
        match key {
            Key::Text(bytes) | Key::Bytes(bytes) => Ok(Self::Bytes(bytes)),
            Key::Utf16(text) => Ok(Self::Utf16(text)),
            Key::Long(value) => Ok(Self::Long(value)),
            Key::Int(value) => Ok(Self::Int(value)),
            other => Err(other.refused(format)),
        }
    }
}

/// A Bloom filter of Google Guava, of either strategy.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, GuavaBloom, GuavaKey, GuavaStrategy};
///
/// // The size and the bytes of `BloomFilter.create(Funnels.stringFunnel(UTF_8), 1000, 0.03)`.
/// let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, 1_000, 0.03)?;
/// assert!(filter.insert(GuavaKey::Utf8("user-7"))?);
/// let file = filter.to_bytes()?;
///
/// let read = GuavaBloom::from_bytes(&file)?;
/// assert!(read.contains(GuavaKey::Utf8("user-7")));
/// // Another funnel makes another item.
/// assert!(!read.contains(GuavaKey::Utf16("user-7")));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type GuavaBloom<'a> = Bloom<'a, Guava>;

/// The part of a [`GuavaBloom`] that filters of other systems do not have: its strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guava {
    strategy: GuavaStrategy,
}

impl DoubleHashed for Guava {}

impl GuavaBloom<'_> {
    /// Returns the strategy.
    #[must_use]
    pub fn strategy(&self) -> GuavaStrategy {
        self.system.strategy
    }
}

impl GuavaBloom<'static> {
    /// Creates a filter of the size that Guava 33.6 gives it for `items` expected items at `rate`.
    ///
    /// As in Guava, 0 items count as 1, and a filter of this size may have a rate above `rate`. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps `rate`. Guava's default rate is 0.03.
    ///
    /// # Errors
    ///
    /// `items` must be at most 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(strategy: GuavaStrategy, items: u64, rate: f64) -> Result<Self, FormatError> {
        let (bits, hashes) = size::for_rate(Format::Guava, &guava::GUAVA, items.max(1), rate)?;
        Self::with_bits(strategy, bits, hashes)
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64.
    ///
    /// Older releases of Guava take (m / n) ln 2 hashes for m bits and n items, rounded to the nearest integer. With this
    /// number of hashes, a filter here has the same bytes as in these releases.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 64 × (2^31 - 1), `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(strategy: GuavaStrategy, bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let words = size::words(Format::Guava, bits)?;
        let shape = Format::Guava.shape(words * 64, hashes)?;
        let words = Words::cleared(Format::Guava, words, Order::HighFirst)?;
        Ok(Self::owned(Guava { strategy }, shape, words))
    }
}

impl Rules for Guava {
    const FORMAT: Format = Format::Guava;

    type Key<'k> = GuavaKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<GuavaBloom<'a>, FormatError> {
        let [strategy, hashes] = reader.array()?;
        let strategy = match strategy {
            0 => GuavaStrategy::Mitz32,
            1 => GuavaStrategy::Mitz64,
            other => {
                return Err(Format::Guava.field(Field::Strategy, Must::Either(0, 1), other as i8));
            }
        };
        let count = reader.word_count()?;
        let shape = Format::Guava.shape(count * 64, hashes.into())?;
        let words = Words::new(reader.take(count * 8)?, Order::HighFirst);
        Ok(Bloom::new(Guava { strategy }, shape, words))
    }

    fn header(filter: &GuavaBloom<'_>) -> Vec<u8> {
        let [strategy, hashes] = [filter.strategy().number(), filter.shape().hashes()];
        let words = filter.plain.words.count() as u32;
        [&[strategy, hashes][..], &words.to_be_bytes()].concat()
    }

    #[inline]
    fn contains(filter: &GuavaBloom<'_>, key: GuavaKey<'_>) -> bool {
        let plain = &filter.plain;
        let (a, b) = key.hash();
        match filter.system.strategy {
            GuavaStrategy::Mitz32 => {
                plain.contains_next(sums::signed(a as u32, (a >> 32) as u32, plain.divisor))
            }
            GuavaStrategy::Mitz64 => plain.contains_next(sums::wrapping(a, b, KEPT, plain.divisor)),
        }
    }

    fn insert(filter: &mut GuavaBloom<'_>, key: GuavaKey<'_>) -> Result<bool, FormatError> {
        let plain = &mut filter.plain;
        let (a, b) = key.hash();
        match filter.system.strategy {
            GuavaStrategy::Mitz32 => {
                plain.insert_next(sums::signed(a as u32, (a >> 32) as u32, plain.divisor))
            }
            GuavaStrategy::Mitz64 => plain.insert_next(sums::wrapping(a, b, KEPT, plain.divisor)),
        }
    }

    fn compare(&self, other: &Self) -> Result<(), FormatError> {
        let (ours, theirs) = (self.strategy.number(), other.strategy.number());
        Format::Guava.equal(Field::Strategy, ours, theirs)
    }

    fn positions(&self) -> Positions {
        match self.strategy {
            GuavaStrategy::Mitz32 => guava::MITZ_32,
            GuavaStrategy::Mitz64 => guava::MITZ_64,
        }
    }
}
