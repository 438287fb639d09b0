//! Inserts of items or of their hashes, one or many at a time, by one owner or by several threads.

use core::borrow::Borrow;
use core::convert::Infallible;
use core::hash::{BuildHasher, Hash};

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use super::WritableShared;
use super::{Bloom, Intersected, Kind, Query, Writable};
use crate::memory::Exclusive;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::memory::Shared;
use crate::probe::Mixed;
use crate::storage::{Pending, hashes_of, prehashed};

impl<K: Kind<B, Table: Writable>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Removes all items.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut seen = BloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// seen.insert("ant");
    /// seen.clear();
    /// assert!(seen.is_empty());
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn clear(&mut self) {
        self.table.clear();
        self.intersected = Intersected::default();
    }
}

impl<K: Kind<B, Table: Writable>, T: ?Sized, S, B: Exclusive> Bloom<K, T, S, B> {
    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new.
    ///
    /// The filter cannot distinguish items with equal hashes. How random the hashes must be depends
    /// on the [hash quality](crate::HashQuality) of the filter. A filter with the quality `Any`
    /// folds each hash twice, so any distinct integers can serve as hashes, such as the items
    /// themselves. A filter whose constructor took no hasher folds each hash only once, so pass the
    /// hashes that [`hash_of`](Self::hash_of) returns. When such filters got sequential integers
    /// instead, a `BloomFilter` of 10 to 10^6 items had 0.80 to 1.22 times the promised rate. A
    /// blocked filter had 0.61 to 0.83 times the promised rate, because sequential integers are
    /// spread more evenly than random numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, HashQuality};
    ///
    /// // Identifiers are unique integers: they serve as their own hashes.
    /// let mut seen = BloomFilter::<u64>::with_rate(1_000, 0.01)?.with_hash_quality(HashQuality::Any)?;
    /// assert!(seen.insert_hash(12) && seen.contains_hash(12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let hash = self.mix(hash);
        self.table.insert(hash)
    }

    /// Inserts every hash in order, as [`insert_hash`](Self::insert_hash) does; returns how many were
    /// certainly new. See [`insert_many`](Self::insert_many).
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> u64 {
        self.table.insert_each(prehashed(hashes, self.quality))
    }
}

