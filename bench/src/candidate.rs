//! The trait that every filter in the benchmark implements, and the names of these filters.

use std::borrow::Borrow;

use clap::ValueEnum;

use crate::keys::Item;

/// A filter, called as users of its crate call it.
pub(crate) trait Candidate<T: Item + ?Sized>: Clone {
    /// Whether the crate has batch calls.
    const BATCHES: bool = false;

    /// Whether the filter is static: [`seal`](Self::seal) builds it from all keys at once.
    const STATIC: bool = false;

    /// Whether items can be removed.
    const REMOVES: bool = false;

    /// Creates an empty filter for this many items at this rate, sized by the crate's own rule.
    fn sized(items: u64, rate: f64) -> Self;

    /// Inserts an item and returns what the crate returns, if anything, so that the compiler cannot remove
    /// the crate's work.
    fn insert(&mut self, item: &T) -> bool;

    /// Returns whether an item may be in the filter.
    fn contains(&self, item: &T) -> bool;

    /// Removes an item and returns whether it was perhaps in the filter.
    fn remove(&mut self, _item: &T) -> bool {
        false
    }

    /// Called after the last insert.
    fn seal(&mut self) {}

    /// Inserts many items, one by one unless the crate has a batch call.
    fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
        for item in items {
            self.insert(item.borrow());
        }
    }

    /// Queries many items, one by one unless the crate has a batch call.
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        answers.clear();
        answers.extend(items.iter().map(|item| self.contains(item.borrow())));
    }
}

/// The filters in the benchmark, each with its own hasher or with the shared one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// The blocked filter with the shared hasher
    #[value(name = "blocked+foldhash")]
    BlockedFold,
    /// The blocked filter with its default hasher
    #[value(name = "blocked")]
    Blocked,
    /// The blocked filter with foldhash's slower variant, whose hashes need not be folded
    #[value(name = "blocked+avalanching")]
    BlockedAvalanching,
    /// The classic filter with the shared hasher
    #[value(name = "bloom+foldhash")]
    BloomFold,
    /// The classic filter with its default hasher
    #[value(name = "bloom")]
    Bloom,
    /// The counting filter with the shared hasher
    #[value(name = "counting+foldhash")]
    CountingFold,
    /// The partitioned filter with the shared hasher
    #[value(name = "partitioned+foldhash")]
    PartitionedFold,
    /// The blocked filter that threads share, with the shared hasher, in one thread
    #[value(name = "atomic-blocked+foldhash")]
    AtomicBlockedFold,
    /// The classic filter that threads share, with the shared hasher, in one thread
    #[value(name = "atomic-bloom+foldhash")]
    AtomicBloomFold,
    /// The crate fastbloom's filter that threads share, with the shared hasher, in one thread
    #[value(name = "fastbloom-atomic+foldhash")]
    FastbloomAtomicFold,
    /// The crate fastbloom with the shared hasher
    #[value(name = "fastbloom+foldhash")]
    FastbloomFold,
    /// The crate fastbloom with its default hasher
    #[value(name = "fastbloom")]
    Fastbloom,
    /// The crate sbbf-rs-safe, which takes hashes: those of the shared hasher
    #[value(name = "sbbf-rs-safe+foldhash")]
    SplitBlockFold,
    /// The crate sbbf-rs-safe with foldhash's slower variant
    #[value(name = "sbbf-rs-safe+avalanching")]
    SplitBlockAvalanching,
    /// The crate parquet's split-block filter, which hashes by xxHash64
    #[value(name = "parquet")]
    Parquet,
    /// The crate bloomfilter, which hashes by SipHash
    #[value(name = "bloomfilter")]
    Bloomfilter,
    /// The crate growable-bloom-filter, which hashes by XXH3
    #[value(name = "growable-bloom-filter")]
    Growable,
    /// The crate xorf's BinaryFuse8, which takes hashes; static, with a fixed rate of 0.39 %
    #[value(name = "xorf+foldhash")]
    FuseFold,
}

impl Name {
    /// Returns the name used on the command line and in reports.
    pub(crate) fn text(self) -> String {
        let value = self.to_possible_value().expect("no name is skipped");
        value.get_name().to_owned()
    }

    /// Whether it is a filter of this project, which must keep its promises.
    pub(crate) fn is_ours(self) -> bool {
        matches!(
            self,
            Self::BlockedFold
                | Self::Blocked
                | Self::BlockedAvalanching
                | Self::BloomFold
                | Self::Bloom
                | Self::CountingFold
                | Self::PartitionedFold
                | Self::AtomicBlockedFold
                | Self::AtomicBloomFold
        )
    }
}

/// The crates whose versions the report lists.
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
