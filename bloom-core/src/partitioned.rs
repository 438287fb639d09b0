//! The partitioned filter: each hash has its own slice of the bits.

use core::fmt;
use core::hash::BuildHasher;
use core::marker::PhantomData;

use crate::error::{BuildError, ShapeError};
use crate::hash::{FixedState, check_hashers};
use crate::incompatible::{IncompatibleError, check_shapes};
use crate::math::{self, Estimate, MathError, Model, PairEstimate};
use crate::methods::{impl_constructors, impl_copies, impl_inserts, impl_queries, impl_words};
use crate::probe::{ProbeSequence, reduce};
use crate::shape::Shape;
use crate::storage::{Bits, Hashes, in_groups, in_order};

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
pub struct PartitionedBloomFilter<T: ?Sized, S = FixedState> {
    shape: Shape,
    bits: Bits,
    hash_builder: S,
    // The filter takes `T`s and owns none: it is `Send` and `Sync` whatever `T` is.
    items: PhantomData<fn(&T)>,
}

impl<T: ?Sized, S> PartitionedBloomFilter<T, S> {
    /// Creates an empty filter of this shape that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// The shape must have at least as many bits as hashes, and the bits must fit in memory.
    pub fn with_hasher(shape: Shape, hash_builder: S) -> Result<Self, BuildError> {
        let (bits, hashes) = (shape.bits(), shape.hashes());
        if bits < hashes.into() {
            let error = MathError::FewerBitsThanHashes { bits, hashes };
            return Err(ShapeError::from(error).into());
        }
        Ok(Self {
            shape,
            bits: Bits::new(bits)?,
            hash_builder,
            items: PhantomData,
        })
    }

    /// Returns the bits of all slices together, and the hashes, which is also the number of slices.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn bits(&self) -> &Bits {
        &self.bits
    }

    pub(crate) fn bits_mut(&mut self) -> &mut Bits {
        &mut self.bits
    }

    /// Inserts an item by a hash that the caller computed, and returns whether it is certainly new.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        set(&mut self.bits, positions(self.shape, hash))
    }

    /// Returns whether an item with this hash may have been inserted; `false` is certain.
    #[must_use]
    pub fn contains_hash(&self, hash: u64) -> bool {
        positions(self.shape, hash).all(|position| self.bits.get(position))
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let mut answer = in_order(answers);
        in_groups(
            self.bits.is_far(),
            &mut &*self,
            hashes,
            |filter, hash| {
                filter
                    .bits
                    .prefetch_positions(positions(filter.shape, hash));
            },
            |filter, hash| answer(filter.contains_hash(hash)),
        );
    }

    /// Returns the bytes of memory that hold the bits.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.bits.memory_bytes()
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Returns whether no bit is set, so that every query returns `false`. O(m) at worst.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Returns the share of set bits, from 0 to 1. O(m).
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.bits.ones() as f64 / self.shape.bits() as f64
    }

    /// Returns the false-positive rate of this filter: the product of the fills of its slices.
    /// O(m).
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        slices(self.shape)
            .map(|(start, bits)| self.bits.ones_in(start, bits) as f64 / bits as f64)
            .product()
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items; exact.
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        math::partitioned::rate(items, self.shape.bits(), self.shape.hashes())
            .expect("every slice has bits")
            .value()
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation;
    /// `None` if any slice has every bit set. O(m).
    ///
    /// Each item sets one bit in each slice, so each slice gives its own
    /// [estimate](math::estimate_items); the result is their mean.
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        let slices = slices(self.shape);
        math::mean_estimate(slices.map(|(start, bits)| (bits, self.bits.ones_in(start, bits))))
    }
}

