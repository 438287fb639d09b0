//! Queries by item or hash, one or many at a time, of filters in any memory: owned, shared by threads, or in the bytes of a
//! file.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use super::{Bloom, Kind, Table};
use crate::error::{AnswersError, check_answers};
use crate::probe::Mixed;
use crate::sealed::Sealed;
use crate::storage::{hashes_of, prehashed};

impl<K: Kind<B>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Returns the size: bits and hashes, or blocks, or, for a scalable filter, how it starts and grows.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let ours = BloomFilter::<str>::with_rate(2_000, 0.01)?;
    /// assert_eq!((ours.shape().bits(), ours.shape().hashes()), (19_188, 7));
    /// let theirs = BloomFilter::new(ours.shape())?; // may be united with ours
    /// assert!(ours.check_compatible(&theirs).is_ok());
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> <K::Table as Table>::Shape {
        self.table.shape()
    }

    /// Returns whether an item with this hash may have been inserted; `false` is certain. See
    /// [`hash_of`](Self::hash_of).
    #[inline]
    #[must_use]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.table.contains(self.mix(hash))
    }

    /// Queries every hash in order, as [`contains_hash`](Self::contains_hash) does, and stores the answers
    /// in a slice; see [`contains_many_into`](Self::contains_many_into).
    ///
    /// # Errors
    ///
    /// There must be as many `answers` as `hashes`; otherwise nothing is stored.
    pub fn contains_hashes_into(
        &self,
        hashes: &[u64],
        answers: &mut [bool],
    ) -> Result<(), AnswersError> {
        check_answers(hashes.len(), answers.len())?;
        let hashes = prehashed(hashes, self.quality);
        self.table.contains_each(hashes, answers);
        Ok(())
    }
}

impl<K: Kind<B>, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B> {
    /// Returns the hash of an item, as the methods that take hashes expect it.
    ///
    /// One hash serves several filters with the same hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// let hash = filter.hash_of("ant");
    /// filter.insert_hash(hash);
    /// assert!(filter.contains("ant") && filter.contains_hash(hash));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn hash_of<Q>(&self, item: &Q) -> u64
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.hash_builder.hash_one(item)
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    ///
    /// As in the maps of `std`, the item may be of any borrowed form of `T` (`str` for `String`),
    /// which must hash like the `T` itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<String>::with_rate(1_000, 1e-6)?;
    /// filter.insert(&String::from("ant"));
    /// assert!(filter.contains("ant") && !filter.contains("bee"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn contains<Q>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.contains_hash(self.hash_of(item))
    }

    /// Queries every item in order and stores the answers in `answers`, one per item.
    ///
    /// The answers are the same as from one call of [`contains`](Self::contains) per item. On x86-64, this
    /// method is faster in filters larger than the caches, because it fetches the memory for several items
    /// at the same time. `answers` is cleared first, so one vector serves many calls.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(1_000, 1e-6)?;
    /// filter.insert("ant");
    /// let mut answers = Vec::new();
    /// filter.contains_many(&["ant", "bee"], &mut answers);
    /// assert_eq!(answers, [true, false]);
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn contains_many<Q>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        T: Hash,
        Q: Borrow<T>,
    {
        answers.clear();
        answers.resize(items.len(), false);
        self.table.contains_each(self.hashes_of(items), answers);
    }

    /// Does the same as [`contains_many`](Self::contains_many), but stores the answers in a slice and
    /// allocates nothing.
    ///
    /// # Errors
    ///
    /// There must be as many `answers` as `items`; otherwise nothing is stored.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(1_000, 1e-6)?;
    /// filter.insert("ant");
    /// let mut answers = [false; 2];
    /// filter.contains_many_into(&["ant", "bee"], &mut answers)?;
    /// assert_eq!(answers, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains_many_into<Q>(
        &self,
        items: &[Q],
        answers: &mut [bool],
    ) -> Result<(), AnswersError>
    where
        T: Hash,
        Q: Borrow<T>,
    {
        check_answers(items.len(), answers.len())?;
        self.table.contains_each(self.hashes_of(items), answers);
        Ok(())
    }

    /// Returns the hashes of items, each folded as often as the hash quality of this filter says.
    #[inline]
    pub(super) fn hashes_of<Q>(&self, items: &[Q]) -> impl crate::storage::Hashes
    where
        T: Hash,
        Q: Borrow<T>,
    {
        let quality = self.quality;
        hashes_of(items, move |item: &Q| {
            Mixed::new(self.hash_builder.hash_one(item.borrow()), quality)
        })
    }
}

/// The queries that every filter answers, in any memory: owned, shared by threads, or in the bytes
/// of a file.
///
/// The trait is for code that is generic over filters; each filter also has these methods as
/// inherent ones. The trait is sealed: only the filters of this crate implement it, so that methods
/// can be added later.
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, BloomFilterRef, Query};
///
/// fn known(filter: &impl Query<str>, words: &[&str]) -> usize {
///     words.iter().filter(|word| filter.contains(word)).count()
/// }
///
/// let mut filter = BloomFilter::<str>::with_rate(100, 1e-6)?;
/// filter.insert("ant");
/// assert_eq!(known(&filter, &["ant", "bee"]), 1);
/// let bytes = filter.to_bytes()?;
/// assert_eq!(known(&BloomFilterRef::open(&bytes[..])?, &["ant", "bee"]), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Query<T: ?Sized>: Sealed {
    /// Returns whether an item may have been inserted; `false` is certain.
    #[must_use]
    fn contains(&self, item: &T) -> bool;

    /// Queries every item in order and stores the answers in `answers`, one per item.
    #[cfg(feature = "alloc")]
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        Self: Sized;

    /// Returns whether the filter is empty, so that every query returns `false`.
    #[must_use]
    fn is_empty(&self) -> bool;

    /// Returns the false-positive rate of this filter, computed from its bits.
    #[must_use]
    fn false_positive_rate(&self) -> f64;

    /// Returns the bytes of memory that hold bits or counters.
    #[must_use]
    fn memory_bytes(&self) -> u64;
}

impl<K: Kind<B>, T: ?Sized, S, B> Sealed for Bloom<K, T, S, B> {}

impl<K: Kind<B>, T: Hash + ?Sized, S: BuildHasher, B> Query<T> for Bloom<K, T, S, B> {
    #[inline]
    fn contains(&self, item: &T) -> bool {
        Self::contains(self, item)
    }

    #[cfg(feature = "alloc")]
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        Self::contains_many(self, items, answers);
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }

    fn false_positive_rate(&self) -> f64 {
        Self::false_positive_rate(self)
    }

    fn memory_bytes(&self) -> u64 {
        Self::memory_bytes(self)
    }
}
