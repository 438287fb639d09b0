//! Defines [`Bloom`], the type of the filters of all systems whose filters are one bit array. This module has the code that
//! these systems share. What differs between them, such as the hash function, is in their implementations of the trait
//! [`Rules`].

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
/// The module of each system has an alias of this type, the constructors of the filter, and the layout of its file. A filter in
/// place reads its bits in the bytes that it was made from; it copies them before the first insert.
#[derive(Clone, PartialEq)]
pub struct Bloom<'a, S> {
    pub(crate) system: S,
    /// If no bit is set, this may hold no bytes: the file of an empty filter may leave out all bits.
    pub(crate) plain: Plain<'a>,
    /// The bytes that follow the bits and belong to the filter. Only filters of DCSO have such bytes, the data that a program
    /// attached.
    pub(crate) data: Cow<'a, [u8]>,
}

/// The format and the hashing of a system. A type that implements this trait has, as fields, the parameters of a filter that
/// other systems do not have, such as a version or a seed.
pub trait Rules: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The format.
    const FORMAT: Format;

    /// A key as the system hashes it.
    type Key<'k>: SystemKey<'k>;

    /// Converts a key into one as the system hashes it; returns an error if the system has no keys of this type.
    fn key(key: Key<'_>) -> Result<Self::Key<'_>, FormatError> {
        SystemKey::of(key, Self::FORMAT)
    }

    /// Reads a filter as the system does.
    fn read<'a>(reader: &mut Reader<'a>) -> Result<Bloom<'a, Self>, FormatError>;

    /// Returns an error for values in a file that the system ignores when it reads, and would write in another way.
    fn check(_filter: &Bloom<'_, Self>, _bytes: &[u8]) -> Result<(), FormatError> {
        Ok(())
    }

    /// Returns the bytes before the bits.
    fn header(filter: &Bloom<'_, Self>) -> Vec<u8>;

    /// Returns the bytes of a file, without the data of DCSO.
    fn write(filter: &Bloom<'_, Self>) -> Result<Vec<u8>, FormatError> {
        filter.plain.to_bytes(&Self::header(filter))
    }

    /// Returns whether a key may be in the filter.
    fn contains(filter: &Bloom<'_, Self>, key: Self::Key<'_>) -> bool;

    /// Inserts a key and returns whether it was certainly new.
    fn insert(filter: &mut Bloom<'_, Self>, key: Self::Key<'_>) -> Result<bool, FormatError>;

    /// Returns an error if the system's own parameters of two filters are not equal, so that they cannot be merged.
    /// [`Bloom::merge`] compares the numbers of bits and hashes.
    fn compare(&self, _other: &Self) -> Result<(), FormatError> {
        Ok(())
    }

    /// Updates the parameters of `ours`, such as the number of inserted items, after the bits of `theirs` were added to it.
    fn merged(_ours: &mut Bloom<'_, Self>, _theirs: &Bloom<'_, Self>) {}

    /// Returns how the system derives the positions of a key, and so how these depend on one another.
    fn positions(&self) -> Positions {
        Positions::Independent
    }

    /// Estimates the number of items from the set bits.
    fn estimate(filter: &Bloom<'_, Self>) -> Option<Estimate> {
        filter.plain.estimated_items(filter.system.positions())
    }

    /// Computes the false-positive rate at the present fill.
    fn rate(filter: &Bloom<'_, Self>) -> Rate {
        filter.plain.rate(filter.system.positions())
    }

    /// Returns the mean false-positive rate of filters of this size with `items` items, or an upper bound of this mean.
    fn expected_rate(filter: &Bloom<'_, Self>, items: u64) -> f64 {
        filter.plain.expected_rate(filter.system.positions(), items)
    }

    /// Returns the reasons not to trust the filter.
    fn warnings(filter: &Bloom<'_, Self>) -> Vec<Warning> {
        filter.plain.warnings(filter.system.positions())
    }
}

/// A system whose filters have the type [`Bloom`]: a bound for code that is generic over such systems. Code that also takes
/// filters of RedisBloom and dynamic filters of Hadoop uses the trait [`Filter`].
pub trait System: Rules {}

impl<S: Rules> System for S {}

/// A system whose filters derive all positions of a key from two hash values.
pub trait DoubleHashed: Rules {}

