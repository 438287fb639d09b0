//! The Bloom filters of Apache Hive, as `BloomKFilter.serialize` of Hive's storage API writes them. Their bits are in blocks of
//! 512, and all positions of an item are in one block.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | i8 hashes k |
//! | 1 | i32 number of words, a multiple of 8 |
//! | 5 | words of 64 bits |
//!
//! | | |
//! | --- | --- |
//! | hash of bytes and strings | [the MurmurHash3 of Hive](bloom_systems::hash::hive_murmur3_64), seed 104729; a is its low half, b the high half |
//! | hash of integers, widened to 64 bits | the same hash of their 8 bytes, the highest first |
//! | hash of floating-point numbers, widened to 64 bits | the hash of the integer that has their bits; all NaNs are one item |
//! | block of 8 words | (a + b) mod the number of blocks |
//! | position i of 1 to k | bit (c / 8) mod 64 of word c mod 8 of the block, for c = a + (i + 1) × b |
//!
//! The sums a + b and c have 32 bits. If such a sum is below 0, all its bits are flipped.
//!
//! If the number of blocks is even, the block of an item and its positions in the block depend on each other. The block
//! determines the last binary digits of a + b, except whether they are flipped. Each c is a + b plus a multiple of b, so these
//! digits affect the positions, too. This raises the rate. With the 4 hashes that Hive takes, the rate is 1.2 times that of
//! independent positions in filters of 8 blocks, and 1.7 times in filters whose number of blocks is a multiple of 512.
//!
//! The rate at the present fill is a mean over blocks of a probability: that the bits at all positions of a random item of the
//! block are set. For up to 8 hashes, the probability is exact: it is found by enumerating all values that a + b and b have
//! modulo 512 in the block, and all signs of the sums. For more hashes, the signs are assumed to be independent, and the result
//! is too low: in filters of 8 and of 2048 blocks with 30 to 40 items per block, rates measured for 9 to 16 hashes were 3 to
//! 12 % above the computed ones.
//!
//! Let t be the largest power of two up to 512 that divides the number of blocks. In a filter of more than 64 × t blocks, the
//! probability is computed only for 64 × t of the blocks. In this sample, the ratio of the rate to the rate of independent
//! positions is determined, and the other blocks are assumed to have the same ratio. For up to 8 hashes, measured rates were
//! within 2 % of the rates computed in this way.
//!
//! The mean rate of filters with n items is computed as the exact rate of [independent
//! positions](bloom_core::math::blocked::rate), plus what the dependence adds on average in up to 128 blocks of random items.
//! For rates of 10^-3 or more, the result is right within 5 %.
//!
//! The estimated number of items is the n that solves the first equation, where X of the m bits in B blocks are set:
//!
//! ```text
//! X/m = 1 - mean over positions of (1 - w/B)^n
//! sd = B sqrt(v/B) / (1 - q),  v = e^x/512 + (511/512) e^y - 1 - l (1 - q)^2
//! ```
//!
//! For each of the 512 positions in a block, w is the exact probability that an item of the block sets the bit there. sd is the
//! standard deviation of the estimate, asymptotically for large B. The second equation assumes that the n items have
//! independent positions, and are spread over the blocks at random. In this equation, l = n/B, the mean number of items in a
//! block, q = (1 - 1/512)^k, x = l (1 - q), and y = l (1 - 2 q + (1 - 2/512)^k).
//!
//! The number of words must be a multiple of 8 from 8 to 2^31 - 8. Two filters merge if they have the same number of words and
//! the same k.
//!
//! Hive reads a number of hashes above 127 as a negative number. With a negative number of hashes, or with 0, Hive answers all
//! queries with true. Here, such numbers are errors.
//!
//! Sources: apache/hive `storage-api/src/java/org/apache/hive/common/util/` (`BloomKFilter.java`, `Murmur3.java`), and
//! the filters and answers of its storage API 2.8.1.

use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::hash::hive_murmur3_64;
use bloom_systems::systems::hive::{self, BLOCK_BITS, Blocks, Rates, independent};
use bloom_systems::systems::orc::SEED;

