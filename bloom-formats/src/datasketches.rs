//! The filters of Apache DataSketches, as its libraries in Java and C++ write them.
//!
//! | offset | field, lowest byte first |
//! | --- | --- |
//! | 0 | u8 4, or 3 for an empty filter; u8 version 1; u8 family 21; u8 flags: 4 for an empty filter |
//! | 4 | u16 hashes k, u16 0 |
//! | 8 | u64 seed |
//! | 16 | u32 words, u32 0; the end of an empty filter |
//! | 24 | u64 number of set bits; all ones: unknown |
//! | 32 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//!
//! Position i from 1 to k is (a + i b in 64 bits) / 2, rounded down, mod m; a is [XXH64](crate::hash::xxh64) of the item
//! with the seed, b the same with seed a, and m is 64 times the words.
//!
//! Both libraries write the number of set bits as unknown after their `update`. A program in C++ that mixes
//! `update` and `query_and_update` may write a wrong one, which Java believes. Here set bits are counted; a wrong
//! number is an error, or a [`Warning`] where the reader is lenient.
//!
//! Filters of more than 2^32 bits are refused: there Java takes positions modulo 2^32, and C++ the bits when it
//! reads, so that neither finds what the other inserted. More than 255 hashes are refused, too; both libraries
//! take up to 32767.
//!
//! Sources: apache/datasketches-java `src/main/java/org/apache/datasketches/filters/bloomfilter/`
//! (`BloomFilter.java`, `BloomFilterBuilder.java`, `HeapBitArray.java`), apache/datasketches-cpp
//! `filters/include/bloom_filter_impl.hpp`, and the files and answers of the Java library 6.2.0
//! and of the C++ library at c2288858.

use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;

use crate::error::{Format, FormatError, Rule};
use crate::hash::xxh64;
use crate::plain::{Plain, bits_and_fill, double_hashed, readings};
use crate::reader::{Reader, complete};
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

const VERSION: u8 = 1;
const FAMILY: u8 = 21;
const EMPTY: u8 = 4;

/// The 64-bit numbers of the header, by which a file starts.
const LONGS: u8 = 4;
const EMPTY_LONGS: u8 = 3;

/// The words of 2^32 bits.
const MOST_WORDS: u64 = 1 << 26;

/// The number of set bits where the library did not count.
const UNKNOWN: u64 = u64::MAX;

/// The bits of a double that is not a number.
const NAN: u64 = 0x7ff8 << 48;

/// An item as DataSketches hashes it; signed integers, strings and bytes convert into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DataSketchesKey<'a> {
    /// An integer, as 8 bytes. C++ also has unsigned ones, with the same bytes.
    Long(i64),
    /// A string, as UTF-8. Both libraries ignore the empty string: it is never inserted, and no filter has it.
    Str(&'a str),
    /// Bytes, and arrays of numbers as their bytes, the lowest first. Without any, C++ ignores them as it does the
    /// empty string; here they are an item, as in Java.
    Bytes(&'a [u8]),
    /// A double of Java: every NaN is the same item, and -0.0 another than 0.0.
    Double(f64),
    /// A double of C++: every NaN is the same item, and -0.0 the same as 0.0. A float is converted to a double.
    CppDouble(f64),
}

impl DataSketchesKey<'_> {
    /// Returns the two hashes of the item; `None` if it is ignored.
    fn hashes(self, seed: u64) -> Option<(u64, u64)> {
        let both = |bytes: &[u8]| {
            let first = xxh64(bytes, seed);
            (first, xxh64(bytes, first))
        };
        let double =
            |value: f64| both(&if value.is_nan() { NAN } else { value.to_bits() }.to_le_bytes());
        Some(match self {
            Self::Str("") => return None,
            Self::Long(value) => both(&value.to_le_bytes()),
            Self::Str(text) => both(text.as_bytes()),
            Self::Bytes(bytes) => both(bytes),
            Self::Double(value) => double(value),
            // -0.0 + 0.0 is 0.0.
            Self::CppDouble(value) => double(value + 0.0),
        })
    }
}

impl From<i8> for DataSketchesKey<'_> {
    fn from(value: i8) -> Self {
        Self::Long(value.into())
    }
}

impl From<i16> for DataSketchesKey<'_> {
    fn from(value: i16) -> Self {
        Self::Long(value.into())
    }
}

impl From<i32> for DataSketchesKey<'_> {
    fn from(value: i32) -> Self {
        Self::Long(value.into())
    }
}

impl From<i64> for DataSketchesKey<'_> {
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

impl<'a> From<&'a str> for DataSketchesKey<'a> {
    fn from(text: &'a str) -> Self {
        Self::Str(text)
    }
}

