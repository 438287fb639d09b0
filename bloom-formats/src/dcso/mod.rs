//! The Bloom filters of DCSO bloom, a library in Go. The libraries flor (Python) and poppy (Rust, in its format 1) have files
//! of the same layout. A program may attach data to a filter.
//!
//! | offset | field, lowest byte first |
//! | --- | --- |
//! | 0 | u64 flags: the lowest byte is 1 |
//! | 8 | u64 expected items n |
//! | 16 | f64 requested false-positive rate p |
//! | 24 | u64 hashes k |
//! | 32 | u64 bits m |
//! | 40 | u64 inserted items |
//! | 48 | words of 64 bits; bit j is bit j mod 64 of word j / 64 |
//! | after the words | the data that a program attached, up to the end of the file |
//!
//! Position i from 1 to k is h_i mod m with h_i = (h_(i-1) × G mod 2^64) mod P, G = 2^64 - 1469 and P = 2^64 - 59; h_0 is the
//! [64-bit FNV-1](bloom_systems::hash::fnv1_64) of the item, mod P. Items are bytes. Files are often compressed with gzip, and
//! have to be decompressed before they are read here.
//!
//! n must be from 1 to 2^63 - 1, p between 0 and 1, and m from 1 to 2^63; bits at positions from m on must be clear. Two
//! filters merge, as by the library's `Join`, if they have the same n, p, m and k, and if the sum of their inserted items is
//! below 2^64. In this sum, items that are in both filters count twice. The data attached to the filter that is merged into the
//! other are dropped.
//!
//! # The rate
//!
//! Let 2^e be the largest power of two that divides m. If m / 2^e is small, the false-positive rate may be far above p, because
//! each position nearly determines the next: after a position, at most 1469 positions are possible, and these are equal modulo
//! 2^e. So an item and a query that share one position share others more often than if positions were independent. If m is a
//! power of two, the first position determines all others. In such a filter with 7 hashes, the rate is 0.22, where independent
//! positions would have 0.008 at the same fill. This was measured with 4,000,000 queries of the library itself.
//!
//! If m / 2^e is at most 2^18, this crate computes the rate as the share of those sequences of k positions that have only set
//! bits, among all possible sequences. This takes 16 × m / 2^e bytes of memory. The result is exact in filters of up to 2^21
//! bits. In larger filters, only sequences are followed that begin at up to 2^21 evenly spread positions, so that the result
//! has a standard deviation of about 2 % at a rate of 10^-3. If m / 2^e is larger than 2^18, the rate is computed as
//!
//! ```text
//! r^k + (n/m) (1 - r)² r^(k-2) [ (k - 1)²/1469 + (k - 2)(k - 1)(2 k - 3)/6 × 2^e/m ]
//! ```
//!
//! where r is the share of set bits, and n/m is -ln(1 - r) / k: n is not the field of the file here. In half full filters of
//! about 2^18 bits, the formula differs from the exact rate by at most 0.1 % of the rate with up to 10 hashes, and by at most
//! 1 % with 60 hashes. In such filters, the second term is 0.2 % of the first with 7 hashes, and 0.9 % with 20 hashes. The
//! formula was derived for this crate, and checked in simulations with 24 pairs of m and k.
//!
//! The rate assumes that the hashes of queries are uniform. FNV-1 is far from uniform on some keys: if keys differ only in
//! their last byte, their hashes differ only in the lowest 8 bits.
//!
//! The mean rate of filters with a given number of items is computed for items whose FNV-1 hashes are uniform. To estimate this
//! mean, `bloom_systems::walk::expected` draws at random how many items have their first position in each residue class modulo
//! 2^e.
//!
//! ```
//! use bloom_formats::{DcsoBloom, Filter};
//!
//! // A filter of 4,096 bits and 7 hashes. In the library itself, the mean rate of 20 such filters was 0.2187.
//! let filter = DcsoBloom::with_rate(409, 0.00813)?;
//! assert!((filter.expected_false_positive_rate(409) - 0.2187).abs() < 0.01);
//! // A filter with one bit less has nearly the rate of independent positions.
//! let filter = DcsoBloom::with_rate(409, 0.00814)?;
//! assert!((filter.expected_false_positive_rate(409) - 0.0082).abs() < 0.0003);
//! # Ok::<(), bloom_formats::FormatError>(())
//! ```
//!
//! # The estimate
//!
//! The standard deviation of the estimated number of items assumes independent positions and uniform hashes. It is too small if
//! [`warnings`](Bloom::warnings) has [`Warning::DependentPositions`]. It is too small also for items whose FNV-1 hashes are
//! near to one another: if 70,000 consecutive numbers of 8 bytes are inserted into a filter for 70,000 items at p = 0.01, the
//! estimate is 72,041 ± 71.
//!
//! The file states a count: how many inserted items set a bit that was clear. This crate computes the count that the estimated
//! number of items would give on average. If the stated count is more than five standard deviations from the computed one,
//! [`warnings`](Bloom::warnings) has [`Warning::CountDisagrees`], unless it has [`Warning::DependentPositions`]. With uniform
//! hashes, fewer than one filter in a million has so large a difference.
//!
//! Sources: DCSO/bloom `bloom.go`, and the answers of version 0.2.4.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_core::math::rate_at_fill;

