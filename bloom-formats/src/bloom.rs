//! Defines [`Bloom`], the type of all filters with one bit array. This module has what these filters share; each system
//! implements [`Rules`] for what is specific to it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use bloom_core::Shape;
use bloom_core::math::Estimate;
use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;

use crate::error::{Field, Format, FormatError, Value};
use crate::filter::{Filter, Key, SystemKey};
use crate::plain::Plain;
use crate::rate::{self, Rate};
use crate::reader::{Reader, complete};
use crate::warning::Warning;
use crate::words::{Words, append, reserved};

/// A Bloom filter of a system, with its bits in one array: owned, or in place in the bytes of a file.
///
/// Each system has an alias of this type, with the constructors and the layout in its module. A filter in place copies its
/// bits before it takes keys.
#[derive(Clone, PartialEq)]
pub struct Bloom<'a, S> {
    pub(crate) system: S,
    /// A filter without a set bit may have no words: the file of an empty filter may leave them out.
    pub(crate) plain: Plain<'a>,
    /// The bytes that follow the bits and belong to the filter: the data of DCSO, and none in other systems.
    pub(crate) data: Cow<'a, [u8]>,
}

/// What is specific to a system. The type that implements this trait has the version, the seed and the like as fields.
pub trait Rules: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The format.
    const FORMAT: Format;

    /// A key as the system hashes it.
    type Key<'k>: SystemKey<'k>;

    /// Returns a key as the system hashes it.
    fn key(key: Key<'_>) -> Result<Self::Key<'_>, FormatError> {
        SystemKey::of(key, Self::FORMAT)
    }

    /// Reads a filter as the system does.
    fn read<'a>(reader: &mut Reader<'a>) -> Result<Bloom<'a, Self>, FormatError>;

    /// Refuses what the system reads but never writes.
    fn check(_filter: &Bloom<'_, Self>, _bytes: &[u8]) -> Result<(), FormatError> {
        Ok(())
    }

    /// Returns the bytes before the bits.
    fn header(filter: &Bloom<'_, Self>) -> Vec<u8>;

    /// Returns the bytes of a file.
    fn write(filter: &Bloom<'_, Self>) -> Result<Vec<u8>, FormatError> {
        filter.plain.to_bytes(&Self::header(filter))
    }

    /// Returns whether a key may be in the filter.
    fn contains(filter: &Bloom<'_, Self>, key: Self::Key<'_>) -> bool;

    /// Inserts a key and returns whether it was certainly new.
    fn insert(filter: &mut Bloom<'_, Self>, key: Self::Key<'_>) -> Result<bool, FormatError>;

    /// Checks whether two filters may be merged. [`Bloom::merge`] compares their bits and hashes.
    fn compare(&self, _other: &Self) -> Result<(), FormatError> {
        Ok(())
    }

    /// Updates the fields of the system, such as its counts, after the bits of another filter were added.
    fn merged(_ours: &mut Bloom<'_, Self>, _theirs: &Bloom<'_, Self>) {}

    /// Returns how positions of a key depend on one another.
    fn positions(&self) -> Positions {
        Positions::Independent
    }

    /// Returns the estimated items.
    fn estimate(filter: &Bloom<'_, Self>) -> Option<Estimate> {
        filter.plain.estimated_items(filter.system.positions())
    }

    /// Computes the rate at the present fill.
    fn rate(filter: &Bloom<'_, Self>) -> Rate {
        filter.plain.rate(filter.system.positions())
    }

    /// Returns the mean rate of filters with `items` items, or an upper bound of this mean.
    fn expected_rate(filter: &Bloom<'_, Self>, items: u64) -> f64 {
        filter.plain.expected_rate(filter.system.positions(), items)
    }

    /// Returns the warnings.
    fn warnings(filter: &Bloom<'_, Self>) -> Vec<Warning> {
        filter.plain.warnings(filter.system.positions())
    }
}

/// A bound for generic code: a system whose filters have the type [`Bloom`]. Code for the filters of all systems uses [`Filter`].
pub trait System: Rules {}

impl<S: Rules> System for S {}

/// A system that derives the positions of a key from two hashes.
pub trait DoubleHashed: Rules {}

impl<S: Rules> Bloom<'static, S> {
    /// Reads a filter that fills all of the bytes.
    ///
    /// # Errors
    ///
    /// The length must be the one that the header states, and the bytes must be as the system writes them. The memory must
    /// be available.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Bloom::borrowed(bytes)?.copied()
    }

    /// Reads a filter as the system does, and returns the bytes that follow it, which the system ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but more bytes may follow, and fields that the system ignores may have any
    /// value.
    pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let (filter, rest) = Bloom::borrowed_lenient(bytes)?;
        Ok((filter.copied()?, rest))
    }

    pub(crate) fn owned(system: S, shape: Shape, words: Words<'static>) -> Self {
        Bloom::new(system, shape, words)
    }
}

