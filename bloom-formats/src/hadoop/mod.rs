//! The Bloom filters of Apache Hadoop, from the package `org.apache.hadoop.util.bloom`. A simple filter has one bit array. A
//! dynamic filter is a list of simple filters, its rows: keys go to the last row, and once it is full, a row is added. Apache
//! Hudi keeps both kinds as text in the footers of Parquet files.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | i32 version -1 |
//! | 4 | i32 hashes k |
//! | 8 | i8 hash: 0 [Jenkins' lookup3](bloom_systems::hash::jenkins_lookup3), 1 [MurmurHash2](bloom_systems::hash::hadoop_murmur2) |
//! | 9 | i32 bits m, any number |
//! | 13 | bit j is bit j mod 8, from the lowest, of byte j / 8 |
//!
//! The table shows the file of a simple filter. Hadoop's old form has neither a version nor a type of hash: it consists of k, m
//! and the bits, and the hash is Jenkins'. As k is above 0, it cannot be taken for the version -1. The old form is read, too,
//! but as in Hadoop, each filter is written with a version.
//!
//! The file of a dynamic filter begins with the same 13 bytes. Then it has three i32 numbers: how many items a row takes, how
//! many items the last row has, and how many rows there are. The rows follow, each as a simple filter with its own 13 bytes of
//! header. A dynamic filter contains a key if at least one row contains it.
//!
//! The first hash of a key has the seed 0, and each further hash has the hash before it as its seed. A hash is a signed number
//! of 32 bits; position i is the absolute value of hash i, mod m. A key is one byte or more. The numbers of Hadoop's `Writable`
//! types have the highest byte first.
//!
//! Hudi keeps the bytes of such a file as standard base64, as the entry `org.apache.hudi.bloomfilter` of a Parquet footer. The
//! filters of Hudi use MurmurHash2, and their keys are UTF-8. If the footer's entry `hoodie_bloom_filter_type_code` is
//! `DYNAMIC_V0`, the filter is dynamic.
//!
//! Hadoop accepts files with set bits at positions from m on, and dynamic filters whose rows have different headers. Here both
//! are errors, and so are more than 255 hashes. Hadoop refuses a key without a byte, and so no filter contains such a key. Two
//! simple filters merge if they have the same m, the same k and the same hash function; Hadoop does not compare the hash
//! functions.
//!
//! Positions are not quite equally likely: of all 2^32 hash values, up to 2 more lead to one position than to another. The
//! false-positive rate that this crate computes takes this difference into account.
//!
//! The rate also takes into account that the hashes of a key may repeat: once a hash is equal to an earlier hash or to the
//! first seed, 0, the hashes after it repeat, too. A key whose hashes repeat has fewer different positions, and so is more
//! often a false positive. If one of the hashes is 0, position 0 is one of the key's positions, so that the key is a false
//! positive only if bit 0 is set. With many hashes, the repetitions add about these probabilities to the rate r^k of a filter
//! whose share of set bits is r:
//!
//! | hash | if bit 0 is set | if bit 0 is clear |
//! | --- | --- | --- |
//! | Jenkins' | 2^-32 / (1 - r)^2 | 2^-32 r / (1 - r)^2 |
//! | MurmurHash2, whose hashes of a key can return only to the first seed | 2^-32 / (1 - r) | 0 |
//!
//! Sources: apache/hadoop `hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/util/bloom/`
//! (`BloomFilter.java`, `DynamicBloomFilter.java`, `Filter.java`, `HashFunction.java`), the answers of Hadoop 3.5.0,
//! and, for Hudi alone, apache/hudi `hudi-common/src/main/java/org/apache/hudi/common/bloom/`.

mod dynamic;
mod rows;

use alloc::string::String;
use alloc::vec::Vec;

use bloom_core::Shape;

pub use dynamic::HadoopDynamicBloom;

use bloom_systems::hash::{hadoop_murmur2, jenkins_lookup3};
use bloom_systems::systems::hadoop;
use bloom_systems::{Positions, chain};

use crate::bloom::{Bloom, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::Filter;
use crate::filter::{ByteKey, Key, SystemKey};
use crate::reader::Reader;
use crate::words::{Order, Words};
use crate::{size, text};

/// The number of bytes before the bits, in the form with a version.
const HEADER_BYTES: usize = 13;

/// The hash function of a filter of Hadoop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HadoopHash {
    /// [Jenkins' lookup3](jenkins_lookup3), type 0: the hash of files without a version.
    Jenkins,
    /// [MurmurHash2](hadoop_murmur2), type 1: the default of Hadoop, and the hash of Hudi.
    Murmur,
}

impl HadoopHash {
    /// Returns the positions of a key.
    fn positions(self, key: ByteKey<'_>, shape: Shape) -> impl Iterator<Item = u64> {
        let hash = move |seed| match self {
            Self::Jenkins => jenkins_lookup3(key.0, seed),
            Self::Murmur => hadoop_murmur2(key.0, seed),
        };
        chain::positions(hash, shape.bits(), shape.hashes())
    }

    fn derivation(self) -> Positions {
        // For a given key, MurmurHash2 maps different seeds to different hashes: each step of its computation can be inverted.
        // So the hashes of a key can only return to the first seed.
        let permutation = self == Self::Murmur;
        Positions::Chained { permutation }
    }
}