use bloom_systems::Positions;
use bloom_systems::hash::fnv1_64;
use bloom_systems::systems::dcso;
use bloom_systems::walk::{self, expected, rate};

use crate::bloom::{Bloom, Rules};
use crate::error::{Field, Format, FormatError, Must, Value};
use crate::filter::{ByteKey, Filter};
use crate::rate::Rate;
use crate::reader::Reader;
use crate::size;
use crate::warning::Warning;
use crate::words::{Order, Words};

/// The version, in the lowest byte of the flags.
const VERSION: u8 = 1;

/// The number of standard deviations by which the filter's count of items may differ from the count that follows from the
/// estimated number of items.
const DEVIATIONS: f64 = 5.0;

/// The number of steps of the integral in `counted`. With up to 30 hashes, the relative error of the integral is at most 10^-3.
const STEPS: f64 = 256.0;

/// A Bloom filter of DCSO bloom.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, DcsoBloom};
///
/// // The size and the bytes of `bloom.Initialize(1000, 0.01)`.
/// let mut filter = DcsoBloom::with_rate(1_000, 0.01)?;
/// assert!(filter.insert(b"user-7")?);
/// filter.set_data(b"of today".to_vec());
/// let file = filter.to_bytes()?;
///
/// let read = DcsoBloom::from_bytes(&file)?;
/// assert!(read.contains(b"user-7") && !read.contains(b"user-8"));
/// assert_eq!((read.items(), read.data()), (1, &b"of today"[..]));
/// assert_eq!((read.shape().bits(), read.shape().hashes()), (9_585, 7));
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub type DcsoBloom<'a> = Bloom<'a, Dcso>;

/// The fields of a file of DCSO bloom that filters of other systems do not have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dcso {
    flags: u64,
    expected_items: u64,
    rate: f64,
    items: u64,
}

impl DcsoBloom<'static> {
    /// Creates a filter of the size that the library gives it for `items` expected items at `rate`.
    ///
    /// As in the library, a filter of this size may have a rate above `rate`. A filter from
    /// [`bloom_core::BloomFilter::with_rate`] keeps `rate`.
    ///
    /// # Errors
    ///
    /// `items` must be from 1 to 2^63 - 1 and `0 < rate < 1`. The number of bits must be from 1 to 2^63; the library's rule
    /// gives 0 bits for few items at a rate near 1. The number of hashes must be from 1 to 255, and the memory must be
    /// available.
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, FormatError> {
        let (bits, hashes) = size::for_rate(Format::Dcso, &dcso::DCSO, items, rate)?;
        let shape = Format::Dcso.shape(bits, hashes)?;
        let words = Words::cleared(Format::Dcso, shape.bits().div_ceil(64), Order::LowFirst)?;
        let system = Dcso {
            flags: VERSION.into(),
            expected_items: items,
            rate,
            items: 0,
        };
        Ok(Self::owned(system, shape, words))
    }
}

impl DcsoBloom<'_> {
    /// Attaches data to the filter. They replace the data that are attached to it now.
    pub fn set_data(&mut self, data: Vec<u8>) {
        self.data = Cow::Owned(data);
    }

    /// Returns the flags. The library knows only their lowest byte, which is the version 1.
    #[must_use]
    pub fn flags(&self) -> u64 {
        self.system.flags
    }

    /// Returns the number of items that the filter is made for.
    #[must_use]
    pub fn expected_items(&self) -> u64 {
        self.system.expected_items
    }

    /// Returns the false-positive rate that was requested for the expected items. The rate of the filter as it is now is
    /// [`false_positive_rate`](Self::false_positive_rate).
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.system.rate
    }

    /// Returns the number of inserted items that the file states: those that set a bit that was clear, plus the numbers of the
    /// filters that were merged into this one.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.system.items
    }

    /// Returns the data that are attached to the filter.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }
}

impl Rules for Dcso {
    const FORMAT: Format = Format::Dcso;

    type Key<'k> = ByteKey<'k>;

