//! Implements the trait `Candidate` of bloom-fuzz-kit for the five filters of bloom-core, so that the kit can examine these
//! filters.

use bloom_core::{
    AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, BloomFilter,
    CountingBloomFilter, PartitionedBloomFilter, ScalableBloomFilter,
};
use bloom_fuzz_kit::{AnyState, Candidate, Shared};

use crate::family::ByItem;

macro_rules! candidate {
    ($($filter:ident { $($own:item)* })*) => {
        $(
            impl Candidate for ByItem<$filter<u64, AnyState>> {
                type Item = u64;

                fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
                    let filter = $filter::with_rate_and_hasher(items, rate, AnyState::default());
                    filter.map(Self).map_err(|error| error.to_string())
                }

                fn with_hasher(
                    items: u64,
                    rate: f64,
                    state: AnyState,
                ) -> Option<Result<Self, String>> {
                    let filter = $filter::with_rate_and_hasher(items, rate, state);
                    Some(filter.map(Self).map_err(|error| error.to_string()))
                }

                $($own)*
            }
        )*
    };
}

/// Implements `Candidate::shared`, which builds a filter that several threads can use at the same time.
macro_rules! is_shared {
    ($plain:ident) => {
        fn shared(items: u64, rate: f64) -> Option<Box<dyn Shared<u64>>> {
            let filter = $plain::with_rate(items, rate).ok()?.into_shared();
            Some(Box::new(Together(filter)))
        }
    };
}

candidate! {
    BloomFilter { is_shared!(BloomFilter); }
    BlockedBloomFilter { is_shared!(BlockedBloomFilter); }
    CountingBloomFilter {}
    PartitionedBloomFilter {}
    ScalableBloomFilter {
        fn grows() -> bool {
            true
        }
    }
}

/// A filter that several threads can use at the same time.
struct Together<F>(F);

macro_rules! shared {
    ($($filter:ident)*) => {
        $(
            impl Shared<u64> for Together<$filter<u64>> {
                fn insert(&self, item: &u64) {
                    self.0.insert(item);
                }

                fn contains(&self, item: &u64) -> bool {
                    self.0.contains(item)
                }
            }
        )*
    };
}

shared! { AtomicBloomFilter AtomicBlockedBloomFilter }
