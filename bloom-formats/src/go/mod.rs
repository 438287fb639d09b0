//! The filters of bits-and-blooms/bloom (formerly willf/bloom), the usual library in Go, as its `WriteTo` writes
//! them.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | u64 bits m |
//! | 8 | u64 hashes k |
//! | 16 | u64 bits of the bitset, as a rule m again |
//! | 24 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//!
//! Position i from 0 is h\[i mod 2\] + i h\[2 + (i + i mod 2) mod 4 / 2\] in 64 bits, mod m. h\[0\] and h\[1\] are the
//! halves of the [128-bit MurmurHash3](crate::hash::murmur3_x64_128) of the item, h\[2\] and h\[3\] those of the item
//! with a byte 1 after it. Items are bytes: a program chooses those of its numbers.
//!
//! The bits of the bitset are m rounded up to a multiple of 64 in a filter that was made of given words, and 0 in one
//! that was made with 0 bits and has no item; its m is 1.
//!
//! JSON has the same fields: `{"m":9,"k":1,"b":"..."}`, where b is the file from offset 16 on in URL-safe base64. gob wraps
//! the file. A program may switch the library to the other byte order, and JSON to the other base64: nothing tells,
//! and such filters are refused unless they have no words.
//!
//! Sources: bits-and-blooms/bloom `bloom.go`, `murmur.go`, bits-and-blooms/bitset `bitset.go`, and the answers of
//! version 3.3.1.

mod json;

use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::{Estimate, Model, estimate_items, rate_at_fill};

use bloom_systems::four_hashes::{dependence, mean, step_of};

use crate::divisor::Divisor;
use crate::error::{Format, FormatError, Rule};
use crate::hash::{murmur3_x64_128, murmur3_x64_128_and};
use crate::plain::{Plain, bits_and_fill, readings};
use crate::reader::{Reader, complete};
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

/// A Bloom filter of bits-and-blooms/bloom.
///
/// # Examples
///
/// ```
/// use bloom_formats::GoBloom;
///
/// // The size and the bytes of `bloom.NewWithEstimates(1000, 0.01)`.
/// let mut filter = GoBloom::with_rate(1_000, 0.01)?;
/// assert!(filter.insert(b"user-7"));
/// let file = filter.to_bytes()?;
///
/// let read = GoBloom::from_bytes(&file)?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (9_586, 7));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct GoBloom<B = Vec<u8>> {
    plain: Plain<B>,
    /// The bits that the bitset has by its own account.
    length: u64,
}

impl GoBloom {
    /// Creates a filter of the size that the library gives it for `items` expected items at `rate`.
    ///
    /// The size may miss the rate, as the library's does: [`bloom_core::BloomFilter::with_rate`] does not.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        size::check_items(Format::Go, items)?;
        size::check_rate(Format::Go, rate)?;
        let real = -(items as f64) * libm::log(rate) / (LN_2 * LN_2);
        let bits = libm::ceil(real) as u64;
        let hashes = libm::ceil(LN_2 * bits as f64 / items as f64) as i64;
        Self::with_bits(bits, hashes)
    }

    /// Creates a filter of `bits` bits and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let shape = Format::Go.wide_shape(bits, hashes)?;
        let words = Words::cleared(Format::Go, bits.div_ceil(64), Order::HighFirst)?;
        Ok(Self::new(shape, words, bits))
    }

    /// Inserts an item and returns whether it was certainly new.
    pub fn insert(&mut self, item: &[u8]) -> bool {
        self.length = self.length.max(1);
        self.plain.insert_next(positions(item, self.plain.divisor))
    }

    /// Inserts all items of another filter.
    ///
    /// # Errors
    ///
    /// As in the library, bits and hashes must be equal.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &GoBloom<B>) -> Result<(), FormatError> {
        self.plain.merge(&other.plain)?;
        self.length = self.length.max(other.length);
        Ok(())
    }
}