/// A simple Bloom filter of Apache Hadoop: one bit array.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, HadoopBloom, HadoopHash};
///
/// // new BloomFilter(4001, 5, Hash.MURMUR_HASH)
/// let mut filter = HadoopBloom::with_bits(HadoopHash::Murmur, 4_001, 5)?;
/// assert!(filter.insert(b"user-7")?);
/// let file = filter.to_bytes()?;
/// assert_eq!(file.len(), 13 + 501);
///
/// let read = HadoopBloom::from_bytes(&file)?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-8"));
///
/// // Hudi keeps this text in the footers of its files.
/// let text = read.to_base64()?;
/// assert!(HadoopBloom::from_base64(&text)? == read);
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type HadoopBloom<'a> = Bloom<'a, Hadoop>;

/// The part of a [`HadoopBloom`] that filters of other systems do not have: its hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hadoop {
    hash: HadoopHash,
}

impl HadoopBloom<'static> {
    /// Creates a filter of the size that Hudi gives it for `items` expected items at `rate`. Hadoop itself has no rule for the
    /// size.
    ///
    /// As in Hudi, a filter of this size may have a rate above `rate`. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps `rate`.
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
        Ok(Self::owned(Hadoop { hash }, shape, words))
    }

    /// Reads a filter from its base64 text, the form in which Hudi stores filters. The padding may be missing.
    ///
    /// # Errors
    ///
    /// The text must be base64 in the standard alphabet, and the decoded bytes must be as for [`from_bytes`](Self::from_bytes).
    pub fn from_base64(text: &str) -> Result<Self, FormatError> {
        Self::from_bytes(&text::decoded(Format::Hadoop, &text::STANDARD, text)?)
    }
}

impl HadoopBloom<'_> {
    /// Returns the bytes of the filter as base64 text with padding, the form in which Hudi stores filters.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_base64(&self) -> Result<String, FormatError> {
        text::encoded(Format::Hadoop, &self.to_bytes()?)
    }

    /// Returns the hash function.
    #[must_use]
    pub fn hash(&self) -> HadoopHash {
        self.system.hash
    }
}

impl Rules for Hadoop {
    const FORMAT: Format = Format::Hadoop;

    type Key<'k> = ByteKey<'k>;

    fn key(key: Key<'_>) -> Result<ByteKey<'_>, FormatError> {
        checked_key(ByteKey::of(key, Self::FORMAT)?)
    }

    fn read<'a>(reader: &mut Reader<'a>) -> Result<HadoopBloom<'a>, FormatError> {
        let (hash, shape) = header(reader)?;
        let bytes = reader.take(shape.bits().div_ceil(8))?;
        let words = Words::new(bytes, Order::LowFirst);
        words.check_end(Format::Hadoop, shape.bits())?;
        Ok(Bloom::new(Hadoop { hash }, shape, words))
    }

    fn header(filter: &HadoopBloom<'_>) -> Vec<u8> {
        header_of(filter.system.hash, filter.shape()).to_vec()
    }

    fn contains(filter: &HadoopBloom<'_>, key: ByteKey<'_>) -> bool {
        let positions = filter.system.hash.positions(key, filter.shape());
        !key.0.is_empty() && filter.plain.contains(positions)
    }

    fn insert(filter: &mut HadoopBloom<'_>, key: ByteKey<'_>) -> Result<bool, FormatError> {
        let positions = filter
            .system
            .hash
            .positions(checked_key(key)?, filter.shape());
        filter.plain.insert(positions)
    }

    fn compare(&self, other: &Self) -> Result<(), FormatError> {
        Format::Hadoop.equal(Field::HashType, self.hash as u8, other.hash as u8)
    }

    fn positions(&self) -> Positions {
        self.hash.derivation()
    }
}

/// Refuses a key without a byte, as Hadoop does.
fn checked_key(key: ByteKey<'_>) -> Result<ByteKey<'_>, FormatError> {
    if key.0.is_empty() {
        return Err(Format::Hadoop.field(Field::BytesOfKey, Must::AtLeast(1), 0));
    }
    Ok(key)
}

/// Returns the numbers of bits and hashes that Hudi gives a filter for this many items at this rate.
fn size_of(items: u64, rate: f64) -> Result<(u64, i64), FormatError> {
    size::for_rate(Format::Hadoop, &hadoop::HUDI, items, rate)
}

/// Reads a header, with or without a version. Returns the hash function, and the numbers of bits and hashes.
fn header(reader: &mut Reader<'_>) -> Result<(HadoopHash, Shape), FormatError> {
    let (hashes, hash) = match reader.i32_be()? {
        -1 => {
            let hashes = reader.i32_be()?;
            let hash = match reader.array()? {
                [0] => HadoopHash::Jenkins,
                [1] => HadoopHash::Murmur,
                [other] => {
                    return Err(Format::Hadoop.field(Field::HashType, Must::Either(0, 1), other));
                }
            };
            (hashes, hash)
        }
        hashes @ 1.. => (hashes, HadoopHash::Jenkins),
        other => return Err(Format::Hadoop.field(Field::Version, Must::HadoopVersion, other)),
    };
    let bits = reader.array().map(u32::from_be_bytes)?;
    Ok((hash, shape(bits.into(), hashes.into())?))
}

/// Returns the bytes of a header, in the form with a version.
fn header_of(hash: HadoopHash, shape: Shape) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(&(-1_i32).to_be_bytes());
    header[4..8].copy_from_slice(&u32::from(shape.hashes()).to_be_bytes());
    header[8] = hash as u8;
    header[9..].copy_from_slice(&(shape.bits() as u32).to_be_bytes());
    header
}

/// Returns a shape of this many bits and hashes; refuses numbers out of range.
fn shape(bits: u64, hashes: i64) -> Result<Shape, FormatError> {
    if bits == 0 || bits > i32::MAX as u64 {
        return Err(Format::Hadoop.field(Field::Bits, Must::Range(1, i32::MAX as u64), bits));
    }
    Format::Hadoop.shape(bits, hashes)
}
