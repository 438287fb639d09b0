//! The promises of a filter, such as that every inserted item is found, and the report of a violation.

use std::error::Error;
use std::fmt;

/// A promise of a filter. A [`Violation`] names the promise that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Every item that was inserted is found: there are no false negatives.
    InsertedIsFound,
    /// `insert` never reports an item as new that was inserted before.
    KnownIsNotNew,
    /// `insert` reports an item as new exactly if `contains` did not find it just before.
    NewIsNotFound,
    /// A cleared filter equals a new one.
    ClearedIsNew,
    /// A copy saves the same bytes, and keeps its items when the original is cleared.
    CopyIsEqual,
    /// Filters with the same size and hasher can be combined.
    AlikeAreCombined,
    /// The predicted rate is from 0 to 1.
    RateIsShare,
    /// An inserted item can be removed, and a certainly absent one is refused.
    InsertedIsRemoved,
    /// A batch returns the same answers as single calls.
    BatchIsSingle,
    /// After a merge, the items of both filters are found.
    MergedAreFound,
    /// A saved filter can be loaded, and gives the same answers.
    LoadedIsSaved,
    /// Another promise, which only one kind of filter or one fuzz target has. The text describes the promise.
    Law(&'static str),
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InsertedIsFound => "an inserted item must be found",
            Self::KnownIsNotNew => "an item that was inserted before must not be new",
            Self::NewIsNotFound => "an item must be new exactly if it was not found before",
            Self::ClearedIsNew => "a cleared filter must equal a new one",
            Self::CopyIsEqual => "a copy must be equal, and independent of the original",
            Self::AlikeAreCombined => "filters of the same size and hasher must not be refused",
            Self::RateIsShare => "the predicted rate must be from 0 to 1",
            Self::InsertedIsRemoved => {
                "removing an inserted item must succeed, and removing a certainly absent one must fail"
            }
            Self::BatchIsSingle => "a batch must give the same answers as single calls",
            Self::MergedAreFound => "after a merge, the items of both filters must be found",
            Self::LoadedIsSaved => "a saved filter must load and give the same answers",
            Self::Law(law) => law,
        })
    }
}

/// The outcome of a check.
pub type Checked = Result<(), Violation>;

/// A broken promise, the step of the script after which the violation was noticed, and what was observed.
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

    /// Adds the step that showed the violation, and the number of this step, counted from 0.
    #[must_use]
    pub fn after(mut self, number: usize, step: &impl fmt::Debug) -> Self {
        self.after = Some(format!("step {number}, {step:?}"));
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { promise, seen, .. } = self;
        match &self.after {
            Some(step) => write!(f, "after {step}: {promise}, got {seen}"),
            None => write!(f, "{promise}, got {seen}"),
        }
    }
}

impl Error for Violation {}

/// Returns a violation unless the promise was kept; `seen` describes what was observed instead.
///
/// # Errors
///
/// The promise is broken.
pub fn ensure(kept: bool, promise: Promise, seen: impl FnOnce() -> String) -> Checked {
    if kept {
        return Ok(());
    }
    Err(Violation {
        promise,
        seen: seen(),
        after: None,
    })
}

/// Does the same as [`ensure`], for a law that is described by a text.
///
/// # Errors
///
/// The law is broken.
pub fn law(kept: bool, law: &'static str, seen: &dyn fmt::Debug) -> Checked {
    ensure(kept, Promise::Law(law), || format!("{seen:?}"))
}
