//! The filters of RedisBloom, as the command `BF.SCANDUMP` of Redis dumps them and `BF.LOADCHUNK` loads them. Each filter is a
//! chain: a list of Bloom filters, which are called links. Keys go to the last link. If the last link is full, a chain that
//! grows adds a link for the next key; a chain that does not grow refuses the key.
//!
//! | offset in the first chunk | field, lowest byte first |
//! | --- | --- |
//! | 0 | u64 number of items in the chain |
//! | 8 | u32 number of links |
//! | 12 | u32 options: 1 no rounding, 2 entries are bits, 4 hashes of 64 bits, 8 does not grow |
//! | 16 | u32 growth |
//! | 20 + 53 × i | link i from 0: u64 bytes, u64 bits, u64 items, f64 rate, f64 bits per item, u32 hashes k, u64 expected items, u8 rounding |
//!
//! The bit arrays of the links follow in further chunks of at most 16 MiB. Each of these chunks has bits of one link only.
//! Redis gives each chunk a number, its iterator: it is 1 for the first chunk, and for each further chunk 1 plus the number of
//! bytes with bits in all chunks from the second to this one.
//!
//! Position i from 0 is a + i × b in 64 bits, mod m; a is [MurmurHash64A](bloom_systems::hash::murmur_hash64a) of the key with
//! the seed c6a4a7935bd1e995, and b is the same hash with the seed a. Keys are bytes: a number is its decimal text. A key is in
//! the chain if at least one link has all bits of the key. Filters of old modules (hashes of 32 bits, rounded sizes, a shorter
//! header) and filters with a hash seed are refused. Redis merges no filters.
//!
//! The bits per item follow from the logarithm of the rate. The last digit of this logarithm depends on the C library of the
//! server. This module rounds the logarithm to the nearest `f64`. For 2,990 rates, its results were compared with those of
//! glibc 2.36, and one was different. The rates were those with two significant digits, and the same rates halved up to eight
//! times.
//!
//! Sources: RedisBloom/RedisBloom `src/sb.c`, `src/rebloom.c`, `deps/bloom/bloom.c`, and the dumps and answers of
//! RedisBloom 2.8.2.

mod dump;
mod link;
mod ln;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::{Estimate, Model};

pub use link::RedisLink;
use link::{Link, shape_of};

use bloom_systems::links;
use bloom_systems::systems::redis;

use crate::error::{Field, Format, FormatError, Must, Rule, Value};
use crate::filter::{ByteKey, Filter, Key, SystemKey};
use crate::plain::{Plain, sum_of_estimates};
use crate::rate::{self, Rate};
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

const WIDE_HASHES: u32 = 4;
const FIXED: u32 = 8;
/// The options of a new chain that grows: numbers of bits are not rounded, and hashes have 64 bits.
const OPTIONS: u32 = 1 | WIDE_HASHES;

/// The uncertainty of the computed rate of a chain, as a share of the sum of what double hashing adds to the rates of its
/// links. In 18 chains for 15 to 100 items, the computed rate was off by up to 0.16 of this sum.
const UNCERTAIN: f64 = 0.2;

/// What a chain does when its last link has all the items that it is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedisGrowth {
    /// It adds a link that is made for this many times the items of the link before. This is `EXPANSION` of `BF.RESERVE`, by
    /// default 2.
    By(u32),
    /// It refuses further items. This is `NONSCALING` of `BF.RESERVE`.
    Never,
}

/// A filter of RedisBloom: a chain of Bloom filters.
///
/// # Examples
///
/// ```
/// use bloom_formats::{RedisBloom, RedisGrowth};
///
/// // The filter that `BF.RESERVE key 0.01 1000` creates.
/// let mut filter = RedisBloom::with_rate(RedisGrowth::By(2), 1_000, 0.01)?;
/// assert!(filter.insert(b"user-7")?);
///
/// // The chunks that `BF.LOADCHUNK key iterator data` loads into Redis.
/// let chunks = filter.to_chunks()?;
/// let read = RedisBloom::from_chunks(chunks.iter().map(|(iterator, data)| (*iterator, &data[..])))?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-8"));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct RedisBloom<'a> {
    options: u32,
    growth: u32,
    links: Vec<Link<'a>>,
}

impl RedisBloom<'static> {
    /// Creates an empty chain as `BF.RESERVE` does, for `items` expected items in its first link.
    ///
    /// In a chain that grows, the first link has half of `rate`, and each further link half the rate of the link before.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate <= 0.25`. The number in `growth` must be at least 1, and the number of
    /// hashes at most 255. The memory must be available. Redis itself replaces a rate above 0.25 by 0.25.
    pub fn with_rate(growth: RedisGrowth, items: u64, rate: f64) -> Result<Self, FormatError> {
        size::check_items(Format::RedisBloom, items)?;
        size::check_rate(Format::RedisBloom, rate)?;
        if rate > redis::MAX_RATE {
            return Err(Format::RedisBloom.field(
                Field::Rate,
                Must::ShareUpTo(redis::MAX_RATE),
                Value::Real(rate),
            ));
        }
        let (options, growth, rate) = match growth {
            RedisGrowth::Never => (OPTIONS | FIXED, 2, rate),
            RedisGrowth::By(0) => {
                return Err(Format::RedisBloom.field(Field::Growth, Must::AtLeast(1), 0));
            }
            RedisGrowth::By(growth) => (OPTIONS, growth, rate * redis::TIGHTENING),
        };
        Ok(Self {
            options,
            growth,
            links: vec![Link::new(items, rate)?],
        })
    }
}