    fn read<'a>(reader: &mut Reader<'a>) -> Result<DcsoBloom<'a>, FormatError> {
        Reader::new(Format::Dcso, reader.rest()).expect(&[VERSION])?;
        let [flags, expected_items] = [reader.u64_le()?, reader.u64_le()?];
        let rate = f64::from_bits(reader.u64_le()?);
        let [hashes, bits, items] = [reader.u64_le()?, reader.u64_le()?, reader.u64_le()?];
        size::check_items(Format::Dcso, expected_items)?;
        size::check_rate(Format::Dcso, rate)?;
        let hashes = i64::try_from(hashes).unwrap_or(i64::MAX);
        let shape = Format::Dcso.shape(bits, hashes)?;
        let words = reader.take(bits.div_ceil(64) * 8)?;
        let words = Words::new(words, Order::LowFirst);
        words.check_end(Format::Dcso, bits)?;
        let system = Dcso {
            flags,
            expected_items,
            rate,
            items,
        };
        let data = Cow::Borrowed(reader.take(reader.rest().len() as u64)?);
        let filter = Bloom::new(system, shape, words);
        Ok(Bloom { data, ..filter })
    }

    fn header(filter: &DcsoBloom<'_>) -> Vec<u8> {
        let (bits, hashes) = (filter.shape().bits(), filter.shape().hashes());
        let Self {
            flags,
            expected_items,
            rate,
            items,
        } = filter.system;
        let header = [
            flags,
            expected_items,
            rate.to_bits(),
            hashes.into(),
            bits,
            items,
        ];
        header.map(u64::to_le_bytes).as_flattened().to_vec()
    }

    fn contains(filter: &DcsoBloom<'_>, key: ByteKey<'_>) -> bool {
        filter.plain.contains(positions(key, filter.shape()))
    }

    fn insert(filter: &mut DcsoBloom<'_>, key: ByteKey<'_>) -> Result<bool, FormatError> {
        let new = filter.plain.insert(positions(key, filter.shape()))?;
        filter.system.items = filter.system.items.saturating_add(new.into());
        Ok(new)
    }

    fn compare(&self, other: &Self) -> Result<(), FormatError> {
        let (ours, theirs) = (self.expected_items, other.expected_items);
        Format::Dcso.equal(Field::ExpectedItems, ours, theirs)?;
        let [ours, theirs] = [self.rate, other.rate].map(Value::Real);
        Format::Dcso.equal(Field::Rate, ours, theirs)?;
        let sum = self.items.checked_add(other.items).map(|_| ());
        let rule = Must::SumBelow64Bits;
        sum.ok_or_else(|| Format::Dcso.field(Field::InsertedItems, rule, other.items))
    }

    fn merged(ours: &mut DcsoBloom<'_>, theirs: &DcsoBloom<'_>) {
        ours.system.items += theirs.system.items;
    }

    fn positions(&self) -> Positions {
        dcso::DCSO.positions
    }

    fn rate(filter: &DcsoBloom<'_>) -> Rate {
        let contains = |position| filter.plain.words.contains(position);
        Rate::computed(rate(filter.shape(), filter.fill(), contains))
    }

    fn expected_rate(filter: &DcsoBloom<'_>, items: u64) -> f64 {
        expected(filter.shape(), items)
    }

    fn warnings(filter: &DcsoBloom<'_>) -> Vec<Warning> {
        let mut warnings = filter.plain.full_warning();
        let independent = rate_at_fill(filter.fill(), filter.shape().hashes());
        let rate = filter.false_positive_rate();
        if rate > 1.01 * independent {
            warnings.push(Warning::DependentPositions { independent, rate });
        } else if let Some(estimate) = filter.estimated_items() {
            let expected = counted(estimate.items, filter.shape());
            let missed = estimate.items - expected;
            let deviation = libm::hypot(estimate.standard_deviation, libm::sqrt(missed));
            let counted = filter.system.items;
            if libm::fabs(counted as f64 - expected) > DEVIATIONS * deviation {
                let estimated = estimate.items;
                warnings.push(Warning::CountDisagrees { counted, estimated });
            }
        }
        warnings
    }
}

/// Returns how many of n = `items` items set a bit that was clear. These are all but the items that are false positives when
/// they are inserted.
///
/// ```text
/// n - integral of (1 - e^(-k x/m))^k dx from 0 to n
/// ```
fn counted(items: f64, shape: Shape) -> f64 {
    let (bits, hashes) = (shape.bits() as f64, f64::from(shape.hashes()));
    let step = items / STEPS;
    let middles = (0..STEPS as u32).map(|index| (f64::from(index) + 0.5) * step);
    let rate = |items: f64| libm::pow(-libm::expm1(-hashes * items / bits), hashes);
    items - middles.map(rate).sum::<f64>() * step
}

/// Returns the positions of an item.
fn positions(item: ByteKey<'_>, shape: Shape) -> impl Iterator<Item = u64> {
    walk::positions(fnv1_64(item.0), shape)
}