impl<'a> From<&'a [u8]> for DataSketchesKey<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// A Bloom filter of Apache DataSketches.
///
/// # Examples
///
/// ```
/// use bloom_formats::{DataSketchesBloom, DataSketchesKey};
///
/// // The size and the bytes of `BloomFilterBuilder.createByAccuracy(1000, 0.01, 9001)`.
/// let mut filter = DataSketchesBloom::with_rate(9001, 1_000, 0.01)?;
/// assert!(filter.insert("user-7")?);
/// assert!(filter.insert(DataSketchesKey::Double(0.5))?);
/// let file = filter.to_bytes()?;
///
/// let read = DataSketchesBloom::from_bytes(&file)?;
/// assert!(read.contains("user-7") && !read.contains("user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (9_600, 7));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DataSketchesBloom<B = Vec<u8>> {
    seed: u64,
    /// The first byte of a file: of an empty filter 3, or 4 if Java had it in memory that the program gave it.
    longs: u8,
    /// The number of set bits in the file; `None` if unknown.
    stored: Option<u64>,
    /// Without words until the first item, as a file of an empty filter may promise any number of them.
    plain: Plain<B>,
}

impl DataSketchesBloom {
    /// Creates a filter of the size that the library in Java gives it for `items` expected items at `rate`.
    ///
    /// That is `createByAccuracy` in Java. In C++ the hashes are -log2 p, rounded up: one less at a rate like 1/4, where
    /// this is a whole number. The seed is part of the filter: the libraries draw a random one unless the program
    /// has its own. The size may miss the rate, as the libraries' does: [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(seed: u64, items: u64, rate: f64) -> Result<Self, FormatError> {
        size::check_items(Format::DataSketches, items)?;
        size::check_rate(Format::DataSketches, rate)?;
        let real = -(items as f64) * libm::log(rate) / (LN_2 * LN_2);
        let bits = libm::ceil(real);
        let hashes = libm::ceil(bits / items as f64 * LN_2) as i64;
        Self::with_bits(seed, bits as u64, hashes.max(1))
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64. It takes memory at the first item.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^32 and `hashes` from 1 to 255.
    pub fn with_bits(seed: u64, bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let words = Words::new(Vec::new(), Order::LowFirst);
        Ok(Self::new(
            seed,
            EMPTY_LONGS,
            Some(0),
            shape(bits.div_ceil(64), hashes)?,
            words,
        ))
    }

    /// Inserts an item and returns whether it was certainly new; nothing happens for an empty string.
    ///
    /// # Errors
    ///
    /// For the first item, the memory of the bits must be available.
    pub fn insert<'a>(
        &mut self,
        item: impl Into<DataSketchesKey<'a>>,
    ) -> Result<bool, FormatError> {
        let Some(hashes) = item.into().hashes(self.seed) else {
            return Ok(false);
        };
        self.fill_up()?;
        self.stored = None;
        let shape = self.shape();
        Ok(self.plain.insert(positions(hashes, shape)))
    }

    /// Inserts all items of another filter, as `union` does.
    ///
    /// # Errors
    ///
    /// As in the libraries, seeds, bits and hashes must be equal. The memory of the bits must be available.
    pub fn merge<B: AsRef<[u8]>>(
        &mut self,
        other: &DataSketchesBloom<B>,
    ) -> Result<(), FormatError> {
        Format::DataSketches.equal("seed", self.seed, other.seed)?;
        if other.plain.words.count() > 0 {
            self.plain.check_shape(&other.plain)?;
            self.fill_up()?;
        }
        self.plain.merge(&other.plain)?;
        self.stored = Some(self.plain.words.ones());
        Ok(())
    }

    /// Takes the memory of the bits.
    fn fill_up(&mut self) -> Result<(), FormatError> {
        let words = self.shape().bits() / 64;
        self.plain.words.grow(Format::DataSketches, words)?;
        self.longs = LONGS;
        Ok(())
    }
}

impl<'a> DataSketchesBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::DataSketches, bytes);
        let [longs] = reader.array()?;
        if longs != EMPTY_LONGS && longs != LONGS {
            return Err(field("preamble", "3 or 4 longs", longs.into()));
        }
        reader.expect(&[VERSION, FAMILY])?;
        let [flags] = reader.array()?;
        let [hashes, _] = [reader.array()?, reader.array()?].map(u16::from_le_bytes);
        let seed = reader.u64_le()?;
        let [count, _] = [reader.u32_le()?, reader.u32_le()?];
        let shape = shape(count.into(), hashes.into())?;
        let (longs, stored, words) = if flags & EMPTY == 0 {
            let stored = reader.u64_le()?;
            let words = reader.take(u64::from(count) * 8)?;
            (
                LONGS,
                Some(stored).filter(|&stored| stored != UNKNOWN),
                words,
            )
        } else {
            (longs, Some(0), &[][..])
        };
        let words = Words::new(words, Order::LowFirst);
        Ok((Self::new(seed, longs, stored, shape, words), reader.rest()))
    }

    /// Refuses what the libraries do not write.
    fn check(&self, bytes: &[u8]) -> Result<(), FormatError> {
        let counted = self.plain.words.ones();
        if let Some(stored) = self.stored.filter(|&stored| stored != counted) {
            let rule = "as many as are counted";
            return Err(field("set bits", rule, stored));
        }
        let (header, used) = self.header();
        Reader::new(Format::DataSketches, bytes).expect(&header[..used])
    }
}

