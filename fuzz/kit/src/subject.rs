//! What a filter must offer to be examined: two methods, and whatever else it has.

use bloom_core::math::Estimate;

/// A filter over items of type `T`.
///
/// Only [`insert`](Self::insert) and [`contains`](Self::contains) are needed. Every other method
/// stands for something that many filters offer and many do not: left out, it returns `None`, and is
/// not examined.
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

    /// Removes an item once and returns whether it was in. An item is in as often as it was
    /// inserted.
    fn remove(&mut self, item: &T) -> Option<bool> {
        let _ = item;
        None
    }

    /// Adds what is in another filter that was built like this one.
    ///
    /// It may refuse where the items of both, inserted one by one, would not all be taken; nothing
    /// may change then.
    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Keeps what is in another filter, too, that was built like this one.
    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Returns the filter as bytes.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Reads bytes as a filter that hashes like this one.
    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let _ = bytes;
        None
    }

    /// Returns a copy, which changes to the original leave alone.
    fn copy(&self) -> Option<Self> {
        None
    }

    /// Inserts every item in turn; an error means that not all were taken.
    fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
        let _ = items;
        None
    }

    /// Looks up every item in turn.
    fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
        let _ = items;
        None
    }

    /// Returns the rate at which this filter at its present fill finds other items: the rate
    /// itself and not an upper bound, since a lower measured rate breaks it too.
    fn predicted_rate(&self) -> Option<f64> {
        None
    }

    /// Returns what the filter reports of its bits. Only a filter of bloom-core's layout is compared.
    fn readings(&self) -> Option<Readings> {
        None
    }
}

/// What a filter of bloom-core's layout reports of its bits or counters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readings {
    /// Whether none is set.
    pub empty: bool,
    /// The share that is set.
    pub fill: f64,
    /// How many counters are at their maximum.
    pub saturated: Option<u64>,
    /// How many distinct items explain what is set.
    pub estimate: Option<Estimate>,
}

/// What a filter reports of an item that it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It is in, and was certainly not before.
    New,
    /// It is in, and may have been before.
    Seen,
    /// It is in; the filter does not report whether it was before.
    Taken,
    /// It is not in, for this reason; nothing else has changed.
    Refused(String),
}

impl Inserted {
    /// Returns the answer of a filter that reports whether an item is certainly new.
    pub fn as_new(new: bool) -> Self {
        if new { Self::New } else { Self::Seen }
    }
}
