//! [`Bloom`], the type of which all filters are aliases, and the traits of kinds of filters and of
//! their tables.
//!
//! A filter is a *table* (bits, blocks, counters or stages in some memory), a hasher, and the promised quality of its hashes.
//! The methods that all or most kinds of filters share are in this folder. The tables, and the methods that only one kind has,
//! are in files outside this folder. The kind and the memory are type parameters, which the aliases
//! [`BloomFilter`](crate::BloomFilter), [`AtomicBloomFilter`](crate::AtomicBloomFilter) and so on fill in.
//!
//! ```text
//! mod.rs       the type; the traits of kinds and tables
//! build.rs     how filters are made, copied, converted and taken apart
//! queries.rs   queries by item, hash and slice, and the trait `Query`
//! inserts.rs   inserts by item, hash and slice, by one owner or by threads, and the trait `Filter`
//! readings.rs  what the bits say: fill, rate, estimate
//! sets.rs      union, intersection, equality
//! ```

mod build;
mod inserts;
mod queries;
mod readings;
mod sets;

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, fence};

pub use inserts::Filter;
pub use queries::Query;

#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::error::{BuildError, ShapeError};
use crate::hash::FixedState;
use crate::incompatible::IncompatibleError;
use crate::math::{Estimate, PairEstimate};
use crate::memory::Owned;
use crate::persist::kind::FilterKind;
use crate::probe::Mixed;
use crate::quality::HashQuality;
use crate::sealed::Sealed;
use crate::storage::{Hashes, Store};

/// A filter of any kind in any memory: the type that [`BloomFilter`](crate::BloomFilter) and all
/// other filters are aliases of.
///
/// Every method of every filter is on this page. `K` is its [kind](crate::kind), `T` the type of its
/// items, `S` builds its hasher, and `B` is where its bits are:
///
/// | `B` | the bits are | made by |
/// | --- | --- | --- |
/// | [`Owned`] | on the heap | [`new`](Self::new), [`with_rate`](Self::with_rate) |
/// | [`Shared`](crate::Shared) | on the heap, filled by threads through `&self` | [`into_shared`](Self::into_shared) |
/// | `[u64; N]`, `&mut [u64]`, or the same with [`Block`](crate::Block) | in memory of the caller | [`new_in`](Self::new_in) |
/// | [`Saved`](crate::Saved) | in the bytes of a file, queried in place | [`open`](Self::open) |
/// | [`FileMut`](crate::FileMut) | in the bytes of a file, filled in place | [`create_file`](Self::create_file) |
///
/// Code that is generic over filters uses the traits [`Query`] and [`Filter`].
pub struct Bloom<K: Kind<B>, T: ?Sized, S = FixedState, B = Owned> {
    pub(crate) table: K::Table,
    pub(crate) hash_builder: S,
    pub(crate) quality: HashQuality,
    pub(crate) intersected: Intersected,
    // The filter takes `T`s and owns none: it is `Send` and `Sync` whatever `T` is.
    items: PhantomData<fn(&T)>,
}

impl<K: Kind<B>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Makes a filter of its parts. The filter counts as not intersected.
    pub(crate) fn of(table: K::Table, hash_builder: S, quality: HashQuality) -> Self {
        Self {
            table,
            hash_builder,
            quality,
            intersected: Intersected::default(),
            items: PhantomData,
        }
    }

    /// Marks the filter as intersected if `mark` says so.
    pub(crate) fn marked(mut self, mark: Intersected) -> Self {
        self.intersected = mark;
        self
    }

    #[inline]
    pub(crate) fn mix(&self, hash: u64) -> Mixed {
        Mixed::new(hash, self.quality)
    }
}

/// Records whether a filter was intersected, or united with an intersected one, since it was made or cleared. The bits of
/// such a filter are not those of a set of items. The mark is atomic, since threads unite filters through `&self`.
#[derive(Debug, Default)]
pub(crate) struct Intersected(AtomicBool);

impl Intersected {
    pub(crate) fn new(intersected: bool) -> Self {
        Self(AtomicBool::new(intersected))
    }

    /// Returns the mark. Must be called after the bits were read, because a union by threads sets the mark before any bit.
    pub(crate) fn get(&self) -> bool {
        fence(Acquire);
        self.0.load(Relaxed)
    }

    /// Sets the mark if `other` has it.
    pub(crate) fn unite(&self, other: &Self) {
        if other.get() {
            self.0.store(true, Relaxed);
            fence(Release);
        }
    }
}

impl Clone for Intersected {
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}

/// A kind of filter that can have its bits in memory `B`: see [`kind`](crate::kind). Sealed.
pub trait Kind<B>: Sealed {
    /// The bits, blocks, counters or stages.
    #[doc(hidden)]
    type Table: Table;
}

/// The bits, blocks, counters or stages of a filter of any kind, and the queries that they answer.
pub trait Table {
    /// The kind, in the form in which a saved filter states it.
    const KIND: FilterKind;

    /// The size of the table.
    type Shape: Copy + PartialEq + fmt::Debug;

    /// Returns the smallest shape whose rate with `items` items is at most `rate`.
    fn shape_for(items: u64, rate: f64) -> Result<Self::Shape, ShapeError>;

    fn shape(&self) -> Self::Shape;

