//! Defines the dynamic Bloom filters of Hadoop. Such a filter is a list of rows, which are Bloom filters of equal size. Keys go
//! to the last row; once the last row is full, a new row is added.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::iter::repeat_with;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::random::split_mix;

use super::rows::{Probes, Rows};
use super::{Hadoop, HadoopHash, checked_key, header, header_of, shape, size_of};
use crate::bloom::{Rules, same_format};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{ByteKey, Filter, Key};
use crate::plain::{Plain, sum_of_estimates};
use crate::rate::Rate;
use crate::reader::{Reader, complete};
use crate::text;
use crate::warning::Warning;
use crate::words::{Order, Words, reserved};

/// The largest value of a header field: a Java int.
const MAX: u32 = i32::MAX as u32;

/// The most and the fewest keys that are drawn to measure a rate.
const DRAWN: u64 = 1 << 14;
const MIN_DRAWN: u64 = 1 << 8;

/// The maximum of a product: the number of drawn keys times the number of rows in which they are looked up. With more than 2^18
/// rows, even [`MIN_DRAWN`] keys exceed it. Without this limit, 16,384 keys and 40,000 rows took 74 s in a debug build.
const MAX_MATCHED: u64 = 1 << 26;

/// The maximum number of set bits of a row from which the positions of keys are drawn. If a row has more set bits, only every
/// n-th of them is taken, with the least n for which at most this many remain.
const POOL: u64 = 1 << 16;

/// A dynamic Bloom filter of Apache Hadoop: one row for every `items_per_row` keys.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, HadoopDynamicBloom, HadoopHash};
///
/// // new DynamicBloomFilter(1000, 4, Hash.MURMUR_HASH, 100)
/// let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 1_000, 4, 100)?;
/// for user in 0..250 {
///     filter.insert(format!("user-{user}").as_bytes())?;
/// }
/// assert_eq!(filter.rows(), 3);
///
/// let read = HadoopDynamicBloom::from_bytes(&filter.to_bytes()?)?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-700"));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct HadoopDynamicBloom<'a> {
    hash: HadoopHash,
    items_per_row: u32,
    last_row_items: u32,
    rows: Rows<'a>,
}

impl HadoopDynamicBloom<'static> {
    /// Creates a filter of one row, of the size that Hudi gives it for `items` expected items per row at `rate`.
    ///
    /// Each further row adds about `rate` to the rate of the whole filter. Hudi also limits the number of rows. At this limit,
    /// which is not in the file, Hudi goes on filling the existing rows in turn.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^31 - 1 and `0 < rate < 1`; the size must be one that [`with_bits`](Self::with_bits)
    /// takes.
    pub fn with_rate(hash: HadoopHash, items: u64, rate: f64) -> Result<Self, FormatError> {
        let (bits, hashes) = size_of(items, rate)?;
        Self::with_bits(hash, bits, hashes, items)
    }

    /// Creates a filter of one row. This and all further rows have `bits` bits and `hashes` hashes, for `items_per_row`
    /// keys each.
    ///
    /// # Errors
    ///
    /// `bits` and `items_per_row` must be from 1 to 2^31 - 1, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(
        hash: HadoopHash,
        bits: u64,
        hashes: i64,
        items_per_row: u64,
    ) -> Result<Self, FormatError> {
        let mut rows = Rows::none(shape(bits, hashes)?);
        let items_per_row = checked(Field::ItemsPerRow, items_per_row)?;
        rows.add()?;
        Ok(Self {
            hash,
            items_per_row,
            last_row_items: 0,
            rows,
        })
    }

    /// Reads a filter from its base64 text, the form in which Hudi stores filters. The padding may be missing.
    ///
    /// # Errors
    ///
    /// The text must be base64 in the standard alphabet, and the decoded bytes must be as for [`from_bytes`](Self::from_bytes).
    pub fn from_base64(text: &str) -> Result<Self, FormatError> {
        Self::from_bytes(&text::decoded(Format::Hadoop, &text::STANDARD, text)?)
    }

    /// Reads a filter. No bytes may follow it.
    ///
    /// # Errors
    ///
    /// The header of the filter must be as for [`HadoopBloom`](super::HadoopBloom), and each row must have an equal header. The
    /// number of items per row and the number of rows must be from 1 to 2^31 - 1, and the number of items in the last row at
    /// most 2^31 - 1. The unused bits at the end of a row must be clear. The number of bytes must be the one that follows from
    /// the header, and the memory must be available.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        HadoopDynamicBloom::borrowed(bytes)?.copied()
    }

    /// Reads a filter and returns the bytes that follow it, which Hadoop ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but other bytes may follow the filter.
    pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let (filter, rest) = HadoopDynamicBloom::borrowed_lenient(bytes)?;
        Ok((filter.copied()?, rest))
    }
}

