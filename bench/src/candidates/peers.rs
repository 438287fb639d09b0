//! Implements [`Candidate`] for the filters of other crates. If the constructor of a filter takes a rate, the constructor
//! chooses the size.

use std::hash::BuildHasher;

use bloom_core::math::blocked::{Block, min_blocks};
use foldhash::fast::FixedState as FoldHash;
use growable_bloom_filter::GrowableBloom;
use parquet::bloom_filter::Sbbf;
use xorf::{BinaryFuse8, Filter as _};

use crate::candidate::Candidate;
use crate::keys::Item;

impl<T: Item + ?Sized> Candidate<T> for fastbloom::BloomFilter<FoldHash> {
    fn sized(items: u64, rate: f64) -> Self {
        let builder = fastbloom::BloomFilter::with_false_pos(rate).hasher(FoldHash::default());
        builder.expected_items(items as usize)
    }

    own_methods!();
}

impl<T: Item + ?Sized> Candidate<T> for fastbloom::AtomicBloomFilter<FoldHash> {
    fn sized(items: u64, rate: f64) -> Self {
        let builder = fastbloom::AtomicBloomFilter::with_false_pos(rate);
        let builder = builder.hasher(FoldHash::default());
        builder.expected_items(items as usize)
    }

    own_methods!();
}

impl<T: Item + ?Sized> Candidate<T> for fastbloom::BloomFilter {
    fn sized(items: u64, rate: f64) -> Self {
        // Seeded, because the default seed differs between runs.
        let builder = Self::with_false_pos(rate).seed(&1);
        builder.expected_items(items as usize)
    }

    own_methods!();
}

/// The filter of the crate sbbf-rs-safe, with a hasher of foldhash.
///
/// The constructor of that crate takes bits per item instead of a rate. So [`min_blocks`] computes the fewest blocks that meet
/// the rate, by the exact model of this kind of filter.
#[derive(Clone)]
pub(super) struct SplitBlock<S> {
    filter: sbbf_rs_safe::Filter,
    hash_builder: S,
}

/// A block of sbbf-rs-safe: 256 bits in 8 lanes of 32 bits. An item sets one bit in each lane of its block.
const BLOCK: Block = Block::Split {
    lanes: 8,
    lane_bits: 32,
};

impl<T: Item + ?Sized, S: BuildHasher + Clone + Default> Candidate<T> for SplitBlock<S> {
    fn sized(items: u64, rate: f64) -> Self {
        let blocks = min_blocks(items, BLOCK, rate).expect("items and rate are in range");
        Self {
            // The arguments are bits per item and items, and only their product matters: here bits per block times blocks.
            filter: sbbf_rs_safe::Filter::new(BLOCK.bits() as usize, blocks as usize),
            hash_builder: S::default(),
        }
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        self.filter.insert_hash(self.hash_builder.hash_one(item))
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        self.filter.contains_hash(self.hash_builder.hash_one(item))
    }
}

/// An item that can be inserted into a filter of the crate parquet. A `u64` is passed to that crate as an `i64`.
pub(crate) trait ParquetValue {
    /// Inserts the item.
    fn put(&self, filter: &mut Sbbf);

    /// Queries the item.
    fn query(&self, filter: &Sbbf) -> bool;
}

impl ParquetValue for u64 {
    #[inline]
    fn put(&self, filter: &mut Sbbf) {
        filter.insert(&self.cast_signed());
    }

    #[inline]
    fn query(&self, filter: &Sbbf) -> bool {
        filter.check(&self.cast_signed())
    }
}

impl ParquetValue for str {
    #[inline]
    fn put(&self, filter: &mut Sbbf) {
        filter.insert(self);
    }

    #[inline]
    fn query(&self, filter: &Sbbf) -> bool {
        filter.check(self)
    }
}

impl<T: Item + ParquetValue + ?Sized> Candidate<T> for Sbbf {
    fn sized(items: u64, rate: f64) -> Self {
        Self::new_with_ndv_fpp(items, rate).expect("the rate is in range")
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        item.put(self);
        false
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        item.query(self)
    }
}

/// The filter of the crate bloomfilter, with a `Clone` that does not require keys to be `Clone`.
pub(super) struct Bloomfilter<T: ?Sized>(bloomfilter::Bloom<T>);

impl<T: ?Sized> Clone for Bloomfilter<T> {
    fn clone(&self) -> Self {
        let filter = bloomfilter::Bloom::from_slice(self.0.as_slice());
        Self(filter.expect("its own bytes"))
    }
}

impl<T: Item + ?Sized> Candidate<T> for Bloomfilter<T> {
    fn sized(items: u64, rate: f64) -> Self {
        // The halves of the seed must differ: equal halves would make the filter's two hashes the same.
        let seed = std::array::from_fn(|byte| byte as u8);
        let filter = bloomfilter::Bloom::new_for_fp_rate_with_seed(items as usize, rate, &seed);
        Self(filter.expect("items and rate are in range"))
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        self.0.set(item);
        false
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        self.0.check(item)
    }
}

impl<T: Item + ?Sized> Candidate<T> for GrowableBloom {
    fn sized(items: u64, rate: f64) -> Self {
        Self::new(rate, items as usize)
    }

    own_methods!();
}

/// xorf's BinaryFuse8 over the hashes of the items. Its rate is 1/256, whatever rate is requested.
#[derive(Clone)]
pub(super) struct Fuse {
    hashes: Vec<u64>,
    filter: Option<BinaryFuse8>,
    hash_builder: FoldHash,
}

impl<T: Item + ?Sized> Candidate<T> for Fuse {
    const STATIC: bool = true;

    fn sized(_items: u64, _rate: f64) -> Self {
        Self {
            hashes: Vec::new(),
            filter: None,
            hash_builder: FoldHash::default(),
        }
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        self.hashes.push(self.hash_builder.hash_one(item));
        false
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        let hash = self.hash_builder.hash_one(item);
        self.filter
            .as_ref()
            .is_some_and(|filter| filter.contains(&hash))
    }

    fn seal(&mut self) {
        let hashes = std::mem::take(&mut self.hashes);
        self.filter = Some(BinaryFuse8::try_from(hashes).expect("no two items share a hash"));
    }
}