impl<'a, S: Rules> Bloom<'a, S> {
    /// Reads a filter that fills all of the bytes, in place: queries read these bytes, which may be those of a mapped
    /// file.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Bloom::from_bytes). Only the old stream of ORC, whose words are not contiguous, needs memory.
    pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let filter = complete(S::FORMAT, bytes, Self::borrowed_lenient(bytes)?)?;
        S::check(&filter, bytes)?;
        Ok(filter)
    }

    /// Reads a filter in place as the system does, and returns the bytes that follow it, which the system ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes_lenient`](Bloom::from_bytes_lenient), but only the old stream of ORC needs memory.
    pub fn borrowed_lenient(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        let mut reader = Reader::new(S::FORMAT, bytes);
        let filter = S::read(&mut reader)?;
        Ok((filter, reader.rest()))
    }

    pub(crate) fn new(system: S, shape: Shape, words: Words<'a>) -> Self {
        Self {
            system,
            plain: Plain::new(S::FORMAT, shape, words),
            data: Cow::Borrowed(&[]),
        }
    }

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn copied(&self) -> Result<Bloom<'static, S>, FormatError> {
        let mut data = reserved(S::FORMAT, self.data.len() as u64)?;
        data.extend_from_slice(&self.data);
        Ok(Bloom {
            system: self.system.clone(),
            plain: self.plain.owned()?,
            data: Cow::Owned(data),
        })
    }

    /// Returns whether a key may have been inserted; `false` is certain.
    #[inline]
    #[must_use]
    pub fn contains<'k>(&self, key: impl Into<S::Key<'k>>) -> bool {
        S::contains(self, key.into())
    }

    /// Inserts a key and returns whether it was certainly new. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// The memory must be available: for a copy of bits in place, or for the bits of an empty filter that has none yet. A key
    /// of Hadoop must have at least one byte.
    pub fn insert<'k>(&mut self, key: impl Into<S::Key<'k>>) -> Result<bool, FormatError> {
        S::insert(self, key.into())
    }

    /// Inserts all keys of another filter. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// Bits and hashes must be equal, and so must all else that the system compares or should compare: see its module. The
    /// memory must be available as for [`insert`](Self::insert).
    pub fn merge(&mut self, other: &Bloom<'_, S>) -> Result<(), FormatError> {
        self.system.compare(&other.system)?;
        self.plain.check_shape(&other.plain)?;
        if !other.plain.words.is_empty() {
            self.plain.own()?;
            self.plain.words.unite(&other.plain.words);
        }
        S::merged(self, other);
        Ok(())
    }

    /// Returns the bits and hashes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.plain.shape
    }
}

impl<S: DoubleHashed> Bloom<'_, S> {
    /// Returns what double hashing adds to the rate, with bounds. This is the mean over filters with the estimated number of
    /// items, and is at most about 1/m. [`Excess::measured`] tells whether the bounds are narrowed by simulated filters.
    #[must_use]
    pub fn double_hashing_excess(&self) -> Excess {
        self.plain.excess(self.system.positions())
    }
}

impl<S: Rules> Filter for Bloom<'_, S> {
    fn format(&self) -> Format {
        S::FORMAT
    }

    fn shape(&self) -> Shape {
        self.shape()
    }

    fn contains(&self, key: Key<'_>) -> Result<bool, FormatError> {
        Ok(S::contains(self, S::key(key)?))
    }

    fn insert(&mut self, key: Key<'_>) -> Result<bool, FormatError> {
        S::insert(self, S::key(key)?)
    }

    fn merge(&mut self, other: &dyn Filter) -> Result<(), FormatError> {
        self.merge_bytes(&same_format(S::FORMAT, other)?)
    }

    fn merge_bytes(&mut self, other: &[u8]) -> Result<(), FormatError> {
        self.merge(&Bloom::borrowed_lenient(other)?.0)
    }

    fn owned(&self) -> Result<Box<dyn Filter>, FormatError> {
        Ok(Box::new(self.copied()?))
    }

    /// Returns the share of set bits, from 0 to 1. O(m).
    fn fill(&self) -> f64 {
        self.plain.fill()
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation; `None` if every bit that a
    /// probe reaches is set. O(m).
    ///
    /// The standard deviation assumes uniform hashes. DCSO's hashes of numbers in sequence are not uniform:
    /// [`warnings`](Self::warnings) has [`Warning::CountDisagrees`] where the count of the filter shows it.
    fn estimated_items(&self) -> Option<Estimate> {
        S::estimate(self)
    }

    /// Returns the false-positive rate at the present fill. O(m) or more.
    ///
    /// ```text
    /// r^k + e
    /// ```
    ///
    /// where r is the exact probability that a probe finds a set bit (the fill, in most systems), and e is what the dependence
    /// of positions adds. The module of a system says where its rate differs. Where e is a mean over filters, the rate is
    /// measured on up to 2^20 keys of 8 bytes if the measured rate has the smaller standard deviation. This is so in filters
    /// of up to 4,096 bits, and where the mean has wide bounds.
    fn present_rate(&self) -> Rate {
        let contains = |key: &[u8]| S::key(Key::Bytes(key)).is_ok_and(|key| S::contains(self, key));
        S::rate(self).or_measured(rate::KEYS, contains)
    }

    /// Returns the mean false-positive rate of filters of this size with `items` distinct items, or an upper bound of this
    /// mean where only bounds are known.
    fn expected_false_positive_rate(&self, items: u64) -> f64 {
        S::expected_rate(self, items)
    }

    /// Returns the reasons not to trust this filter, such as that it is full. O(m) or more.
    fn warnings(&self) -> Vec<Warning> {
        S::warnings(self)
    }

    /// Returns the bytes that the system writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut bytes = S::write(self)?;
        append(S::FORMAT, &mut bytes, &self.data)?;
        Ok(bytes)
    }
}

/// Returns the bytes of the other filter, which must have our format.
pub(crate) fn same_format(ours: Format, other: &dyn Filter) -> Result<Vec<u8>, FormatError> {
    let formats = [ours, other.format()].map(Value::Format);
    ours.equal(Field::Format, formats[0], formats[1])?;
    other.to_bytes()
}

/// Prints what is specific to the system, and the shape, never the bits.
impl<S: Rules> fmt::Debug for Bloom<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bloom")
            .field("system", &self.system)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
