//! The filters of bits-and-blooms/bloom (formerly willf/bloom), the usual library in Go, as its `WriteTo` writes
//! them.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | u64 bits m |
//! | 8 | u64 hashes k |
//! | 16 | u64 bits of the bitset, again m |
//! | 24 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//!
//! Position i from 0 is h\[i mod 2\] + i h\[2 + (i + i mod 2) mod 4 / 2\] in 64 bits, mod m. h\[0\] and h\[1\] are the
//! halves of the [128-bit MurmurHash3](crate::hash::murmur3_x64_128) of the item, h\[2\] and h\[3\] those of the item
//! with a byte 1 after it. Items are bytes: a program chooses those of its numbers.
//!
//! Not read: the JSON form, an empty bitset of a filter made with 0 bits, and the words of programs that switch
//! the library to the other byte order, which nothing in the file tells.
//!
//! Sources: bits-and-blooms/bloom `bloom.go`, `murmur.go`, bits-and-blooms/bitset `bitset.go`, and the answers of
//! version 3.3.1.

use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::{Estimate, Model, estimate_items, rate_at_fill};

use crate::error::{Format, FormatError, Rule};
use crate::hash::murmur3_x64_128;
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
        let shape = shape(bits, hashes)?;
        let words = Words::cleared(Format::Go, bits.div_ceil(64), Order::HighFirst)?;
        Ok(Self::new(shape, words))
    }

    /// Inserts an item and returns whether it was certainly new.
    pub fn insert(&mut self, item: &[u8]) -> bool {
        self.plain.insert(positions(item, self.shape()))
    }

    /// Inserts all items of another filter.
    ///
    /// # Errors
    ///
    /// As in the library, bits and hashes must be equal.
    pub fn merge<B: AsRef<[u8]>>(&mut self, other: &GoBloom<B>) -> Result<(), FormatError> {
        self.plain.merge(&other.plain)
    }
}

impl<'a> GoBloom<&'a [u8]> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(Format::Go, bytes);
        let mut next = || reader.array().map(u64::from_be_bytes);
        let [bits, hashes, stored] = [next()?, next()?, next()?];
        let shape = shape(bits, i64::try_from(hashes).unwrap_or(i64::MAX))?;
        if stored != bits {
            return Err(field("bits of the bitset", "those of the filter", stored));
        }
        let words = Words::new(reader.take(bits.div_ceil(64) * 8)?, Order::HighFirst);
        let beyond = words.ones() - words.ones_before(bits);
        if beyond != 0 {
            return Err(field("set bits beyond the last", "0", beyond));
        }
        Ok((Self::new(shape, words), reader.rest()))
    }
}

impl<B: AsRef<[u8]>> GoBloom<B> {
    fn new(shape: Shape, words: Words<B>) -> Self {
        let format = Format::Go;
        Self {
            plain: Plain {
                format,
                shape,
                words,
            },
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<GoBloom, FormatError> {
        let plain = self.plain.owned()?;
        Ok(GoBloom { plain })
    }

    /// Returns the bytes that the library's `WriteTo` writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let bits = self.shape().bits();
        let header = [bits, self.shape().hashes().into(), bits].map(u64::to_be_bytes);
        self.plain.to_bytes(header.as_flattened())
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    #[must_use]
    pub fn contains(&self, item: &[u8]) -> bool {
        self.plain.contains(positions(item, self.shape()))
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation; `None`
    /// if every bit is set. O(m).
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        let shape = self.shape();
        estimate_items(shape.bits(), shape.hashes(), self.plain.words.ones())
            .expect("a shape is valid and has no more set bits than bits")
    }

    /// Returns the false-positive rate at the present fill, for independent positions: fill^k. O(m).
    ///
    /// The positions of an item are taken from progressions, which raises the rate of small filters: by
    /// something of the order of 1/m, which is not counted here.
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        rate_at_fill(self.fill(), self.shape().hashes())
    }

    /// Returns the mean false-positive rate of filters of this size with `items` distinct items, for independent
    /// positions.
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        let (bits, hashes) = (self.shape().bits(), self.shape().hashes());
        let rate = Model::Exact.rate(items, bits, hashes);
        rate.expect("a shape is valid").value()
    }

    /// Returns what this filter cannot deliver. O(m).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let full = self.plain.words.ones() == self.shape().bits();
        full.then_some(Warning::Full).into_iter().collect()
    }
}

/// Returns the positions of an item.
fn positions(item: &[u8], shape: Shape) -> impl Iterator<Item = u64> {
    let mut longer = Vec::with_capacity(item.len() + 1);
    longer.extend_from_slice(item);
    longer.push(1);
    let ((a, b), (c, d)) = (murmur3_x64_128(item), murmur3_x64_128(&longer));
    let (starts, steps) = ([a, b], [c, d]);
    (0..u64::from(shape.hashes())).map(move |index| {
        let odd = index % 2;
        let step = steps[((index + odd) % 4 / 2) as usize];
        starts[odd as usize].wrapping_add(index.wrapping_mul(step)) % shape.bits()
    })
}

/// Returns the shape of these bits and hashes.
fn shape(bits: u64, hashes: i64) -> Result<Shape, FormatError> {
    if bits == 0 || bits > 1 << 63 {
        return Err(field("bits", "from 1 to 2^63", bits));
    }
    Format::Go.shape(bits, hashes)
}

fn field(name: &'static str, rule: &'static str, got: u64) -> FormatError {
    Format::Go.error(Rule::Field { name, rule, got })
}

readings!(
    GoBloom,
    Format::Go,
    "the library",
    "The bits must be from 1 to 2^63 and those of the bitset as many, the hashes from 1 to 255, bits beyond m clear"
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
