//! Filters that threads fill and query concurrently.

use core::hash::BuildHasher;
use core::marker::PhantomData;

use crate::basic::BloomFilter;
use crate::blocked::BlockedBloomFilter;
use crate::error::MemoryError;
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_blocks, check_shapes};
use crate::methods::{
    impl_blocked_readings, impl_constructors, impl_inserts, impl_queries, impl_readings,
};
use crate::shape::{BlockedShape, Shape};
use crate::storage::{AtomicBits, AtomicBlocks, Pending};

/// A [`BloomFilter`] that threads share: inserts take `&self`.
///
/// It sets the same bits as its plain twin, so it has the same rate. [`From`] converts either into the other for
/// free; to load, compare or intersect, convert to the plain filter.
///
/// # What threads may rely on
///
/// - **No insert is lost**, whatever other threads do at the same time.
/// - **An item is found once its insert *happens before* the query**: after the insert in the same thread, and
///   in another thread that learned of the insert by joining the thread, by a lock, a channel or an atomic with
///   release and acquire. A query at the same time as the insert may return either answer.
/// - **[`insert`](Self::insert) returns `true`**, certainly new, to at least one of the threads that insert the
///   same new item at once, and perhaps to several: each that found one of its bits clear. As in the plain filter,
///   it returns `false` to all of them if other items have set all its bits.
/// - **Nothing else is ordered.** All operations on bits are [relaxed]: that an item is found is no
///   proof that what its thread wrote before is visible (and it may be a false positive).
///
/// Readings such as [`fill`](Self::fill) count every bit set before them, and may count bits set meanwhile.
///
/// # Speed
///
/// A query costs what it costs in the plain filter. An insert queries first: an item that is found is only read. Any
/// other costs an atomic read-modify-write for each of its bits, several nanoseconds each; in blocks, for each pair of
/// bits on x86-64. Threads that insert into the same filter slow each other down only where they write the same cache
/// line. If one thread fills a filter in cache before others query it, a plain filter in an `Arc` is faster.
///
/// Available where `target_has_atomic = "64"`.
///
/// [relaxed]: core::sync::atomic::Ordering::Relaxed
///
/// # Examples
///
/// ```
/// use bloom_core::{AtomicBloomFilter, BloomFilter};
/// use std::thread;
///
/// let seen = AtomicBloomFilter::<u64>::with_rate(40_000, 0.01)?;
/// thread::scope(|scope| {
///     for worker in 0..4 {
///         let seen = &seen;
///         scope.spawn(move || (0..10_000).for_each(|item| _ = seen.insert(&(worker * 10_000 + item))));
///     }
/// });
/// assert!((0..40_000).all(|item| seen.contains(&item)));
///
/// let plain = BloomFilter::from(seen); // the same bits, not copied
/// let bytes = plain.to_bytes()?;
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub struct AtomicBloomFilter<T: ?Sized, S = FixedState> {
    shape: Shape,
    pub(crate) bits: AtomicBits,
    hash_builder: S,
    // As in `BloomFilter`.
    items: PhantomData<fn(&T)>,
}

/// A [`BlockedBloomFilter`] that threads share: inserts take `&self`.
///
/// Its eight bits are in one cache line, so threads that insert different items seldom wait for each other. What
/// threads may rely on, and the speed, are those of [`AtomicBloomFilter`].
///
/// Available where `target_has_atomic = "64"`.
///
/// # Examples
///
/// ```
/// use bloom_core::{AtomicBlockedBloomFilter, BlockedBloomFilter};
/// use std::thread;
///
/// let seen = AtomicBlockedBloomFilter::<str>::with_rate(1_000, 0.001)?;
/// thread::scope(|scope| {
///     scope.spawn(|| seen.insert("ant"));
///     scope.spawn(|| seen.insert_many(&["bee", "cat"]));
/// });
/// assert!(seen.contains("ant") && seen.contains("cat"));
///
/// let plain = BlockedBloomFilter::from(seen); // the same bits, not copied
/// let bytes = plain.to_bytes()?;
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub struct AtomicBlockedBloomFilter<T: ?Sized, S = FixedState> {
    pub(crate) blocks: AtomicBlocks,
    hash_builder: S,
    items: PhantomData<fn(&T)>,
}

