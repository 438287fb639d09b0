//! The partitioned filter: each hash has its own slice of the bits.

use core::fmt;

use crate::error::ShapeError;
#[cfg(feature = "alloc")]
use crate::error::{BuildError, MemoryError};
use crate::filter::{Bloom, Combine, Compare, Fixed, Kind, Pair, Raw, Table, Writable};
#[cfg(feature = "alloc")]
use crate::filter::{CopyOf, Heap};
use crate::hash::FixedState;
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::kind::Partitioned;
#[cfg(feature = "alloc")]
use crate::math::Model;
use crate::math::{self, Estimate, MathError, PairEstimate};
use crate::memory::{Memory, Owned};
use crate::persist::kind::FilterKind;
use crate::probe::{Mixed, ProbeSequence, reduce};
use crate::shape::Shape;
use crate::storage::{
    Bits, Hashes, OwnedWords, Store, StoreMut, Word, in_groups, in_order, words_of,
};

/// A [`BloomFilter`](crate::BloomFilter) in which each hash has its own slice of the bits, so that
/// no two positions of an item coincide.
///
/// For teaching and comparison: its rate, [exactly](math::partitioned) the product over the slices,
/// is a little *higher* than that of the textbook filter of the same shape. Where k does not divide
/// m, the first m mod k slices have one bit more.
///
/// An attacker who chooses the items and knows the hasher can fill the slices at will: see
/// [adversaries](crate#hashers-seeds-and-adversaries).
///
/// # Examples
///
/// ```
/// use bloom_core::PartitionedBloomFilter;
///
/// let mut filter = PartitionedBloomFilter::<str>::with_rate(1_000, 0.01)?;
/// assert!(filter.insert("ant"));
/// assert!(filter.contains("ant"));
/// // Slightly more bits than the 9 595 of a BloomFilter.
/// assert_eq!(filter.shape().bits(), 9_597);
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub type PartitionedBloomFilter<T, S = FixedState, B = Owned> = Bloom<Partitioned, T, S, B>;

impl<B: Memory<u64, Store: Store<Item: Word>>> Kind<B> for Partitioned {
    type Table = Slices<B::Store>;
}

/// The bits of all slices, one slice after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slices<W: Store<Item: Word> = OwnedWords> {
    bits: Bits<W>,
    hashes: u8,
}

impl<W: Store<Item: Word>> Slices<W> {
    /// Wraps words that suffice for the shape, which must have a bit for every slice.
    pub(crate) fn of(shape: Shape, words: W) -> Result<Self, ShapeError> {
        check_slices(shape)?;
        Ok(Self {
            bits: Bits::of(words, shape.bits()),
            hashes: shape.hashes(),
        })
    }

    /// Returns the payload of its file.
    pub(crate) fn bits(&self) -> &Bits<W> {
        &self.bits
    }

    pub(crate) fn bits_mut(&mut self) -> &mut Bits<W> {
        &mut self.bits
    }
}

/// Checks that every slice has a bit.
pub(crate) fn check_slices(shape: Shape) -> Result<(), ShapeError> {
    let (bits, hashes) = (shape.bits(), shape.hashes());
    if bits < hashes.into() {
        return Err(MathError::FewerBitsThanHashes { bits, hashes }.into());
    }
    Ok(())
}

impl<W: Store<Item: Word>> Table for Slices<W> {
    const KIND: FilterKind = FilterKind::Partitioned;

    type Shape = Shape;

    fn shape(&self) -> Shape {
        Shape::of_parts(self.bits.count(), self.hashes)
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        positions(self.shape(), hash).all(|position| self.bits.get(position))
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let mut answer = in_order(answers);
        in_groups(
            self.bits.is_far(),
            &mut &*self,
            hashes,
            |slices, hash| {
                let positions = positions(slices.shape(), hash);
                slices.bits.prefetch_positions(positions);
            },
            |slices, hash| answer(slices.contains(hash)),
        );
    }

    fn memory_bytes(&self) -> u64 {
        self.bits.memory_bytes()
    }

    fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    fn false_positive_rate(&self) -> f64 {
        slices(self.shape())
            .map(|(start, bits)| self.bits.ones_in(start, bits) as f64 / bits as f64)
            .product()
    }

