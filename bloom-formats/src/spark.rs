//! The Bloom filters of Apache Spark: those of `org.apache.spark.util.sketch.BloomFilter` and `df.stat.bloomFilter`, and the
//! runtime filters of joins, whose items are the `xxhash64` of the values in a column.
//!
//! | | version 1 | version 2 |
//! | --- | --- | --- |
//! | written by | all releases up to 4.0 | 4.1 and later, by default |
//! | offset 0 | i32 1 | i32 2 |
//! | offset 4 | i32 hashes k | i32 hashes k |
//! | offset 8 | i32 number of words | i32 seed |
//! | offset 12 | words of 64 bits | i32 number of words |
//! | offset 16 | | words of 64 bits |
//! | hashes a, b | [Spark's MurmurHash3](bloom_systems::hash::spark_murmur3_32), seeds 0 and a | the same hash, seeds: the stored seed and a |
//! | position i of 1 to k | a + i × b in 32 bits, all bits flipped if below 0, mod m | a × (2^31 - 1) + i × b in 64 bits, all bits flipped if below 0, mod m |
//!
//! All numbers in the file have the highest byte first. Bit j of the filter is bit j mod 64 of word j / 64, and m is 64 times
//! the number of words. Integers of any type are hashed as 8 bytes, the lowest first; strings are hashed as UTF-8. The file
//! does not say which type the items have. Spark ignores bytes after the filter; here `from_bytes_lenient` accepts them, and
//! `from_bytes` does not. With k below 1, Spark answers every query with true; here such a k is an error, and so are more than
//! 255 hashes.
//!
//! The version must be 1 or 2, and the number of words must be from 1 to 2^31 - 1. Two filters merge if they have the same
//! version, seed, m and k. In version 1, some positions are more likely than others, and those from 2^31 on are never reached.
//! The false-positive rate that this crate computes takes this into account, and also what double hashing adds; Spark's
//! `expectedFpp` takes neither into account.
//!
//! Sources: apache/spark `common/sketch/src/main/java/org/apache/spark/util/sketch/`
//! (`BloomFilter.java`, `BloomFilterImpl.java`, `BloomFilterImplV2.java`, `BitArray.java`), and the answers of
//! Spark 4.3.0 and 3.5.9.

use alloc::vec::Vec;

use bloom_systems::hash::xxh64;
use bloom_systems::sums::signed;
use bloom_systems::systems::spark::{self, wide_positions};
use bloom_systems::{Positions, Request};

use crate::bloom::{Bloom, DoubleHashed, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{Key, SystemKey, key_from};
use crate::plain::Plain;
use crate::reader::Reader;
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

/// The seed of `xxhash64` in Spark.
const XXHASH64_SEED: u64 = 42;

/// The version of a filter: its layout, and how it derives positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SparkVersion {
    /// Positions are sums in 32 bits, which raise the rate of filters that have some hundred million bits or more.
    V1,
    /// Positions are sums in 64 bits.
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
    /// An integer of 8, 16 or 32 bits. A filter hashes it as 64 bits, but Spark's function `xxhash64` hashes it as 32 bits.
    Int(i32),
    /// An integer of 64 bits.
    Long(i64),
}

impl SparkKey<'_> {
    /// Returns the two hashes of the item.
    #[inline]
    fn hashes(self, seed: i32) -> (u32, u32) {
        match self {
            Self::Str(text) => spark::hashes(text.as_bytes(), seed),
            Self::Bytes(bytes) => spark::hashes(bytes, seed),
            Self::Int(value) => spark::hashes(&i64::from(value).to_le_bytes(), seed),
            Self::Long(value) => spark::hashes(&value.to_le_bytes(), seed),
        }
    }

    /// Returns what Spark's function `xxhash64` gives for the item.
    #[must_use]
    pub fn xxhash64(self) -> i64 {
        let hash = |bytes: &[u8]| xxh64(bytes, XXHASH64_SEED) as i64;
        match self {
            Self::Str(text) => hash(text.as_bytes()),
            Self::Bytes(bytes) => hash(bytes),
            Self::Int(value) => hash(&value.to_le_bytes()),
            Self::Long(value) => hash(&value.to_le_bytes()),
        }
    }
}