use crate::bloom::{Bloom, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::Filter;
use crate::orc::{OrcKey, java_bits};
use crate::rate::Rate;
use crate::reader::Reader;
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

const BITS: usize = BLOCK_BITS as usize;
const BLOCK_WORDS: u64 = BITS as u64 / 64;
const BLOCK_BYTES: usize = BITS / 8;

/// The largest number of hashes that a Java byte holds.
const MAX_HASHES: u8 = 127;

/// A blocked Bloom filter of Apache Hive. It takes the same types of items as a filter of ORC.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, HiveBloom};
///
/// // new BloomKFilter(1000)
/// let mut filter = HiveBloom::with_items(1_000)?;
/// assert!(filter.insert("user-7")?);
/// assert!(filter.insert(7_i64)?);
/// let file = filter.to_bytes()?;
///
/// let read = HiveBloom::from_bytes(&file)?;
/// assert!(read.contains("user-7") && read.contains(7_i64));
/// assert!(!read.contains("user-8"));
/// assert_eq!((read.blocks(), read.shape().hashes()), (13, 4));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type HiveBloom<'a> = Bloom<'a, Hive>;

/// Selects Hive's layout and hashing for a [`Bloom`]. A filter of Hive has no parameters besides its numbers of blocks and
/// hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hive;

impl HiveBloom<'static> {
    /// Creates a filter of the size that Hive gives it for `items` expected items. Hive makes all filters for the rate 0.05.
    ///
    /// As in Hive, one more block is added if the computed number of words is a multiple of 8. Hive's rule assumes that all
    /// positions are independent, so the rate of a filter of this size is above 0.05. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps a given rate.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1, and the number of bits must be below 2^31, the limit of Hive. The memory must be
    /// available.
    pub fn with_items(items: u64) -> Result<Self, FormatError> {
        let (bits, hashes) = size::for_rate(Format::Hive, &hive::HIVE, items, hive::RATE)?;
        Self::with_blocks(bits / BITS as u64, hashes)
    }

    /// Creates a filter of `blocks` blocks of 512 bits, and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `blocks` must be from 1 to 2^28 - 1, `hashes` from 1 to 127, and the memory available.
    pub fn with_blocks(blocks: u64, hashes: i64) -> Result<Self, FormatError> {
        let shape = shape(blocks.saturating_mul(BLOCK_WORDS), hashes)?;
        let words = Words::cleared(Format::Hive, shape.bits() / 64, Order::HighFirst)?;
        Ok(Self::owned(Hive, shape, words))
    }
}

impl HiveBloom<'_> {
    /// Returns the number of blocks of 512 bits.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.plain.words.count() / BLOCK_WORDS
    }

    /// Returns the rate that independent positions would have: the mean over blocks of the block's share of set bits to the
    /// power k.
    fn even_rate(&self) -> f64 {
        let (blocks, _) = self.plain.words.bytes().as_chunks::<BLOCK_BYTES>();
        let rate = |block: &[u8; BLOCK_BYTES]| {
            let ones: u32 = block.iter().map(|byte| byte.count_ones()).sum();
            libm::pow(f64::from(ones) / BITS as f64, self.grid().hashes.into())
        };
        blocks.iter().map(rate).sum::<f64>() / blocks.len() as f64
    }

    fn grid(&self) -> Blocks {
        Blocks {
            count: self.blocks(),
            hashes: self.shape().hashes(),
        }
    }

    /// Returns the bits of a block, in the order of the positions.
    fn block(&self, index: u64) -> hive::Block {
        core::array::from_fn(|position| u8::from(self.plain.words.contains(place(index, position))))
    }
}

impl Rules for Hive {
    const FORMAT: Format = Format::Hive;

    type Key<'k> = OrcKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<HiveBloom<'a>, FormatError> {
        let [hashes] = reader.array()?;
        let count = reader.word_count()?;
        let shape = shape(count, (hashes as i8).into())?;
        let words = Words::new(reader.take(count * 8)?, Order::HighFirst);
        Ok(Bloom::new(Hive, shape, words))
    }

    fn header(filter: &HiveBloom<'_>) -> Vec<u8> {
        let words = filter.plain.words.count() as u32;
        [&[filter.shape().hashes()][..], &words.to_be_bytes()].concat()
    }

    fn contains(filter: &HiveBloom<'_>, key: OrcKey<'_>) -> bool {
        filter.plain.contains(positions_of(key, filter.grid()))
    }

    fn insert(filter: &mut HiveBloom<'_>, key: OrcKey<'_>) -> Result<bool, FormatError> {
        let positions = positions_of(key, filter.grid());
        filter.plain.insert(positions)
    }

