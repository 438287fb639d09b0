//! The filters of this project.

use std::borrow::Borrow;
use std::hash::BuildHasher;

use bloom_core::{BlockedBloomFilter, BloomFilter};

use super::Contender;
use crate::keys::Item;

macro_rules! impl_contender {
    ($($filter:ident)*) => {$(
        impl<T, S> Contender<T> for $filter<T, S>
        where
            T: Item + ?Sized,
            S: BuildHasher + Clone + Default,
        {
            const BATCHES: bool = true;

            fn sized(items: u64, rate: f64) -> Self {
                let filter = Self::with_rate_and_hasher(items, rate, S::default());
                filter.expect("items and rate are in range")
            }

            own_methods!();

            fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
                Self::insert_many(self, items);
            }

            fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
                Self::contains_many(self, items, answers);
            }
        }
    )*};
}

impl_contender!(BloomFilter BlockedBloomFilter);
