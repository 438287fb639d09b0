//! The Bloom filters of Apache DataSketches, as its libraries in Java and C++ write them.
//!
//! | offset | field, lowest byte first |
//! | --- | --- |
//! | 0 | u8 length of the header in words of 64 bits: 4, in an empty filter usually 3; u8 version 1; u8 family 21; u8 flags: 4 for an empty filter |
//! | 4 | u16 hashes k, u16 0 |
//! | 8 | u64 seed |
//! | 16 | u32 number of words, u32 0; the file of an empty filter ends here |
//! | 24 | u64 number of set bits; 2^64 - 1: unknown |
//! | 32 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//!
//! Position i from 1 to k is (a + i × b in 64 bits) / 2, rounded down, mod m; a is [XXH64](bloom_systems::hash::xxh64) of the
//! item with the seed of the filter, b is XXH64 of the item with the seed a, and m is 64 times the number of words.
//!
//! Both libraries write the number of set bits as unknown after their `update`. A program in C++ that mixes `update` and
//! `query_and_update` may write a wrong number, which Java does not check. This crate counts the set bits. If a file states a
//! wrong number, `from_bytes` returns an error, and a filter from `from_bytes_lenient` has a [`Warning`].
//!
//! Filters of more than 2^32 bits are refused: for such filters, Java takes positions modulo 2^32, and C++ takes m modulo 2^32
//! when it reads a file, so that neither library finds what the other inserted. More than 255 hashes are refused, too; both
//! libraries take up to 32767.
//!
//! The first byte, the version and the family must have the values in the table, and the number of words must be from 1 to
//! 2^26. `from_bytes_lenient` also accepts a first byte of 3 in a file that has words. It ignores the bytes that are 0 in the
//! table, and it ignores all flags except 4. Two filters merge if they have the same seed, m and k.
//!
//! `to_bytes` states the number of set bits like the libraries: as unknown after an insert, which is their `update`, and as the
//! counted number after a merge, which is their `union`. For a filter that was read and not changed, it states unknown if the
//! file did so, and otherwise the counted number.
//!
//! Sources: apache/datasketches-java `src/main/java/org/apache/datasketches/filters/bloomfilter/`
//! (`BloomFilter.java`, `BloomFilterBuilder.java`, `HeapBitArray.java`), apache/datasketches-cpp
//! `filters/include/bloom_filter_impl.hpp`, and the files and answers of the Java library 6.2.0
//! and of the C++ library at c2288858.

use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_systems::Positions;
use bloom_systems::sums::halved;
use bloom_systems::systems::datasketches;

use crate::bloom::{Bloom, DoubleHashed, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{Key, SystemKey, key_from};
use crate::reader::Reader;
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

const VERSION: u8 = 1;
const FAMILY: u8 = 21;
const EMPTY: u8 = 4;

/// The first byte of a file: the number of 64-bit words in its header.
const LONGS: u8 = 4;
const EMPTY_LONGS: u8 = 3;

/// The maximum number of words: together they have 2^32 bits.
const MAX_WORDS: u64 = datasketches::DATASKETCHES.sizing.most_bits / 64;

/// What a file states as the number of set bits if the library did not count them.
const UNKNOWN: u64 = u64::MAX;

/// The 64 bits that are hashed for every NaN.
const NAN: u64 = 0x7ff8 << 48;

/// An item as DataSketches hashes it; signed integers, strings and bytes convert into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DataSketchesKey<'a> {
    /// An integer, hashed as 8 bytes. The C++ library also takes unsigned integers, and hashes their 8 bytes.
    Long(i64),
    /// A string, as UTF-8. Both libraries ignore the empty string: it is never inserted, and no filter has it.
    Str(&'a str),
    /// Bytes. For an array of numbers in DataSketches, give the bytes of all numbers, each with the lowest byte first. The C++
    /// library ignores an empty array; here it is an item, as in Java.
    Bytes(&'a [u8]),
    /// A double, as the Java library hashes it: all NaNs are one item, and -0.0 and 0.0 are two items.
    Double(f64),
    /// A double, as the C++ library hashes it: all NaNs are one item, and -0.0 and 0.0 are one item. C++ converts a float to a
    /// double.
    CppDouble(f64),
}

impl DataSketchesKey<'_> {
    /// Returns the two hashes of the item; `None` if the libraries ignore the item.
    fn hashes(self, seed: u64) -> Option<(u64, u64)> {
        let both = |bytes: &[u8]| datasketches::hashes(bytes, seed);
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

key_from! { DataSketchesKey<'a>
    value: i8 => Self::Long(value.into()),
    value: i16 => Self::Long(value.into()),
    value: i32 => Self::Long(value.into()),
    value: i64 => Self::Long(value),
    text: &'a str => Self::Str(text),
    bytes: &'a [u8] => Self::Bytes(bytes),
}

impl<'k> SystemKey<'k> for DataSketchesKey<'k> {
    fn of(key: Key<'k>, format: Format) -> Result<Self, FormatError> {
        match key {
            // As bytes, the empty text would become an item.
            Key::Text([]) => Ok(Self::Str("")),
            Key::Double(value) => Ok(Self::Double(value)),
            other => other.bytes_or_long(format),
        }
    }
}

/// A Bloom filter of Apache DataSketches.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, DataSketchesBloom, DataSketchesKey};
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
pub type DataSketchesBloom<'a> = Bloom<'a, DataSketches>;

/// The part of a [`DataSketchesBloom`] that filters of other systems do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataSketches {
    seed: u64,
    /// The first byte of the file. It is 4 if the file has words. In an empty filter it is 3, except that Java writes 4 if the
    /// program itself supplied the memory of the filter.
    longs: u8,
    /// The number of set bits that the file states; `None` if it says that the number is unknown.
    stored: Option<u64>,
}

impl DoubleHashed for DataSketches {}

impl DataSketchesBloom<'_> {
    /// Returns the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.system.seed
    }
}