impl RedisBloom<'_> {
    /// Inserts a key as `BF.ADD` does, and returns whether the key was certainly new. If the chain already seems to contain the
    /// key, nothing is inserted.
    ///
    /// # Errors
    ///
    /// If the last link is full, the chain must be one that grows, and the size of the new link must be in range. The memory of
    /// a new link must be available, and so must the memory of a copy of the last link's bits if they are read in place.
    pub fn insert<'k>(&mut self, key: impl Into<ByteKey<'k>>) -> Result<bool, FormatError> {
        let hashes = redis::hashes(key.into().0);
        if self.links.iter().rev().any(|link| link.contains(hashes)) {
            return Ok(false);
        }
        let last = self.last().facts;
        if last.items >= last.expected_items {
            if self.growth() == RedisGrowth::Never {
                let rule = Must::BelowExpectedItems;
                return Err(Format::RedisBloom.field(Field::Items, rule, last.items));
            }
            let items = last.expected_items.saturating_mul(self.growth.into());
            self.links
                .push(Link::new(items, last.rate * redis::TIGHTENING)?);
        }
        let last = self.links.last_mut().expect("a chain has a link");
        let positions = last.positions(hashes);
        last.plain.insert_next(positions)?;
        last.facts.items += 1;
        Ok(true)
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<RedisBloom<'static>, FormatError> {
        let (options, growth) = (self.options, self.growth);
        let links = self.links.iter().map(Link::copied);
        Ok(RedisBloom {
            options,
            growth,
            links: links.collect::<Result<_, _>>()?,
        })
    }

    /// Returns `false` only if the key was certainly not inserted.
    #[inline]
    #[must_use]
    pub fn contains<'k>(&self, key: impl Into<ByteKey<'k>>) -> bool {
        let hashes = redis::hashes(key.into().0);
        self.links.iter().rev().any(|link| link.contains(hashes))
    }

    /// Returns what the chain does when its last link is full.
    #[must_use]
    pub fn growth(&self) -> RedisGrowth {
        if self.options & FIXED == 0 {
            RedisGrowth::By(self.growth)
        } else {
            RedisGrowth::Never
        }
    }

    /// Returns the growth that the header states, even if the chain does not grow.
    #[must_use]
    pub fn expansion(&self) -> u32 {
        self.growth
    }

    /// Returns the options in the header.
    #[must_use]
    pub fn options(&self) -> u32 {
        self.options
    }

    /// Returns the links, the oldest first. A chain has at least one link.
    pub fn links(&self) -> impl Iterator<Item = RedisLink> {
        self.links.iter().map(|link| link.facts)
    }

    /// Returns the number of items that the links state: those that were certainly new when they were added.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.links()
            .fold(0, |sum: u64, link| sum.saturating_add(link.items))
    }

    fn last(&self) -> &Link<'_> {
        self.links.last().expect("a chain has a link")
    }

    /// Returns the number of items that the first link is made for.
    fn first_items(&self) -> u64 {
        self.links[0].facts.expected_items
    }
}

