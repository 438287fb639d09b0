//! The Bloom filters of Apache Parquet, one for each column chunk. They are split-block filters: an item has one block of 256
//! bits, and sets one bit in each of the block's eight lanes of 32 bits.
//!
//! | part | bytes |
//! | --- | --- |
//! | header, Thrift's compact protocol | `15`, varint of twice the bytes of the bitset, three times `1c 1c 00 00` (block, XXHASH, uncompressed), `00` |
//! | bitset | blocks of eight 32-bit lanes, lowest byte first |
//!
//! The header starts at `bloom_filter_offset` of the column chunk's metadata. To read the metadata in the footer of a file, use
//! a Parquet library; this crate reads the bytes from the offset on.
//!
//! | | |
//! | --- | --- |
//! | hash h | [XXH64](bloom_systems::hash::xxh64), seed 0, of the value in plain encoding; a byte array without its length |
//! | block | (high half of h) × (number of blocks) / 2^32, rounded down |
//! | bit in lane i | the top 5 bits of the 32-bit product (low half of h) × salt i, where the salts are eight constants of the specification |
//!
//! Logical types are hashed as their physical type: timestamps as INT64, integers of 8 bits as INT32. 0.0 and -0.0 are
//! different items. DuckDB stores all NaNs as one item; other writers hash the bits of each NaN.
//!
//! The header must have the bytes of the first table, and the bitset must have from 32 to 2^31 - 32 bytes, a
//! multiple of 32. Two filters merge if they have the same number of blocks.
//!
//! The rate at the present fill is a mean over blocks: for each block, the shares of set bits of its eight lanes are
//! multiplied. The product assumes that lanes are independent, although the bits in all lanes follow from the same 32 bits of a
//! hash. In a block of up to 40 items, queries that share these 32 bits with an item add less than 10^-8 to the rate. The mean
//! rate of filters with n items is exact: see [`blocked::rate`].
//!
//! Sources: apache/parquet-format `BloomFilter.md`, apache/parquet-java `BlockSplitBloomFilter.java`, and the files
//! and answers of parquet-java 1.17.0 (Spark 4.3.0), DuckDB 2.0.0 and ClickHouse 26.9.

use alloc::vec;
use alloc::vec::Vec;

use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{Estimate, estimate_split_blocks};

use bloom_systems::hash::xxh64;
use bloom_systems::systems::parquet::{self, LANE_BITS, LANES};
use bloom_systems::systems::parquet_java;

use crate::bloom::{Bloom, Rules};
use crate::error::{Field, Format, FormatError, Must, Value};
use crate::filter::{Key, SystemKey, key_from};
use crate::rate::Rate;
use crate::reader::{Reader, push_varint};
use crate::size;
use crate::words::{Order, Words};

/// The layout of a block: an item sets one bit in each lane.
const BLOCK: Block = Block::Split {
    lanes: LANES,
    lane_bits: LANE_BITS,
};
const BLOCK_BYTES: u64 = parquet::BLOCK_BITS as u64 / 8;

/// The bytes that follow the length in the header: three unions, each with its only member, and the end of the struct.
const UNIONS: [u8; 13] = [0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0];

/// A value with its physical type, which determines the hashed bytes. Numbers, strings and bytes convert into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParquetKey<'a> {
    /// INT32, also for logical integers of 8 and 16 bits.
    Int32(i32),
    /// INT64.
    Int64(i64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY, strings as UTF-8.
    ByteArray(&'a [u8]),
    /// The [`hash`](Self::hash) of a value, for a caller that keeps hashes in place of values.
    Hash(u64),
}

impl ParquetKey<'_> {
    /// Returns XXH64 of the plain encoding of the value. A filter uses nothing else of the value.
    #[inline]
    pub fn hash(self) -> u64 {
        match self {
            Self::Hash(hash) => hash,
            Self::Int32(value) => xxh64(&value.to_le_bytes(), 0),
            Self::Int64(value) => xxh64(&value.to_le_bytes(), 0),
            Self::Float(value) => xxh64(&value.to_le_bytes(), 0),
            Self::Double(value) => xxh64(&value.to_le_bytes(), 0),
            Self::ByteArray(bytes) => xxh64(bytes, 0),
        }
    }
}