    fn estimate(filter: &HiveBloom<'_>) -> Option<Estimate> {
        let (grid, blocks) = (filter.grid(), filter.blocks() as f64);
        let clear = filter.shape().bits() - filter.plain.words.ones();
        if clear == 0 {
            return None;
        }
        let chances = grid.chances();
        let clear = clear as f64 / filter.shape().bits() as f64;
        let expected = |items: f64| {
            let of = |chance: &f64| libm::exp(items * libm::log1p(-chance / blocks));
            chances.iter().map(of).sum::<f64>() / chances.len() as f64
        };
        let (mut low, mut high) = (0.0, 1.0);
        while expected(high) > clear {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = f64::midpoint(low, high);
            if expected(middle) > clear {
                low = middle;
            } else {
                high = middle;
            }
        }
        // For an empty filter, the search ends slightly above 0.
        let items = if clear < 1.0 { high } else { 0.0 };
        let deviation = blocks * deviation(items / blocks, blocks, grid.hashes);
        Some(Estimate::new(items, deviation))
    }

    fn rate(filter: &HiveBloom<'_>) -> Rate {
        let grid = filter.grid();
        let rates = Rates::new(grid);
        let (mut sum, mut even) = (0.0, 0.0);
        for index in grid.sample() {
            let block = filter.block(index);
            sum += rates.of(index, &block);
            even += independent(&block, grid.hashes);
        }
        let ratio = if even == 0.0 { 1.0 } else { sum / even };
        Rate::computed((filter.even_rate() * ratio).min(1.0))
    }

    fn expected_rate(filter: &HiveBloom<'_>, items: u64) -> f64 {
        filter.grid().expected_rate(items)
    }

    fn warnings(filter: &HiveBloom<'_>) -> Vec<Warning> {
        let mut warnings = filter.plain.full_warning();
        if warnings.is_empty() && filter.grid().dependent() {
            let (even, rate) = (filter.even_rate(), filter.false_positive_rate());
            if rate > 1.01 * even {
                warnings.push(Warning::DependentBlocks { even, rate });
            }
        }
        warnings
    }
}

/// Returns the standard deviation of `load`, the estimated number of items per block.
fn deviation(load: f64, blocks: f64, hashes: u8) -> f64 {
    let (bits, hashes) = (BITS as f64, f64::from(hashes));
    let clear = |positions: f64| libm::exp(hashes * libm::log1p(-positions / bits));
    let set = 1.0 - clear(1.0);
    let within = libm::expm1(load * set) / bits;
    let both = libm::expm1(load * (1.0 - 2.0 * clear(1.0) + clear(2.0)));
    let variance = within + (1.0 - 1.0 / bits) * both - load * set * set;
    libm::sqrt(variance.max(0.0) / blocks) / set
}

/// Returns the index that a position of a block has among the bits of all words.
fn place(block: u64, position: usize) -> u64 {
    let (word, bit) = (position as u64 % BLOCK_WORDS, position as u64 / BLOCK_WORDS);
    (block * BLOCK_WORDS + word) * 64 + bit
}

/// Returns the indexes of an item's positions among the bits of all words.
fn positions_of(key: OrcKey<'_>, grid: Blocks) -> impl Iterator<Item = u64> {
    let hash = match key {
        OrcKey::Long(value) => hive_murmur3_64(&value.to_be_bytes(), SEED),
        OrcKey::Double(value) => hive_murmur3_64(&java_bits(value).to_be_bytes(), SEED),
        OrcKey::Bytes(bytes) => hive_murmur3_64(bytes, SEED),
    };
    let (a, b) = (hash as u32, (hash >> 32) as u32);
    let (block, positions) = hive::block_and_positions(a, b, grid);
    positions.map(move |position| place(block, position))
}

/// Returns a shape of this many words and hashes; refuses numbers out of range.
fn shape(words: u64, hashes: i64) -> Result<Shape, FormatError> {
    if words == 0 || !words.is_multiple_of(BLOCK_WORDS) || words > i32::MAX as u64 {
        let rule = Must::Multiple(8, 8, i32::MAX as u64 - 7);
        return Err(Format::Hive.field(Field::Words, rule, words));
    }
    if !(1..=MAX_HASHES.into()).contains(&hashes) {
        return Err(Format::Hive.field(Field::Hashes, Must::Range(1, MAX_HASHES.into()), hashes));
    }
    Format::Hive.shape(words * 64, hashes)
}