/// Adds to `$atomic` the methods that only a shared filter has: conversions from and to `$plain`, a copy, a union and
/// `clear`.
macro_rules! impl_shared {
    ($atomic:ident, $plain:ident, $shape:ty, $storage:ident $(, $field:ident)*) => {
        impl<T: ?Sized, S> $atomic<T, S> {
            /// Creates an empty filter of this shape that hashes with `hash_builder`.
            ///
            /// # Errors
            ///
            /// The filter must fit in memory.
            pub fn with_hasher(shape: $shape, hash_builder: S) -> Result<Self, MemoryError> {
                $plain::with_hasher(shape, hash_builder).map(Self::from)
            }

            /// Removes all items.
            pub fn clear(&mut self) {
                self.$storage.clear();
            }

            /// Copies the bits into a plain filter; threads may insert meanwhile. The copy contains every insert that
            /// happens before the call, and may contain later ones, wholly or in part.
            ///
            /// # Errors
            ///
            /// The copy must fit in memory.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::", stringify!($atomic), ";")]
            ///
            #[doc = concat!("let seen = ", stringify!($atomic), "::<str>::with_rate(1_000, 0.01)?;")]
            /// seen.insert("ant");
            /// let copy = seen.to_plain()?; // `seen` stays in use
            /// assert!(copy.contains("ant"));
            /// # Ok::<(), bloom_core::BuildError>(())
            /// ```
            pub fn to_plain(&self) -> Result<$plain<T, S>, MemoryError>
            where
                S: Clone,
            {
                Ok($plain {
                    $storage: self.$storage.to_owned()?,
                    $($field: self.$field,)*
                    hash_builder: self.hash_builder.clone(),
                    items: PhantomData,
                })
            }
        }

        impl<T: ?Sized, S: BuildHasher> $atomic<T, S> {
            /// Adds every item of a plain filter; threads may insert and query meanwhile.
            ///
            /// # Errors
            ///
            /// Both filters must have the same shape and hasher; otherwise nothing changes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::{", stringify!($atomic), ", ", stringify!($plain), "};")]
            ///
            #[doc = concat!("let all = ", stringify!($atomic), "::<str>::with_rate(1_000, 0.01)?;")]
            #[doc = concat!("let mut some = ", stringify!($plain), "::<str>::new(all.shape())?;")]
            /// some.insert("ant");
            /// all.union_with(&some)?;
            /// assert!(all.contains("ant"));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn union_with(&self, other: &$plain<T, S>) -> Result<(), IncompatibleError> {
                self.check_compatible(other)?;
                self.$storage.union_with(&other.$storage);
                Ok(())
            }
        }

        /// Inserts every item of an iterator; threads may insert and query meanwhile.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use bloom_core::", stringify!($atomic), ";")]
        ///
        #[doc = concat!("let seen = ", stringify!($atomic), "::<str>::with_rate(1_000, 0.01)?;")]
        /// std::thread::scope(|scope| {
        ///     scope.spawn(|| (&seen).extend(["ant", "bee"]));
        ///     scope.spawn(|| (&seen).extend(["cat"]));
        /// });
        /// assert!(["ant", "bee", "cat"].iter().all(|item| seen.contains(*item)));
        /// # Ok::<(), bloom_core::BuildError>(())
        /// ```
        impl<T, S, Q> Extend<Q> for &$atomic<T, S>
        where
            T: core::hash::Hash + ?Sized,
            S: BuildHasher,
            Q: core::borrow::Borrow<T>,
        {
            fn extend<I: IntoIterator<Item = Q>>(&mut self, items: I) {
                let mut pending = Pending::new(|group: &[u64]| _ = self.insert_hashes(group));
                for item in items {
                    pending.push(self.hash_builder.hash_one(item.borrow()));
                }
            }
        }

        /// Makes a plain filter shared. It keeps its allocation; nothing is copied.
        impl<T: ?Sized, S> From<$plain<T, S>> for $atomic<T, S> {
            fn from(filter: $plain<T, S>) -> Self {
                Self {
                    $storage: filter.$storage.into(),
                    $($field: filter.$field,)*
                    hash_builder: filter.hash_builder,
                    items: PhantomData,
                }
            }
        }

        /// Makes a shared filter plain. It keeps its allocation; nothing is copied.
        impl<T: ?Sized, S> From<$atomic<T, S>> for $plain<T, S> {
            fn from(filter: $atomic<T, S>) -> Self {
                Self {
                    $storage: filter.$storage.into(),
                    $($field: filter.$field,)*
                    hash_builder: filter.hash_builder,
                    items: PhantomData,
                }
            }
        }
    };
}

