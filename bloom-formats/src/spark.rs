//! The filters of Apache Spark: `org.apache.spark.util.sketch.BloomFilter`, `df.stat.bloomFilter` and
//! the runtime filters of joins.
//!
//! | | version 1 | version 2 |
//! | --- | --- | --- |
//! | written by | all releases up to 4.0 | 4.1 and later, by default |
//! | offset 0 | i32 1 | i32 2 |
//! | offset 4 | i32 hashes k | i32 hashes k |
//! | offset 8 | i32 words | i32 seed |
//! | offset 12 | words of 64 bits | i32 words |
//! | offset 16 | | words of 64 bits |
//! | hashes a, b | [Spark's MurmurHash3](crate::hash::spark_murmur3_32), seeds 0 and a | the same, seeds: the stored one and a |
//! | position i of 1 to k | a + i b in 32 bits, flipped if below 0, mod m | a (2^31 - 1) + i b in 64 bits, flipped if below 0, mod m |
//!
//! All numbers have the highest byte first; bit j is bit j mod 64 of word j / 64, and m is 64 times the
//! words. Integers are hashed as 8 bytes, the lowest first, whatever their type; strings as UTF-8. The file
//! does not say what was inserted. Spark ignores bytes after the filter, and k below 1 makes all its queries true:
//! here both are errors, and so are more than 255 hashes.
//!
//! Sources: apache/spark `common/sketch/src/main/java/org/apache/spark/util/sketch/`
//! (`BloomFilter.java`, `BloomFilterImpl.java`, `BloomFilterImplV2.java`, `BitArray.java`), and the answers of
//! Spark 4.3.0 and 3.5.9.

use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::Positions;
use bloom_systems::double_hashing::{Excess, Scheme};

use crate::divisor::Divisor;
use crate::error::{Format, FormatError, Rule};
use crate::hash::{spark_murmur3_32, xxh64};
use crate::plain::{Plain, bits_and_fill, double_hashed, readings};
use crate::reader::{Reader, complete};
use crate::warning::Warning;
use crate::words::{Order, Words};
use crate::{size, sums};

/// The seed of `xxhash64` in Spark.
const XXHASH64_SEED: u64 = 42;

/// The most items and bits that `df.stat.bloomFilter` of Spark 4 grants by default.
const CAP_ITEMS: u64 = 4_000_000;
const CAP: u64 = 64 << 20;

/// The version of a filter: its layout, and how it derives positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SparkVersion {
    /// Sums in 32 bits: the rate suffers from some hundred million bits on.
    V1,
    /// Sums in 64 bits.
    V2 {
        /// The seed of the first hash; Spark's default is 0.
        seed: i32,
    },
}

/// An item as Spark hashes it; integers and strings convert into one. Spark has no unsigned integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SparkKey<'a> {
    /// A string, as UTF-8.
    Str(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// An integer of 8, 16 or 32 bits. A filter holds it as 64 bits; `xxhash64` hashes 32.
    Int(i32),
    /// An integer of 64 bits.
    Long(i64),
}

impl SparkKey<'_> {
    /// Returns the two hashes of the item.
    #[inline]
    fn hashes(self, seed: i32) -> (u32, u32) {
        let both = |bytes: &[u8]| {
            let first = spark_murmur3_32(bytes, seed as u32);
            (first, spark_murmur3_32(bytes, first))
        };
        match self {
            Self::Str(text) => both(text.as_bytes()),
            Self::Bytes(bytes) => both(bytes),
            Self::Int(value) => both(&i64::from(value).to_le_bytes()),
            Self::Long(value) => both(&value.to_le_bytes()),
        }
    }

    /// Returns what Spark's function `xxhash64` gives for the item: an integer of 64 bits.
    #[must_use]
    pub fn xxhash64(self) -> Self {
        let hash = |bytes: &[u8]| Self::Long(xxh64(bytes, XXHASH64_SEED) as i64);
        match self {
            Self::Str(text) => hash(text.as_bytes()),
            Self::Bytes(bytes) => hash(bytes),
            Self::Int(value) => hash(&value.to_le_bytes()),
            Self::Long(value) => hash(&value.to_le_bytes()),
        }
    }
}