key_from! { SparkKey<'a>: Int;
    text: &'a str => Self::Str(text),
    bytes: &'a [u8] => Self::Bytes(bytes),
    value: i8 => Self::Int(value.into()),
    value: i16 => Self::Int(value.into()),
    value: i32 => Self::Int(value),
    value: i64 => Self::Long(value),
}

/// A Bloom filter of Apache Spark, of version 1 or 2.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, SparkBloom, SparkVersion};
///
/// // The size and the bytes of `BloomFilter.create(1000, 0.03)` in Spark 4.1 and later.
/// let mut filter = SparkBloom::with_rate(SparkVersion::V2 { seed: 0 }, 1_000, 0.03)?;
/// assert!(filter.insert("user-7")?);
/// assert!(filter.insert(7_i64)?);
/// let file = filter.to_bytes()?;
///
/// let read = SparkBloom::from_bytes(&file)?;
/// assert!(read.contains("user-7") && read.contains(7));
/// assert!(!read.contains("user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (7_360, 5));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type SparkBloom<'a> = Bloom<'a, Spark>;

/// The part of a [`SparkBloom`] that filters of other systems do not have: the version, with its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spark {
    version: SparkVersion,
}

impl DoubleHashed for Spark {}

impl SparkBloom<'static> {
    /// Creates a filter of the size that Spark gives it for `items` expected items at `rate`.
    ///
    /// As in Spark, a filter of this size may have a rate above `rate`. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps `rate`. Spark's default rate is 0.03.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(version: SparkVersion, items: u64, rate: f64) -> Result<Self, FormatError> {
        let size = size::for_rate(Format::Spark, &spark::SPARK, items, rate)?;
        Self::with_size(version, size)
    }

    /// Creates a filter of the size that `df.stat.bloomFilter` of Spark 4 gives it by default: it is made for at most 4,000,000
    /// items, and has at most 67,108,864 bits, even if more are requested.
    ///
    /// Spark applies these caps without a warning, and then does not keep the requested rate: its filter for 10^7 items at
    /// 0.001 has the rate 0.11. [`expected_false_positive_rate`](crate::Filter::expected_false_positive_rate) tells the true
    /// rate. The settings `spark.sql.optimizer.runtime.bloomFilter.maxNumItems` and `.maxNumBits` raise the caps. Spark 3.5 has
    /// no caps.
    ///
    /// # Errors
    ///
    /// As for [`with_rate`](Self::with_rate).
    pub fn with_data_frame_rate(
        version: SparkVersion,
        items: u64,
        rate: f64,
    ) -> Result<Self, FormatError> {
        let size = size::for_rate(Format::Spark, &spark::DATA_FRAME, items, rate)?;
        Self::with_size(version, size)
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64, with the hashes that Spark takes
    /// for `items` expected items.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1, and `bits` from 1 to 64 × (2^31 - 1). The number of hashes must be at most 255, and
    /// the memory must be available.
    pub fn with_bits(version: SparkVersion, items: u64, bits: u64) -> Result<Self, FormatError> {
        size::check_items(Format::Spark, items)?;
        let request = Request::for_bits(items, bits);
        Self::with_size(version, size::built(Format::Spark, &spark::SPARK, request)?)
    }

    fn with_size(version: SparkVersion, (bits, hashes): (u64, i64)) -> Result<Self, FormatError> {
        let shape = Format::Spark.shape(bits, hashes)?;
        let words = Words::cleared(Format::Spark, bits / 64, Order::HighFirst)?;
        Ok(Self::owned(Spark { version }, shape, words))
    }
}

/// The number of items whose hashes are computed before any of these items is looked up.
const BATCH: usize = 32;