impl<'a> HadoopDynamicBloom<'a> {
    /// Reads a filter in place: its queries read these bytes, which may be those of a mapped file. No bytes may follow the
    /// filter.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](HadoopDynamicBloom::from_bytes), but no memory is needed.
    pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
        complete(Format::Hadoop, bytes, Self::borrowed_lenient(bytes)?)
    }

    /// Reads a filter in place and returns the bytes that follow it, which Hadoop ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes_lenient`](HadoopDynamicBloom::from_bytes_lenient), but no memory is needed.
    pub fn borrowed_lenient(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Hadoop, bytes);
        let (hash, shape) = header(&mut reader)?;
        let header_bytes = bytes.len() - reader.rest().len();
        let mut number = || reader.array().map(u32::from_be_bytes);
        let [items_per_row, last_row_items, rows] = [number()?, number()?, number()?];
        let items_per_row = checked(Field::ItemsPerRow, items_per_row.into())?;
        if last_row_items > MAX {
            let rule = Must::Range(0, MAX.into());
            return Err(Format::Hadoop.field(Field::ItemsInLastRow, rule, last_row_items));
        }
        let count = checked(Field::Rows, rows.into())?;
        let equal = |field, ours: u64, of_row: u64| {
            let same = (ours == of_row).then_some(());
            same.ok_or_else(|| Format::Hadoop.field(field, Must::AsOfFilter, of_row))
        };
        let rows = reader.rest();
        for _ in 0..count {
            let before = reader.rest().len();
            let row = Hadoop::read(&mut reader)?;
            let of_row = before - reader.rest().len() - row.plain.words.bytes().len();
            equal(Field::HashTypeOfRow, hash as u64, row.hash() as u64)?;
            equal(Field::BitsOfRow, shape.bits(), row.shape().bits())?;
            let (ours, theirs) = (shape.hashes(), row.shape().hashes());
            equal(Field::HashesOfRow, ours.into(), theirs.into())?;
            equal(Field::HeaderOfRow, header_bytes as u64, of_row as u64)?;
        }
        let filter = Self {
            hash,
            items_per_row,
            last_row_items,
            rows: Rows::in_place(
                shape,
                &rows[..rows.len() - reader.rest().len()],
                header_bytes,
            ),
        };
        Ok((filter, reader.rest()))
    }
}

