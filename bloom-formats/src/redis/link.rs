//! Defines a link. A filter of RedisBloom is a chain: a list of Bloom filters, which are called links. This module computes the
//! size of a link, keeps its bits, and reads its fields in the header of the chain.

use bloom_core::Shape;
use bloom_core::math::rate_at_fill;
use bloom_systems::systems::redis;
use bloom_systems::{links, sums};

use super::ln::ln;
use crate::error::{Field, Format, FormatError, Must};
use crate::plain::Plain;
use crate::reader::Reader;
use crate::size;
use crate::words::{Order, Words};

/// A link: one of the Bloom filters of which a filter of RedisBloom consists.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RedisLink {
    /// The numbers of bits and hashes.
    pub shape: Shape,
    /// The number of inserted items, as Redis counts them.
    pub items: u64,
    /// The number of items that the link is made for.
    pub expected_items: u64,
    /// The rate that the link is made for.
    pub rate: f64,
    /// The number of bits per item. It follows from `rate`: the Redis server computes it with the logarithm of its C library.
    pub bits_per_item: f64,
}

#[derive(Clone, PartialEq)]
pub(super) struct Link<'a> {
    pub(super) facts: RedisLink,
    pub(super) plain: Plain<'a>,
}

impl Link<'static> {
    pub(super) fn new(items: u64, rate: f64) -> Result<Self, FormatError> {
        let (shape, bits_per_item) = shape_of(items, rate)?;
        let words = Words::cleared(Format::RedisBloom, shape.bits() / 64, Order::LowFirst)?;
        Ok(Self::with_words(
            shape,
            words,
            0,
            items,
            rate,
            bits_per_item,
        ))
    }
}

impl<'a> Link<'a> {
    fn with_words(
        shape: Shape,
        words: Words<'a>,
        items: u64,
        expected_items: u64,
        rate: f64,
        bits_per_item: f64,
    ) -> Self {
        Self {
            facts: RedisLink {
                shape,
                items,
                expected_items,
                rate,
                bits_per_item,
            },
            plain: Plain::new(Format::RedisBloom, shape, words),
        }
    }

    #[inline]
    pub(super) fn positions(&self, (a, b): (u64, u64)) -> impl FnMut() -> u64 + use<'a> {
        sums::wrapping(a, b, u64::MAX, self.plain.divisor)
    }

    #[inline]
    pub(super) fn contains(&self, hashes: (u64, u64)) -> bool {
        self.plain.contains_next(self.positions(hashes))
    }

    /// Returns the number of bits of the link, and its rate at the present fill, for independent positions and for the
    /// positions of RedisBloom. Also returns the standard deviation of the second rate.
    pub(super) fn rated_link(&self) -> (links::Link, f64) {
        let (fill, hashes) = (self.plain.fill(), self.facts.shape.hashes());
        let rate = self.plain.rate(redis::POSITIONS);
        let link = links::Link {
            bits: self.facts.shape.bits(),
            independent: rate_at_fill(fill, hashes),
            rate: rate.value,
        };
        (link, rate.standard_deviation)
    }

    pub(super) fn copied(&self) -> Result<Link<'static>, FormatError> {
        Ok(Link {
            facts: self.facts,
            plain: self.plain.owned()?,
        })
    }

    /// Returns the bytes that hold the bits.
    pub(super) fn data(&self) -> &[u8] {
        self.plain.words.bytes()
    }
}

/// Reads the fields of a link from the header of the chain, and the bits of the link from the data after the header.
pub(super) fn link<'a>(
    header: &mut Reader<'_>,
    data: &mut Reader<'a>,
) -> Result<Link<'a>, FormatError> {
    let [bytes, bits, items] = [header.u64_le()?, header.u64_le()?, header.u64_le()?];
    let [rate, bits_per_item] = [header.u64_le()?, header.u64_le()?].map(f64::from_bits);
    let hashes = header.u32_le()?;
    let expected_items = header.u64_le()?;
    let [rounding] = header.array()?;
    if rounding != 0 {
        return Err(Format::RedisBloom.field(Field::Rounding, Must::Be(0), rounding));
    }
    size::check_rate(Format::RedisBloom, rate)?;
    if bytes.checked_mul(8) != Some(bits) {
        return Err(Format::RedisBloom.field(Field::Bits, Must::BitsOfBytes, bits));
    }
    if hashes_of(bits_per_item) != i64::from(hashes) {
        return Err(Format::RedisBloom.field(Field::Hashes, Must::OfBitsPerItem, hashes));
    }
    if bits_of(expected_items, bits_per_item)? != bits {
        return Err(Format::RedisBloom.field(Field::Bits, Must::OfExpectedItems, bits));
    }
    let shape = Format::RedisBloom.shape(bits, hashes.into())?;
    let words = Words::new(data.take(bytes)?, Order::LowFirst);
    Ok(Link::with_words(
        shape,
        words,
        items,
        expected_items,
        rate,
        bits_per_item,
    ))
}

/// Returns the numbers of bits and hashes of a link, and its number of bits per item.
///
/// The header states the bits per item, which depend on the last digit of the logarithm of the rate. So [`ln`] rounds the
/// logarithm to the nearest `f64`. It was compared with two libraries for 2,990 rates: those with two significant digits, and
/// the same rates halved up to eight times. Of the logarithms of these rates, glibc 2.36 rounds all but 1 to the nearest `f64`,
/// and the crate `libm` all but 44.
pub(super) fn shape_of(items: u64, rate: f64) -> Result<(Shape, f64), FormatError> {
    let bits_per_item = libm::fabs(ln(rate)) / redis::SHORT_SQUARE;
    let bits = bits_of(items, bits_per_item)?;
    let shape = Format::RedisBloom.shape(bits, hashes_of(bits_per_item))?;
    Ok((shape, bits_per_item))
}

fn hashes_of(bits_per_item: f64) -> i64 {
    libm::ceil(redis::SHORT_LN_2 * bits_per_item) as i64
}

/// Returns the number of bits of a link, which is a multiple of 64.
fn bits_of(items: u64, bits_per_item: f64) -> Result<u64, FormatError> {
    let bits = (items as f64 * bits_per_item) as u64;
    let words = bits.max(1).div_ceil(64);
    // The bits of a shape are at most 2^63.
    if words > 1 << 57 {
        return Err(Format::RedisBloom.field(Field::Bits, Must::AtMost(1 << 63), bits));
    }
    Ok(words * 64)
}
