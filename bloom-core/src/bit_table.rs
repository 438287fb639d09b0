//! The table of filters whose items set single bits: the bits, and the number of hashes. Where the bits of a hash are is
//! the [`Layout`]: anywhere, or each in a slice of its own.

use core::fmt;
use core::marker::PhantomData;

use crate::error::ShapeError;
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Combine, Compare, Fixed, Pair, Raw, Table, Writable};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::filter::{CombineShared, WritableShared};
#[cfg(feature = "alloc")]
use crate::filter::{CopyOf, Heap};
use crate::incompatible::{IncompatibleError, check_shapes};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::kind::Basic;
use crate::math::{Estimate, PairEstimate};
use crate::persist::kind::FilterKind;
use crate::probe::Mixed;
use crate::shape::Shape;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::storage::AtomicBits;
use crate::storage::{Bits, Hashes, OwnedWords, Store, StoreMut, Word, words_of};

/// Where the `k` bits of a hash are, and what follows from it. Named by the kind of the filter.
pub trait Layout: Clone + Eq {
    /// The kind in a file.
    const KIND: FilterKind;

    /// Checks that there is a filter of this shape.
    fn check(_: Shape) -> Result<(), ShapeError> {
        Ok(())
    }

    fn contains(bits: &Bits<impl Store<Item: Word>>, k: u8, hash: Mixed) -> bool;

    fn contains_each(
        bits: &Bits<impl Store<Item: Word>>,
        k: u8,
        hashes: impl Hashes,
        answers: &mut [bool],
    );

    fn insert(bits: &mut Bits<impl StoreMut<Item = u64>>, k: u8, hash: Mixed) -> bool;

    fn insert_each(bits: &mut Bits<impl StoreMut<Item = u64>>, k: u8, hashes: impl Hashes) -> u64;

    /// Returns the rate at the present fill. O(m).
    fn rate(bits: &Bits<impl Store<Item: Word>>, k: u8) -> f64;

    /// Estimates the items; `None` if too much is set. O(m).
    fn estimate(bits: &Bits<impl Store<Item: Word>>, k: u8) -> Option<Estimate>;

    /// Estimates union and intersection; `None` if too much is set. O(m).
    fn estimate_pair(
        bits: &Bits<impl Store<Item: Word>>,
        other: &Bits<impl Store<Item: Word>>,
        k: u8,
    ) -> Option<PairEstimate>;

    /// Returns the least shape that keeps the rate.
    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError>;

    /// Returns the mean rate with this many items, by the exact model.
    #[cfg(feature = "alloc")]
    fn expected_rate(shape: Shape, items: u64) -> f64;
}

/// Bits, of which a hash sets `hashes` by a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitTable<L, W: Store<Item: Word> = OwnedWords> {
    pub(crate) bits: Bits<W>,
    hashes: u8,
    layout: PhantomData<L>,
}

impl<L, W: Store<Item: Word>> BitTable<L, W> {
    /// Wraps bits of a shape that was checked.
    fn with_bits(bits: Bits<W>, hashes: u8) -> Self {
        Self {
            bits,
            hashes,
            layout: PhantomData,
        }
    }

    /// Wraps words that suffice for the shape, which was checked.
    pub(crate) fn of(shape: Shape, words: W) -> Self {
        Self::with_bits(Bits::of(words, shape.bits()), shape.hashes())
    }
}

impl<L: Layout, W: Store<Item: Word>> Table for BitTable<L, W> {
    const KIND: FilterKind = L::KIND;

    type Shape = Shape;

    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        L::shape_for(items, rate)
    }

    #[inline]
    fn shape(&self) -> Shape {
        Shape::of_parts(self.bits.count(), self.hashes)
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        L::contains(&self.bits, self.hashes, hash)
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        L::contains_each(&self.bits, self.hashes, hashes, answers);
    }

    fn memory_bytes(&self) -> u64 {
        self.bits.memory_bytes()
    }

    fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    fn false_positive_rate(&self) -> f64 {
        L::rate(&self.bits, self.hashes)
    }

    fn estimate(&self) -> Option<Estimate> {
        L::estimate(&self.bits, self.hashes)
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        self.shape().debug(fields);
    }
}