impl SparkBloom<'_> {
    /// Queries many items, and replaces the contents of `answers` with their answers, in the order of the items. Computes the
    /// hashes of up to 32 items before it looks these items up, so that the processor looks up several items at once.
    pub fn contains_many(&self, items: &[SparkKey<'_>], answers: &mut Vec<bool>) {
        let (bits, (seed, wide)) = (self.plain.divisor, self.system.seed());
        answers.clear();
        let mut hashes = [(0, 0); BATCH];
        for items in items.chunks(BATCH) {
            for (hashes, item) in hashes.iter_mut().zip(items) {
                *hashes = item.hashes(seed);
            }
            let hashes = &hashes[..items.len()];
            if wide {
                let plain = &self.plain;
                let found = |&(a, b)| plain.contains_next(wide_sums(plain, a, b));
                answers.extend(hashes.iter().map(found));
            } else {
                let found = |&(a, b)| self.plain.contains_next(signed(a, b, bits));
                answers.extend(hashes.iter().map(found));
            }
        }
    }

    /// Inserts Spark's `xxhash64` of an item, as Spark does in runtime filters.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Bloom::insert).
    pub fn insert_xxhash64<'k>(
        &mut self,
        item: impl Into<SparkKey<'k>>,
    ) -> Result<bool, FormatError> {
        self.insert(item.into().xxhash64())
    }

    /// Queries a runtime filter: returns `false` only if the `xxhash64` of the item was certainly not inserted.
    #[inline]
    #[must_use]
    pub fn contains_xxhash64<'k>(&self, item: impl Into<SparkKey<'k>>) -> bool {
        self.contains(item.into().xxhash64())
    }

    /// Returns the version.
    #[must_use]
    pub fn version(&self) -> SparkVersion {
        self.system.version
    }
}

impl Rules for Spark {
    const FORMAT: Format = Format::Spark;

    type Key<'k> = SparkKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<SparkBloom<'a>, FormatError> {
        let version = reader.i32_be()?;
        if version != 1 && version != 2 {
            return Err(Format::Spark.field(Field::Version, Must::Either(1, 2), version));
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
        Ok(Bloom::new(Spark { version }, shape, words))
    }

    fn header(filter: &SparkBloom<'_>) -> Vec<u8> {
        let hashes = i32::from(filter.shape().hashes());
        let words = filter.plain.words.count() as i32;
        let (header, used) = match filter.system.version {
            SparkVersion::V1 => ([1, hashes, words, 0], 12),
            SparkVersion::V2 { seed } => ([2, hashes, seed, words], 16),
        };
        header.map(i32::to_be_bytes).as_flattened()[..used].to_vec()
    }

    #[inline]
    fn contains(filter: &SparkBloom<'_>, key: SparkKey<'_>) -> bool {
        let plain = &filter.plain;
        let (a, b, wide) = filter.system.hashes(key);
        if wide {
            plain.contains_next(wide_sums(plain, a, b))
        } else {
            plain.contains_next(signed(a, b, plain.divisor))
        }
    }

    fn insert(filter: &mut SparkBloom<'_>, key: SparkKey<'_>) -> Result<bool, FormatError> {
        let (a, b, wide) = filter.system.hashes(key);
        let plain = &mut filter.plain;
        if wide {
            plain.insert_next(wide_sums(plain, a, b))
        } else {
            plain.insert_next(signed(a, b, plain.divisor))
        }
    }

    fn compare(&self, other: &Self) -> Result<(), FormatError> {
        let number = |wide: bool| 1 + i64::from(wide);
        Format::Spark.equal(
            Field::Version,
            number(self.seed().1),
            number(other.seed().1),
        )?;
        Format::Spark.equal(Field::Seed, self.seed().0, other.seed().0)
    }

    fn positions(&self) -> Positions {
        match self.version {
            SparkVersion::V1 => spark::V1_POSITIONS,
            // The sums of version 2 never overflow 64 bits, unlike the 32-bit sums of version 1.
            SparkVersion::V2 { .. } => spark::V2_POSITIONS,
        }
    }

    fn warnings(filter: &SparkBloom<'_>) -> Vec<Warning> {
        let mut warnings = filter.plain.warnings(filter.system.positions());
        if filter.shape().bits() == spark::MAX_BITS {
            warnings.push(Warning::SparkCap);
        }
        warnings
    }
}

/// Returns the positions of an item in a filter of version 2.
#[inline]
fn wide_sums(plain: &Plain<'_>, a: u32, b: u32) -> impl FnMut() -> u64 + use<> {
    wide_positions(a, b, plain.divisor, plain.shape.hashes())
}

impl Spark {
    /// Returns the two hashes of an item, and whether their sums have 64 bits.
    #[inline]
    fn hashes(self, key: SparkKey<'_>) -> (u32, u32, bool) {
        let (seed, wide) = self.seed();
        let (a, b) = key.hashes(seed);
        (a, b, wide)
    }

    /// Returns the seed, and whether sums have 64 bits.
    fn seed(self) -> (i32, bool) {
        match self.version {
            SparkVersion::V1 => (0, false),
            SparkVersion::V2 { seed } => (seed, true),
        }
    }
}