impl HadoopDynamicBloom<'_> {
    /// Inserts a key and returns whether it was certainly new.
    ///
    /// As in Hadoop, a key goes to the last row even if the filter already contains the key. If the last row is full, a new row
    /// is added first.
    ///
    /// # Errors
    ///
    /// As in Hadoop, the key must have at least one byte. The memory of a new row must be available, and so must the memory of
    /// a copy of the rows if the filter was read in place. There must be at most 2^31 - 1 rows.
    pub fn insert<'k>(&mut self, key: impl Into<ByteKey<'k>>) -> Result<bool, FormatError> {
        let key = checked_key(key.into())?;
        self.rows.own()?;
        let mut probes = Probes::new(self.hash.positions(key, self.shape()));
        let new = self.rows.matches(&mut probes, 1) == 0;
        if self.last_row_items >= self.items_per_row {
            checked(Field::Rows, self.rows() + 1)?;
            self.rows.add()?;
            self.last_row_items = 0;
        }
        self.rows.insert(&mut probes);
        self.last_row_items += 1;
        Ok(new)
    }

    /// Inserts all keys of another filter: the keys of its first row go into this filter's first row, and so on. As in Hadoop,
    /// the number of keys that the last row is said to have does not change.
    ///
    /// # Errors
    ///
    /// As in Hadoop, both filters must have equal numbers of bits, hashes, items per row and rows. They must also have the same
    /// hash function, which Hadoop does not compare. If this filter was read in place, the memory of a copy must be available.
    pub fn merge(&mut self, other: &HadoopDynamicBloom<'_>) -> Result<(), FormatError> {
        let equal = |field, ours: u64, theirs: u64| Format::Hadoop.equal(field, ours, theirs);
        equal(Field::HashType, self.hash as u64, other.hash as u64)?;
        equal(Field::Bits, self.shape().bits(), other.shape().bits())?;
        equal(
            Field::Hashes,
            self.shape().hashes().into(),
            other.shape().hashes().into(),
        )?;
        let (ours, theirs) = (self.items_per_row, other.items_per_row);
        equal(Field::ItemsPerRow, ours.into(), theirs.into())?;
        equal(Field::Rows, self.rows(), other.rows())?;
        self.rows.own()?;
        self.rows.unite(&other.rows);
        Ok(())
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<HadoopDynamicBloom<'static>, FormatError> {
        Ok(HadoopDynamicBloom {
            hash: self.hash,
            items_per_row: self.items_per_row,
            last_row_items: self.last_row_items,
            rows: self.rows.owned()?,
        })
    }

    /// Returns the bytes of the filter as base64 text with padding, the form in which Hudi stores filters.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_base64(&self) -> Result<String, FormatError> {
        text::encoded(Format::Hadoop, &self.to_bytes()?)
    }

    /// Returns `false` only if the key was certainly not inserted.
    #[must_use]
    pub fn contains<'k>(&self, key: impl Into<ByteKey<'k>>) -> bool {
        let key = key.into();
        let mut probes = Probes::new(self.hash.positions(key, self.shape()));
        !key.0.is_empty() && self.rows.matches(&mut probes, 1) > 0
    }

    /// Returns the hash function.
    #[must_use]
    pub fn hash(&self) -> HadoopHash {
        self.hash
    }

    /// Returns the bits and hashes of each row.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.rows.shape
    }

    /// Returns the number of rows, at least 1.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows.count()
    }

    /// Returns the number of keys that a row takes before the next row is added.
    #[must_use]
    pub fn items_per_row(&self) -> u32 {
        self.items_per_row
    }

    /// Returns the number of keys that were inserted into the last row, as Hadoop counts them.
    #[must_use]
    pub fn last_row_items(&self) -> u32 {
        self.last_row_items
    }

    /// Draws the positions of `keys` random keys among the set bits of `row`. Returns 1/r for each of these keys, where r is
    /// the number of rows in which all bits of the key are set.
    fn shares<'s>(
        &'s self,
        row: &Plain<'_>,
        keys: u64,
        state: &'s mut u64,
    ) -> impl Iterator<Item = f64> + 's {
        let ones = row.words.ones().max(1);
        let set = (0..self.shape().bits()).filter(|&position| row.words.contains(position));
        let pool: Vec<u64> = set.step_by(ones.div_ceil(POOL) as usize).collect();
        (0..keys).map(move |_| {
            let position = || pool[(((split_mix(state) >> 32) * pool.len() as u64) >> 32) as usize];
            let mut probes = Probes::new(repeat_with(position));
            1.0 / self.rows.matches(&mut probes, u64::MAX) as f64
        })
    }
}

/// Returns a random number from 0 to below 1.
fn unit(state: &mut u64) -> f64 {
    libm::scalbn((split_mix(state) >> 11) as f64, -53)
}

/// Returns a number of a header that must be from 1 to the largest Java int.
fn checked(field: Field, number: u64) -> Result<u32, FormatError> {
    let in_range = |small: &u32| (1..=MAX).contains(small);
    let small = u32::try_from(number).ok().filter(in_range);
    small.ok_or_else(|| Format::Hadoop.field(field, Must::Range(1, MAX.into()), number))
}

