//! The filters of Google Guava: `com.google.common.hash.BloomFilter`, as its `writeTo` writes them.
//!
//! | offset | field |
//! | --- | --- |
//! | 0 | i8 strategy: 0 is MURMUR128_MITZ_32, 1 is MURMUR128_MITZ_64 |
//! | 1 | u8 hashes k |
//! | 2 | i32 words, highest byte first |
//! | 6 | words of 64 bits, highest byte first; bit j is bit j mod 64 of word j / 64 |
//!
//! | strategy | position i |
//! | --- | --- |
//! | 0 | a + i b in 32 bits for i from 1 to k, flipped if below 0, mod m; a, b: low and high half of h1 |
//! | 1 | h1 + i h2 in 64 bits for i from 0 to k - 1, without the highest bit, mod m |
//!
//! h1 and h2 are the halves of the [128-bit MurmurHash3](crate::hash::murmur3_x64_128) of the bytes that the
//! *funnel* gives. The file does not say which funnel that was: each query names it, as a [`GuavaKey`]. Guava
//! ignores bytes after the filter. Filters saved by Java's serialization have another layout.
//!
//! Sources: google/guava `guava/src/com/google/common/hash/` (`BloomFilter.java`, `BloomFilterStrategies.java`), and
//! the answers of Guava 33.6.0.

use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::Positions;
use bloom_systems::double_hashing::{Excess, Scheme};

use crate::error::{Format, FormatError, Rule};
use crate::hash::murmur3_x64_128;
use crate::plain::{Plain, bits_and_fill, double_hashed, readings};
use crate::reader::{Reader, complete};
use crate::warning::Warning;
use crate::words::{Order, Words};
use crate::{size, sums};

/// How strategy 1 adds: dropping the highest bit of a sum is adding in 63 bits.
const MITZ_64: Scheme = Scheme::Wrapping { bits: 63 };

/// The bits of a sum that strategy 1 keeps.
const KEPT: u64 = u64::MAX >> 1;

/// How a filter derives positions from a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GuavaStrategy {
    /// Strategy 0, of old releases: sums in 32 bits, so that the rate suffers from some hundred million
    /// bits on.
    Mitz32,
    /// Strategy 1, which all current releases create: sums in 64 bits.
    Mitz64,
}

impl GuavaStrategy {
    fn number(self) -> u8 {
        u8::from(self == Self::Mitz64)
    }
}

/// An item, with the funnel by which it gets into the filter.
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

/// A Bloom filter of Google Guava, of either strategy.
///
/// # Examples
///
/// ```
/// use bloom_formats::{GuavaBloom, GuavaKey, GuavaStrategy};
///
/// // The size and the bytes of `BloomFilter.create(Funnels.stringFunnel(UTF_8), 1000, 0.03)`.
/// let mut filter = GuavaBloom::with_rate(GuavaStrategy::Mitz64, 1_000, 0.03)?;
/// assert!(filter.insert(GuavaKey::Utf8("user-7")));
/// let file = filter.to_bytes()?;
///
/// let read = GuavaBloom::from_bytes(&file)?;
/// assert!(read.contains(GuavaKey::Utf8("user-7")));
/// // Another funnel is another item.
/// assert!(!read.contains(GuavaKey::Utf16("user-7")));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct GuavaBloom<B = Vec<u8>> {
    strategy: GuavaStrategy,
    plain: Plain<B>,
}

