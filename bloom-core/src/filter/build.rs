//! How filters are made, copied, converted and taken apart.

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use super::WritableShared;
use super::{Bloom, Kind, Raw, Table, empty_in};
#[cfg(feature = "alloc")]
use super::{CopyOf, Heap};
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::error::{BuildError, NotEmptyError, WordsError};
use crate::hash::FixedState;
#[cfg(feature = "alloc")]
use crate::memory::Owned;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::memory::Shared;
use crate::quality::HashQuality;
use crate::storage::Store;

type ShapeOf<K, B> = <<K as Kind<B>>::Table as Table>::Shape;

#[cfg(feature = "alloc")]
impl<K: Kind<Owned, Table: Heap>, T: ?Sized> Bloom<K, T> {
    /// Creates an empty filter of this shape with the default hasher.
    ///
    /// # Errors
    ///
    /// The filter must fit in memory. A partitioned filter needs at least as many bits as hashes.
    /// The first stage of a scalable filter must not take more bytes than the shape allows, and the
    /// rate of this stage must not be too low for 64-bit hashes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let mut seen = BloomFilter::<str>::new(Shape::new(19_188, 7)?)?;
    /// assert!(seen.insert("ant") && seen.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(shape: ShapeOf<K, Owned>) -> Result<Self, BuildError> {
        Self::with_seed(shape, 0)
    }

    /// Creates the smallest empty filter whose mean false-positive rate with `items` items is at most
    /// `rate`, with the default hasher. A scalable filter starts with a stage for `items` items and
    /// keeps the rate as it grows.
    ///
    /// # Errors
    ///
    /// As for [`Shape::for_rate`](crate::Shape::for_rate): there must be at least one item, and
    /// `0 < rate < 1`; the filter must also fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BlockedBloomFilter;
    ///
    /// let mut seen = BlockedBloomFilter::<u64>::with_rate(1_000, 0.01)?;
    /// assert!(seen.insert(&7) && seen.contains(&7));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        Self::new(K::Table::shape_for(items, rate)?)
    }

    /// Creates an empty filter of this shape with the default hasher and this seed. With another
    /// seed, items set other bits, so other items are false positives. Filters with different seeds
    /// cannot be combined.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let shape = Shape::for_rate(1_000, 0.01)?;
    /// let [one, other] = [1, 2].map(|seed| BloomFilter::<str>::with_seed(shape, seed));
    /// assert!(one?.check_compatible(&other?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_seed(shape: ShapeOf<K, Owned>, seed: u64) -> Result<Self, BuildError> {
        let hash_builder = FixedState::with_seed(seed);
        Ok(Self::of(
            Heap::new(shape)?,
            hash_builder,
            FixedState::QUALITY,
        ))
    }
}

#[cfg(feature = "alloc")]
impl<K: Kind<Owned, Table: Heap>, T: ?Sized, S> Bloom<K, T, S> {
    /// Creates an empty filter of this shape that hashes with `hash_builder`. The hashes may be of
    /// any [quality](HashQuality), so the filter folds each hash twice unless
    /// [`with_hash_quality`](Self::with_hash_quality) promises a higher quality.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    /// use std::hash::RandomState;
    ///
    /// let mut seen = BloomFilter::<str, _>::with_hasher(Shape::new(19_188, 7)?, RandomState::new())?;
    /// assert!(seen.insert("ant") && seen.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_hasher(shape: ShapeOf<K, Owned>, hash_builder: S) -> Result<Self, BuildError> {
        Ok(Self::of(Heap::new(shape)?, hash_builder, HashQuality::Any))
    }

    /// Creates the filter of [`with_rate`](Self::with_rate), but with the hasher of `hash_builder`; see
    /// [`with_hasher`](Self::with_hasher).
    ///
    /// # Errors
    ///
    /// As for [`with_rate`](Self::with_rate).
    pub fn with_rate_and_hasher(
        items: u64,
        rate: f64,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        Self::with_hasher(K::Table::shape_for(items, rate)?, hash_builder)
    }
}