key_from! { ParquetKey<'a>: Int, Double, Float;
    value: i8 => Self::Int32(value.into()),
    value: i16 => Self::Int32(value.into()),
    value: i32 => Self::Int32(value),
    value: i64 => Self::Int64(value),
    value: f32 => Self::Float(value),
    value: f64 => Self::Double(value),
    text: &'a str => Self::ByteArray(text.as_bytes()),
    bytes: &'a [u8] => Self::ByteArray(bytes),
}

/// A split-block Bloom filter of Apache Parquet.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, ParquetBloom};
///
/// // The size of `parquet.bloom.filter.expected.ndv` 1000 and `fpp` 0.01 in parquet-java.
/// let mut filter = ParquetBloom::with_rate(1_000, 0.01)?;
/// assert!(filter.insert("user-7")?);
/// assert!(filter.insert(7_i32)?);
/// // An INT64 and an INT32 are different items.
/// assert!(!filter.contains(7_i64));
/// let file = filter.to_bytes()?;
/// assert_eq!(file.len(), 16 + 2_048);
///
/// let read = ParquetBloom::from_bytes(&file)?;
/// assert!(read.contains("user-7") && !read.contains("user-8"));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type ParquetBloom<'a> = Bloom<'a, Parquet>;

/// Selects Parquet's layout and hashing for a [`Bloom`]. A filter of Parquet has no parameter besides its number of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parquet;

impl ParquetBloom<'static> {
    /// Creates a filter of the size, a power of two, that parquet-java gives it for `items` expected items at
    /// `rate`.
    ///
    /// The rule of parquet-java assumes that all blocks are equally full. So a filter of this size may have a rate above
    /// `rate`, as in parquet-java. A filter from [`keeping_rate`](Self::keeping_rate) keeps `rate`.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`, and the number of bits must be at most 2^30. If its rule gives
    /// more bits, parquet-java takes 2^30, and does not keep the rate. The memory must be available.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        let system = &parquet_java::WITHOUT_LIMIT;
        let (bits, _) = size::uncapped(Format::Parquet, system, items, rate)?;
        Self::with_bitset_bytes(bits / 8)
    }

    /// Creates a filter whose number of bits is the least power of two with which the mean rate of filters with `items` items
    /// is at most `rate`. Arrow, Velox and ClickHouse refuse other sizes than powers of two.
    ///
    /// # Errors
    ///
    /// `0 < rate < 1`, and the number of bits must be at most 2^30. The memory must be available. 0 items count as 1.
    pub fn keeping_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        size::check_rate(Format::Parquet, rate)?;
        let blocks = blocked::min_blocks(items.max(1), BLOCK, rate);
        let blocks = blocks.ok().and_then(u64::checked_next_power_of_two);
        let bits = blocks.and_then(|blocks| blocks.checked_mul(8 * BLOCK_BYTES));
        let most = parquet_java::MAX_BITS;
        let Some(bits) = bits else {
            let rule = Must::KeptBy(most);
            return Err(Format::Parquet.field(Field::Rate, rule, Value::Real(rate)));
        };
        if bits > most {
            return Err(Format::Parquet.field(Field::Bits, Must::AtMost(most), bits));
        }
        Self::with_bitset_bytes(bits / 8)
    }

    /// Creates a filter with a bitset of `bytes` bytes. Writers choose a power of two.
    ///
    /// # Errors
    ///
    /// `bytes` must be a multiple of 32 from 32 to 2^31 - 32, and the memory available.
    pub fn with_bitset_bytes(bytes: u64) -> Result<Self, FormatError> {
        check_bytes(i64::try_from(bytes).unwrap_or(i64::MAX))?;
        of_words(Words::cleared(Format::Parquet, bytes / 8, Order::LowFirst)?)
    }

    /// Reads a bitset without a header.
    ///
    /// # Errors
    ///
    /// The number of bytes must be a multiple of 32 from 32 to 2^31 - 32, and the memory must be available.
    pub fn from_bitset(bitset: &[u8]) -> Result<Self, FormatError> {
        ParquetBloom::borrowed_bitset(bitset)?.copied()
    }
}

impl<'a> ParquetBloom<'a> {
    /// Reads a bitset without a header, in place.
    ///
    /// # Errors
    ///
    /// The number of bytes must be a multiple of 32 from 32 to 2^31 - 32.
    pub fn borrowed_bitset(bitset: &'a [u8]) -> Result<Self, FormatError> {
        check_bytes(bitset.len() as i64)?;
        of_words(Words::new(bitset, Order::LowFirst))
    }

