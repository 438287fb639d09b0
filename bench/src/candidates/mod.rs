//! Creates the filters of the benchmark, and calls them as users of their crates do.

/// Implements `insert` and `contains` of [`Candidate`](crate::candidate::Candidate) by the filter's own methods with these
/// names, which take `&T`.
macro_rules! own_methods {
    () => {
        #[inline]
        fn insert(&mut self, item: &T) -> bool {
            Self::insert(self, item)
        }

        #[inline]
        fn contains(&self, item: &T) -> bool {
            Self::contains(self, item)
        }
    };
}

mod ours;
mod peers;

use bloom_core::{
    AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, BloomFilter,
    CountingBloomFilter, FixedState, PartitionedBloomFilter,
};
use foldhash::fast::FixedState as FoldHash;
use foldhash::quality::FixedState as Avalanching;

use crate::candidate::Name;
use crate::keys::Item;
use crate::runner::{DynRunner, Runner};

use ours::Shared;
pub(crate) use peers::ParquetValue;
use peers::{Bloomfilter, Fuse, SplitBlock};

/// Creates the runner of a candidate: the object that builds its filters for `items` items at `rate`, and times them.
pub(crate) fn runner<T: Item + ParquetValue + ?Sized>(
    name: Name,
    items: u64,
    rate: f64,
) -> Box<dyn DynRunner<T>> {
    match name {
        Name::BlockedFold => Runner::<BlockedBloomFilter<T, FoldHash>>::boxed(name, items, rate),
        Name::Blocked => Runner::<BlockedBloomFilter<T, FixedState>>::boxed(name, items, rate),
        Name::BlockedAvalanching => {
            Runner::<BlockedBloomFilter<T, Avalanching>>::boxed(name, items, rate)
        }
        Name::CountingFold => Runner::<CountingBloomFilter<T, FoldHash>>::boxed(name, items, rate),
        Name::PartitionedFold => {
            Runner::<PartitionedBloomFilter<T, FoldHash>>::boxed(name, items, rate)
        }
        Name::BloomFold => Runner::<BloomFilter<T, FoldHash>>::boxed(name, items, rate),
        Name::Bloom => Runner::<BloomFilter<T, FixedState>>::boxed(name, items, rate),
        Name::AtomicBlockedFold => {
            Runner::<Shared<AtomicBlockedBloomFilter<T, FoldHash>>>::boxed(name, items, rate)
        }
        Name::AtomicBloomFold => {
            Runner::<Shared<AtomicBloomFilter<T, FoldHash>>>::boxed(name, items, rate)
        }
        Name::FastbloomAtomicFold => {
            Runner::<fastbloom::AtomicBloomFilter<FoldHash>>::boxed(name, items, rate)
        }
        Name::FastbloomFold => Runner::<fastbloom::BloomFilter<FoldHash>>::boxed(name, items, rate),
        Name::Fastbloom => Runner::<fastbloom::BloomFilter>::boxed(name, items, rate),
        Name::SplitBlockFold => Runner::<SplitBlock<FoldHash>>::boxed(name, items, rate),
        Name::SplitBlockAvalanching => Runner::<SplitBlock<Avalanching>>::boxed(name, items, rate),
        Name::Parquet => Runner::<parquet::bloom_filter::Sbbf>::boxed(name, items, rate),
        Name::Bloomfilter => Runner::<Bloomfilter<T>>::boxed(name, items, rate),
        Name::Growable => Runner::<growable_bloom_filter::GrowableBloom>::boxed(name, items, rate),
        Name::FuseFold => Runner::<Fuse>::boxed(name, items, rate),
    }
}
