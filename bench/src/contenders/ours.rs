//! The filters of this project.

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
}
