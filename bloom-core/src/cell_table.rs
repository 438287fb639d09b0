//! What basic, partitioned and counting filters store: an array (the *table*) of cells, which are bits
//! or counters.

use core::fmt;

use crate::error::ShapeError;
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Combine, Compare, Fixed, Kind, Pair, Raw, Table, Writable, agreed};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::filter::{CombineShared, WritableShared};
#[cfg(feature = "alloc")]
use crate::filter::{CopyOf, Heap};
use crate::incompatible::{IncompatibleError, check_shapes};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::kind::Basic;
use crate::math::{self, Estimate, PairEstimate};
use crate::memory::Memory;
use crate::persist::kind::FilterKind;
use crate::probe::Mixed;
use crate::sealed::Sealed;
use crate::shape::Shape;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::storage::AtomicBits;
use crate::storage::{
    Cells, CounterBits, Hashes, Layout, OwnedWords, Store, StoreMut, Word, words_of,
};

/// A kind of filter whose table is a [`CellTable`]. The default methods compute sizes, rates and estimates as for a
/// `BloomFilter`.
pub trait CellKind: Sealed {
    /// The kind, in the form in which a saved filter states it.
    const KIND: FilterKind;

    /// The default number of bits of a cell.
    const WIDTH: u8;

    /// The rule that says which cells belong to a hash.
    type Layout: Layout;

    /// Returns the false-positive rate, computed from the present share of cells that are not 0.
    /// O(m).
    fn rate(cells: &Cells<Self::Layout, impl Store<Item: Word>>) -> f64 {
        math::rate_at_fill(cells.fill(), cells.shape().hashes())
    }

    /// Estimates the number of items; `None` if all cells are set, in the table or in one slice of
    /// a partitioned filter. O(m).
    fn estimate(cells: &Cells<Self::Layout, impl Store<Item: Word>>) -> Option<Estimate> {
        let shape = cells.shape();
        math::estimate_items(shape.bits(), shape.hashes(), cells.ones())
            .expect("the shape is valid, and the table has no more set cells than cells")
    }

    /// Estimates the sizes of union and intersection; `None` if all cells are set, in the union or in one of
    /// its slices. O(m).
    fn estimate_pair(
        cells: &Cells<Self::Layout, impl Store<Item: Word>>,
        other: &Cells<Self::Layout, impl Store<Item: Word>>,
    ) -> Option<PairEstimate> {
        let (one, two, shape) = (cells.ones(), other.ones(), cells.shape());
        let either = agreed(one, two, cells.ones_in_either(other, 0, shape.bits()));
        math::estimate_pair(shape.bits(), shape.hashes(), one, two, either)
            .expect("the shape is valid, and the table has no more set cells than cells")
    }

    /// Returns the smallest shape whose rate with `items` items is at most `rate`.
    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        Shape::for_rate(items, rate)
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items, by the
    /// exact model.
    #[cfg(feature = "alloc")]
    fn expected_rate(shape: Shape, items: u64) -> f64 {
        shape.expected_false_positive_rate(items)
    }
}

impl<K: CellKind, B: Memory<u64, Store: Store<Item: Word>>> Kind<B> for K {
    type Table = CellTable<Self, B::Store>;
}

/// The cells of a filter of kind `K`, in words that `W` holds.
pub struct CellTable<K: CellKind, W: Store<Item: Word> = OwnedWords> {
    pub(crate) cells: Cells<K::Layout, W>,
}

impl<K: CellKind, W: Store<Item: Word> + Clone> Clone for CellTable<K, W> {
    fn clone(&self) -> Self {
        Self::with(self.cells.clone())
    }
}

impl<K: CellKind, W: Store<Item: Word>> PartialEq for CellTable<K, W> {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

impl<K: CellKind, W: Store<Item: Word>> Eq for CellTable<K, W> {}

impl<K: CellKind, W: Store<Item: Word>> fmt::Debug for CellTable<K, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.fmt(f)
    }
}

impl<K: CellKind, W: Store<Item: Word>> CellTable<K, W> {
    fn with(cells: Cells<K::Layout, W>) -> Self {
        Self { cells }
    }

    /// Wraps words as cells of `width` bits. The caller must have checked that the shape is valid for this kind,
    /// and that there are enough words.
    pub(crate) fn of(shape: Shape, width: u8, words: W) -> Self {
        Self::with(Cells::of(words, shape, width))
    }
}

#[cfg(feature = "alloc")]
impl<K: CellKind> CellTable<K> {
    /// Creates an empty table with cells of `width` bits.
    pub(crate) fn with_width(shape: Shape, width: u8) -> Result<Self, BuildError> {
        K::Layout::check(shape)?;
        Ok(Self::with(Cells::new(shape, width)?))
    }
}

impl<K: CellKind, W: Store<Item: Word>> Table for CellTable<K, W> {
    const KIND: FilterKind = K::KIND;

