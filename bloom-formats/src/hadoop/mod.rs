//! The filters of Apache Hadoop, `org.apache.hadoop.util.bloom`: simple and dynamic ones, also as the text that Apache
//! Hudi keeps in the footers of Parquet files.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | i32 version -1 |
//! | 4 | i32 hashes k |
//! | 8 | i8 hash: 0 [Jenkins' lookup3](crate::hash::jenkins_lookup3), 1 [MurmurHash2](crate::hash::hadoop_murmur2) |
//! | 9 | i32 bits m, any number |
//! | 13 | bit j is bit j mod 8, from the lowest, of byte j / 8 |
//!
//! An old form has no version: a first number above 0 is k, the hash is Jenkins', and m and the bits follow. It is
//! read, but written with a version, as Hadoop does.
//!
//! A dynamic filter has the same first 13 bytes, then i32 items a row, i32 items in the last row, i32 rows, and each
//! row as a whole filter with a header of its own. A key is in the filter if a row has it.
//!
//! The first hash of a key has the seed 0, each further one the hash before it. Position i is the absolute value of
//! hash i, a signed number of 32 bits, mod m. Keys are bytes, at least one; the numbers of Hadoop's `Writable` types
//! have the highest byte first.
//!
//! Hudi keeps the same bytes as standard base64 under the key `org.apache.hudi.bloomfilter` of the footer. Its hash is
//! MurmurHash2, and its keys are UTF-8. If the key `hoodie_bloom_filter_type_code` is `DYNAMIC_V0`, the filter is
//! dynamic.
//!
//! Hadoop ignores bits beyond m, and rows whose headers differ: here both are errors, and so are more than 255
//! hashes.
//!
//! Sources: apache/hadoop `hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/util/bloom/`
//! (`BloomFilter.java`, `DynamicBloomFilter.java`, `Filter.java`, `HashFunction.java`), the answers of Hadoop 3.5.0,
//! and, for Hudi alone, apache/hudi `hudi-common/src/main/java/org/apache/hudi/common/bloom/`.

mod dynamic;
mod rows;

use alloc::string::String;
use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;

pub use dynamic::HadoopDynamicBloom;

use bloom_systems::Positions;

use crate::error::{Format, FormatError, Rule};
use crate::hash::{hadoop_murmur2, jenkins_lookup3};
use crate::plain::{Plain, bits_and_fill, readings};
use crate::reader::{Reader, complete};
use crate::warning::Warning;
use crate::words::{Order, Words};
use crate::{size, text};

/// The bytes before the bits.
const HEADER_BYTES: usize = 13;

/// The hash of a filter of Hadoop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HadoopHash {
    /// [Jenkins' lookup3](jenkins_lookup3), type 0: that of files without a version.
    Jenkins,
    /// [MurmurHash2](hadoop_murmur2), type 1: Hadoop's default, and that of Hudi.
    Murmur,
}

impl HadoopHash {
    /// Returns the positions of a key.
    fn positions(self, key: &[u8], shape: Shape) -> Result<impl Iterator<Item = u64>, FormatError> {
        if key.is_empty() {
            return Err(field("bytes of a key", "at least 1", 0));
        }
        let hash = move |seed| match self {
            Self::Jenkins => jenkins_lookup3(key, seed),
            Self::Murmur => hadoop_murmur2(key, seed),
        };
        Ok(bloom_systems::chain::positions(
            hash,
            shape.bits(),
            shape.hashes(),
        ))
    }

    fn derivation(self) -> Positions {
        // Each of its steps is invertible, and the seed goes through all of them.
        let permutation = self == Self::Murmur;
        Positions::Chained { permutation }
    }
}

