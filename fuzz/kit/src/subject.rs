//! The traits that a filter must implement to be examined: a constructor, two required methods, and methods for operations that
//! only some filters have.

use std::fmt;

use crate::item::Item;
use crate::state::AnyState;

/// A filter of items of type `T`.
///
/// Only [`insert`](Self::insert) and [`contains`](Self::contains) are required. Every other method is for an operation that
/// only some filters have. If the method is not implemented, it returns `None`, and the operation is not examined.
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

    /// Inserts the items in order. An error means that not all of them were inserted.
    fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
        let _ = items;
        None
    }

    /// Queries the items, and returns the answers in the order of the items.
    fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
        let _ = items;
        None
    }

    /// Removes every item.
    fn clear(&mut self) -> Option<()> {
        None
    }

    /// Takes back one insertion of an item, and returns whether the item was there. An item that was inserted several times
    /// must be removed as often before it is gone.
    fn remove(&mut self, item: &T) -> Option<bool> {
        let _ = item;
        None
    }

    /// Merges another filter, which was built like this one, into this filter.
    ///
    /// The filter may refuse the merge if a new filter would not accept all items of both filters, inserted one by one. A
    /// refused merge must not change the filter.
    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Intersects this filter with another filter, which was built like this one.
    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        let _ = other;
        None
    }

    /// Returns the filter as bytes.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Loads bytes as a filter with the hasher of this filter.
    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let _ = bytes;
        None
    }

    /// Returns a copy, which shares no state with the original.
    fn copy(&self) -> Option<Self> {
        None
    }

    /// Returns the false-positive rate of this filter with the items that it holds now. It must not be a mere upper bound,
    /// because a measured rate below it is a violation, too.
    fn predicted_rate(&self) -> Option<f64> {
        None
    }

    /// Returns the estimated number of distinct items; `None` also if the filter is too full for an estimate.
    fn estimated_items(&self) -> Option<f64> {
        None
    }

    /// Returns the number of bits of memory that hold the items. No filter of m bits for n items has a rate below
    /// 2^(-m/n), so a lower measured rate is a violation.
    fn bits(&self) -> Option<u64> {
        None
    }

    /// Returns bits and hashes if this is a classic Bloom filter: each hash of an item sets one of the bits, chosen
    /// independently. The mean rate of such filters is then compared with the exact model.
    fn classic(&self) -> Option<(u64, u8)> {
        None
    }
}

/// A filter that can be built for a number of items and a rate, as an examination requires.
///
/// [`subject!`](crate::subject!) implements both traits, [`Subject`] and this one, for a filter of which only the required
/// methods are examined.
pub trait Candidate: Subject<Self::Item> + 'static {
    /// The type of the items.
    type Item: Item + ?Sized;

    /// Builds an empty filter for a number of expected items and a rate. Equal arguments should give equal filters. If each
    /// filter has a random seed, checks that need two equal filters are left out, and a merge breaks its promise.
    ///
    /// # Errors
    ///
    /// The filter refuses these numbers.
    fn with_rate(items: u64, rate: f64) -> Result<Self, String>;

    /// Builds the filter that [`with_rate`](Self::with_rate) builds, but with another hasher; `None` if the filter takes no
    /// hasher.
    ///
    /// If the filter is generic over hashers, implement this trait for the filter with [`AnyState`];
    /// [`with_rate`](Self::with_rate) then builds it with `AnyState::default()`.
    fn with_hasher(items: u64, rate: f64, state: AnyState) -> Option<Result<Self, String>> {
        let _ = (items, rate, state);
        None
    }

    /// Returns whether the filter grows, so that its rate stays below the requested one however many items are inserted.
    fn grows() -> bool {
        false
    }

    /// Builds an empty filter that several threads can fill at the same time; `None` if there is no such form of the filter.
    fn shared(items: u64, rate: f64) -> Option<Box<dyn Shared<Self::Item>>> {
        let _ = (items, rate);
        None
    }
}