impl<K, T, S, B> Bloom<K, T, S, B>
where
    K: Kind<B, Table: Writable>,
    T: Hash + ?Sized,
    S: BuildHasher,
    B: Exclusive,
{
    /// Inserts an item and returns whether it is certainly new.
    ///
    /// `true`: the item was not in the filter. `false`: the item was in the filter, or other items
    /// had set all its bits; the latter happens to a new item with the probability of a false
    /// positive. In a counting filter every insert counts, even of an item that is already in the
    /// filter: such an item stays until it has been removed as often as it was inserted.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut seen = BloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// assert!(seen.insert("ant"));
    /// assert!(!seen.insert("ant"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[inline]
    pub fn insert(&mut self, item: &T) -> bool {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Inserts every item in order and returns how many were certainly new.
    ///
    /// The result is the same as that of one call of [`insert`](Self::insert) per item. On x86-64,
    /// this method is faster in filters larger than the caches, because it fetches the memory for
    /// several items at the same time. If the `Hash` of an item panics, some of the items before it
    /// may be missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut seen = BloomFilter::<str>::with_rate(1_000, 1e-6)?;
    /// assert_eq!(seen.insert_many(&["ant", "bee", "ant"]), 2);
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> u64 {
        let Ok(new) = self.try_insert_many(items);
        new
    }
}

/// Inserts every item of an iterator whose items borrow as `T`.
///
/// `String`, `&str` and `Box<str>` borrow as `str`; `Vec<u8>`, `&[u8]` and `[u8; 3]` borrow as
/// `[u8]`. A `&String` does not borrow as `str`: pass `&str` instead, for example by
/// `String::as_str`.
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
///
/// let words = vec![String::from("ant"), String::from("bee")];
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.extend(words.iter().map(String::as_str));
/// filter.extend(words);
/// filter.extend(["cat", "dog"]);
///
/// let mut bytes = BloomFilter::<[u8]>::with_rate(1_000, 0.01)?;
/// bytes.extend([*b"ant", *b"bee"]);
/// bytes.extend([b"ant", b"bee"].map(|array| array.as_slice()));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
impl<K, T, S, B, Q> Extend<Q> for Bloom<K, T, S, B>
where
    K: Kind<B, Table: Writable>,
    T: Hash + ?Sized,
    S: BuildHasher,
    Q: Borrow<T>,
{
    fn extend<I: IntoIterator<Item = Q>>(&mut self, items: I) {
        let (table, quality) = (&mut self.table, self.quality);
        let mut pending = Pending::new(|group: &[u64]| {
            table.insert_each(prehashed(group, quality));
        });
        for item in items {
            pending.push(self.hash_builder.hash_one(item.borrow()));
        }
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K: Kind<Shared, Table: WritableShared>, T: ?Sized, S> Bloom<K, T, S, Shared> {
    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new;
    /// threads may insert and query meanwhile. See [`insert`](Self::insert).
    #[inline]
    pub fn insert_hash(&self, hash: u64) -> bool {
        self.table.insert_shared(self.mix(hash))
    }

    /// Inserts every hash in order, as [`insert_hash`](Self::insert_hash) does; returns how many were
    /// certainly new. See [`insert_many`](Self::insert_many).
    pub fn insert_hashes(&self, hashes: &[u64]) -> u64 {
        let hashes = prehashed(hashes, self.quality);
        self.table.insert_each_shared(hashes)
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K, T, S> Bloom<K, T, S, Shared>
where
    K: Kind<Shared, Table: WritableShared>,
    T: Hash + ?Sized,
    S: BuildHasher,
{
    /// Inserts an item and returns whether it is certainly new; threads may insert and query
    /// meanwhile.
    ///
    /// `true`: one of the item's bits was clear. Of several threads that insert the same new item
    /// at once, at least one gets `true`, unless other items have set all its bits; see
    /// [`AtomicBloomFilter`](crate::AtomicBloomFilter#what-threads-may-rely-on).
    #[inline]
    pub fn insert(&self, item: &T) -> bool {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Inserts every item in order and returns how many were certainly new; threads may insert and
    /// query meanwhile. If the `Hash` of an item panics, some of the items before it may be missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let seen = BloomFilter::<u64>::with_rate(2_000, 0.01)?.into_shared();
    /// let items: Vec<u64> = (0..2_000).collect();
    /// std::thread::scope(|scope| {
    ///     let (one, two) = items.split_at(1_000);
    ///     scope.spawn(|| seen.insert_many(one));
    ///     scope.spawn(|| seen.insert_many(two));
    /// });
    /// assert!(items.iter().all(|item| seen.contains(item)));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn insert_many<Q: Borrow<T>>(&self, items: &[Q]) -> u64 {
        self.table.insert_each_shared(self.hashes_of(items))
    }
}

/// Inserts every item of an iterator; threads may insert and query meanwhile.
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
///
/// let seen = BloomFilter::<str>::with_rate(1_000, 0.01)?.into_shared();
/// std::thread::scope(|scope| {
///     scope.spawn(|| (&seen).extend(["ant", "bee"]));
///     scope.spawn(|| (&seen).extend(["cat"]));
/// });
/// assert!(["ant", "bee", "cat"].iter().all(|item| seen.contains(*item)));
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K, T, S, Q> Extend<Q> for &Bloom<K, T, S, Shared>
where
    K: Kind<Shared, Table: WritableShared>,
    T: Hash + ?Sized,
    S: BuildHasher,
    Q: Borrow<T>,
{
    fn extend<I: IntoIterator<Item = Q>>(&mut self, items: I) {
        let mut pending = Pending::new(|group: &[u64]| _ = self.insert_hashes(group));
        for item in items {
            pending.push(self.hash_builder.hash_one(item.borrow()));
        }
    }
}

/// A filter that one owner fills.
///
/// The trait is for models, measurements and other code that is generic over filters. Each filter
/// also has these methods, and more, as inherent ones; the inherent inserts are named `insert` and
/// `insert_many`. The trait is sealed, as [`Query`] is.
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, Filter, ScalableBloomFilter};
///
/// fn duplicates(filter: &mut impl Filter<str>, words: &[&str]) -> usize {
///     let known = |word: &&&str| matches!(filter.try_insert(**word), Ok(false));
///     words.iter().filter(known).count()
/// }
///
/// let words = ["ant", "bee", "ant"];
/// assert_eq!(duplicates(&mut BlockedBloomFilter::with_rate(100, 1e-6)?, &words), 1);
/// assert_eq!(duplicates(&mut ScalableBloomFilter::with_rate(100, 1e-6)?, &words), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Filter<T: ?Sized>: Query<T> {
    /// The error of an insert. Only a scalable filter can refuse an item; for all other filters
    /// this is [`Infallible`].
    type InsertError: core::error::Error;

    /// Inserts an item and returns whether it is certainly new.
    ///
    /// # Errors
    ///
    /// An error means that the filter has no room for this item. The filter is then unchanged.
    fn try_insert(&mut self, item: &T) -> Result<bool, Self::InsertError>;

    /// Inserts every item in order and returns how many were certainly new.
    ///
    /// # Errors
    ///
    /// The error of the first refused item; the items before it are inserted.
    fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, Self::InsertError>
    where
        Self: Sized;

    /// Removes all items.
    fn clear(&mut self);
}

impl<K, T, S, B> Filter<T> for Bloom<K, T, S, B>
where
    K: Kind<B, Table: Writable>,
    T: Hash + ?Sized,
    S: BuildHasher,
{
    type InsertError = Infallible;

    #[inline]
    fn try_insert(&mut self, item: &T) -> Result<bool, Infallible> {
        let hash = self.mix(self.hash_builder.hash_one(item));
        Ok(self.table.insert(hash))
    }

    fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, Infallible> {
        let (hash_builder, quality) = (&self.hash_builder, self.quality);
        let hash = |item: &Q| Mixed::new(hash_builder.hash_one(item.borrow()), quality);
        Ok(self.table.insert_each(hashes_of(items, hash)))
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}