impl<K: Kind<B>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Promises that the hashes are of this quality, which decides how often the filter folds them;
    /// see [`HashQuality`].
    ///
    /// # Errors
    ///
    /// The filter must be empty, because the quality decides which bits an item sets; or the new quality
    /// must equal the present one. The check that the filter is empty is O(m).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, HashQuality, Shape};
    /// use std::hash::RandomState;
    ///
    /// let seen = BloomFilter::<str, _>::with_hasher(Shape::new(19_188, 7)?, RandomState::new())?
    ///     .with_hash_quality(HashQuality::Avalanching)?; // the hashes of SipHash need no fold
    /// assert_eq!(seen.hash_quality().folds(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_hash_quality(mut self, quality: HashQuality) -> Result<Self, NotEmptyError> {
        if quality != self.quality && !self.table.is_empty() {
            return Err(NotEmptyError {
                ours: self.quality,
                requested: quality,
            });
        }
        self.quality = quality;
        Ok(self)
    }

    /// Returns the promised quality of the hashes; see [`with_hash_quality`](Self::with_hash_quality).
    #[must_use]
    pub fn hash_quality(&self) -> HashQuality {
        self.quality
    }

    /// Returns the hash builder. A clone of it gives another filter the same hasher.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    /// use std::hash::RandomState;
    ///
    /// let shape = Shape::new(19_188, 7)?;
    /// let one = BloomFilter::<str, _>::with_hasher(shape, RandomState::new())?;
    /// let other = BloomFilter::with_hasher(shape, one.hasher().clone())?;
    /// assert!(one.check_compatible(&other).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hasher(&self) -> &S {
        &self.hash_builder
    }
}

impl<K: Kind<B, Table: Raw<Store = B>>, T: ?Sized, B> Bloom<K, T, FixedState, B> {
    /// Creates an empty filter of this shape in memory of the caller, with the default hasher. It
    /// needs no allocator.
    ///
    /// The memory is an array or a mutable slice: of words (`u64`), or of [`Block`](crate::Block)s
    /// for a blocked filter. The part that the shape needs is cleared; the rest is not used.
    ///
    /// # Errors
    ///
    /// The memory must have at least as many words or blocks as the shape needs, and a partitioned filter
    /// needs at least as many bits as hashes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let mut memory = [0; 300];
    /// let mut seen = BloomFilter::new_in(Shape::new(19_188, 7)?, &mut memory[..])?;
    /// assert!(seen.insert("ant") && seen.contains("ant"));
    ///
    /// // A filter that owns its array can be a local variable or part of a struct.
    /// let mut seen = BloomFilter::new_in(Shape::new(19_188, 7)?, [0; 300])?;
    /// assert!(seen.insert("ant") && seen.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new_in(shape: ShapeOf<K, B>, memory: B) -> Result<Self, BuildError> {
        let table = empty_in(shape, memory)?;
        Ok(Self::of(table, FixedState::new(), FixedState::QUALITY))
    }

    /// Creates the filter of [`new_in`](Self::new_in) with the smallest shape whose mean false-positive
    /// rate with `items` items is at most `rate`. This function needs no allocator.
    ///
    /// # Errors
    ///
    /// As for [`new_in`](Self::new_in), and as for [`Shape::for_rate`](crate::Shape::for_rate).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{Block, BlockedBloomFilter};
    ///
    /// let mut seen = BlockedBloomFilter::with_rate_in(1_000, 0.01, [Block::CLEAR; 20])?;
    /// assert!(seen.insert("ant") && seen.contains("ant"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn with_rate_in(items: u64, rate: f64, memory: B) -> Result<Self, BuildError> {
        Self::new_in(K::Table::shape_for(items, rate)?, memory)
    }
}

impl<K: Kind<B, Table: Raw<Store = B>>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Creates the filter of [`new_in`](Self::new_in), but with the hasher of `hash_builder`. Each hash
    /// is folded twice unless [`with_hash_quality`](Self::with_hash_quality) promises a higher quality.
    ///
    /// # Errors
    ///
    /// As for [`new_in`](Self::new_in).
    pub fn with_hasher_in(
        shape: ShapeOf<K, B>,
        memory: B,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        let table = empty_in(shape, memory)?;
        Ok(Self::of(table, hash_builder, HashQuality::Any))
    }
}