    fn estimate(&self) -> Option<Estimate> {
        let slices = slices(self.shape());
        math::mean_estimate(slices.map(|(start, bits)| (bits, self.bits.ones_in(start, bits))))
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        self.shape().debug(fields);
    }
}

impl<W: Store<Item: Word>> Fixed for Slices<W> {
    fn fill(&self) -> f64 {
        self.bits.ones() as f64 / self.bits.count() as f64
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(&self, items: u64) -> f64 {
        math::partitioned::rate(items, self.bits.count(), self.hashes)
            .expect("every slice has bits")
            .value()
    }
}

impl<W: StoreMut + Store<Item = u64>> Writable for Slices<W> {
    #[inline]
    fn insert(&mut self, hash: Mixed) -> bool {
        let mut new = false;
        for position in positions(self.shape(), hash) {
            new |= self.bits.set(position);
        }
        new
    }

    #[inline]
    fn insert_each(&mut self, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        in_groups(
            self.bits.is_far(),
            self,
            hashes,
            |slices, hash| {
                let positions = positions(slices.shape(), hash);
                slices.bits.prefetch_positions(positions);
            },
            |slices, hash| new += u64::from(slices.insert(hash)),
        );
        new
    }

    fn clear(&mut self) {
        self.bits.clear();
    }
}

impl<W: Store<Item: Word>, O: Store<Item: Word>> Compare<Slices<O>> for Slices<W> {
    fn check_shape(&self, other: &Slices<O>) -> Result<(), IncompatibleError> {
        check_shapes(self.shape(), other.shape())
    }
}

impl<W: Store<Item: Word>, O: Store<Item: Word>> Pair<Slices<O>> for Slices<W> {
    fn estimate_pair(&self, other: &Slices<O>) -> Option<PairEstimate> {
        let ones = |(start, bits)| {
            let either = self.bits.ones_in_either(&other.bits, start, bits);
            let ours = self.bits.ones_in(start, bits);
            (bits, [ours, other.bits.ones_in(start, bits), either])
        };
        math::mean_pair(slices(self.shape()).map(ones))
    }
}

impl<W, O> Combine<Slices<O>> for Slices<W>
where
    W: StoreMut + Store<Item = u64>,
    O: Store<Item: Word>,
{
    fn union_with(&mut self, other: &Slices<O>) {
        self.bits.union_with(&other.bits);
    }

    fn intersect_with(&mut self, other: &Slices<O>) {
        self.bits.intersect_with(&other.bits);
    }
}

#[cfg(feature = "alloc")]
impl Heap for Slices {
    fn new(shape: Shape) -> Result<Self, BuildError> {
        check_slices(shape)?;
        Ok(Self {
            bits: Bits::new(shape.bits())?,
            hashes: shape.hashes(),
        })
    }

    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        Shape::for_rate_by(Model::Partitioned, items, rate)
    }

    fn try_clone(&self) -> Result<Self, MemoryError> {
        Self::copy_of(self)
    }
}

#[cfg(feature = "alloc")]
impl<O: Store<Item: Word>> CopyOf<Slices<O>> for Slices {
    fn copy_of(other: &Slices<O>) -> Result<Self, MemoryError> {
        let (bits, hashes) = (Bits::copy_of(&other.bits)?, other.hashes);
        Ok(Self { bits, hashes })
    }
}

impl<W: StoreMut + Store<Item = u64>> Raw for Slices<W> {
    type Store = W;

    fn units(shape: Shape) -> u64 {
        words_of(shape.bits())
    }

    fn with_store(shape: Shape, store: W) -> Result<Self, ShapeError> {
        Self::of(shape, store)
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

/// Returns the start and the number of bits of every slice.
fn slices(shape: Shape) -> impl Iterator<Item = (u64, u64)> {
    let slices = u64::from(shape.hashes());
    let (bits, longer) = (shape.bits() / slices, shape.bits() % slices);
    (0..slices).map(move |slice| {
        let start = slice * bits + slice.min(longer);
        (start, bits + u64::from(slice < longer))
    })
}

/// Returns the position of a hash in every slice.
pub(crate) fn positions(shape: Shape, hash: Mixed) -> impl Iterator<Item = u64> {
    let probes = ProbeSequence::new(hash);
    slices(shape)
        .zip(probes)
        .map(|((start, bits), probe)| start + reduce(probe, bits))
}