    fn contains(&self, hash: Mixed) -> bool;

    /// Queries every hash in turn. `answers` has one place for each hash.
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]);

    fn memory_bytes(&self) -> u64;

    /// Returns whether all bits or counters are 0. O(m) at worst.
    fn is_empty(&self) -> bool;

    /// Returns the false-positive rate, computed from the present bits. O(m).
    fn false_positive_rate(&self) -> f64;

    /// Estimates the number of items; `None` if all bits are set, in the table or in one of its slices or
    /// stages. O(m).
    fn estimate(&self) -> Option<Estimate>;

    /// Adds the fields of `Debug`: the sizes, never the bits.
    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>);
}

/// A table that does not grow.
pub trait Fixed: Table {
    /// Returns the share of set bits or of counters above 0. O(m).
    fn fill(&self) -> f64;

    /// Returns the mean false-positive rate of tables of this shape with `items` items, by the
    /// exact model.
    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64;
}

/// A table that one owner fills.
pub trait Writable: Fixed {
    /// Inserts a hash and returns whether it was certainly new.
    fn insert(&mut self, hash: Mixed) -> bool;

    /// Inserts every hash in turn; returns how many were certainly new.
    fn insert_each(&mut self, hashes: impl Hashes) -> u64;

    fn clear(&mut self);
}

/// A table that threads fill.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub trait WritableShared: Fixed {
    /// The table of one owner that is converted to this table, and back. On 64-bit machines, the
    /// bits are not copied.
    type Plain: Table<Shape = Self::Shape>;

    fn from_plain(plain: Self::Plain) -> Self;

    fn into_plain(self) -> Self::Plain;

    fn insert_shared(&self, hash: Mixed) -> bool;

    fn insert_each_shared(&self, hashes: impl Hashes) -> u64;

    fn clear_owned(&mut self);
}

/// Inserts and clears through `&mut self`, while no other thread has the filter.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<W: WritableShared> Writable for W {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        self.insert_shared(hash)
    }

    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        self.insert_each_shared(hashes)
    }

    fn clear(&mut self) {
        self.clear_owned();
    }
}

/// A table whose shape is compared with that of another table of the same kind, in any memory.
pub trait Compare<O>: Table {
    /// Checks that both tables have the same shape.
    fn check_shape(&self, other: &O) -> Result<(), IncompatibleError>;
}

/// A table whose bits are compared with those of another table of the same shape.
pub trait Pair<O>: Compare<O> {
    /// Estimates the sizes of union and intersection; `None` if all bits are set, in the union or in one of its
    /// slices. O(m).
    fn estimate_pair(&self, other: &O) -> Option<PairEstimate>;
}

/// Returns `either`, the number of bits set in at least one of two filters, clamped to the range that the set bits of
/// each filter (`one` and `two`) allow. The three counts may disagree because other threads may set bits between them.
pub(crate) fn agreed(one: u64, two: u64, either: u64) -> u64 {
    either.clamp(one.max(two), one.saturating_add(two))
}

/// A table that is united or intersected with another table of the same shape.
pub trait Combine<O>: Compare<O> {
    fn union_with(&mut self, other: &O);

    fn intersect_with(&mut self, other: &O);
}

/// A table that threads unite with another table of the same shape, through `&self`.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub trait CombineShared<O>: Compare<O> {
    fn union_with_shared(&self, other: &O);
}

/// A table on the heap.
#[cfg(feature = "alloc")]
pub trait Heap: Table + Sized {
    /// Creates an empty table.
    fn new(shape: Self::Shape) -> Result<Self, BuildError>;
}

/// A table on the heap that is copied from a table of the same kind in any memory.
#[cfg(feature = "alloc")]
pub trait CopyOf<O>: Heap {
    fn copy_of(other: &O) -> Result<Self, MemoryError>;
}

/// A table whose words or blocks can be passed in and taken out.
pub trait Raw: Table + Sized {
    /// The words or blocks as they are stored.
    type Store: Store;

    /// Returns how many words or blocks the shape needs.
    fn units(shape: Self::Shape) -> u64;

    /// Wraps words or blocks without changing them. There must be at least as many as the shape needs.
    fn with_store(shape: Self::Shape, store: Self::Store) -> Result<Self, ShapeError>;

    /// Returns all words; those of a blocked filter block after block.
    fn words(&self) -> &[u64];

    /// Returns all words for writing. Bits beyond the last bit of the shape have to stay 0.
    fn words_mut(&mut self) -> &mut [u64];

    /// Returns how many bits of the words the cells take.
    fn used_bits(&self) -> u64;

    fn into_store(self) -> Self::Store;
}

/// Makes an empty table in `memory`, or returns an error if the memory is too small.
pub(crate) fn empty_in<R: Raw>(shape: R::Shape, memory: R::Store) -> Result<R, BuildError> {
    BuildError::check_room(R::units(shape), memory.get())?;
    let mut table = R::with_store(shape, memory)?;
    table.words_mut().fill(0);
    Ok(table)
}

/// Prints the shape, never the bits: O(1).
impl<K: Kind<B>, T: ?Sized, S, B> fmt::Debug for Bloom<K, T, S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct(<K::Table as Table>::KIND.name());
        self.table.debug(&mut fields);
        fields.finish_non_exhaustive()
    }
}