impl Filter for RedisBloom<'_> {
    fn format(&self) -> Format {
        Format::RedisBloom
    }

    fn shape(&self) -> Shape {
        let bits = self.links().map(|link| link.shape.bits()).sum();
        let hashes = self.last().facts.shape.hashes();
        Shape::new(bits, hashes).expect("the bits are in memory")
    }

    fn contains(&self, key: Key<'_>) -> Result<bool, FormatError> {
        Ok(self.contains(ByteKey::of(key, Format::RedisBloom)?))
    }

    fn insert(&mut self, key: Key<'_>) -> Result<bool, FormatError> {
        self.insert(ByteKey::of(key, Format::RedisBloom)?)
    }

    fn merge(&mut self, _other: &dyn Filter) -> Result<(), FormatError> {
        Err(Format::RedisBloom.error(Rule::NoMerge))
    }

    fn merge_bytes(&mut self, _other: &[u8]) -> Result<(), FormatError> {
        Err(Format::RedisBloom.error(Rule::NoMerge))
    }

    fn owned(&self) -> Result<Box<dyn Filter>, FormatError> {
        Ok(Box::new(self.copied()?))
    }

    /// Returns the share of set bits among the bits of all links, from 0 to 1. O(m).
    fn fill(&self) -> f64 {
        let ones: u64 = self.links.iter().map(|link| link.plain.words.ones()).sum();
        let bits: u64 = self.links().map(|link| link.shape.bits()).sum();
        ones as f64 / bits as f64
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation. The estimates of the links are
    /// added. Returns `None` if a link has no clear bit. O(m) for m bits in all links.
    ///
    /// The estimate is the number of items that were inserted. Redis does not insert an item that the chain already seems to
    /// contain. So if n distinct items are added, up to about n × p of them are not inserted, where p is the false-positive
    /// rate at the end.
    fn estimated_items(&self) -> Option<Estimate> {
        let of_links = self
            .links
            .iter()
            .map(|link| link.plain.estimated_items(redis::POSITIONS));
        sum_of_estimates(of_links)
    }

    /// Returns the false-positive rate at the present fill: the probability that at least one link has all bits of a random
    /// key. O(m) for m bits in all links.
    ///
    /// ```text
    /// 1 - product over links of (1 - fill^k - e)
    /// ```
    ///
    /// where fill is the share of set bits of a link, and e is what double hashing adds to the rate of the link: about 1
    /// divided by the number of the link's bits. The product assumes independent links, but all links use the same two hash
    /// values of a key. So if the first link is made for 10 items or more, the formula of [`links`] is used instead, which
    /// takes into account how often several links contain the same absent key.
    ///
    /// If a measured rate has a smaller standard deviation than the computed one, as in chains of up to 4,096 bits, the rate is
    /// measured. The measurement takes up to 2^20 keys of 8 bytes, and fewer keys in chains of 5 links or more.
    fn present_rate(&self) -> Rate {
        let (links, deviations): (Vec<_>, Vec<_>) = self.links.iter().map(Link::rated_link).unzip();
        let mut rate = Rate::computed(links::rate(self.first_items(), &links));
        if rate.value >= 1.0 {
            return rate;
        }
        rate.standard_deviation = deviations.iter().sum();
        if links.len() > 1 {
            let added = links.iter().map(|link| link.rate - link.independent);
            rate.standard_deviation += UNCERTAIN * added.map(libm::fabs).sum::<f64>();
        }
        let keys = rate::KEYS.min(4 * rate::KEYS / links.len() as u64);
        rate.or_measured(keys, |key| self.contains(key))
    }

    /// Returns the mean false-positive rate of the chain, or an upper bound of it, once the chain has taken `items` distinct
    /// items. Each link takes the items that it is made for, and a chain that grows adds links. A chain that does not grow
    /// takes only the items that its links are made for.
    fn expected_false_positive_rate(&self, items: u64) -> f64 {
        let (mut left, mut links) = (items, Vec::new());
        let mut take = |shape, most: u64| {
            let link = Plain::new(
                Format::RedisBloom,
                shape,
                Words::new(&[][..], Order::LowFirst),
            );
            let inside = left.min(most);
            let independent = Model::Exact.rate(inside, shape.bits(), shape.hashes());
            links.push(links::Link {
                bits: shape.bits(),
                independent: independent.expect("a shape is valid").value(),
                rate: link.expected_rate(redis::POSITIONS, inside),
            });
            left = left.saturating_sub(most);
            left > 0
        };
        let mut goes_on = self
            .links()
            .fold(items > 0, |_, link| take(link.shape, link.expected_items));
        let RedisGrowth::By(growth) = self.growth() else {
            return links::rate(self.first_items(), &links);
        };
        let mut next = self.last().facts;
        while goes_on {
            next.rate *= redis::TIGHTENING;
            next.expected_items = next.expected_items.saturating_mul(growth.into());
            // The loop ends at a link that cannot be built, or whose rate is so small that 1 minus the rate rounds to 1.
            let shape = shape_of(next.expected_items, next.rate).ok();
            let Some((shape, _)) = shape.filter(|_| next.rate > f64::EPSILON / 4.0) else {
                break;
            };
            goes_on = take(shape, next.expected_items);
        }
        links::rate(self.first_items(), &links)
    }

    /// Returns at most one warning, from the oldest link that gives a warning. O(m) for m bits in all links.
    fn warnings(&self) -> Vec<Warning> {
        let each = |link: &Link<'_>| link.plain.warnings(redis::POSITIONS);
        let mut warnings: Vec<Warning> = self.links.iter().flat_map(each).collect();
        warnings.truncate(1);
        warnings
    }

    /// Returns the data of all chunks, one after another.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut bytes = self.header();
        for link in &self.links {
            let data = link.data();
            bytes
                .try_reserve(data.len())
                .map_err(|_| Format::RedisBloom.memory(data.len() as u64))?;
            bytes.extend_from_slice(data);
        }
        Ok(bytes)
    }
}

/// Prints how the chain grows and how many links it has, but never the bits.
impl fmt::Debug for RedisBloom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisBloom")
            .field("growth", &self.growth())
            .field("links", &self.links.len())
            .finish_non_exhaustive()
    }
}
