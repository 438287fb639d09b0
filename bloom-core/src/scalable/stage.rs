//! One stage of a scalable filter: its bits, and when it is full.

use core::iter;

use crate::basic::BloomFilter;
use crate::error::MemoryError;
use crate::math::filling::{counted_rate, most_ones};
use crate::math::rate_at_fill;
use crate::shape::Shape;

/// One stage of a [`ScalableBloomFilter`](crate::ScalableBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// Its bits and hashes.
    pub shape: Shape,
    /// The items it is made for.
    pub expected_items: u64,
    /// The items inserted into it: at most as many.
    pub items: u64,
    /// Its set bits.
    pub ones: u64,
}

/// A stage and how full it is.
pub(crate) struct Filled<T: ?Sized> {
    filter: BloomFilter<T, ()>,
    expected_items: u64,
    items: u64,
    ones: u64,
    most_ones: u64,
}

impl<T: ?Sized> Filled<T> {
    /// Creates an empty stage for so many items at this rate.
    pub(crate) fn new(shape: Shape, expected_items: u64, rate: f64) -> Result<Self, MemoryError> {
        Ok(Self {
            filter: BloomFilter::with_hasher(shape, ())?,
            expected_items,
            items: 0,
            ones: 0,
            most_ones: fullest(shape, rate),
        })
    }

    /// Creates a stage of these bits that has so many items.
    pub(crate) fn with_words(mut self, items: u64, words: impl Iterator<Item = u64>) -> Self {
        let to = self.filter.bits_mut().words_mut();
        iter::zip(to, words).for_each(|(to, word)| *to = word);
        self.items = items;
        self.ones = self.filter.bits().ones();
        self
    }

    pub(crate) fn filter(&self) -> &BloomFilter<T, ()> {
        &self.filter
    }

    pub(crate) fn stage(&self) -> Stage {
        Stage {
            shape: self.filter.shape(),
            expected_items: self.expected_items,
            items: self.items,
            ones: self.ones,
        }
    }

    /// Returns whether there is no room for an item of this hash, which is not in.
    ///
    /// There is for the first, and then as long as the items are at most those expected and the set
    /// bits at most those that keep the rate.
    pub(crate) fn is_full_for(&self, hash: u64) -> bool {
        let hashes = self.filter.shape().hashes();
        // Most of the time no look at the bits is needed.
        self.may_be_full()
            && (self.items >= self.expected_items
                || self.ones + self.filter.bits().clear_positions(hash, hashes) > self.most_ones)
    }

    /// Inserts an item that is not in and has room.
    pub(crate) fn insert(&mut self, hash: u64) {
        let hashes = self.filter.shape().hashes();
        self.ones += self.filter.bits_mut().insert_counted(hash, hashes);
        self.items += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.filter.clear();
        (self.items, self.ones) = (0, 0);
    }

    /// Returns the rate of the present fill.
    pub(crate) fn own_rate(&self) -> f64 {
        let shape = self.filter.shape();
        rate_at_fill(self.ones as f64 / shape.bits() as f64, shape.hashes())
    }

    /// Returns the mean rate of such stages: with as many items, or as full if another item may find
    /// no room.
    pub(crate) fn expected_rate(&self) -> f64 {
        if self.items == 0 || self.may_be_full() {
            return self.own_rate();
        }
        let (bits, hashes) = (self.filter.shape().bits(), self.filter.shape().hashes());
        // What those have at most that are not full either.
        let most = (self.most_ones - u64::from(hashes)) as f64 / bits as f64;
        counted_rate(self.items, bits, hashes, rate_at_fill(most, hashes))
    }

    /// Returns whether an item may find no room.
    fn may_be_full(&self) -> bool {
        let hashes = u64::from(self.filter.shape().hashes());
        self.items > 0 && (self.items >= self.expected_items || self.ones + hashes > self.most_ones)
    }

    pub(crate) fn try_clone(&self) -> Result<Self, MemoryError> {
        Ok(Self {
            filter: self.filter.try_clone()?,
            ..*self
        })
    }
}

/// Returns the most set bits of a stage that has more than one item.
///
/// Where the first item alone may set more, there is no room for a second: the stage then keeps its
/// rate as one of one item does, in the mean.
pub(crate) fn fullest(shape: Shape, rate: f64) -> u64 {
    let most = most_ones(shape.bits(), shape.hashes(), rate);
    if most < shape.hashes().into() {
        0
    } else {
        most
    }
}

impl<T: ?Sized> Clone for Filled<T> {
    fn clone(&self) -> Self {
        Self {
            filter: self.filter.clone(),
            ..*self
        }
    }
}
