//! The Bloom filters of bits-and-blooms/bloom (formerly willf/bloom), the usual library in Go, as the library's `WriteTo`
//! writes them.
//!
//! | offset | field, highest byte first |
//! | --- | --- |
//! | 0 | u64 bits m |
//! | 8 | u64 hashes k |
//! | 16 | u64 bits of the bitset, as a rule m again |
//! | 24 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//!
//! Position i from 0 is h\[i mod 2\] + i × h\[2 + ((i + (i mod 2)) mod 4) / 2\] in 64 bits, mod m. h\[0\] and h\[1\] are the
//! halves of the [128-bit MurmurHash3](bloom_systems::hash::murmur3_x64_128) of the item, h\[2\] and h\[3\] are the halves of
//! the hash of the item followed by a byte 1. Items are bytes: the program decides which bytes stand for a number.
//!
//! In a filter that a program made from words of its own, the field at offset 16 is m rounded up to a multiple of 64. In a
//! filter that was made with 0 bits and has no item, m is 1 and the field is 0.
//!
//! The JSON form has the same fields: `{"m":9,"k":1,"b":"..."}`, where b is the file from offset 16 on in URL-safe base64. Go's
//! gob encoding contains the bytes of the file. A program may make the library write the bitset (from offset 16 on) with the
//! lowest byte first, and JSON in standard base64. No field shows this. A bitset in this byte order is refused unless it has no
//! words, and JSON is refused if its base64 has a `+` or a `/`.
//!
//! m must be from 1 to 2^63, and bits at positions from m on must be clear. Two filters merge if they have the same m and k.
//!
//! The positions of an item are not independent: each is a sum whose first term is h\[0\] or h\[1\], and many sums with the
//! same first term are equal modulo a power of two. At first order in 1/m, this raises the rate of filters with even m by up to
//! about 0.3/m. With many hashes and few bits it raises the rate by more, within the bounds that
//! `bloom_systems::Positions::FourHashes` gives.
//!
//! Sources: bits-and-blooms/bloom `bloom.go`, `murmur.go`, bits-and-blooms/bitset `bitset.go`, and the answers of
//! version 3.3.1.

mod json;

use alloc::vec::Vec;

use bloom_core::math::{Model, rate_at_fill};

use bloom_systems::Positions;
use bloom_systems::divisor::Divisor;
use bloom_systems::double_hashing::Excess;
use bloom_systems::four_hashes::{self, dependence, mean};
use bloom_systems::systems::bits_and_blooms;

use crate::bloom::{Bloom, Rules};
use crate::error::{Field, Format, FormatError, Must};
use crate::filter::{ByteKey, Filter};
use crate::rate::Rate;
use crate::reader::Reader;
use crate::size;
use crate::words::{Order, Words};

/// A Bloom filter of bits-and-blooms/bloom.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, GoBloom};
///
/// // The size and the bytes of `bloom.NewWithEstimates(1000, 0.01)`.
/// let mut filter = GoBloom::with_rate(1_000, 0.01)?;
/// assert!(filter.insert(b"user-7")?);
/// let file = filter.to_bytes()?;
///
/// let read = GoBloom::from_bytes(&file)?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-8"));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (9_586, 7));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type GoBloom<'a> = Bloom<'a, Go>;

/// The part of a [`GoBloom`] that filters of other systems do not have: the field at offset 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Go {
    /// The number of bits that the file states for its bitset.
    length: u64,
}

impl GoBloom<'static> {
    /// Creates a filter of the size that the library gives it for `items` expected items at `rate`.
    ///
    /// As in the library, a filter of this size may have a rate above `rate`. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps `rate`.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`; the size must be one that
    /// [`with_bits`](Self::with_bits) takes.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        let system = &bits_and_blooms::BITS_AND_BLOOMS;
        let (bits, hashes) = size::for_rate(Format::Go, system, items, rate)?;
        Self::with_bits(bits, hashes)
    }

    /// Creates a filter of `bits` bits and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63, `hashes` from 1 to 255, and the memory available.
    pub fn with_bits(bits: u64, hashes: i64) -> Result<Self, FormatError> {
        let shape = Format::Go.shape(bits, hashes)?;
        let words = Words::cleared(Format::Go, bits.div_ceil(64), Order::HighFirst)?;
        Ok(Self::owned(Go { length: bits }, shape, words))
    }
}

impl Rules for Go {
    const FORMAT: Format = Format::Go;

    type Key<'k> = ByteKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<GoBloom<'a>, FormatError> {
        let [bits, hashes] = [reader.u64_be()?, reader.u64_be()?];
        of_bitset(bits, hashes, reader)
    }

    fn header(filter: &GoBloom<'_>) -> Vec<u8> {
        let (bits, hashes) = (filter.shape().bits(), filter.shape().hashes());
        let header = [bits, hashes.into(), filter.system.length];
        header.map(u64::to_be_bytes).as_flattened().to_vec()
    }

    fn contains(filter: &GoBloom<'_>, key: ByteKey<'_>) -> bool {
        let plain = &filter.plain;
        plain.contains_next(positions(key.0, plain.divisor))
    }

    fn insert(filter: &mut GoBloom<'_>, key: ByteKey<'_>) -> Result<bool, FormatError> {
        let plain = &mut filter.plain;
        let new = plain.insert_next(positions(key.0, plain.divisor))?;
        filter.system.length = filter.system.length.max(1);
        Ok(new)
    }

    fn merged(ours: &mut GoBloom<'_>, theirs: &GoBloom<'_>) {
        ours.system.length = ours.system.length.max(theirs.system.length);
    }

    fn positions(&self) -> Positions {
        bits_and_blooms::BITS_AND_BLOOMS.positions
    }

    fn rate(filter: &GoBloom<'_>) -> Rate {
        let (fill, shape) = (filter.fill(), filter.shape());
        let rate = rate_at_fill(fill, shape.hashes());
        let value = (rate + dependence(shape, fill).at_fill).min(1.0);
        if fill == 0.0 || fill == 1.0 {
            return Rate::computed(value);
        }
        Rate::mean(value, shape.bits(), &Excess::default())
    }

    fn expected_rate(filter: &GoBloom<'_>, items: u64) -> f64 {
        let shape = filter.shape();
        let rate = Model::Exact.rate(items, shape.bits(), shape.hashes());
        let rate = rate.expect("a shape is valid").value();
        (rate + mean(shape, items)).clamp(0.0, 1.0)
    }
}

/// Reads the length and the words of a bitset, and returns a filter of `bits` bits and `hashes` hashes with this bitset.
fn of_bitset<'a>(
    bits: u64,
    hashes: u64,
    reader: &mut Reader<'a>,
) -> Result<GoBloom<'a>, FormatError> {
    let hashes = i64::try_from(hashes).unwrap_or(i64::MAX);
    let shape = Format::Go.shape(bits, hashes)?;
    let length = reader.u64_be()?;
    let whole = length.is_multiple_of(64) && length / 64 == bits.div_ceil(64);
    if length != bits && !whole && (length, bits) != (0, 1) {
        let rule = Must::AsOfFilterRounded;
        return Err(Format::Go.field(Field::BitsOfBitset, rule, length));
    }
    let words = reader.take(length.div_ceil(64) * 8)?;
    let words = Words::new(words, Order::HighFirst);
    words.check_end(Format::Go, bits)?;
    Ok(Bloom::new(Go { length }, shape, words))
}

/// Returns the positions of an item.
fn positions(item: &[u8], bits: Divisor) -> impl FnMut() -> u64 {
    let (starts, steps) = bits_and_blooms::hashes(item);
    four_hashes::positions(starts, steps, bits)
}