impl DataSketchesBloom<'static> {
    /// Creates a filter of the size that the library in Java gives it for `items` expected items at `rate`.
    ///
    /// In Java, `createByAccuracy` computes this size. In C++ the number of hashes is -log2 `rate`, rounded up: one less than
    /// in Java at a rate like 1/4, for which -log2 `rate` is a whole number. The seed is part of the filter; the libraries draw
    /// a random seed unless the program gives one. As in the libraries, a filter of this size may have a rate above
    /// `rate`. A filter from [`bloom_core::BloomFilter::with_rate`] keeps `rate`.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(seed: u64, items: u64, rate: f64) -> Result<Self, FormatError> {
        let system = &datasketches::DATASKETCHES;
        let (bits, hashes) = size::for_rate(Format::DataSketches, system, items, rate)?;
        Self::with_bits(seed, bits, hashes)
    }

    /// Creates a filter of `bits` bits, rounded up to a multiple of 64. The bits are allocated when the first item is inserted,
    /// or when a filter with items is merged into this one.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^32 and `hashes` from 1 to 255.
    pub fn with_bits(seed: u64, bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let words = Words::new(Vec::new(), Order::LowFirst);
        let shape = shape(bits.div_ceil(64), hashes)?;
        let system = DataSketches {
            seed,
            longs: EMPTY_LONGS,
            stored: Some(0),
        };
        Ok(Self::owned(system, shape, words))
    }
}

impl Rules for DataSketches {
    const FORMAT: Format = Format::DataSketches;

    type Key<'k> = DataSketchesKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<DataSketchesBloom<'a>, FormatError> {
        let [longs] = reader.array()?;
        if longs != EMPTY_LONGS && longs != LONGS {
            return Err(Format::DataSketches.field(Field::Preamble, Must::Longs, longs));
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
        let system = DataSketches {
            seed,
            longs,
            stored,
        };
        Ok(Bloom::new(system, shape, words))
    }

    fn check(filter: &DataSketchesBloom<'_>, bytes: &[u8]) -> Result<(), FormatError> {
        let (stored, counted) = (filter.system.stored, filter.plain.words.ones());
        if let Some(stored) = stored.filter(|&stored| stored != counted) {
            return Err(Format::DataSketches.field(
                Field::SetBits,
                Must::AsCounted(counted),
                stored,
            ));
        }
        let (header, used) = header(filter);
        Reader::new(Format::DataSketches, bytes).expect(&header[..used])
    }

    fn header(filter: &DataSketchesBloom<'_>) -> Vec<u8> {
        let (header, used) = header(filter);
        header[..used].to_vec()
    }

    fn contains(filter: &DataSketchesBloom<'_>, key: DataSketchesKey<'_>) -> bool {
        let hashes = key.hashes(filter.system.seed);
        hashes.is_some_and(|(a, b)| {
            let plain = &filter.plain;
            plain.contains_next(halved(a, b, plain.divisor))
        })
    }

    fn insert(
        filter: &mut DataSketchesBloom<'_>,
        key: DataSketchesKey<'_>,
    ) -> Result<bool, FormatError> {
        let Some((a, b)) = key.hashes(filter.system.seed) else {
            return Ok(false);
        };
        let plain = &mut filter.plain;
        let new = plain.insert_next(halved(a, b, plain.divisor))?;
        (filter.system.longs, filter.system.stored) = (LONGS, None);
        Ok(new)
    }

    fn compare(&self, other: &Self) -> Result<(), FormatError> {
        Format::DataSketches.equal(Field::Seed, self.seed, other.seed)
    }

    fn merged(ours: &mut DataSketchesBloom<'_>, _theirs: &DataSketchesBloom<'_>) {
        if !ours.plain.words.is_empty() {
            ours.system.longs = LONGS;
        }
        ours.system.stored = Some(ours.plain.words.ones());
    }

    fn positions(&self) -> Positions {
        datasketches::DATASKETCHES.positions
    }

    fn warnings(filter: &DataSketchesBloom<'_>) -> Vec<Warning> {
        let mut warnings = filter.plain.warnings(datasketches::DATASKETCHES.positions);
        let (stored, counted) = (filter.system.stored, filter.plain.words.ones());
        if let Some(stored) = stored.filter(|&stored| stored != counted) {
            warnings.push(Warning::StoredCount { stored, counted });
        }
        warnings
    }
}

/// Returns the header, and the number of its bytes that are written: 24 for an empty filter, and 32 otherwise.
fn header(filter: &DataSketchesBloom<'_>) -> ([u8; 32], usize) {
    let (system, words) = (filter.system, &filter.plain.words);
    let mut header = [0; 32];
    header[0] = system.longs;
    header[1] = VERSION;
    header[2] = FAMILY;
    header[3] = if words.is_empty() { EMPTY } else { 0 };
    header[4] = filter.shape().hashes();
    header[8..16].copy_from_slice(&system.seed.to_le_bytes());
    header[16..24].copy_from_slice(&(filter.shape().bits() / 64).to_le_bytes());
    let ones = system.stored.map_or(UNKNOWN, |_| words.ones());
    header[24..].copy_from_slice(&ones.to_le_bytes());
    (header, if words.is_empty() { 24 } else { 32 })
}

/// Returns a shape of this many words and hashes; refuses numbers out of range.
fn shape(words: u64, hashes: i64) -> Result<Shape, FormatError> {
    if words == 0 || words > MAX_WORDS {
        return Err(Format::DataSketches.field(Field::Words, Must::Range(1, MAX_WORDS), words));
    }
    Format::DataSketches.shape(words * 64, hashes)
}