impl<T: ?Sized, S> AtomicBloomFilter<T, S> {
    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new;
    /// see [`insert`](Self::insert).
    #[inline]
    pub fn insert_hash(&self, hash: u64) -> bool {
        self.bits.insert(hash, self.shape.hashes())
    }
}

impl<T: ?Sized, S: BuildHasher> AtomicBloomFilter<T, S> {
    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    pub fn check_compatible(&self, other: &BloomFilter<T, S>) -> Result<(), IncompatibleError> {
        check_shapes(self.shape, other.shape)?;
        check_hashers(&self.hash_builder, &other.hash_builder)
    }
}

impl<T: ?Sized, S> AtomicBlockedBloomFilter<T, S> {
    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new;
    /// see [`insert`](Self::insert).
    #[inline]
    pub fn insert_hash(&self, hash: u64) -> bool {
        self.blocks.insert(hash)
    }
}

impl<T: ?Sized, S: BuildHasher> AtomicBlockedBloomFilter<T, S> {
    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    pub fn check_compatible(
        &self,
        other: &BlockedBloomFilter<T, S>,
    ) -> Result<(), IncompatibleError> {
        check_blocks(self.blocks.count(), other.blocks.count())?;
        check_hashers(&self.hash_builder, &other.hash_builder)
    }
}

impl_shared!(AtomicBloomFilter, BloomFilter, Shape, bits, shape);
impl_constructors!(
    AtomicBloomFilter,
    Shape,
    MemoryError,
    Shape::for_rate,
    "[`Shape::for_rate`]",
    "an empty filter of this shape",
    "the smallest empty filter that keeps `items` expected items within the false-positive rate `rate`,"
);
impl_readings!(
    AtomicBloomFilter,
    "use bloom_core::AtomicBloomFilter;

let filter = AtomicBloomFilter::<u64>::with_rate(1_000, 0.01)?;
filter.insert_many(&(0..1_000).collect::<Vec<u64>>());"
);
impl_queries!(
    AtomicBloomFilter,
    "use bloom_core::AtomicBloomFilter;

let filter = AtomicBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    AtomicBloomFilter,
    (&self),
    |self, hashes| self.bits.insert_each(hashes, self.shape.hashes()),
    /// `true`: one of its bits was clear. Of several threads that insert the same new item at once, at least
    /// one gets `true`; see [what threads may rely on](Self#what-threads-may-rely-on).
);

impl_shared!(
    AtomicBlockedBloomFilter,
    BlockedBloomFilter,
    BlockedShape,
    blocks
);
impl_constructors!(
    AtomicBlockedBloomFilter,
    BlockedShape,
    MemoryError,
    BlockedShape::for_rate,
    "[`BlockedShape::for_rate`]",
    "an empty filter of this shape",
    "the smallest empty filter that keeps `items` expected items within the false-positive rate `rate`,"
);
impl_blocked_readings!(AtomicBlockedBloomFilter);
impl_queries!(
    AtomicBlockedBloomFilter,
    "use bloom_core::AtomicBlockedBloomFilter;

let filter = AtomicBlockedBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    AtomicBlockedBloomFilter,
    (&self),
    |self, hashes| self.blocks.insert_each(hashes),
    /// `true`: one of its bits was clear. Of several threads that insert the same new item at once, at least
    /// one gets `true`; see [`AtomicBloomFilter`].
);
