//! The trait that every filter in the benchmark implements, and the names of these filters.

use std::borrow::Borrow;

use clap::ValueEnum;

use crate::keys::Item;

/// A filter, called as users of its crate call it.
pub(crate) trait Candidate<T: Item + ?Sized>: Clone {
    /// Whether the crate has batch calls, which insert or query many items at once.
    const BATCHES: bool = false;

    /// Whether the filter is static: [`seal`](Self::seal) builds it from all keys at once.
    const STATIC: bool = false;

    /// Whether items can be removed.
    const REMOVES: bool = false;

    /// Creates an empty filter for this many items at this rate. The crate chooses the size, unless its constructor takes no
    /// rate.
    fn sized(items: u64, rate: f64) -> Self;

    /// Inserts an item. Returns the result of the crate's own insert, or false if that has no result. The benchmark uses the
    /// returned value, so that the compiler cannot remove the insert.
    fn insert(&mut self, item: &T) -> bool;

    /// Returns whether an item may be in the filter.
    fn contains(&self, item: &T) -> bool;

    /// Removes an item unless it is certainly absent, and returns whether it was removed.
    fn remove(&mut self, _item: &T) -> bool {
        false
    }

    /// Completes the filter. It is called after the last insert, and builds a static filter.
    fn seal(&mut self) {}

    /// Inserts many items, one by one unless the crate has a batch call.
    fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
        for item in items {
            self.insert(item.borrow());
        }
    }

    /// Queries many items, one by one unless the crate has a batch call, and replaces `answers` by their answers.
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        answers.clear();
        answers.extend(items.iter().map(|item| self.contains(item.borrow())));
    }
}

/// A filter in the benchmark together with its hash function. The names of candidates with the fast hasher of the crate
/// foldhash end in `+foldhash`; the names of those with its slower, avalanching hasher end in `+avalanching`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// This project's blocked filter with foldhash's fast hasher
    #[value(name = "blocked+foldhash")]
    BlockedFold,
    /// This project's blocked filter with its default hasher
    #[value(name = "blocked")]
    Blocked,
    /// This project's blocked filter with foldhash's slower hasher, whose hashes the filter uses without mixing them once more
    #[value(name = "blocked+avalanching")]
    BlockedAvalanching,
    /// This project's classic filter with foldhash's fast hasher
    #[value(name = "bloom+foldhash")]
    BloomFold,
    /// This project's classic filter with its default hasher
    #[value(name = "bloom")]
    Bloom,
    /// This project's counting filter with foldhash's fast hasher
    #[value(name = "counting+foldhash")]
    CountingFold,
    /// This project's partitioned filter with foldhash's fast hasher
    #[value(name = "partitioned+foldhash")]
    PartitionedFold,
    /// This project's blocked filter for several threads, with foldhash's fast hasher; measured in one thread
    #[value(name = "atomic-blocked+foldhash")]
    AtomicBlockedFold,
    /// This project's classic filter for several threads, with foldhash's fast hasher; measured in one thread
    #[value(name = "atomic-bloom+foldhash")]
    AtomicBloomFold,
    /// The crate fastbloom's filter for several threads, with foldhash's fast hasher; measured in one thread
    #[value(name = "fastbloom-atomic+foldhash")]
    FastbloomAtomicFold,
    /// The crate fastbloom with foldhash's fast hasher
    #[value(name = "fastbloom+foldhash")]
    FastbloomFold,
    /// The crate fastbloom with its default hasher
    #[value(name = "fastbloom")]
    Fastbloom,
    /// The crate sbbf-rs-safe with foldhash's fast hasher
    #[value(name = "sbbf-rs-safe+foldhash")]
    SplitBlockFold,
    /// The crate sbbf-rs-safe with foldhash's slower hasher
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
    /// The crate xorf's BinaryFuse8 with foldhash's fast hasher; built from all items at once, always with a rate of 0.39 %
    #[value(name = "xorf+foldhash")]
    FuseFold,
}

impl Name {
    /// Returns the name used on the command line and in reports.
    pub(crate) fn text(self) -> String {
        let value = self.to_possible_value().expect("no name is skipped");
        value.get_name().to_owned()
    }

    /// Whether the filter is one of this project's: if such a filter fails a check, so does the benchmark.
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
