//! The partitioned filter: its bits are divided into k slices, and an item sets one bit in each
//! slice.

use crate::cell_table::CellKind;
use crate::error::ShapeError;
use crate::filter::Bloom;
use crate::hash::FixedState;
use crate::kind::Partitioned;
use crate::math::{self, Estimate, Model, PairEstimate};
use crate::memory::Owned;
use crate::persist::kind::FilterKind;
use crate::shape::Shape;
use crate::storage::{Cells, Sliced, Store, Word, slices};

/// A [`BloomFilter`](crate::BloomFilter) in which each hash has its own slice of the bits, so that
/// no two positions of an item coincide.
///
/// The filter is meant for teaching and comparison: with two or more hashes, its mean
/// false-positive rate is a little *higher* than that of a `BloomFilter` of the same shape. The
/// mean rate is [exactly](math::partitioned) the product, over the slices, of the expected share of
/// set bits in the slice. Where the number of hashes k does not divide the number of bits m, the
/// first m mod k slices have one bit more than the others.
///
/// An attacker who chooses the items and knows the hasher can set all bits of the slices with few
/// items: see [adversaries](crate#hashers-seeds-and-adversaries).
///
/// # Examples
///
/// ```
/// use bloom_core::PartitionedBloomFilter;
///
/// let mut filter = PartitionedBloomFilter::<str>::with_rate(1_000, 0.01)?;
/// assert!(filter.insert("ant"));
/// assert!(filter.contains("ant"));
/// // A `BloomFilter` for these items and this rate has 9,595 bits.
/// assert_eq!(filter.shape().bits(), 9_597);
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
pub type PartitionedBloomFilter<T, S = FixedState, B = Owned> = Bloom<Partitioned, T, S, B>;

impl CellKind for Partitioned {
    const KIND: FilterKind = FilterKind::Partitioned;
    const WIDTH: u8 = 1;

    type Layout = Sliced;

    fn rate(bits: &Cells<Sliced, impl Store<Item: Word>>) -> f64 {
        slices(bits.shape())
            .map(|(start, length)| bits.ones_in(start, length) as f64 / length as f64)
            .product()
    }

    fn estimate(bits: &Cells<Sliced, impl Store<Item: Word>>) -> Option<Estimate> {
        let ones = |(start, length)| (length, bits.ones_in(start, length));
        math::mean_estimate(slices(bits.shape()).map(ones))
    }

    fn estimate_pair(
        bits: &Cells<Sliced, impl Store<Item: Word>>,
        other: &Cells<Sliced, impl Store<Item: Word>>,
    ) -> Option<PairEstimate> {
        let ones = |(start, length)| {
            let either = bits.ones_in_either(other, start, length);
            let (one, two) = (bits.ones_in(start, length), other.ones_in(start, length));
            (length, [one, two, either])
        };
        math::mean_pair(slices(bits.shape()).map(ones))
    }

    fn shape_for(items: u64, rate: f64) -> Result<Shape, ShapeError> {
        Shape::for_rate_by(Model::Partitioned, items, rate)
    }

    #[cfg(feature = "alloc")]
    fn expected_rate(shape: Shape, items: u64) -> f64 {
        math::partitioned::rate(items, shape.bits(), shape.hashes())
            .expect("every slice has bits")
            .value()
    }
}
