//! The filters of this project.

use std::borrow::Borrow;
use std::hash::BuildHasher;

use bloom_core::{BlockedBloomFilter, BloomFilter};

use super::Contender;
use crate::keys::Item;

impl<T, S> Contender<T> for BloomFilter<T, S>
where
    T: Item + ?Sized,
    S: BuildHasher + Clone + Default,
{
    const BATCHES: bool = true;

    fn sized(items: u64, rate: f64) -> Self {
        Self::with_rate_and_hasher(items, rate, S::default()).expect("items and rate are in range")
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        Self::insert(self, item)
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        Self::contains(self, item)
    }

    fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
        Self::insert_many(self, items);
    }

    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        Self::contains_many(self, items, answers);
    }
}

impl<T, S> Contender<T> for BlockedBloomFilter<T, S>
where
    T: Item + ?Sized,
    S: BuildHasher + Clone + Default,
{
    const BATCHES: bool = true;

    fn sized(items: u64, rate: f64) -> Self {
        Self::with_rate_and_hasher(items, rate, S::default()).expect("items and rate are in range")
    }

    #[inline]
    fn insert(&mut self, item: &T) -> bool {
        Self::insert(self, item)
    }

    #[inline]
    fn contains(&self, item: &T) -> bool {
        Self::contains(self, item)
    }

    fn insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) {
        Self::insert_many(self, items);
    }

    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
        Self::contains_many(self, items, answers);
    }
}
