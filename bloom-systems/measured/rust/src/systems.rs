//! Sizes, fills and queries the filters of four crates, each by the crate's own interface.

use std::f64::consts::LN_2;
use std::hash::{BuildHasher, Hash};

use bloomfilter::Bloom;
use fastbloom::BloomFilter;
use foldhash::quality::FixedState;
use parquet::bloom_filter::Sbbf;

use crate::cells::Filter;
use crate::key::Key;
use crate::random::Random;

impl<K: Hash> Filter<K> for Bloom<K> {
    fn build(items: usize, rate: f64, seed: u64) -> Option<Self> {
        let mut random = Random(seed);
        let seed = std::array::from_fn(|_| random.draw() as u8);
        Self::new_for_fp_rate_with_seed(items, rate, &seed).ok()
    }

    fn insert(&mut self, key: &K) {
        self.set(key);
    }

    fn contains(&self, key: &K) -> bool {
        self.check(key)
    }

    fn size(&self) -> (u64, u64) {
        (self.len(), u64::from(self.number_of_hash_functions()))
    }
}

impl<K: Hash> Filter<K> for BloomFilter {
    fn build(items: usize, rate: f64, seed: u64) -> Option<Self> {
        Some(
            Self::with_false_pos(rate)
                .seed(&u128::from(seed))
                .expected_items(items),
        )
    }

    fn insert(&mut self, key: &K) {
        Self::insert(self, key);
    }

    fn contains(&self, key: &K) -> bool {
        Self::contains(self, key)
    }

    fn size(&self) -> (u64, u64) {
        (self.num_bits() as u64, u64::from(self.num_hashes()))
    }
}

/// The number of lanes of a split block. An item sets one bit in each lane.
const LANES: u64 = 8;

impl<K: Key> Filter<K> for Sbbf {
    fn build(items: usize, rate: f64, _: u64) -> Option<Self> {
        Self::new_with_ndv_fpp(items as u64, rate).ok()
    }

    fn insert(&mut self, key: &K) {
        Self::insert(self, key.as_bytes());
    }

    fn contains(&self, key: &K) -> bool {
        self.check(key.as_bytes())
    }

    fn size(&self) -> (u64, u64) {
        (256 * self.num_blocks() as u64, LANES)
    }
}

/// A filter of the crate sbbf-rs-safe. It is sized by whole bits per item, and takes hashes in place of keys.
pub(crate) struct WholeBitsPerItem {
    filter: sbbf_rs_safe::Filter,
    hasher: FixedState,
}

impl<K: Hash> Filter<K> for WholeBitsPerItem {
    /// The bits per item are -ln p / (ln 2)^2, rounded up.
    fn build(items: usize, rate: f64, seed: u64) -> Option<Self> {
        let bits_per_item = (-rate.ln() / (LN_2 * LN_2)).ceil() as usize;
        Some(Self {
            filter: sbbf_rs_safe::Filter::new(bits_per_item, items),
            hasher: FixedState::with_seed(seed),
        })
    }

    fn insert(&mut self, key: &K) {
        self.filter.insert_hash(self.hasher.hash_one(key));
    }

    fn contains(&self, key: &K) -> bool {
        self.filter.contains_hash(self.hasher.hash_one(key))
    }

    fn size(&self) -> (u64, u64) {
        (8 * self.filter.as_bytes().len() as u64, LANES)
    }
}