impl GuavaBloom {
    /// Creates a filter of the size that Guava 33 gives it for `items` expected items at `rate`.
    ///
    /// As in Guava, 0 items count as 1, and the default rate is 0.03. The size may miss the rate, as Guava's does:
    /// [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be at most 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(strategy: GuavaStrategy, items: u64, rate: f64) -> Result<Self, FormatError> {
        let bits = size::bits(Format::Guava, items.max(1), rate)?;
        Self::with_bits(strategy, bits, size::hashes(-libm::log(rate) / LN_2))
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64.
    ///
    /// Older releases of Guava take the nearest integer to m/n ln 2 hashes: their filters have the same bytes if
    /// they are created with those.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 64 (2^31 - 1), `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(strategy: GuavaStrategy, bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let words = size::words(Format::Guava, bits)?;
        let shape = Format::Guava.shape(words * 64, hashes)?;
        let words = Words::cleared(Format::Guava, words, Order::HighFirst)?;
        Ok(Self::new(strategy, shape, words))
    }

    /// Inserts an item and returns whether it was certainly new.
    pub fn insert(&mut self, item: GuavaKey<'_>) -> bool {
        let bits = self.plain.divisor;
        let (a, b) = item.hash();
        match self.strategy {
            GuavaStrategy::Mitz32 => {
                let positions = sums::positions(a as u32, (a >> 32) as u32, bits);
                self.plain.insert_next(positions)
            }
            GuavaStrategy::Mitz64 => self.plain.insert_next(self.plain.sums(a, b, KEPT)),
        }
    }

    /// Inserts all items of another filter, as Guava's `putAll` does.
    ///
    /// # Errors
    ///
    /// As in Guava, strategies, bits and hashes must be equal. So must the funnels, which nothing in a filter
    /// tells.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &GuavaBloom<B>) -> Result<(), FormatError> {
        let (ours, theirs) = (self.strategy.number(), other.strategy.number());
        Format::Guava.equal("strategy", ours, theirs)?;
        self.plain.merge(&other.plain)
    }
}

impl<'a> GuavaBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Guava, bytes);
        let [strategy, hashes] = reader.array()?;
        let strategy = match strategy {
            0 => GuavaStrategy::Mitz32,
            1 => GuavaStrategy::Mitz64,
            other => return Err(Format::Guava.error(Rule::Strategy(other as i8))),
        };
        let count = reader.word_count()?;
        let shape = Format::Guava.shape(count * 64, hashes.into())?;
        let words = Words::new(reader.take(count * 8)?, Order::HighFirst);
        Ok((Self::new(strategy, shape, words), reader.rest()))
    }
}

impl<B: AsRef<[u8]>> GuavaBloom<B> {
    fn new(strategy: GuavaStrategy, shape: Shape, words: Words<B>) -> Self {
        Self {
            strategy,
            plain: Plain::new(Format::Guava, shape, words),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<GuavaBloom, FormatError> {
        let (strategy, plain) = (self.strategy, self.plain.owned()?);
        Ok(GuavaBloom { strategy, plain })
    }

    /// Returns the bytes that Guava's `writeTo` writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut header = [0; 6];
        header[0] = self.strategy.number();
        header[1] = self.shape().hashes();
        header[2..].copy_from_slice(&(self.plain.words.count() as u32).to_be_bytes());
        self.plain.to_bytes(&header)
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[inline]
    #[must_use]
    pub fn contains(&self, item: GuavaKey<'_>) -> bool {
        let bits = self.plain.divisor;
        let (a, b) = item.hash();
        match self.strategy {
            GuavaStrategy::Mitz32 => {
                let positions = sums::positions(a as u32, (a >> 32) as u32, bits);
                self.plain.contains_next(positions)
            }
            GuavaStrategy::Mitz64 => self.plain.contains_next(self.plain.sums(a, b, KEPT)),
        }
    }

    /// Returns the strategy.
    #[must_use]
    pub fn strategy(&self) -> GuavaStrategy {
        self.strategy
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.plain.warnings(self.derivation())
    }

    fn derivation(&self) -> Positions {
        match self.strategy {
            GuavaStrategy::Mitz32 => Positions::Signed,
            GuavaStrategy::Mitz64 => Positions::Double(MITZ_64),
        }
    }
}

readings!(
    GuavaBloom,
    Format::Guava,
    "Guava",
    "The strategy must be 0 or 1, the hashes at least 1, the words from 1 to 2^31 - 1"
);
bits_and_fill!(GuavaBloom);
double_hashed!(GuavaBloom, "Guava", "strategy 0");

/// Prints strategy and shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for GuavaBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuavaBloom")
            .field("strategy", &self.strategy)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