    /// Returns the bytes of the bitset, without a header.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bitset(&self) -> Result<Vec<u8>, FormatError> {
        self.plain.to_bytes(&[])
    }

    /// Returns the number of blocks of 256 bits.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.plain.words.count() / 4
    }
}

impl Rules for Parquet {
    const FORMAT: Format = Format::Parquet;

    type Key<'k> = ParquetKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<ParquetBloom<'a>, FormatError> {
        reader.expect(&[0x15])?;
        let doubled = reader.varint()?;
        // Thrift's zigzag: odd numbers stand for negative ones.
        let length = (doubled >> 1) as i64 ^ -((doubled & 1) as i64);
        check_bytes(length)?;
        reader.expect(&UNIONS)?;
        ParquetBloom::borrowed_bitset(reader.take(length as u64)?)
    }

    fn header(filter: &ParquetBloom<'_>) -> Vec<u8> {
        let mut header = vec![0x15];
        push_varint(&mut header, filter.plain.words.count() * 16);
        header.extend(UNIONS);
        header
    }

    #[inline]
    fn contains(filter: &ParquetBloom<'_>, key: ParquetKey<'_>) -> bool {
        let hash = key.hash();
        let bytes = filter.plain.words.bytes();
        let (blocks, _) = bytes.as_chunks::<{ BLOCK_BYTES as usize }>();
        let (block, bits) = parquet::place(hash, blocks.len() as u64);
        let block = &blocks[block as usize];
        // Tests all lanes: a branch at each lane would often be mispredicted.
        let lanes = block.as_chunks().0.iter().zip(bits);
        let all = lanes.fold(1, |all, (lane, bit)| {
            all & u64::from(u32::from_le_bytes(*lane)) >> bit
        });
        all != 0
    }

    fn insert(filter: &mut ParquetBloom<'_>, key: ParquetKey<'_>) -> Result<bool, FormatError> {
        let hash = key.hash();
        let (block, bits) = parquet::place(hash, filter.blocks());
        let start = block * BLOCK_BYTES * 8;
        let lanes = (start..).step_by(LANE_BITS as usize).zip(bits);
        let positions = lanes.map(|(lane, bit)| lane + u64::from(bit));
        filter.plain.insert(positions)
    }

    fn estimate(filter: &ParquetBloom<'_>) -> Option<Estimate> {
        let ones = filter.plain.words.ones();
        estimate_split_blocks(filter.blocks(), LANES, LANE_BITS, ones)
            .expect("a filter has at least one block")
    }

    fn rate(filter: &ParquetBloom<'_>) -> Rate {
        let fill = |lane: &[u8; 4]| {
            f64::from(u32::from_le_bytes(*lane).count_ones()) / f64::from(LANE_BITS)
        };
        let rate = |block: &[u8; BLOCK_BYTES as usize]| -> f64 {
            block.as_chunks().0.iter().map(fill).product()
        };
        let (blocks, _) = filter.plain.words.bytes().as_chunks();
        Rate::computed(blocks.iter().map(rate).sum::<f64>() / blocks.len() as f64)
    }

    fn expected_rate(filter: &ParquetBloom<'_>, items: u64) -> f64 {
        let rate = blocked::rate(items, filter.blocks(), BLOCK);
        rate.expect("a filter has at least one block").value()
    }
}

/// Returns the filter that has these words as its bitset.
fn of_words(words: Words<'_>) -> Result<ParquetBloom<'_>, FormatError> {
    let shape = Format::Parquet.shape(words.count() * 64, LANES.into())?;
    Ok(Bloom::new(Parquet, shape, words))
}

/// Checks the number of bytes of a bitset.
fn check_bytes(bytes: i64) -> Result<(), FormatError> {
    let most = i64::from(i32::MAX - 31);
    if bytes % BLOCK_BYTES as i64 == 0 && (BLOCK_BYTES as i64..=most).contains(&bytes) {
        return Ok(());
    }
    let rule = Must::Multiple(BLOCK_BYTES, BLOCK_BYTES, most as u64);
    Err(Format::Parquet.field(Field::BytesOfBitset, rule, bytes))
}