    type Shape = Shape;

    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        K::shape_for(items, rate)
    }

    #[inline]
    fn shape(&self) -> Shape {
        self.cells.shape()
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        self.cells.contains(hash)
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        self.cells.contains_each(hashes, answers);
    }

    fn memory_bytes(&self) -> u64 {
        self.cells.memory_bytes()
    }

    fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    fn false_positive_rate(&self) -> f64 {
        K::rate(&self.cells)
    }

    fn estimate(&self) -> Option<Estimate> {
        K::estimate(&self.cells)
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        if self.cells.width() == 1 {
            self.shape().debug(fields);
            return;
        }
        let shape = self.shape();
        fields
            .field("counters", &shape.bits())
            .field("counter_bits", &self.cells.width())
            .field("hashes", &shape.hashes());
    }
}

impl<K: CellKind, W: Store<Item: Word>> Fixed for CellTable<K, W> {
    fn fill(&self) -> f64 {
        self.cells.fill()
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64 {
        K::expected_rate(self.shape(), items)
    }
}

impl<K: CellKind, W: StoreMut + Store<Item = u64>> Writable for CellTable<K, W> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        self.cells.insert(hash)
    }

    #[inline]
    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        self.cells.insert_each(hashes)
    }

    fn clear(&mut self) {
        self.cells.clear();
    }
}

/// Words that threads share.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
type SharedWords = alloc::vec::Vec<core::sync::atomic::AtomicU64>;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl WritableShared for CellTable<Basic, SharedWords> {
    type Plain = CellTable<Basic>;

    fn from_plain(plain: CellTable<Basic>) -> Self {
        Self::with(AtomicBits::from(plain.cells))
    }

    fn into_plain(self) -> CellTable<Basic> {
        CellTable::with(self.cells.into())
    }

    #[inline]
    fn insert_shared(&self, hash: Mixed) -> bool {
        self.cells.insert_shared(hash)
    }

    fn insert_each_shared(&self, hashes: impl Hashes) -> u64 {
        self.cells.insert_each_shared(hashes)
    }

    fn clear_owned(&mut self) {
        self.cells.clear_shared();
    }
}

impl<K: CellKind, W: Store<Item: Word>, O: Store<Item: Word>> Compare<CellTable<K, O>>
    for CellTable<K, W>
{
    fn check_shape(&self, other: &CellTable<K, O>) -> Result<(), IncompatibleError> {
        check_shapes(self.shape(), other.shape())?;
        let (ours, theirs) = (self.cells.width(), other.cells.width());
        if ours == theirs {
            return Ok(());
        }
        let [ours, theirs] = [ours, theirs].map(CounterBits::of_width);
        Err(IncompatibleError::CounterBits { ours, theirs })
    }
}

impl<K: CellKind, W: Store<Item: Word>, O: Store<Item: Word>> Pair<CellTable<K, O>>
    for CellTable<K, W>
{
    fn estimate_pair(&self, other: &CellTable<K, O>) -> Option<PairEstimate> {
        K::estimate_pair(&self.cells, &other.cells)
    }
}

impl<K: CellKind, W, O> Combine<CellTable<K, O>> for CellTable<K, W>
where
    W: StoreMut + Store<Item = u64>,
    O: Store<Item: Word>,
{
    fn union_with(&mut self, other: &CellTable<K, O>) {
        self.cells.union_with(&other.cells);
    }

    fn intersect_with(&mut self, other: &CellTable<K, O>) {
        self.cells.intersect_with(&other.cells);
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<O: Store<Item: Word>> CombineShared<CellTable<Basic, O>> for CellTable<Basic, SharedWords> {
    fn union_with_shared(&self, other: &CellTable<Basic, O>) {
        self.cells.union_with_shared(&other.cells);
    }
}

#[cfg(feature = "alloc")]
impl<K: CellKind> Heap for CellTable<K> {
    fn new(shape: Shape) -> Result<Self, BuildError> {
        Self::with_width(shape, K::WIDTH)
    }
}

#[cfg(feature = "alloc")]
impl<K: CellKind, O: Store<Item: Word>> CopyOf<CellTable<K, O>> for CellTable<K> {
    fn copy_of(other: &CellTable<K, O>) -> Result<Self, MemoryError> {
        Ok(Self::with(Cells::copy_of(&other.cells)?))
    }
}

impl<K: CellKind, W: StoreMut + Store<Item = u64>> Raw for CellTable<K, W> {
    type Store = W;

    fn units(shape: Shape) -> u64 {
        words_of(shape.bits(), K::WIDTH)
    }

    fn with_store(shape: Shape, store: W) -> Result<Self, ShapeError> {
        K::Layout::check(shape)?;
        Ok(Self::of(shape, K::WIDTH, store))
    }

    fn words(&self) -> &[u64] {
        self.cells.words()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.cells.words_mut()
    }

    fn used_bits(&self) -> u64 {
        // The cells are in memory, so there are far fewer than 2^64 bits, and the product does not
        // saturate.
        let width = u64::from(self.cells.width());
        self.shape().bits().saturating_mul(width)
    }

    fn into_store(self) -> W {
        self.cells.into_store()
    }
}