/// A Bloom filter of Apache Hadoop.
///
/// # Examples
///
/// ```
/// use bloom_formats::{HadoopBloom, HadoopHash};
///
/// // new BloomFilter(4001, 5, Hash.MURMUR_HASH)
/// let mut filter = HadoopBloom::with_bits(HadoopHash::Murmur, 4_001, 5)?;
/// assert!(filter.insert(b"user-7")?);
/// let file = filter.to_bytes()?;
/// assert_eq!(file.len(), 13 + 501);
///
/// let read = HadoopBloom::from_bytes(&file)?;
/// assert!(read.contains(b"user-7")? && !read.contains(b"user-8")?);
///
/// // As in the footer of Hudi's files.
/// let text = read.to_base64()?;
/// assert!(HadoopBloom::from_base64(&text)? == read);
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct HadoopBloom<B = Vec<u8>> {
    hash: HadoopHash,
    plain: Plain<B>,
}

impl HadoopBloom {
    /// Creates a filter of the size that Hudi gives it for `items` expected items at `rate`. Hadoop itself has no rule.
    ///
    /// The size may miss the rate, as Hudi's does: [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(hash: HadoopHash, items: u64, rate: f64) -> Result<Self, FormatError> {
        let (bits, hashes) = size_of(items, rate)?;
        Self::with_bits(hash, bits, hashes)
    }

    /// Creates a filter of `bits` bits and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^31 - 1, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(hash: HadoopHash, bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let shape = shape(bits, hashes)?;
        let words = Words::cleared_bytes(Format::Hadoop, bits.div_ceil(8), Order::LowFirst)?;
        Ok(Self::new(hash, shape, words))
    }

    /// Reads the base64 text of a filter, as Hudi stores it: padded or not.
    ///
    /// # Errors
    ///
    /// The text must be standard base64, and its bytes as for [`from_bytes`](Self::from_bytes).
    pub fn from_base64(text: &str) -> Result<Self, FormatError> {
        Self::from_bytes(&text::decoded(Format::Hadoop, &text::STANDARD, text)?)
    }

    /// Inserts a key and returns whether it was certainly new.
    ///
    /// # Errors
    ///
    /// As in Hadoop, the key must have a byte.
    pub fn insert(&mut self, key: &[u8]) -> Result<bool, FormatError> {
        let positions = self.hash.positions(key, self.shape())?;
        Ok(self.plain.insert(positions))
    }

    /// Inserts all keys of another filter.
    ///
    /// # Errors
    ///
    /// As in Hadoop, bits and hashes must be equal; and the type of the hash, which Hadoop does not compare.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &HadoopBloom<B>) -> Result<(), FormatError> {
        Format::Hadoop.equal("hash types", self.hash as u8, other.hash as u8)?;
        self.plain.merge(&other.plain)
    }
}

impl<'a> HadoopBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Hadoop, bytes);
        let filter = Self::next(&mut reader)?;
        Ok((filter, reader.rest()))
    }

    fn next(reader: &mut Reader<'a>) -> Result<Self, FormatError> {
        let (hash, shape) = header(reader)?;
        let bytes = reader.take(shape.bits().div_ceil(8))?;
        let last = bytes.last().expect("a filter has a bit");
        let beyond = u32::from(*last) >> ((shape.bits() - 1) % 8 + 1);
        if beyond != 0 {
            let beyond = beyond.count_ones();
            return Err(field("set bits beyond the last", "0", beyond.into()));
        }
        let words = Words::new(bytes, Order::LowFirst);
        Ok(Self::new(hash, shape, words))
    }
}

impl<B: AsRef<[u8]>> HadoopBloom<B> {
    fn new(hash: HadoopHash, shape: Shape, words: Words<B>) -> Self {
        Self {
            hash,
            plain: Plain::new(Format::Hadoop, shape, words),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<HadoopBloom, FormatError> {
        let (hash, plain) = (self.hash, self.plain.owned()?);
        Ok(HadoopBloom { hash, plain })
    }

    /// Returns the bytes that Hadoop's `write` writes, with a version.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        self.plain.to_bytes(&header_of(self.hash, self.shape()))
    }

    /// Returns the bytes as padded base64 text, as Hudi stores them.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_base64(&self) -> Result<String, FormatError> {
        text::encoded(Format::Hadoop, &self.to_bytes()?)
    }