impl<S: Rules> Bloom<'static, S> {
    /// Reads a filter. No bytes may follow it.
    ///
    /// # Errors
    ///
    /// The number of bytes must be the one that follows from the header, and the header must be one that the system writes. The
    /// memory must be available.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Bloom::borrowed(bytes)?.copied()
    }

    /// Reads a filter as the system does, and returns the bytes that follow it, which the system ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes), but other bytes may follow the filter, and fields that the system ignores may
    /// have any value.
    pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let (filter, rest) = Bloom::borrowed_lenient(bytes)?;
        Ok((filter.copied()?, rest))
    }

    pub(crate) fn owned(system: S, shape: Shape, words: Words<'static>) -> Self {
        Bloom::new(system, shape, words)
    }
}

impl<'a, S: Rules> Bloom<'a, S> {
    /// Reads a filter in place: its queries read these bytes, which may be those of a mapped file. No bytes may follow the
    /// filter.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Bloom::from_bytes), but no memory is needed, except for filters of ORC's old stream, whose words
    /// are not contiguous in the bytes.
    pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let filter = complete(S::FORMAT, bytes, Self::borrowed_lenient(bytes)?)?;
        S::check(&filter, bytes)?;
        Ok(filter)
    }

    /// Reads a filter in place as the system does, and returns the bytes that follow it, which the system ignores.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes_lenient`](Bloom::from_bytes_lenient), but no memory is needed, except for filters of ORC's old
    /// stream.
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

    /// Returns `false` only if the key was certainly not inserted.
    #[inline]
    #[must_use]
    pub fn contains<'k>(&self, key: impl Into<S::Key<'k>>) -> bool {
        S::contains(self, key.into())
    }

    /// Inserts a key and returns whether it was certainly new. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// The memory must be available if the filter is in place, and has to copy its bits, or if it is empty, and its bits are
    /// not in memory yet. A key of Hadoop must have at least one byte.
    pub fn insert<'k>(&mut self, key: impl Into<S::Key<'k>>) -> Result<bool, FormatError> {
        S::insert(self, key.into())
    }

    /// Inserts all keys of another filter. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// Both filters must have equal numbers of bits and hashes. They must also be equal in the parameters, such as a seed, that
    /// the module of the system names for merges. The memory must be available as for [`insert`](Self::insert).
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
    /// Returns what double hashing adds to the rate that independent positions would have, with bounds. The result is the mean
    /// over filters of this size with the estimated number of items, and is at most about 1/m. [`Excess::measured`] tells
    /// whether the bounds are narrowed by simulated filters.
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

    /// Estimates the number of distinct items from the set bits, with its standard deviation. Returns `None` if all bits that a
    /// probe (the query of one position) can reach are set. O(m).
    ///
    /// The standard deviation assumes that the hashes of the items are uniform. In DCSO, the hashes of consecutive numbers are
    /// not uniform. If the number of items that a filter of DCSO has counted contradicts the estimate,
    /// [`warnings`](Self::warnings) has [`Warning::CountDisagrees`] or [`Warning::DependentPositions`].
    fn estimated_items(&self) -> Option<Estimate> {
        S::estimate(self)
    }

    /// Returns the false-positive rate at the present fill. O(m) or more.
    ///
    /// ```text
    /// r^k + e
    /// ```
    ///
    /// where r is the exact probability that a probe finds a set bit (in most systems, the share of set bits), and e is what
    /// the dependence of positions adds. The modules of DCSO, Hive and Parquet give other formulas. If only the mean of e over
    /// filters is known, and a measured rate would have a smaller standard deviation, the rate is measured with up to 2^20 keys
    /// of 8 bytes. This is the case in filters of up to 4,096 bits, and where the mean has wide bounds.
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

/// Returns the bytes of a filter that is to be merged; returns an error if it does not have the format `ours`.
pub(crate) fn same_format(ours: Format, other: &dyn Filter) -> Result<Vec<u8>, FormatError> {
    let formats = [ours, other.format()].map(Value::Format);
    ours.equal(Field::Format, formats[0], formats[1])?;
    other.to_bytes()
}

/// Prints the system's own parameters and the numbers of bits and hashes, but never the bits themselves.
impl<S: Rules> fmt::Debug for Bloom<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bloom")
            .field("system", &self.system)
            .field("bits", &self.shape().bits())
            .field("hashes", &self.shape().hashes())
            .finish_non_exhaustive()
    }
}