impl<T: ?Sized, S: BuildHasher> PartitionedBloomFilter<T, S> {
    /// Adds every item of `other`: the result is the filter of the union, bit for bit.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher; otherwise nothing changes.
    pub fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.bits.union_with(&other.bits);
        Ok(())
    }

    /// Keeps the bits that are set in both filters; see
    /// [`BloomFilter::intersect_with`](crate::BloomFilter::intersect_with).
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher; otherwise nothing changes.
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_compatible(other)?;
        self.bits.intersect_with(&other.bits);
        Ok(())
    }

    /// Estimates the sizes of the union and the intersection of two filters' sets; `None` if a
    /// slice of the union has every bit set. O(m). See
    /// [`BloomFilter::estimated_pair`](crate::BloomFilter::estimated_pair).
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    pub fn estimated_pair(&self, other: &Self) -> Result<Option<PairEstimate>, IncompatibleError> {
        self.check_compatible(other)?;
        let ones = |(start, bits)| {
            let either = self.bits.ones_in_either(&other.bits, start, bits);
            let ours = self.bits.ones_in(start, bits);
            (bits, [ours, other.bits.ones_in(start, bits), either])
        };
        Ok(math::mean_pair(slices(self.shape).map(ones)))
    }

    /// Returns whether `other` can be combined with this filter: an error names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape and hasher.
    pub fn check_compatible(&self, other: &Self) -> Result<(), IncompatibleError> {
        check_shapes(self.shape, other.shape)?;
        check_hashers(&self.hash_builder, &other.hash_builder)
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
fn positions(shape: Shape, hash: u64) -> impl Iterator<Item = u64> {
    let probes = ProbeSequence::new(hash);
    slices(shape)
        .zip(probes)
        .map(|((start, bits), probe)| start + reduce(probe, bits))
}

/// Sets the bits at these positions and returns whether any was clear.
fn set(bits: &mut Bits, positions: impl Iterator<Item = u64>) -> bool {
    let mut new = false;
    for position in positions {
        new |= bits.set(position);
    }
    new
}

/// Calls [`set`] for every hash in order; returns how many were new.
fn insert_each(bits: &mut Bits, shape: Shape, hashes: impl Hashes) -> u64 {
    let mut new = 0;
    in_groups(
        bits.is_far(),
        bits,
        hashes,
        |bits, hash| bits.prefetch_positions(positions(shape, hash)),
        |bits, hash| new += u64::from(set(bits, positions(shape, hash))),
    );
    new
}

impl_constructors!(
    PartitionedBloomFilter,
    Shape,
    BuildError,
    |items, rate| Shape::for_rate_by(Model::Partitioned, items, rate),
    "[`Shape::for_rate`]",
    "an empty filter of this shape",
    "the smallest empty filter that keeps `items` expected items within the false-positive rate `rate`,"
);
impl_queries!(
    PartitionedBloomFilter,
    "use bloom_core::PartitionedBloomFilter;

let mut filter = PartitionedBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\");"
);
impl_inserts!(
    PartitionedBloomFilter,
    (&mut self), |self, hashes| insert_each(&mut self.bits, self.shape, hashes),
    /// `true`: the item was not in the filter. `false`: it was, or other items had set its bit in
    /// every slice, which happens to new items at the false-positive rate.
);
impl_words!(
    PartitionedBloomFilter,
    Shape,
    bits,
    "use bloom_core::{PartitionedBloomFilter, FixedState};

let mut filter = PartitionedBloomFilter::<str>::with_rate(1_000, 0.01)?;
filter.insert(\"ant\");
let copy = PartitionedBloomFilter::from_words(filter.shape(), filter.words(), FixedState::new())?;
assert_eq!(copy, filter);"
);
impl_copies!(PartitionedBloomFilter, bits, shape);

/// Prints the shape, never the bits: O(1).
impl<T: ?Sized, S> fmt::Debug for PartitionedBloomFilter<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionedBloomFilter")
            .field("bits", &self.shape.bits())
            .field("hashes", &self.shape.hashes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn positions_are_the_same_for_ever() {
        // Computed from the definition with arbitrary-precision integers, not by this code.
        for (hash, bits, hashes, golden) in [
            (0, 1000, 5, &[123, 295, 499, 696, 958][..]),
            (1, 1003, 5, &[160, 368, 590, 795, 913]),
            (u64::MAX, 64, 7, &[6, 14, 23, 32, 44, 51, 62]),
            (
                0x0123_4567_89ab_cdef,
                19_188,
                7,
                &[2236, 2997, 7506, 10_926, 12_553, 15_874, 16_618],
            ),
            (
                42,
                1 << 63,
                3,
                &[
                    1_848_989_056_112_051_189,
                    4_833_875_852_578_691_497,
                    6_951_896_782_996_041_152,
                ],
            ),
        ] {
            let shape = Shape::new(bits, hashes).unwrap();
            let positions: Vec<u64> = positions(shape, hash).collect();
            assert_eq!(positions, golden, "{hash} in {shape}");
        }
    }
}
