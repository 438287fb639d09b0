//! What a filter offers whose every bit is checked: the whole interface of `BloomFilter`.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use bloom_core::math::Estimate;
use bloom_core::{BloomFilter, IncompatibleError, MemoryError};

/// A filter over items of type `T`.
///
/// Each method means what the one of the same name of [`BloomFilter`] does.
pub trait BitFilter<T: ?Sized>: Clone + Debug + PartialEq {
    /// Inserts an item and returns whether it is certainly new.
    fn insert(&mut self, item: &T) -> bool;
    /// Inserts an item by its hash and returns whether it is certainly new.
    fn insert_hash(&mut self, hash: u64) -> bool;
    /// Inserts every item.
    fn extend<'a>(&mut self, items: impl Iterator<Item = &'a T>)
    where
        T: 'a;
    /// Returns whether an item may have been inserted.
    fn contains(&self, item: &T) -> bool;
    /// Returns whether an item of this hash may have been inserted.
    fn contains_hash(&self, hash: u64) -> bool;
    /// Forgets every item.
    fn clear(&mut self);
    /// Returns whether no bit is set.
    fn is_empty(&self) -> bool;
    /// Returns the share of set bits.
    fn fill(&self) -> f64;
    /// Returns the number of distinct items that explains the set bits.
    fn estimated_items(&self) -> Option<Estimate>;
    /// Returns the rate at the present fill.
    fn false_positive_rate(&self) -> f64;
    /// Copies the filter, or says that memory is short.
    ///
    /// # Errors
    ///
    /// The copy must fit in memory.
    fn try_clone(&self) -> Result<Self, MemoryError>;
    /// Adds every item of `other`.
    ///
    /// # Errors
    ///
    /// Shape and hasher of both must agree.
    fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError>;
    /// Keeps the bits that are set in both.
    ///
    /// # Errors
    ///
    /// Shape and hasher of both must agree.
    fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError>;
}

// The methods called here are the filter's own, which come before the trait's of the same name.
impl<T: Hash + ?Sized, S: BuildHasher + Clone> BitFilter<T> for BloomFilter<T, S> {
    fn insert(&mut self, item: &T) -> bool {
        self.insert(item)
    }

    fn insert_hash(&mut self, hash: u64) -> bool {
        self.insert_hash(hash)
    }

    fn extend<'a>(&mut self, items: impl Iterator<Item = &'a T>)
    where
        T: 'a,
    {
        Extend::extend(self, items);
    }

    fn contains(&self, item: &T) -> bool {
        self.contains(item)
    }

    fn contains_hash(&self, hash: u64) -> bool {
        self.contains_hash(hash)
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn fill(&self) -> f64 {
        self.fill()
    }

    fn estimated_items(&self) -> Option<Estimate> {
        self.estimated_items()
    }

    fn false_positive_rate(&self) -> f64 {
        self.false_positive_rate()
    }

    fn try_clone(&self) -> Result<Self, MemoryError> {
        self.try_clone()
    }

    fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.union_with(other)
    }

    fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.intersect_with(other)
    }
}
