//! What every filter in the race can do, and the list of them.

mod ours;
mod peers;

use std::borrow::Borrow;

use bloom_core::{BlockedBloomFilter, BloomFilter, FixedState};
use clap::ValueEnum;
use foldhash::fast::FixedState as FoldHash;

use crate::keys::Item;
use crate::runner::{Runner, DynRunner};

pub(crate) use peers::ParquetValue;
use peers::{Bloomfilter, Fuse, SplitBlock};

/// A filter as its crate's users call it.
pub(crate) trait Contender<T: Item + ?Sized>: Clone {
    /// Whether the crate takes many keys in one call.
    const BATCHES: bool = false;

    /// Whether the filter is made at once of all keys, by [`seal`](Self::seal).
    const STATIC: bool = false;

    /// Creates an empty filter for so many items at a rate, sized as the crate does it.
    fn sized(items: u64, rate: f64) -> Self;

    /// Inserts an item and returns what the crate returns, if it does, so that nothing the crate
    /// works out is optimised away.
    fn insert(&mut self, item: &T) -> bool;

    /// Returns whether an item may be in it.
    fn contains(&self, item: &T) -> bool;

    /// Is called after the last insert.
    fn seal(&mut self) {}

    /// Inserts many items: one by one unless the crate has a call for it.
    fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
        for item in items {
            self.insert(item.borrow());
        }
    }

    /// Answers for many items: one by one unless the crate has a call for it.
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        answers.clear();
        answers.extend(items.iter().map(|item| self.contains(item.borrow())));
    }
}

/// The filters in the race, each with its own hasher or with the one that all can share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// The blocked filter with the shared hasher
    #[value(name = "blocked+foldhash")]
    BlockedFold,
    /// The blocked filter with its default hasher
    #[value(name = "blocked")]
    Blocked,
    /// The classic filter with the shared hasher
    #[value(name = "bloom+foldhash")]
    BloomFold,
    /// The classic filter with its default hasher
    #[value(name = "bloom")]
    Bloom,
    /// The crate fastbloom with the shared hasher
    #[value(name = "fastbloom+foldhash")]
    FastbloomFold,
    /// The crate fastbloom with its default hasher
    #[value(name = "fastbloom")]
    Fastbloom,
    /// The crate sbbf-rs-safe, which takes hashes: those of the shared hasher
    #[value(name = "sbbf-rs-safe+foldhash")]
    SplitBlockFold,
    /// The crate parquet's split-block filter, which hashes by xxHash64
    #[value(name = "parquet")]
    Parquet,
    /// The crate bloomfilter, which hashes by SipHash
    #[value(name = "bloomfilter")]
    Bloomfilter,
    /// The crate growable-bloom-filter, which hashes by XXH3
    #[value(name = "growable-bloom-filter")]
    Growable,
    /// The crate xorf's BinaryFuse8, which takes hashes; static, with a rate of its own: 0.39 %
    #[value(name = "xorf+foldhash")]
    FuseFold,
}

impl Name {
    /// Returns the name that is typed and printed.
    pub(crate) fn text(self) -> String {
        let value = self.to_possible_value().expect("no name is skipped");
        value.get_name().to_owned()
    }

    /// Whether it is of this project, and so bound to its promise.
    pub(crate) fn is_ours(self) -> bool {
        matches!(
            self,
            Self::BlockedFold | Self::Blocked | Self::BloomFold | Self::Bloom
        )
    }
}

/// The crates whose versions tell what was measured.
pub(crate) const CRATES: [&str; 8] = [
    "bloom-core",
    "fastbloom",
    "sbbf-rs-safe",
    "parquet",
    "bloomfilter",
    "growable-bloom-filter",
    "xorf",
    "foldhash",
];

/// Gives a contender a runner in the race for so many items at a rate.
pub(crate) fn runner<T: Item + ParquetValue + ?Sized>(
    name: Name,
    items: u64,
    rate: f64,
) -> Box<dyn DynRunner<T>> {
    match name {
        Name::BlockedFold => Runner::<BlockedBloomFilter<T, FoldHash>>::boxed(name, items, rate),
        Name::Blocked => Runner::<BlockedBloomFilter<T, FixedState>>::boxed(name, items, rate),
        Name::BloomFold => Runner::<BloomFilter<T, FoldHash>>::boxed(name, items, rate),
        Name::Bloom => Runner::<BloomFilter<T, FixedState>>::boxed(name, items, rate),
        Name::FastbloomFold => Runner::<fastbloom::BloomFilter<FoldHash>>::boxed(name, items, rate),
        Name::Fastbloom => Runner::<fastbloom::BloomFilter>::boxed(name, items, rate),
        Name::SplitBlockFold => Runner::<SplitBlock>::boxed(name, items, rate),
        Name::Parquet => Runner::<parquet::bloom_filter::Sbbf>::boxed(name, items, rate),
        Name::Bloomfilter => Runner::<Bloomfilter<T>>::boxed(name, items, rate),
        Name::Growable => Runner::<growable_bloom_filter::GrowableBloom>::boxed(name, items, rate),
        Name::FuseFold => Runner::<Fuse>::boxed(name, items, rate),
    }
}
