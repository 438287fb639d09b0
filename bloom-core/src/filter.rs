//! What all filters share, for code that takes any of them.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::convert::{Infallible, identity};
use core::hash::{BuildHasher, Hash};

use crate::error::GrowError;
use crate::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

/// A set that may say yes by mistake and never says no by mistake.
///
/// For models, measurements and other code over any filter; each type has these methods, and more,
/// as its own. The trait is sealed: only the filters of this crate implement it, so that it can grow.
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
    /// Why an item is not taken: [`Infallible`] but for a filter that grows.
    type InsertError: core::error::Error;

    /// Inserts an item and returns whether it is certainly new.
    ///
    /// # Errors
    ///
    /// The filter takes no more items; it is as it was.
    fn try_insert(&mut self, item: &T) -> Result<bool, Self::InsertError>;

    /// Returns whether an item may have been inserted; `false` is certain.
    fn contains(&self, item: &T) -> bool;

    /// Inserts every item in turn and returns how many were certainly new.
    ///
    /// # Errors
    ///
    /// For the first item that is not taken; those before it are in.
    fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, Self::InsertError>
    where
        Self: Sized;

    /// Asks for every item in turn; `answers` becomes the answers, one for each.
    fn contains_many<Q: Borrow<T>>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        Self: Sized;

    /// Forgets every item.
    fn clear(&mut self);

    /// Returns whether nothing is found.
    fn is_empty(&self) -> bool;

    /// Returns this filter's own false-positive rate, read off its bits.
    fn false_positive_rate(&self) -> f64;

    /// Returns the bytes of memory that hold bits or counters.
    fn memory_bytes(&self) -> u64;
}

/// Passes every method on to the type's own, of the same name; `$inserted` makes a `Result` of what an insert returns.
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

mod sealed {
    pub trait Sealed {}
}