impl<B: AsRef<[u8]>> DataSketchesBloom<B> {
    fn new(seed: u64, longs: u8, stored: Option<u64>, shape: Shape, words: Words<B>) -> Self {
        Self {
            seed,
            longs,
            stored,
            plain: Plain::new(Format::DataSketches, shape, words),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<DataSketchesBloom, FormatError> {
        let (seed, longs, stored) = (self.seed, self.longs, self.stored);
        let plain = self.plain.owned()?;
        Ok(DataSketchesBloom {
            seed,
            longs,
            stored,
            plain,
        })
    }

    /// Returns the bytes that the libraries write: the number of set bits as unknown after
    /// [`insert`](DataSketchesBloom::insert), as after their `update`, and counted after
    /// [`merge`](DataSketchesBloom::merge), as after their `union`.
    ///
    /// A filter that was only read keeps a number that is unknown or right.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let (header, used) = self.header();
        self.plain.to_bytes(&header[..used])
    }

    /// Returns the header, and how many bytes of it are used.
    fn header(&self) -> ([u8; 32], usize) {
        let empty = self.plain.words.count() == 0;
        let mut header = [0; 32];
        header[0] = self.longs;
        header[1] = VERSION;
        header[2] = FAMILY;
        header[3] = if empty { EMPTY } else { 0 };
        header[4] = self.shape().hashes();
        header[8..16].copy_from_slice(&self.seed.to_le_bytes());
        let words = (self.shape().bits() / 64) as u32;
        header[16..20].copy_from_slice(&words.to_le_bytes());
        let ones = self.stored.map_or(UNKNOWN, |_| self.plain.words.ones());
        header[24..].copy_from_slice(&ones.to_le_bytes());
        (header, if empty { 24 } else { 32 })
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[must_use]
    pub fn contains<'a>(&self, item: impl Into<DataSketchesKey<'a>>) -> bool {
        let hashes = item.into().hashes(self.seed);
        hashes.is_some_and(|hashes| self.plain.contains(positions(hashes, self.shape())))
    }

    /// Returns the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.plain.warnings(self.derivation());
        let counted = self.plain.words.ones();
        if let Some(stored) = self.stored.filter(|&stored| stored != counted) {
            warnings.push(Warning::StoredCount { stored, counted });
        }
        warnings
    }

    #[expect(clippy::unused_self, reason = "`double_hashed!` asks each filter")]
    fn derivation(&self) -> Positions {
        Positions::Halved
    }
}

/// Returns the positions of an item.
fn positions((a, b): (u64, u64), shape: Shape) -> impl Iterator<Item = u64> {
    (1..=u64::from(shape.hashes()))
        .map(move |index| (a.wrapping_add(index.wrapping_mul(b)) >> 1) % shape.bits())
}

/// Returns the shape of these words and hashes.
fn shape(words: u64, hashes: i64) -> Result<Shape, FormatError> {
    if words == 0 || words > MOST_WORDS {
        return Err(field("64-bit words", "from 1 to 2^26", words));
    }
    Format::DataSketches.shape(words * 64, hashes)
}

fn field(name: &'static str, rule: &'static str, got: u64) -> FormatError {
    Format::DataSketches.error(Rule::Field { name, rule, got })
}

readings!(
    DataSketchesBloom,
    Format::DataSketches,
    "DataSketches",
    "Version and family must be 1 and 21, the hashes from 1 to 255, the words from 1 to 2^26, the number of set bits \
     unknown or right, the other bytes of the header those that the libraries write",
    "there may be more bytes than the header says, the number of set bits may be wrong, and the first byte of a filter \
     with words 3, and bits and bytes without a meaning have any value",
    Self::check
);
bits_and_fill!(DataSketchesBloom);
double_hashed!(
    DataSketchesBloom,
    rate: "the fill. e is [what double hashing adds](Self::double_hashing_excess).",
    excess: "The bounds are wide: the libraries halve their sums, which makes it 0.1 to 0.55 of the upper bound \
             in 13 sizes with 5 to 20 hashes, and -0.3 to 0.3 with 3."
);

/// Prints seed and shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for DataSketchesBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataSketchesBloom")
            .field("seed", &self.seed)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
