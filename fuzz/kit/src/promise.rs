//! The promises of a filter, and the report of a broken one.

use std::error::Error;
use std::fmt;

/// What a filter promises, one name for each thing it can be caught at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// No false negatives.
    InsertedIsFound,
    /// `insert` says `true` only of an item that is certainly new.
    KnownIsNotNew,
    /// `insert` says `true` exactly if `contains` said `false`.
    NewIsNotFound,
    /// An item is to the filter what its hash is.
    HashStandsForItem,
    /// An insert sets some of its positions, at most one a hash, and clears none.
    InsertSetsItsPositions,
    /// Extending is inserting one by one.
    ExtendIsInsert,
    /// A filter without a bit set finds nothing.
    EmptyFindsNothing,
    /// A cleared filter is a new one.
    ClearedIsNew,
    /// A copy is equal, and apart.
    CopyIsEqual,
    /// A union has the bits of inserting both.
    UnionIsInsert,
    /// An intersection has the bits that are set in both.
    IntersectionIsBoth,
    /// Another shape or hasher is refused with the right error, and is not equal.
    StrangerIsRefused,
    /// A refusal leaves the filter as it was.
    RefusalChangesNothing,
    /// Fill and rate are between 0 and 1, and at an end where the bits are.
    ReadingsAreShares,
    /// The estimate is a finite number, and there is none exactly if every bit is set.
    EstimateUnlessFull,
    /// What is in can be taken out, and what is certainly not in is refused.
    InsertedIsRemoved,
    /// A batch answers as its items do one by one.
    BatchIsSingle,
    /// After merging, the items of both are found.
    MergedAreFound,
    /// What is saved can be loaded, and answers the same.
    LoadedIsSaved,
    /// A law of one kind of filter or one target, in its own words.
    Law(&'static str),
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InsertedIsFound => "an inserted item must be found",
            Self::KnownIsNotNew => "an item that was inserted before must not be new",
            Self::NewIsNotFound => "an item must be new exactly if it was not found before",
            Self::HashStandsForItem => "an item and its hash must be found alike",
            Self::InsertSetsItsPositions => {
                "an insert must set 1 to k bits if the item is new, none if not, and clear none"
            }
            Self::ExtendIsInsert => "extending must be inserting one by one",
            Self::EmptyFindsNothing => "an empty filter must find nothing",
            Self::ClearedIsNew => "a cleared filter must be as a new one",
            Self::CopyIsEqual => "a copy must be equal",
            Self::UnionIsInsert => "a union must have the bits of inserting both",
            Self::IntersectionIsBoth => "an intersection must have the bits set in both",
            Self::StrangerIsRefused => "another shape or hasher must be refused as such",
            Self::RefusalChangesNothing => "a refusal must change nothing",
            Self::ReadingsAreShares => "fill and rate must be shares that fit the set bits",
            Self::EstimateUnlessFull => "the estimate must be finite, and none if all bits are set",
            Self::InsertedIsRemoved => {
                "an item that is in must be removed, and one that is certainly not must be refused"
            }
            Self::BatchIsSingle => "a batch must answer as its items do one by one",
            Self::MergedAreFound => "after merging, the items of both must be found",
            Self::LoadedIsSaved => "what is saved must load and answer the same",
            Self::Law(law) => law,
        })
    }
}

/// Says which promise was broken, after which operation, and what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    promise: Promise,
    seen: String,
    after: Option<String>,
}

impl Violation {
    /// Returns the promise that was broken.
    pub fn promise(&self) -> Promise {
        self.promise
    }

    /// Names the operation, by its number from 0, that showed it.
    pub(crate) fn after(mut self, number: usize, operation: &impl fmt::Debug) -> Self {
        self.after = Some(format!("operation {number}, {operation:?}"));
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { promise, seen, .. } = self;
        match &self.after {
            Some(operation) => write!(f, "after {operation}: {promise}, got {seen}"),
            None => write!(f, "{promise}, got {seen}"),
        }
    }
}

impl Error for Violation {}

/// Returns a violation unless the promise was kept; `seen` says what was seen instead.
pub(crate) fn ensure(
    kept: bool,
    promise: Promise,
    seen: impl FnOnce() -> String,
) -> Result<(), Violation> {
    if kept {
        return Ok(());
    }
    Err(Violation {
        promise,
        seen: seen(),
        after: None,
    })
}

/// [`ensure`] for a law of a target.
pub(crate) fn law(
    kept: bool,
    law: &'static str,
    seen: impl FnOnce() -> String,
) -> Result<(), Violation> {
    ensure(kept, Promise::Law(law), seen)
}