impl Filter for HadoopDynamicBloom<'_> {
    fn format(&self) -> Format {
        Format::Hadoop
    }

    fn shape(&self) -> Shape {
        let bits = self.rows() * self.shape().bits();
        Shape::new(bits, self.shape().hashes()).expect("the bits are in memory")
    }

    fn contains(&self, key: Key<'_>) -> Result<bool, FormatError> {
        Ok(self.contains(Hadoop::key(key)?))
    }

    fn insert(&mut self, key: Key<'_>) -> Result<bool, FormatError> {
        self.insert(Hadoop::key(key)?)
    }

    fn merge(&mut self, other: &dyn Filter) -> Result<(), FormatError> {
        self.merge_bytes(&same_format(Format::Hadoop, other)?)
    }

    fn merge_bytes(&mut self, other: &[u8]) -> Result<(), FormatError> {
        self.merge(&HadoopDynamicBloom::borrowed(other)?)
    }

    fn owned(&self) -> Result<Box<dyn Filter>, FormatError> {
        Ok(Box::new(self.copied()?))
    }

    /// Returns the share of set bits among the bits of all rows, from 0 to 1. O(m) for m bits in all rows.
    fn fill(&self) -> f64 {
        self.rows.each().map(|row| row.fill()).sum::<f64>() / self.rows() as f64
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation. The estimates of the rows are
    /// added, so that an item in two rows counts twice. Returns `None` if a row has no clear bit. O(m) for m bits in all rows.
    fn estimated_items(&self) -> Option<Estimate> {
        let rows = self.rows.each();
        sum_of_estimates(rows.map(|row| row.estimated_items(self.hash.derivation())))
    }

    /// Returns the false-positive rate at the present fill: the probability that at least one row has all bits of a random key.
    /// O(m) for m bits in all rows, and up to 16,384 queries.
    ///
    /// ```text
    /// S q,  S = sum over rows of p
    /// ```
    ///
    /// p is the [rate](crate::Bloom::false_positive_rate) of a single row. A key has the same positions in all rows, so all its
    /// bits may be set in several rows; r is the number of these rows. To find q, a row is drawn with probability p/S, and then
    /// a key whose bits are all set in the drawn row. q is the mean of 1/r over keys drawn in this way. So two rows with the
    /// same keys have the rate of one of them.
    ///
    /// q is measured with 16,384 keys, which are drawn with a fixed seed. In filters of more than 4,096 rows, fewer keys are
    /// drawn: 2^26 divided by the number of rows, but at least 256.
    fn present_rate(&self) -> Rate {
        let rate = |row: Plain<'_>| row.rate(self.hash.derivation()).value;
        let rates: Vec<f64> = self.rows.each().map(rate).collect();
        let sum: f64 = rates.iter().sum();
        if rates.len() == 1 || sum == 0.0 || rates.iter().any(|rate| *rate >= 1.0) {
            return Rate::computed(sum.min(1.0));
        }
        let drawn = DRAWN.min(MAX_MATCHED / self.rows()).max(MIN_DRAWN);
        let (mut state, mut keys, mut end) = (0, 0, 0.0);
        let (mut shares, mut squares) = (0.0, 0.0);
        let mut place = unit(&mut state);
        for (row, rate) in self.rows.each().zip(rates) {
            // A stratified sample: the line from 0 to `drawn` is divided into one interval for each row, with a length in
            // proportion to the row's rate. Key i, from 0, has a random place between i and i + 1, and is drawn from the row
            // whose interval contains this place.
            let before = keys;
            end += rate / sum * drawn as f64;
            while keys < drawn && place < end {
                keys += 1;
                place = keys as f64 + unit(&mut state);
            }
            if keys > before {
                for share in self.shares(&row, keys - before, &mut state) {
                    shares += share;
                    squares += share * share;
                }
            }
        }
        let (keys, mean) = (keys as f64, shares / keys as f64);
        let variance = (squares / keys - mean * mean).max(0.0);
        Rate {
            standard_deviation: sum * libm::sqrt(variance / keys),
            ..Rate::computed((sum * mean).min(1.0))
        }
    }

    /// Returns the mean false-positive rate of filters whose rows have this size, once `items` distinct items were inserted.
    /// The computation assumes that whether a row contains an absent key is independent of the other rows.
    fn expected_false_positive_rate(&self, items: u64) -> f64 {
        let (full, rest) = (
            items / u64::from(self.items_per_row),
            items % u64::from(self.items_per_row),
        );
        let bits = Words::new(&[][..], Order::LowFirst);
        let row = Plain::new(Format::Hadoop, self.shape(), bits);
        let clear = |items| {
            let rate = row.expected_rate(self.hash.derivation(), items);
            libm::log1p(-rate)
        };
        // If no row is full, the product below would be 0 times minus infinity for a rate of 1.
        let of_full = if full == 0 {
            0.0
        } else {
            full as f64 * clear(self.items_per_row.into())
        };
        libm::fabs(libm::expm1(of_full + clear(rest)))
    }

    /// Returns at most one warning, from the first row that gives a warning. O(m) for m bits in all rows.
    fn warnings(&self) -> Vec<Warning> {
        let each = |row: Plain<'_>| row.warnings(self.hash.derivation());
        let mut warnings: Vec<Warning> = self.rows.each().flat_map(each).collect();
        warnings.truncate(1);
        warnings
    }

    /// Returns the bytes that Hadoop's `write` writes. Each header in them has a version, even if the filter was read from the
    /// old form without versions.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let numbers = [self.items_per_row, self.last_row_items, self.rows() as u32];
        let header = header_of(self.hash, self.shape());
        let row_bytes = header.len() as u64 + self.shape().bits().div_ceil(8);
        let bytes = row_bytes.saturating_mul(self.rows());
        let before = (header.len() + 4 * numbers.len()) as u64;
        let mut file = reserved(Format::Hadoop, bytes.saturating_add(before))?;
        file.extend(header);
        file.extend(numbers.map(u32::to_be_bytes).as_flattened());
        for row in self.rows.each() {
            file.extend(header);
            file.extend_from_slice(row.words.bytes());
        }
        Ok(file)
    }
}

/// Prints the hash function, the numbers of bits and hashes of a row, and the number of rows, but never the bits themselves.
impl fmt::Debug for HadoopDynamicBloom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HadoopDynamicBloom")
            .field("hash", &self.hash)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .field("rows", &self.rows())
            .finish_non_exhaustive()
    }
}