impl<L: Layout, W: Store<Item: Word>> Fixed for BitTable<L, W> {
    fn fill(&self) -> f64 {
        self.bits.fill()
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64 {
        L::expected_rate(self.shape(), items)
    }
}

impl<L: Layout, W: StoreMut + Store<Item = u64>> Writable for BitTable<L, W> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        L::insert(&mut self.bits, self.hashes, hash)
    }

    #[inline]
    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        L::insert_each(&mut self.bits, self.hashes, hashes)
    }

    fn clear(&mut self) {
        self.bits.clear();
    }
}

/// The words that threads share.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
type SharedWords = alloc::vec::Vec<core::sync::atomic::AtomicU64>;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl WritableShared for BitTable<Basic, SharedWords> {
    type Plain = BitTable<Basic>;

    fn from_plain(plain: BitTable<Basic>) -> Self {
        Self::with_bits(AtomicBits::from(plain.bits), plain.hashes)
    }

    fn into_plain(self) -> BitTable<Basic> {
        BitTable::with_bits(self.bits.into(), self.hashes)
    }

    #[inline]
    fn insert_shared(&self, hash: Mixed) -> bool {
        AtomicBits::insert(&self.bits, hash, self.hashes)
    }

    fn insert_each_shared(&self, hashes: impl Hashes) -> u64 {
        AtomicBits::insert_each(&self.bits, hashes, self.hashes)
    }
}

/// By an owner who has no threads at the moment.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl Writable for BitTable<Basic, SharedWords> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        self.insert_shared(hash)
    }

    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        self.insert_each_shared(hashes)
    }

    fn clear(&mut self) {
        AtomicBits::clear(&mut self.bits);
    }
}

impl<L: Layout, W: Store<Item: Word>, O: Store<Item: Word>> Compare<BitTable<L, O>>
    for BitTable<L, W>
{
    fn check_shape(&self, other: &BitTable<L, O>) -> Result<(), IncompatibleError> {
        check_shapes(self.shape(), other.shape())
    }
}

impl<L: Layout, W: Store<Item: Word>, O: Store<Item: Word>> Pair<BitTable<L, O>>
    for BitTable<L, W>
{
    fn estimate_pair(&self, other: &BitTable<L, O>) -> Option<PairEstimate> {
        L::estimate_pair(&self.bits, &other.bits, self.hashes)
    }
}

impl<L: Layout, W, O> Combine<BitTable<L, O>> for BitTable<L, W>
where
    W: StoreMut + Store<Item = u64>,
    O: Store<Item: Word>,
{
    fn union_with(&mut self, other: &BitTable<L, O>) {
        self.bits.union_with(&other.bits);
    }

    fn intersect_with(&mut self, other: &BitTable<L, O>) {
        self.bits.intersect_with(&other.bits);
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<O: Store<Item: Word>> CombineShared<BitTable<Basic, O>> for BitTable<Basic, SharedWords> {
    fn union_with_shared(&self, other: &BitTable<Basic, O>) {
        AtomicBits::union_with(&self.bits, &other.bits);
    }
}

#[cfg(feature = "alloc")]
impl<L: Layout> Heap for BitTable<L> {
    fn new(shape: Shape) -> Result<Self, BuildError> {
        L::check(shape)?;
        Ok(Self::with_bits(Bits::new(shape.bits())?, shape.hashes()))
    }
}

#[cfg(feature = "alloc")]
impl<L: Layout, O: Store<Item: Word>> CopyOf<BitTable<L, O>> for BitTable<L> {
    fn copy_of(other: &BitTable<L, O>) -> Result<Self, MemoryError> {
        Ok(Self::with_bits(Bits::copy_of(&other.bits)?, other.hashes))
    }
}

impl<L: Layout, W: StoreMut + Store<Item = u64>> Raw for BitTable<L, W> {
    type Store = W;

    fn units(shape: Shape) -> u64 {
        words_of(shape.bits())
    }

    fn with_store(shape: Shape, store: W) -> Result<Self, ShapeError> {
        L::check(shape)?;
        Ok(Self::of(shape, store))
    }

    fn words(&self) -> &[u64] {
        self.bits.words()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.bits.words_mut()
    }

    fn used_bits(&self) -> u64 {
        self.bits.count()
    }

    fn into_store(self) -> W {
        self.bits.into_store()
    }
}