impl<'a> From<&'a str> for SparkKey<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self::Str(text)
    }
}

impl<'a> From<&'a [u8]> for SparkKey<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<i8> for SparkKey<'_> {
    #[inline]
    fn from(value: i8) -> Self {
        Self::Int(value.into())
    }
}

impl From<i16> for SparkKey<'_> {
    #[inline]
    fn from(value: i16) -> Self {
        Self::Int(value.into())
    }
}

impl From<i32> for SparkKey<'_> {
    #[inline]
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<i64> for SparkKey<'_> {
    #[inline]
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

/// A Bloom filter of Apache Spark, of version 1 or 2.
///
/// # Examples
///
/// ```
/// use bloom_formats::{SparkBloom, SparkVersion};
///
/// // The size and the bytes of `BloomFilter.create(1000, 0.03)` in Spark 4.1 and later.
/// let mut filter = SparkBloom::with_rate(SparkVersion::V2 { seed: 0 }, 1_000, 0.03)?;
/// assert!(filter.insert("user-7"));
/// assert!(filter.insert(7_i64));
/// let file = filter.to_bytes()?;
///
/// let read = SparkBloom::from_bytes(&file)?;
/// assert!(read.contains("user-7") && read.contains(7));
/// assert!(!read.contains("user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (7_360, 5));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SparkBloom<B = Vec<u8>> {
    version: SparkVersion,
    plain: Plain<B>,
}

impl SparkBloom {
    /// Creates a filter of the size that Spark gives it for `items` expected items at `rate`.
    ///
    /// Spark's default rate is 0.03. Its size may miss the rate, as Spark's does:
    /// [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(version: SparkVersion, items: u64, rate: f64) -> Result<Self, FormatError> {
        Self::with_bits(version, items, size::bits(Format::Spark, items, rate)?)
    }

    /// Creates a filter of the size that `df.stat.bloomFilter` of Spark 4 gives it by default: of at most
    /// 4,000,000 expected items and 67,108,864 bits, whatever is asked for.
    ///
    /// Spark does so without a word, and its filter then misses the rate: for 10^7 items at 0.001 it has 0.11.
    /// [`expected_false_positive_rate`](Self::expected_false_positive_rate) tells. The settings
    /// `spark.sql.optimizer.runtime.bloomFilter.maxNumItems` and `.maxNumBits` raise the caps. Spark 3.5 has none.
    ///
    /// # Errors
    ///
    /// As for [`with_rate`](Self::with_rate).
    pub fn with_data_frame_rate(
        version: SparkVersion,
        items: u64,
        rate: f64,
    ) -> Result<Self, FormatError> {
        let bits = size::bits(Format::Spark, items, rate)?;
        Self::with_bits(version, items.min(CAP_ITEMS), bits.min(CAP))
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64, with the hashes that Spark takes
    /// for `items` expected items.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1, `bits` from 1 to 64 (2^31 - 1), the hashes at most 255, and the
    /// memory available.
    pub fn with_bits(version: SparkVersion, items: u64, bits: u64) -> Result<Self, FormatError> {
        size::check_items(Format::Spark, items)?;
        let words = size::words(Format::Spark, bits)?;
        let hashes = size::hashes(bits as f64 / items as f64 * LN_2);
        let shape = Format::Spark.shape(words * 64, hashes)?;
        let words = Words::cleared(Format::Spark, words, Order::HighFirst)?;
        Ok(Self::new(version, shape, words))
    }

    /// Inserts an item and returns whether it was certainly new.
    pub fn insert<'a>(&mut self, item: impl Into<SparkKey<'a>>) -> bool {
        let bits = self.plain.divisor;
        let (seed, wide) = self.seed();
        let (a, b) = item.into().hashes(seed);
        if wide {
            self.plain.insert_next(wide_positions(a, b, bits))
        } else {
            self.plain.insert_next(sums::positions(a, b, bits))
        }
    }

    /// Inserts Spark's `xxhash64` of an item, as joins with runtime filters do.
    pub fn insert_xxhash64<'a>(&mut self, item: impl Into<SparkKey<'a>>) -> bool {
        self.insert(item.into().xxhash64())
    }

    /// Inserts all items of another filter.
    ///
    /// # Errors
    ///
    /// As in Spark, versions, seeds, bits and hashes must be equal.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &SparkBloom<B>) -> Result<(), FormatError> {
        let number = |wide: bool| 1 + i64::from(wide);
        Format::Spark.equal("version", number(self.seed().1), number(other.seed().1))?;
        Format::Spark.equal("seed", self.seed().0, other.seed().0)?;
        self.plain.merge(&other.plain)
    }
}

