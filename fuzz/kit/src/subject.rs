//! The interface of a filter under examination: two required methods, and whatever else it offers.

use bloom_core::math::Estimate;

/// A filter over items of type `T`.
///
/// Only [`insert`](Self::insert) and [`contains`](Self::contains) are required. Every other method is an
/// operation that some filters offer: by default it returns `None`, and the operation is not examined.
///
/// # Examples
///
/// ```
/// use bloom_fuzz_kit::{Inserted, Integer, Script, Step, Subject};
///
/// /// A filter that is never wrong.
/// #[derive(Default)]
/// struct Exact(std::collections::BTreeSet<u64>);
///
/// impl Subject<u64> for Exact {
///     fn insert(&mut self, item: &u64) -> Inserted {
///         Inserted::as_new(self.0.insert(*item))
///     }
///
///     fn contains(&self, item: &u64) -> bool {
///         self.0.contains(item)
///     }
/// }
///
/// let script = Script::new([Step::Insert(Integer(7)), Step::Contains(Integer(7))]);
/// script.check(Exact::default)?;
/// # Ok::<(), bloom_fuzz_kit::Violation>(())
/// ```
pub trait Subject<T: ?Sized>: Sized {
    /// Inserts an item.
    fn insert(&mut self, item: &T) -> Inserted;

    /// Returns whether an item may have been inserted; `false` is certain.
    fn contains(&self, item: &T) -> bool;

    /// Forgets every item.
    fn clear(&mut self) -> Option<()> {
        None
    }

    /// Removes an item once and returns whether it was in. An item is in as many times as it was inserted.
    fn remove(&mut self, item: &T) -> Option<bool> {
        let _ = item;
        None
    }

    /// Merges in another filter that was built like this one.
    ///
    /// It may refuse if a filter would not take the items of both, inserted one by one; it must not change
    /// anything then.
    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Intersects with another filter that was built like this one.
    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Returns the filter as bytes.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Loads bytes as a filter with this one's hasher.
    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let _ = bytes;
        None
    }

    /// Returns a copy that changes to the original do not affect.
    fn copy(&self) -> Option<Self> {
        None
    }

    /// Inserts the items in order; an error means that not all were inserted.
    fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
        let _ = items;
        None
    }

    /// Looks up the items in order.
    fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
        let _ = items;
        None
    }

    /// Returns the rate at which this filter, at its present fill, finds absent items. It must be the rate
    /// itself and not an upper bound, because a lower measured rate also counts as a violation.
    fn predicted_rate(&self) -> Option<f64> {
        None
    }

    /// Returns what the filter reports about its bits. Only filters with bloom-core's layout are compared.
    fn readings(&self) -> Option<Readings> {
        None
    }
}

/// What a filter with bloom-core's layout reports about its bits or counters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readings {
    /// Whether no bit is set.
    pub empty: bool,
    /// The share of set bits.
    pub fill: f64,
    /// The number of saturated counters.
    pub saturated: Option<u64>,
    /// The estimated number of distinct items.
    pub estimate: Option<Estimate>,
}

/// What a filter reports about an item that it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// Inserted, and certainly absent before.
    New,
    /// Inserted, and possibly present before.
    Seen,
    /// Inserted; the filter does not report whether the item was present before.
    Taken,
    /// Not inserted, for this reason; the filter is unchanged.
    Refused(String),
}

impl Inserted {
    /// Returns the answer of a filter whose `insert` returns whether an item is certainly new.
    pub fn as_new(new: bool) -> Self {
        if new { Self::New } else { Self::Seen }
    }
}
