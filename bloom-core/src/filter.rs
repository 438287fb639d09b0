//! The interface shared by all filters, for code that is generic over them.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::convert::{Infallible, identity};
use core::hash::{BuildHasher, Hash};

use crate::error::GrowError;
use crate::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

/// A set with false positives but no false negatives.
///
/// For models, measurements and other code that is generic over filters; each type also has these
/// methods as inherent ones, with inserts named `insert` and `insert_many`, and more. The trait is
/// sealed: only the filters of this crate implement it, so that methods can be added later.
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, Filter, ScalableBloomFilter};
///
/// fn duplicates(filter: &mut impl Filter<str>, words: &[&str]) -> usize {
///     let known = |word: &&&str| matches!(filter.try_insert(**word), Ok(false));
///     words.iter().filter(known).count()
/// }
///
/// let words = ["ant", "bee", "ant"];
/// assert_eq!(duplicates(&mut BlockedBloomFilter::with_rate(100, 1e-6)?, &words), 1);
/// assert_eq!(duplicates(&mut ScalableBloomFilter::with_rate(100, 1e-6)?, &words), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Filter<T: ?Sized>: sealed::Sealed {
    /// The error of a refused item: [`Infallible`] except for the filter that grows.
    type InsertError: core::error::Error;

    /// Inserts an item and returns whether it is certainly new.
    ///
    /// # Errors
    ///
    /// The filter cannot take more items; it is unchanged.
    fn try_insert(&mut self, item: &T) -> Result<bool, Self::InsertError>;

    /// Returns whether an item may have been inserted; `false` is certain.
    #[must_use]
    fn contains(&self, item: &T) -> bool;

    /// Inserts every item in order and returns how many were certainly new.
    ///
    /// # Errors
    ///
    /// The error of the first refused item; the items before it are inserted.
    fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, Self::InsertError>
    where
        Self: Sized;

    /// Queries every item in order and stores the answers in `answers`, one per item.
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        Self: Sized;

    /// Removes all items.
    fn clear(&mut self);

    /// Returns whether the filter is empty, so that every query returns `false`.
    #[must_use]
    fn is_empty(&self) -> bool;

    /// Returns the false-positive rate of this filter, computed from its bits.
    #[must_use]
    fn false_positive_rate(&self) -> f64;

    /// Returns the bytes of memory that hold bits or counters.
    #[must_use]
    fn memory_bytes(&self) -> u64;
}

/// Forwards every method to the inherent one, of the same name but for `try_`; `$inserted` turns the
/// value of an insert into a `Result`.
macro_rules! impl_filter {
    ($($filter:ident, $error:ty, $inserted:expr;)*) => {$(
        impl<T: ?Sized, S> sealed::Sealed for $filter<T, S> {}

        impl<T: Hash + ?Sized, S: BuildHasher> Filter<T> for $filter<T, S> {
            type InsertError = $error;

            #[inline]
            fn try_insert(&mut self, item: &T) -> Result<bool, $error> {
                $inserted(self.insert(item))
            }

            #[inline]
            fn contains(&self, item: &T) -> bool {
                Self::contains(self, item)
            }

            fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, $error> {
                $inserted(self.insert_many(items))
            }

            fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>) {
                Self::contains_many(self, items, answers);
            }

            fn clear(&mut self) {
                Self::clear(self);
            }

            fn is_empty(&self) -> bool {
                Self::is_empty(self)
            }

            fn false_positive_rate(&self) -> f64 {
                Self::false_positive_rate(self)
            }

            fn memory_bytes(&self) -> u64 {
                Self::memory_bytes(self)
            }
        }
    )*};
}

impl_filter! {
    BloomFilter, Infallible, Ok;
    BlockedBloomFilter, Infallible, Ok;
    CountingBloomFilter, Infallible, Ok;
    PartitionedBloomFilter, Infallible, Ok;
    ScalableBloomFilter, GrowError, identity;
}

#[cfg(target_has_atomic = "64")]
use crate::{AtomicBlockedBloomFilter, AtomicBloomFilter};

#[cfg(target_has_atomic = "64")]
impl_filter! {
    AtomicBloomFilter, Infallible, Ok;
    AtomicBlockedBloomFilter, Infallible, Ok;
}

mod sealed {
    pub trait Sealed {}
}