    /// Returns whether a key may have been inserted; `false` is certain.
    ///
    /// # Errors
    ///
    /// As in Hadoop, the key must have a byte.
    pub fn contains(&self, key: &[u8]) -> Result<bool, FormatError> {
        let positions = self.hash.positions(key, self.shape())?;
        Ok(self.plain.contains(positions))
    }

    /// Returns the hash.
    #[must_use]
    pub fn hash(&self) -> HadoopHash {
        self.hash
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation; `None`
    /// if every bit is set. O(m).
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        self.plain.estimated_items(self.hash.derivation())
    }

    /// Returns the false-positive rate at the present fill. O(m).
    ///
    /// ```text
    /// r^k + e
    /// ```
    ///
    /// where r is the exact probability that a probe finds a set bit: of the 2^32 hashes, the same number lead to each
    /// position, but one or two fewer or more to some. e is what chains of hashes add that return to a hash
    /// they had: about 2^-32 / (1 - r)^2 for Jenkins' hash, 2^-32 / (1 - r) for MurmurHash2.
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        self.plain.false_positive_rate(self.hash.derivation())
    }

    /// Returns the mean false-positive rate of filters of this size with `items` distinct items.
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        self.plain.expected_rate(self.hash.derivation(), items)
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.plain.warnings(self.hash.derivation())
    }
}

/// Returns the size that Hudi gives a filter.
fn size_of(items: u64, rate: f64) -> Result<(u64, i64), FormatError> {
    size::check_items(Format::Hadoop, items)?;
    size::check_rate(Format::Hadoop, rate)?;
    let bits = libm::ceil(items as f64 * (-libm::log(rate) / (LN_2 * LN_2))) as u64;
    let hashes = libm::ceil(LN_2 * bits as f64 / items as f64) as i64;
    Ok((bits, hashes))
}

/// Reads the hash, bits and hashes, with a version or without.
fn header(reader: &mut Reader<'_>) -> Result<(HadoopHash, Shape), FormatError> {
    let (hashes, hash) = match reader.i32_be()? {
        -1 => {
            let hashes = reader.i32_be()?;
            let hash = match reader.array()? {
                [0] => HadoopHash::Jenkins,
                [1] => HadoopHash::Murmur,
                [other] => return Err(field("hash type", "0 or 1", other.into())),
            };
            (hashes, hash)
        }
        hashes @ 1.. => (hashes, HadoopHash::Jenkins),
        other => return Err(Format::Hadoop.error(Rule::HadoopVersion(other))),
    };
    let bits = reader.array().map(u32::from_be_bytes)?;
    Ok((hash, shape(bits.into(), hashes.into())?))
}

/// Returns the bytes before the bits.
fn header_of(hash: HadoopHash, shape: Shape) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(&(-1_i32).to_be_bytes());
    header[4..8].copy_from_slice(&u32::from(shape.hashes()).to_be_bytes());
    header[8] = hash as u8;
    header[9..].copy_from_slice(&(shape.bits() as u32).to_be_bytes());
    header
}

/// Returns the shape of these bits and hashes.
fn shape(bits: u64, hashes: i64) -> Result<Shape, FormatError> {
    if bits == 0 || bits > i32::MAX as u64 {
        return Err(field("bits", "from 1 to 2147483647", bits));
    }
    Format::Hadoop.shape(bits, hashes)
}

fn field(name: &'static str, rule: &'static str, got: u64) -> FormatError {
    Format::Hadoop.error(Rule::Field { name, rule, got })
}

fn memory(bytes: usize) -> FormatError {
    let bytes = bytes as u64;
    Format::Hadoop.error(Rule::Memory { bytes })
}

readings!(
    HadoopBloom,
    Format::Hadoop,
    "Hadoop",
    "The version must be -1 or absent, the hashes from 1 to 255, the hash type 0 or 1, the bits from 1 to 2^31 - 1, bits beyond m clear"
);
bits_and_fill!(HadoopBloom);

/// Prints hash and shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for HadoopBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HadoopBloom")
            .field("hash", &self.hash)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