impl<'a> SparkBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Spark, bytes);
        let version = reader.i32_be()?;
        if version != 1 && version != 2 {
            return Err(Format::Spark.error(Rule::Version(version)));
        }
        let hashes = reader.i32_be()?;
        let version = match version {
            1 => SparkVersion::V1,
            _ => SparkVersion::V2 {
                seed: reader.i32_be()?,
            },
        };
        let count = reader.word_count()?;
        let shape = Format::Spark.shape(count * 64, hashes.into())?;
        let words = Words::new(reader.take(count * 8)?, Order::HighFirst);
        Ok((Self::new(version, shape, words), reader.rest()))
    }
}

impl<B: AsRef<[u8]>> SparkBloom<B> {
    fn new(version: SparkVersion, shape: Shape, words: Words<B>) -> Self {
        Self {
            version,
            plain: Plain::new(Format::Spark, shape, words),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<SparkBloom, FormatError> {
        let (version, plain) = (self.version, self.plain.owned()?);
        Ok(SparkBloom { version, plain })
    }

    /// Returns the bytes that Spark's `writeTo` writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let hashes = i32::from(self.shape().hashes());
        let words = self.plain.words.count() as i32;
        let (header, used) = match self.version {
            SparkVersion::V1 => ([1, hashes, words, 0], 12),
            SparkVersion::V2 { seed } => ([2, hashes, seed, words], 16),
        };
        let header = header.map(i32::to_be_bytes);
        self.plain.to_bytes(&header.as_flattened()[..used])
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[inline]
    #[must_use]
    pub fn contains<'a>(&self, item: impl Into<SparkKey<'a>>) -> bool {
        let bits = self.plain.divisor;
        let (seed, wide) = self.seed();
        let (a, b) = item.into().hashes(seed);
        if wide {
            self.plain.contains_next(wide_positions(a, b, bits))
        } else {
            self.plain.contains_next(sums::positions(a, b, bits))
        }
    }

    /// Returns whether the `xxhash64` of an item may have been inserted, for runtime filters.
    #[inline]
    #[must_use]
    pub fn contains_xxhash64<'a>(&self, item: impl Into<SparkKey<'a>>) -> bool {
        self.contains(item.into().xxhash64())
    }

    /// Returns the version.
    #[must_use]
    pub fn version(&self) -> SparkVersion {
        self.version
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.plain.warnings(self.derivation());
        if self.shape().bits() == CAP {
            warnings.push(Warning::SparkCap);
        }
        warnings
    }

    /// Returns the seed, and whether sums have 64 bits.
    fn seed(&self) -> (i32, bool) {
        match self.version {
            SparkVersion::V1 => (0, false),
            SparkVersion::V2 { seed } => (seed, true),
        }
    }

    fn derivation(&self) -> Positions {
        match self.version {
            SparkVersion::V1 => Positions::Signed,
            // No sum overflows 64 bits.
            SparkVersion::V2 { .. } => Positions::Double(Scheme::Modular { bits: 32 }),
        }
    }
}

/// Returns the positions of an item in version 2.
#[inline]
fn wide_positions(a: u32, b: u32, bits: Divisor) -> impl FnMut() -> u64 {
    let step = i64::from(b as i32);
    let mut sum = i64::from(a as i32) * i64::from(i32::MAX);
    move || {
        sum += step;
        // All ones if below 0.
        bits.remainder((sum ^ sum >> 63) as u64)
    }
}

readings!(
    SparkBloom,
    Format::Spark,
    "Spark",
    "The version must be 1 or 2, the hashes from 1 to 255, the words from 1 to 2^31 - 1"
);
bits_and_fill!(SparkBloom);
double_hashed!(SparkBloom, "Spark", "version 1");

/// Prints version and shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for SparkBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparkBloom")
            .field("version", &self.version)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
