//! The partitioned filter: each hash has its own slice of the bits.

use crate::bit_table::{BitTable, Layout};
use crate::error::ShapeError;
use crate::filter::{Bloom, Kind};
use crate::hash::FixedState;
use crate::kind::Partitioned;
use crate::math::{self, Estimate, MathError, Model, PairEstimate};
use crate::memory::{Memory, Owned};
use crate::persist::kind::FilterKind;
use crate::probe::{Mixed, ProbeSequence, reduce};
use crate::shape::Shape;
use crate::storage::{Bits, Hashes, Store, StoreMut, Word, in_groups, in_order};

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
    type Table = BitTable<Self, B::Store>;
}

impl Layout for Partitioned {
    const KIND: FilterKind = FilterKind::Partitioned;

    fn check(shape: Shape) -> Result<(), ShapeError> {
        let (bits, hashes) = (shape.bits(), shape.hashes());
        if bits < hashes.into() {
            return Err(MathError::FewerBitsThanHashes { bits, hashes }.into());
        }
        Ok(())
    }

    #[inline]
    fn contains(bits: &Bits<impl Store<Item: Word>>, k: u8, hash: Mixed) -> bool {
        positions(bits.count(), k, hash).all(|position| bits.get(position))
    }

    #[inline]
    fn contains_each(
        bits: &Bits<impl Store<Item: Word>>,
        k: u8,
        hashes: impl Hashes,
        answers: &mut [bool],
    ) {
        let mut answer = in_order(answers);
        in_groups(
            bits.is_far(),
            &mut &*bits,
            hashes,
            |bits, hash| bits.prefetch_positions(positions(bits.count(), k, hash)),
            |bits, hash| answer(Self::contains(bits, k, hash)),
        );
    }

    #[inline]
    fn insert(bits: &mut Bits<impl StoreMut<Item = u64>>, k: u8, hash: Mixed) -> bool {
        let mut new = false;
        for position in positions(bits.count(), k, hash) {
            new |= bits.set(position);
        }
        new
    }

    #[inline]
    fn insert_each(bits: &mut Bits<impl StoreMut<Item = u64>>, k: u8, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        in_groups(
            bits.is_far(),
            bits,
            hashes,
            |bits, hash| bits.prefetch_positions(positions(bits.count(), k, hash)),
            |bits, hash| new += u64::from(Self::insert(bits, k, hash)),
        );
        new
    }

    fn rate(bits: &Bits<impl Store<Item: Word>>, k: u8) -> f64 {
        slices(bits.count(), k)
            .map(|(start, length)| bits.ones_in(start, length) as f64 / length as f64)
            .product()
    }

    fn estimate(bits: &Bits<impl Store<Item: Word>>, k: u8) -> Option<Estimate> {
        let ones = |(start, length)| (length, bits.ones_in(start, length));
        math::mean_estimate(slices(bits.count(), k).map(ones))
    }

    fn estimate_pair(
        bits: &Bits<impl Store<Item: Word>>,
        other: &Bits<impl Store<Item: Word>>,
        k: u8,
    ) -> Option<PairEstimate> {
        let ones = |(start, length)| {
            let either = bits.ones_in_either(other, start, length);
            let (one, two) = (bits.ones_in(start, length), other.ones_in(start, length));
            (length, [one, two, either])
        };
        math::mean_pair(slices(bits.count(), k).map(ones))
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

/// Returns the start and the number of bits of every slice.
fn slices(bits: u64, k: u8) -> impl Iterator<Item = (u64, u64)> {
    let slices = u64::from(k);
    let (bits, longer) = (bits / slices, bits % slices);
    (0..slices).map(move |slice| {
        let start = slice * bits + slice.min(longer);
        (start, bits + u64::from(slice < longer))
    })
}

/// Returns the position of a hash in every slice.
pub(crate) fn positions(bits: u64, k: u8, hash: Mixed) -> impl Iterator<Item = u64> {
    let probes = ProbeSequence::new(hash);
    slices(bits, k)
        .zip(probes)
        .map(|((start, bits), probe)| start + reduce(probe, bits))
}
