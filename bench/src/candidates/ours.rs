//! Implements [`Candidate`] for the filters of this project.

use std::borrow::Borrow;
use std::hash::BuildHasher;

use bloom_core::{
    AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, BloomFilter,
    CountingBloomFilter, FixedState, HashQuality, PartitionedBloomFilter,
};

use crate::candidate::Candidate;
use crate::keys::Item;

/// A hasher, and whether filters have to mix its hashes once more: they do for [`HashQuality::Folded`], but not for
/// [`HashQuality::Avalanching`].
pub(super) trait Declared: BuildHasher + Clone + Default {
    const QUALITY: HashQuality;
}

impl Declared for FixedState {
    const QUALITY: HashQuality = HashQuality::Folded;
}

impl Declared for foldhash::fast::FixedState {
    const QUALITY: HashQuality = HashQuality::Folded;
}

impl Declared for foldhash::quality::FixedState {
    const QUALITY: HashQuality = HashQuality::Avalanching;
}

macro_rules! impl_candidate {
    ($($filter:ident { $($more:tt)* })*) => {$(
        impl<T, S> Candidate<T> for $filter<T, S>
        where
            T: Item + ?Sized,
            S: Declared,
        {
            const BATCHES: bool = true;

            fn sized(items: u64, rate: f64) -> Self {
                let filter = Self::with_rate_and_hasher(items, rate, S::default());
                let filter = filter.expect("items and rate are in range");
                filter.with_hash_quality(S::QUALITY).expect("it is empty")
            }

            own_methods!();

            $($more)*

            fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
                Self::insert_many(self, items);
            }

            fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
                Self::contains_many(self, items, answers);
            }
        }
    )*};
}

impl_candidate! {
    BloomFilter {}
    BlockedBloomFilter {}
    PartitionedBloomFilter {}
    CountingBloomFilter {
        const REMOVES: bool = true;

        #[inline]
        fn remove(&mut self, item: &T) -> bool {
            Self::remove(self, item)
        }
    }
}

/// A filter that several threads can use at once, used here by one thread. This wrapper adds the `Clone` that [`Candidate`]
/// requires; only empty filters are cloned.
pub(super) struct Shared<F>(F);

macro_rules! impl_shared_candidate {
    ($($filter:ident $plain:ident;)*) => {$(
        impl<T: ?Sized, S: Clone> Clone for Shared<$filter<T, S>> {
            fn clone(&self) -> Self {
                Self(self.0.to_plain().expect("there is memory").into_shared())
            }
        }

        impl<T, S> Candidate<T> for Shared<$filter<T, S>>
        where
            T: Item + ?Sized,
            S: Declared,
        {
            const BATCHES: bool = true;

            fn sized(items: u64, rate: f64) -> Self {
                let plain: $plain<T, S> = Candidate::sized(items, rate);
                Self(plain.into_shared())
            }

            #[inline]
            fn insert(&mut self, item: &T) -> bool {
                self.0.insert(item)
            }

            #[inline]
            fn contains(&self, item: &T) -> bool {
                self.0.contains(item)
            }

            fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
                self.0.insert_many(items);
            }

            fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
                self.0.contains_many(items, answers);
            }
        }
    )*};
}

impl_shared_candidate! {
    AtomicBloomFilter BloomFilter;
    AtomicBlockedBloomFilter BlockedBloomFilter;
}