/// A filter that several threads can fill at the same time.
pub trait Shared<T: ?Sized>: Send + Sync {
    /// Inserts an item.
    fn insert(&self, item: &T);

    /// Returns whether an item may have been inserted; `false` is certain.
    fn contains(&self, item: &T) -> bool;
}

/// What a filter reports about an insertion.
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

    /// Returns whether the answer agrees with `found`, the answer to a query for the item just before the insertion.
    pub(crate) fn agrees_with(&self, found: bool) -> bool {
        match self {
            Self::New => !found,
            Self::Seen => found,
            Self::Taken | Self::Refused(_) => true,
        }
    }

    /// Returns whether the filter accepted the item.
    pub(crate) fn is_accepted(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }
}

/// An `insert` that returns `()` does not report whether the item was new.
impl From<()> for Inserted {
    fn from((): ()) -> Self {
        Self::Taken
    }
}

/// An `insert` that returns an error refused the item, for example because the filter is full.
impl<E: fmt::Display> From<Result<(), E>> for Inserted {
    fn from(outcome: Result<(), E>) -> Self {
        match outcome {
            Ok(()) => Self::Taken,
            Err(error) => Self::Refused(error.to_string()),
        }
    }
}

/// What the constructor passed to [`subject!`](crate::subject!) may return: the filter, or a `Result` with the filter.
#[doc(hidden)]
pub trait Built<F> {
    /// Returns the filter, or the error as text.
    fn built(self) -> Result<F, String>;
}

impl<F> Built<F> for F {
    fn built(self) -> Result<F, String> {
        Ok(self)
    }
}

impl<F, E: fmt::Display> Built<F> for Result<F, E> {
    fn built(self) -> Result<F, String> {
        self.map_err(|error| error.to_string())
    }
}

/// Implements [`Subject`] and [`Candidate`](crate::Candidate) for a filter of your own crate. The constructor and the methods
/// for insertion and queries are given as paths or closures.
///
/// The constructor takes items (`u64`) and a rate (`f64`), and returns the filter or a `Result` with it. `insert` takes `&mut`
/// filter and `&` item, and returns `()`, a `Result<(), _>` or [`Inserted`]. It may not return a `bool`, which could mean *new*
/// or *seen*: convert a `bool` that means *new* by [`Inserted::as_new`].
///
/// # Examples
///
/// ```
/// use std::collections::HashSet;
///
/// #[derive(Default)]
/// struct Words(HashSet<String>);
///
/// bloom_fuzz_kit::subject!(
///     Words,
///     items: str,
///     with_rate: |_, _| Words::default(),
///     insert: |set, word| drop(set.0.insert(word.to_owned())),
///     contains: |set, word| set.0.contains(word),
/// );
/// ```
#[macro_export]
macro_rules! subject {
    ($filter:ty, items: $item:ty, with_rate: $new:expr, insert: $insert:expr, contains: $contains:expr $(,)?) => {
        impl $crate::Subject<$item> for $filter {
            fn insert(&mut self, item: &$item) -> $crate::Inserted {
                fn call<R: Into<$crate::Inserted>>(
                    insert: impl Fn(&mut $filter, &$item) -> R,
                    filter: &mut $filter,
                    item: &$item,
                ) -> $crate::Inserted {
                    insert(filter, item).into()
                }
                call($insert, self, item)
            }

            fn contains(&self, item: &$item) -> bool {
                fn call(
                    contains: impl Fn(&$filter, &$item) -> bool,
                    filter: &$filter,
                    item: &$item,
                ) -> bool {
                    contains(filter, item)
                }
                call($contains, self, item)
            }
        }

        impl $crate::Candidate for $filter {
            type Item = $item;

            fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
                fn call<R: $crate::Built<$filter>>(
                    new: impl Fn(u64, f64) -> R,
                    items: u64,
                    rate: f64,
                ) -> Result<$filter, String> {
                    new(items, rate).built()
                }
                call($new, items, rate)
            }
        }
    };
}