impl<'a> GoBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Go, bytes);
        let [bits, hashes] = [reader.u64_be()?, reader.u64_be()?];
        let filter = Self::parse_bitset(bits, hashes, &mut reader)?;
        Ok((filter, reader.rest()))
    }

    fn parse_bitset(bits: u64, hashes: u64, reader: &mut Reader<'a>) -> Result<Self, FormatError> {
        let hashes = i64::try_from(hashes).unwrap_or(i64::MAX);
        let shape = Format::Go.wide_shape(bits, hashes)?;
        let length = reader.u64_be()?;
        let whole = length.is_multiple_of(64) && length / 64 == bits.div_ceil(64);
        if length != bits && !whole && (length, bits) != (0, 1) {
            let rule = "those of the filter, or these rounded up to a multiple of 64";
            return Err(field("bits of the bitset", rule, length));
        }
        let words = reader.take(length.div_ceil(64) * 8)?;
        let words = Words::new(words, Order::HighFirst);
        words.check_end(Format::Go, bits)?;
        Ok(Self::new(shape, words, length))
    }
}

impl<B: AsRef<[u8]>> GoBloom<B> {
    fn new(shape: Shape, words: Words<B>, length: u64) -> Self {
        Self {
            plain: Plain::new(Format::Go, shape, words),
            length,
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<GoBloom, FormatError> {
        let mut plain = self.plain.owned()?;
        plain
            .words
            .grow(Format::Go, self.shape().bits().div_ceil(64))?;
        let length = self.length;
        Ok(GoBloom { plain, length })
    }

    /// Returns the bytes that the library's `WriteTo` writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let (bits, hashes) = (self.shape().bits(), self.shape().hashes());
        let header = [bits, hashes.into(), self.length].map(u64::to_be_bytes);
        let header = header.as_flattened();
        if self.length == 0 {
            return Words::new([], Order::HighFirst).write(Format::Go, header);
        }
        self.plain.to_bytes(header)
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[must_use]
    pub fn contains(&self, item: &[u8]) -> bool {
        self.plain
            .contains_next(positions(item, self.plain.divisor))
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation; `None`
    /// if every bit is set. O(m).
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        let shape = self.shape();
        estimate_items(shape.bits(), shape.hashes(), self.plain.words.ones())
            .expect("a shape is valid and has no more set bits than bits")
    }

    /// Returns the false-positive rate at the present fill: fill^k, and what dependent positions add to it. O(m + k²).
    ///
    /// Positions of one start are equal modulo powers of two, which raises the rate of filters with even m by up to
    /// about 0.3/m. That is counted at first order in 1/m. Measured in filters of 64 to 2,000 bits, the whole is 0.9 to
    /// 1.5 times that for up to 7 hashes and up to 2.4 times for 14; what is not counted is below 0.1/m, also for odd m.
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        let (fill, shape) = (self.fill(), self.shape());
        let rate = rate_at_fill(fill, shape.hashes());
        (rate + dependence(shape, fill).at_fill).min(1.0)
    }

    /// Returns the mean false-positive rate of filters of this size with `items` distinct items, with what dependent
    /// positions add as for [`false_positive_rate`](Self::false_positive_rate).
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        let shape = self.shape();
        let rate = Model::Exact.rate(items, shape.bits(), shape.hashes());
        let rate = rate.expect("a shape is valid").value();
        (rate + mean(shape, items)).clamp(0.0, 1.0)
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let full = self.plain.words.ones() == self.shape().bits();
        full.then_some(Warning::Full).into_iter().collect()
    }
}

fn field(name: &'static str, rule: &'static str, got: u64) -> FormatError {
    Format::Go.error(Rule::Field { name, rule, got })
}

readings!(
    GoBloom,
    Format::Go,
    "the library",
    "The bits must be from 1 to 2^63, those of the bitset as the module says, the hashes from 1 to 255, bits beyond m \
     clear"
);
bits_and_fill!(GoBloom);

/// Prints the shape, never the bits.
impl<B: AsRef<[u8]>> fmt::Debug for GoBloom<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoBloom")
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}

/// Returns the positions of an item.
fn positions(item: &[u8], bits: Divisor) -> impl FnMut() -> u64 {
    let ((a, b), (c, d)) = (murmur3_x64_128(item), murmur3_x64_128_and(item, Some(1)));
    let (starts, steps) = ([a, b], [c, d]);
    let mut next = 0_u64;
    move || {
        let index = next;
        next += 1;
        let step = index.wrapping_mul(steps[step_of(index)]);
        bits.remainder(starts[(index % 2) as usize].wrapping_add(step))
    }
}