impl<K: Kind<B, Table: Raw>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Returns the words that hold the bits or counters. Bit i of the filter is bit i mod 64, counted from the lowest,
    /// of word i div 64. Bits after the last bit of the filter are 0. The [layout](crate::persist) says where the
    /// counters of a counting filter are.
    ///
    /// The words are for code that keeps them elsewhere or in another format;
    /// [`from_words`](Self::from_words) makes a filter of such words again. To save a filter, use
    /// `to_bytes`.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        self.table.words()
    }

    /// Creates a filter with the bits that [`words`](Self::words) or [`into_words`](Self::into_words)
    /// returned. `words` is a vector, an array or a mutable slice, of words, or of
    /// [`Block`](crate::Block)s for a blocked filter; it is not copied.
    ///
    /// Words do not record the hasher, so this function cannot check that the bits were set with this
    /// hasher and with hashes of this quality. They do not record an intersection either: if the filter
    /// was intersected, no [estimate](Self::estimated_items) can be trusted. A counting filter that is
    /// created in this way has counters of 4 bits.
    ///
    /// # Errors
    ///
    /// There must be exactly as many words or blocks as the shape needs (memory of
    /// [`new_in`](Self::new_in) may be larger), and the bits after the last bit of the filter must be
    /// 0. A partitioned filter needs at least as many bits as hashes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{BloomFilter, FixedState};
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
    /// filter.insert("ant");
    /// let (shape, quality) = (filter.shape(), filter.hash_quality());
    /// let words: Vec<u64> = filter.into_words();
    /// let filter = BloomFilter::<str>::from_words(shape, words, FixedState::new(), quality)?;
    /// assert!(filter.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_words(
        shape: ShapeOf<K, B>,
        words: <K::Table as Raw>::Store,
        hash_builder: S,
        quality: HashQuality,
    ) -> Result<Self, WordsError> {
        let expected = <K::Table as Raw>::units(shape);
        WordsError::check_count(expected, words.get().len() as u64)?;
        let table = <K::Table as Raw>::with_store(shape, words)?;
        WordsError::check_unused(table.used_bits(), table.words())?;
        Ok(Self::of(table, hash_builder, quality))
    }

    /// Returns the words or blocks that hold the bits, without copying them; see
    /// [`from_words`](Self::from_words). The words do not record whether the filter was
    /// intersected.
    #[must_use]
    pub fn into_words(self) -> <K::Table as Raw>::Store {
        self.table.into_store()
    }
}

#[cfg(feature = "alloc")]
impl<K: Kind<B>, T: ?Sized, S: Clone, B> Bloom<K, T, S, B> {
    /// Copies a filter from any memory to the heap, so that the copy is owned and can take inserts.
    /// If the allocator refuses the memory, this method returns an error, where `clone` would
    /// abort.
    ///
    /// Other threads may insert into a shared filter during the call. The copy contains every insert
    /// that happens before the call, and may contain later ones, wholly or in part.
    ///
    /// # Errors
    ///
    /// The copy must fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let seen = BloomFilter::<str>::with_rate(1_000, 0.01)?.into_shared();
    /// seen.insert("ant");
    /// let copy = seen.to_plain()?; // `seen` stays in use
    /// assert!(copy.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_plain(&self) -> Result<Bloom<K, T, S>, MemoryError>
    where
        K: Kind<Owned, Table: CopyOf<<K as Kind<B>>::Table>>,
    {
        let table = <K as Kind<Owned>>::Table::copy_of(&self.table)?;
        let hash_builder = self.hash_builder.clone();
        Ok(Bloom::of(table, hash_builder, self.quality).marked(self.intersected.clone()))
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K, T: ?Sized, S> Bloom<K, T, S>
where
    K: Kind<Owned> + Kind<Shared, Table: WritableShared<Plain = <K as Kind<Owned>>::Table>>,
{
    /// Converts the filter to one that threads share. The bits stay where they are and are not copied
    /// (except on 32-bit machines whose `u64` is aligned to 4 bytes).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{AtomicBloomFilter, BloomFilter};
    ///
    /// let seen: AtomicBloomFilter<u64> = BloomFilter::with_rate(1_000, 0.01)?.into_shared();
    /// std::thread::scope(|scope| {
    ///     (0..4).for_each(|item| _ = scope.spawn({ let seen = &seen; move || seen.insert(&item) }));
    /// });
    /// let plain = seen.into_plain();
    /// assert!((0..4).all(|item| plain.contains(&item)));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn into_shared(self) -> Bloom<K, T, S, Shared> {
        let table = <K as Kind<Shared>>::Table::from_plain(self.table);
        Bloom::of(table, self.hash_builder, self.quality).marked(self.intersected)
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K, T: ?Sized, S> Bloom<K, T, S, Shared>
where
    K: Kind<Owned> + Kind<Shared, Table: WritableShared<Plain = <K as Kind<Owned>>::Table>>,
{
    /// Converts the filter to one with a single owner. As with [`into_shared`](Bloom::into_shared),
    /// the bits are not copied, except on some 32-bit machines.
    #[must_use]
    pub fn into_plain(self) -> Bloom<K, T, S> {
        let table = self.table.into_plain();
        Bloom::of(table, self.hash_builder, self.quality).marked(self.intersected)
    }
}

impl<K: Kind<B, Table: Clone>, T: ?Sized, S: Clone, B> Clone for Bloom<K, T, S, B> {
    fn clone(&self) -> Self {
        let (table, hash_builder) = (self.table.clone(), self.hash_builder.clone());
        Self::of(table, hash_builder, self.quality).marked(self.intersected.clone())
    }
}
